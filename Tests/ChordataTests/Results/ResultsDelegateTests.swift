import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// The possible forms of a delegate; ``CompileFailTests`` has forms that do not compile.
struct ResultsDelegateTests {
    private static func list<Object: ManagedObject>(_ request: FetchRequest<Object>) throws
        -> (FetchedResultsController<Object>, ManagedObjectContext)
    {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        return (FetchedResultsController(fetchRequest: request, managedObjectContext: context), context)
    }

    /// Core Data's parameter types can be used like the typed ones, and each change is reported once.
    @Test func objectsOfAnyType() throws {
        final class Untyped: FetchedResultsControllerDelegate {
            var objects: [Any] = []
            func controller(
                _ controller: FetchedResultsController<Team>,
                didChange anObject: Any,
                at indexPath: IndexPath?,
                for type: FetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) { objects.append(anObject) }
        }
        let (controller, context) = try Self.list(Team.fetchRequest().sorted(by: \.name))
        let delegate = Untyped()
        controller.delegate = delegate
        try controller.performFetch()
        let team = Team(context: context, name: "Reds")
        context.processPendingChanges()
        #expect(delegate.objects.count == 1 && delegate.objects.first as? Team === team)
    }

    @Test func typedObjectsComeFirst() throws {
        final class Both: FetchedResultsControllerDelegate {
            var calls: [String] = []
            func controller(
                _ controller: FetchedResultsController<Team>,
                didChange object: Team,
                at indexPath: IndexPath?,
                for type: FetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) { calls.append("typed") }
            func controller(
                _ controller: FetchedResultsController<Team>,
                didChange object: Any,
                at indexPath: IndexPath?,
                for type: FetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) { calls.append("any") }
        }
        let (controller, context) = try Self.list(Team.fetchRequest().sorted(by: \.name))
        let delegate = Both()
        controller.delegate = delegate
        try controller.performFetch()
        _ = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(delegate.calls, ["typed"])
    }

    /// One delegate for controllers of several classes with a common superclass.
    @Test func controllersOfACommonSuperclass() throws {
        final class Counter: FetchedResultsControllerDelegate {
            var counts: [String: Int] = [:]
            func controllerDidChangeContent(_ controller: FetchedResultsController<ManagedObject>) {
                counts[controller.fetchRequest.entityName, default: 0] += 1
            }
        }
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let delegate = Counter()
        let controllers = ["Team", "Player"].map { name in
            FetchedResultsController(
                fetchRequest: FetchRequest<ManagedObject>(entityName: name).sorted(by: "name"),
                managedObjectContext: context
            )
        }
        for controller in controllers {
            controller.delegate = delegate
            try controller.performFetch()
        }
        _ = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(delegate.counts, ["Team": 1])
        _ = Player(context: context, name: "Ann")
        context.processPendingChanges()
        expectEqual(delegate.counts, ["Team": 1, "Player": 1])
    }

    /// A class that is isolated to the main actor conforms in this isolation.
    @Test @MainActor func delegatesOfTheMainActor() throws {
        @MainActor
        final class Screen: @MainActor FetchedResultsControllerDelegate, @MainActor FetchedResultsSnapshotDelegate {
            var names: [String] = []
            var snapshots = 0
            func controllerDidChangeContent(_ controller: FetchedResultsController<Team>) {
                names = controller.fetchedObjects?.map(\.name) ?? []
            }
            func controller(
                _ controller: FetchedResultsController<Team>,
                didChangeContentWith snapshot: FetchedResultsSnapshot
            ) { snapshots += 1 }
        }
        let context = try LeagueModel.definition.testContainer(at: ":memory:").viewContext
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context
        )
        let screen = Screen()
        controller.delegate = screen
        try controller.performFetch()
        _ = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(screen.names, ["Reds"])
        controller.snapshotDelegate = screen
        _ = Team(context: context, name: "Blues")
        context.processPendingChanges()
        #expect(screen.snapshots == 1 && screen.names == ["Reds"])
    }
}
