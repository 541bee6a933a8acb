import Checks
import Chordata
import Foundation

// Players in sections by team, followed by a delegate while they change teams.

/// Collects the calls to a table view.
final class Recorder: FetchedResultsControllerDelegate {
    var events: [String] = []

    func controllerWillChangeContent(_ controller: FetchedResultsController<Player>) {
        events.append("will")
    }

    func controller(
        _ controller: FetchedResultsController<Player>,
        didChange object: Player,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        func text(_ path: IndexPath?) -> String { path.map { "[\($0.section),\($0.row)]" } ?? "-" }
        events.append("\(type) \(text(indexPath)) \(text(newIndexPath))")
    }

    func controller(
        _ controller: FetchedResultsController<Player>,
        didChange sectionInfo: FetchedResultsSectionInfo<Player>,
        atSectionIndex sectionIndex: Int,
        for type: FetchedResultsChangeType
    ) {
        events.append("section \(type) \(sectionIndex) \(sectionInfo.name)")
    }

    func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
        events.append("did")
    }
}

let container = try LeagueModel.container(at: ":memory:")
let context = container.viewContext
let reds = Team(context: context, name: "Reds")
let blues = Team(context: context, name: "Blues")
for (name, age, team) in [("Ann", 30, reds), ("Bob", 20, reds), ("Cid", 25, blues)] {
    let player = Player(context: context, name: name)
    player.age = Int16(age)
    player.team = team
}
checkEqual(reds.players.count, 2)
try context.save()

let controller = FetchedResultsController(
    fetchRequest: Player.fetchRequest().sorted(by: "team.name").sorted(by: \.age),
    managedObjectContext: context,
    sectionNameKeyPath: "team.name",
    cacheName: "players"
)
let recorder = Recorder()
controller.delegate = recorder
try controller.performFetch()
checkEqual(controller.sections?.map(\.name), ["Blues", "Reds"])
checkEqual(controller.sections?.map { $0.objects.map(\.name) }, [["Cid"], ["Bob", "Ann"]])
checkEqual(controller.object(at: IndexPath(row: 1, section: 1)).name, "Ann")

// Cid moves to the Reds, so the section of the Blues becomes empty.
let cid = controller.object(at: IndexPath(row: 0, section: 0))
cid.team = reds
checkEqual(blues.players.count, 0)
checkEqual(reds.players.count, 3)
context.processPendingChanges()
checkEqual(recorder.events, ["will", "section delete 0 Blues", "move [0,0] [0,1]", "did"])
checkEqual(controller.sections?.map { $0.objects.map(\.name) }, [["Bob", "Cid", "Ann"]])

// A new age that does not change the position of the row is an update; otherwise it is a move.
recorder.events = []
cid.age = 26
try context.save()
checkEqual(recorder.events, ["will", "update [0,1] [0,1]", "did"])
recorder.events = []
cid.age = 31
context.delete(controller.object(at: IndexPath(row: 0, section: 0)))
try context.save()
checkEqual(recorder.events, ["will", "delete [0,0] -", "move [0,1] [0,1]", "did"])
checkEqual(controller.fetchedObjects?.map(\.name), ["Ann", "Cid"])
print("League: \(controller.sections?.map { "\($0.name): \($0.numberOfObjects)" }.joined(separator: ", ") ?? "")")
