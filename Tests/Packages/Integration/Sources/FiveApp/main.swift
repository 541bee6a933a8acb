import Checks
import Chordata
import Foundation

// All samples in one target, in language mode 5.

let context = try LeagueModel.container(at: ":memory:").newContext()
let team = Team(context: context, name: "Reds")
for name in ["Ada", "Grace"] { Player(context: context, name: name).team = team }
try context.save()
checkEqual(team.players.count, 2)
let found = try context.fetch(Player.fetchRequest().where(format: "team.name == %@", "Reds").sorted(by: \.name))
checkEqual(found.map(\.name), ["Ada", "Grace"])

let done = try DoneModel.container(at: ":memory:").newContext()
_ = TodoItem(context: done, name: "Buy milk", createdAt: Date())
try done.save()
checkEqual(try done.fetch(TodoItem.openItems(since: .distantPast)).map(\.name), ["Buy milk"])
print("Five: \(found.count) players")
