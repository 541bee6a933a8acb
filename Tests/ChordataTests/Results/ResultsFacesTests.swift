import ChordataTestStores
import ChordataTestSupport
import Foundation
import Observation
import Testing

@testable import Chordata

/// The other observers of results controllers: snapshots, differences, sequences of changes, observation.
struct ResultsFacesTests {
    /// Records the reported snapshots and differences.
    private final class Snapshots<Object: ManagedObject>: FetchedResultsSnapshotDelegate,
        FetchedResultsDifferenceDelegate
    {
        var all: [FetchedResultsSnapshot] = []
        var shown: [ManagedObjectID] = []
        var differences = 0

        func controller(
            _ controller: FetchedResultsController<Object>,
            didChangeContentWith snapshot: FetchedResultsSnapshot
        ) { all.append(snapshot) }

        func controller(
            _ controller: FetchedResultsController<Object>,
            didChangeContentWith difference: CollectionDifference<ManagedObjectID>
        ) {
            differences += 1
            shown = shown.applying(difference) ?? []
        }
    }

    private static func arrangement(_ controller: FetchedResultsController<Player>) -> [[ManagedObjectID]] {
        controller.sections?.map { $0.objects.map(\.objectID) } ?? []
    }

    /// The reports to each observer reproduce the current results.
    @Test(arguments: UInt64(1)...6, [false, true]) func law(seed: UInt64, isSectioned: Bool) async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        var game = try RandomContextEvents(container, seed: seed)
        let request = Player.fetchRequest().sorted(by: \.age).sorted(by: \.name)
        let controllers = (0..<3).map { _ in
            FetchedResultsController(
                fetchRequest: request,
                managedObjectContext: game.context,
                sectionNameKeyPath: isSectioned ? "age" : nil
            )
        }
        let table = ResultsTable<Player>()
        let silent = ResultsTable<Player>()
        let snapshots = Snapshots<Player>()
        controllers[0].delegate = table
        controllers[1].snapshotDelegate = snapshots
        controllers[2].differenceDelegate = snapshots
        for controller in controllers[1...] { controller.delegate = silent }
        for controller in controllers { try controller.performFetch() }
        table.show(controllers[0])
        silent.show(controllers[2])
        snapshots.shown = controllers[2].snapshot.itemIdentifiers
        expectEqual(snapshots.all, [controllers[1].snapshot])
        var replayed = controllers[0].snapshot
        var changes = controllers[0].changes.makeAsyncIterator()
        var told = 0
        for step in 0..<150 {
            try game.makeEvent()
            let shown = Self.arrangement(controllers[0])
            // A save with a conflict causes more than one event.
            while told < table.willCount {
                replayed.apply(try #require(await changes.next()))
                told += 1
            }
            expectEqual(replayed.sections.map(\.itemIdentifiers), shown, "\(seed), \(step)")
            expectEqual(replayed.sections.map(\.name), controllers[0].sections?.map(\.name), "\(seed), \(step)")
            expectEqual(snapshots.all.last?.sections.map(\.itemIdentifiers), shown, "\(seed), \(step)")
            #expect((isSectioned ? silent.rows.flatMap { $0 } : snapshots.shown) == shown.flatMap { $0 })
            game.forgetObjects()
        }
        expectEqual(snapshots.all.count, table.willCount + 1)
        #expect(isSectioned ? silent.willCount == table.willCount : snapshots.differences == table.willCount)
        #expect(isSectioned || silent.willCount == 0)
    }

    private func controller(_ context: ManagedObjectContext) -> FetchedResultsController<Team> {
        FetchedResultsController(fetchRequest: Team.fetchRequest().sorted(by: \.name), managedObjectContext: context)
    }

    /// F38: changed items can be distinguished from new ones.
    @Test func snapshotsDistinguishChangedItems() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let teams = ["A", "B", "C"].map { Team(context: context, name: $0) }
        let snapshots = Snapshots<Team>()
        let controller = controller(context)
        controller.snapshotDelegate = snapshots
        try controller.performFetch()
        #expect(snapshots.all.map(\.numberOfItems) == [3] && snapshots.all[0].reconfiguredItemIdentifiers == [])
        teams[0].name = "D"
        teams[2].city = "Ulm"
        let new = Team(context: context, name: "E")
        context.processPendingChanges()
        let last = try #require(snapshots.all.last)
        expectEqual(last.itemIdentifiers, [teams[1], teams[2], teams[0], new].map(\.objectID))
        expectEqual(last.reconfiguredItemIdentifiers, [teams[2].objectID, teams[0].objectID])
        #expect(last.sectionIdentifiers == [""] && last.numberOfSections == 1)
        #expect(last.itemIdentifiers(inSection: "")?.count == 4 && last.itemIdentifiers(inSection: "x") == nil)
        expectEqual(last[IndexPath(row: 3, section: 0)], new.objectID)
    }

    /// Each consumer receives all changes, in any isolation, and the sequence ends when the controller is deallocated.
    @Test func sequences() async throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        var controller: FetchedResultsController<Team>? = controller(context)
        let streams = (0..<2).compactMap { _ in controller?.changes }
        try controller?.performFetch()
        let names = try ["A", "B", "C"].map { name in
            let team = Team(context: context, name: name)
            try context.save()
            return team.objectID
        }
        try controller?.performFetch()
        controller = nil
        let replays = streams.map { stream in
            Task.detached {
                var (shown, count) = (FetchedResultsSnapshot(sections: []), 0)
                for await change in stream {
                    shown.apply(change)
                    count += 1
                }
                return (shown.itemIdentifiers, count)
            }
        }
        for replay in replays {
            let (shown, count) = await replay.value
            #expect(shown == names && count == 5)
        }
    }

    /// F15: observers of the results are notified without any delegate, but not of other events.
    @Test func observation() throws {
        final class Count: @unchecked Sendable { var value = 0 }
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let controller = controller(context)
        let count = Count()
        func observe() -> [String] {
            withObservationTracking {
                controller.fetchedObjects?.map(\.name) ?? []
            } onChange: {
                count.value += 1
            }
        }
        expectEqual(observe(), [])
        try controller.performFetch()
        expectEqual(count.value, 1)
        expectEqual(observe(), [])
        _ = Player(context: context, name: "P")
        try context.save()
        expectEqual(count.value, 1)
        _ = Team(context: context, name: "A")
        context.processPendingChanges()
        #expect(count.value == 2 && observe() == ["A"])
        let sections = withObservationTracking {
            controller.sections?.map(\.numberOfObjects)
        } onChange: {
            count.value += 1
        }
        expectEqual(sections, [1])
        _ = Team(context: context, name: "B")
        context.processPendingChanges()
        #expect(count.value == 4 && controller.fetchedObjects?.map(\.name) == ["A", "B"])
    }

    /// F39: a difference does not describe sections, so it is not reported for a list with sections.
    @Test func differencesWithinOneSection() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.city),
            managedObjectContext: context,
            sectionNameKeyPath: "city"
        )
        let (snapshots, table) = (Snapshots<Team>(), ResultsTable<Team>())
        controller.differenceDelegate = snapshots
        controller.delegate = table
        try controller.performFetch()
        Team(context: context, name: "A").city = "Ulm"
        context.processPendingChanges()
        #expect(snapshots.differences == 0 && table.willCount == 1)
    }
}
