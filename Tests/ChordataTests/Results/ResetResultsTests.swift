import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// F20: after a reset a controller keeps its old results, and reports nothing until it fetches again.
struct ResetResultsTests {
    private final class Counter: FetchedResultsControllerDelegate {
        var count = 0
        func controllerDidChangeContent(_ controller: FetchedResultsController<Team>) { count += 1 }
    }

    @Test func noChangesAreReportedUntilTheNextFetch() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let writer = container.newContext()
        for name in ["Blues", "Greens", "Reds"] { _ = Team(context: writer, name: name) }
        try writer.save()

        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context
        )
        let counter = Counter()
        controller.delegate = counter
        try controller.performFetch()
        context.refreshAllObjects()
        context.reset()

        _ = Team(context: writer, name: "Blacks")
        try writer.save()
        context.processPendingChanges()
        expectEqual(counter.count, 0)
        try controller.performFetch()
        expectEqual(controller.fetchedObjects?.map(\.name), ["Blacks", "Blues", "Greens", "Reds"])
        _ = Team(context: writer, name: "Whites")
        try writer.save()
        context.processPendingChanges()
        expectEqual(counter.count, 1)
        expectEqual(controller.fetchedObjects?.last?.name, "Whites")
    }
}
