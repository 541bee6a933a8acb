import ChordataTestStores
import ChordataTestSupport
import Foundation
import Observation
import Testing

@testable import Chordata

/// The first fetch of a list after other contexts have changed the store, and with values that are difficult to sort
/// and to divide into sections.
struct ResultsFetchTests {
    /// Objects that are older than the store are shown and sorted by the values that they have in memory.
    @Test(arguments: [0, 3]) func olderObjects(batchSize: Int) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        for (name, age) in [("Ann", 1), ("Eve", 1), ("Bob", 2), ("Dan", 2)] as [(String, Int16)] {
            Player(context: context, name: name).age = age
        }
        try context.save()
        let held = try context.fetch(Player.fetchRequest())
        try #require(try other.fetchOne(Player.fetchRequest().where(\.name == "Bob"))).age = 1
        try other.save()
        let controller = FetchedResultsController(
            fetchRequest: Player.fetchRequest().sorted(by: \.age).sorted(by: \.name).batchSize(batchSize),
            managedObjectContext: context,
            sectionNameKeyPath: "age"
        )
        let table = ResultsTable<Player>()
        controller.delegate = table
        try withExtendedLifetime(held) {
            try controller.performFetch()
            table.show(controller)
            expectEqual(controller.sections?.map { $0.objects.map(\.name) }, [["Ann", "Eve"], ["Bob", "Dan"]])
            try #require(held.first { $0.name == "Bob" }).name = "Zoe"
            context.processPendingChanges()
            #expect(controller.changeError == nil)
            expectEqual(controller.sections?.map { $0.objects.map(\.name) }, [["Ann", "Eve"], ["Dan", "Zoe"]])
            expectEqual(table.rows, controller.snapshot.sections.map(\.itemIdentifiers))
        }
    }

    /// Saves between the statements of a fetch are not visible to it, on any thread.
    @Test(.onlySQLite(.statements), arguments: [0, 2]) func fetchesReadOneStoreState(batchSize: Int) throws {
        try withStorePath { path in
            let writer = try LeagueModel.definition.testContainer(at: path).newContext()
            let teams = ["A", "B"].map { Team(context: writer, name: $0) }
            for team in teams { Player(context: writer, name: "P").team = team }
            try writer.save()
            nonisolated(unsafe) var edit: (() throws -> Void)? = {
                teams[0].name = "C"
                try writer.save()
            }
            let logger = StatementLogger { record in
                guard record.sql.contains("FROM \"Player\""), let now = edit else { return }
                edit = nil
                do { try now() } catch { Issue.record(error) }
            }
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(statementLogger: logger)
            )
            let context = container.newContext()
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: "team.name").batchSize(batchSize),
                managedObjectContext: context,
                sectionNameKeyPath: "team.name"
            )
            try controller.performFetch()
            #expect(edit == nil)
            expectEqual(controller.sections?.map(\.name), ["A", "B"])
        }
    }

    /// Strings are in one section if their Unicode scalars are equal, as in sorting.
    @Test func textOfOtherScalars() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for name in ["e\u{301}", "f", "\u{e9}", "\u{e9}"] { _ = Team(context: context, name: name) }
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context,
            sectionNameKeyPath: "name"
        )
        let table = ResultsTable<Team>()
        controller.delegate = table
        try controller.performFetch()
        table.show(controller)
        expectEqual(controller.sections?.map(\.numberOfObjects), [1, 1, 2])
        expectEqual(controller.snapshot.itemIdentifiers(inSection: "\u{e9}")?.count, 2)
        try #require(controller.fetchedObjects?.first).name = "\u{e9}"
        context.processPendingChanges()
        #expect(controller.changeError == nil && table.rows.map(\.count) == [1, 3])
    }

    /// F10: a required number that was never set counts as missing.
    @Test func numbersThatWereNeverSet() throws {
        let store = try ConflictStore(path: ":memory:")
        for values in [[:], ["id": Int64(-1)], ["id": Int64(0)]] as [[String: Any?]] {
            _ = store.insert("Item", values, into: store.here)
        }
        let controller = FetchedResultsController(
            fetchRequest: FetchRequest<ManagedObject>(entityName: "Item").sorted(by: "id"),
            managedObjectContext: store.here,
            sectionNameKeyPath: "id"
        )
        try controller.performFetch()
        expectEqual(controller.sections?.map(\.name), ["", "-1", "0"])
    }

    @Test(.onlySQLite(.mistypedValues), arguments: [0, 5]) func unreadableValuesAreAnError(batchSize: Int) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let writer = container.newContext()
            for name in ["A", "B"] { _ = Player(context: writer, name: name) }
            try writer.save()
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
                try connection.execute("UPDATE \"Player\" SET \"age\" = 40000 WHERE \"name\" = 'A'")
            }
            let context = container.newContext()
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.age).batchSize(batchSize),
                managedObjectContext: context
            )
            #expect(throws: UnreadableValueError.self) { try controller.performFetch() }
        }
    }

    /// Changes reported to a delegate match the current rows; the list may be fetched again afterwards.
    @Test func fetchingWhileADelegateIsNotified() async throws {
        final class Fetcher: FetchedResultsControllerDelegate {
            var isImpatient = false
            private(set) var count = 0

            func controller(
                _ controller: FetchedResultsController<Player>,
                didChange object: Player,
                at indexPath: IndexPath?,
                for type: FetchedResultsChangeType,
                newIndexPath: IndexPath?
            ) { if isImpatient { try? controller.performFetch() } }

            func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
                do { try controller.performFetch() } catch { Issue.record(error) }
                count += 1
            }

            static func list(_ context: ManagedObjectContext) throws -> (FetchedResultsController<Player>, Fetcher) {
                let controller = FetchedResultsController(
                    fetchRequest: Player.fetchRequest().sorted(by: \.name).batchSize(2),
                    managedObjectContext: context
                )
                let fetcher = Fetcher()
                controller.delegate = fetcher
                try controller.performFetch()
                return (controller, fetcher)
            }
        }
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let (controller, fetcher) = try Fetcher.list(context)
        for name in ["A", "B"] { _ = Player(context: context, name: name) }
        context.processPendingChanges()
        #expect(fetcher.count == 1 && controller.fetchedObjects?.map(\.name) == ["A", "B"])
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let (controller, fetcher) = try Fetcher.list(context)
            fetcher.isImpatient = true
            _ = Player(context: context, name: "A")
            context.processPendingChanges()
            withExtendedLifetime(controller) {}
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("performFetch() was called while changes are reported"), "\(text)")
    }

    /// If an error stops the updates of a list, the sequence of changes ends for its consumers.
    @Test(.timeLimit(.minutes(30))) func changesEndWhereTheListStops() async throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let players = [("A", 1), ("B", 2), ("C", 3)].map { name, age in
            let player = Player(context: context, name: name)
            player.age = Int16(age)
            return player
        }
        let controller = FetchedResultsController(
            fetchRequest: Player.fetchRequest().sorted(by: \.age),
            managedObjectContext: context,
            sectionNameKeyPath: "name"
        )
        try controller.performFetch()
        let changes = controller.changes
        nonisolated(unsafe) var isTold = false
        withObservationTracking {
            _ = controller.changeError
        } onChange: {
            isTold = true
        }
        players[2].name = "A"
        context.processPendingChanges()
        #expect(controller.changeError != nil && isTold)
        for await _ in changes { Issue.record("nothing was told") }
        players[2].name = "C"
        context.processPendingChanges()
        try controller.performFetch()
        #expect(controller.changeError == nil && controller.sections?.map(\.name) == ["A", "B", "C"])
    }
}
