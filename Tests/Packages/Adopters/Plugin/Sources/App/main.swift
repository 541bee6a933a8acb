import Chordata
import Foundation

let container = try LeagueModel.container(at: CommandLine.arguments[1])
let context = container.viewContext
let reds = Team(context: context, name: "Reds")
for number in 0..<20 { Player(context: context, name: "Player \(number)").team = reds }
try context.save()
let players = try context.fetch(Player.fetchRequest().where(\.team?.name == "Reds").sorted(by: \.name))
print(players.map(\.name).joined(separator: ", "))
