import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Lists whose rows retain no objects: with a `fetchBatchSize`, they read batches on access.
///
/// The correctness of their contents is tested in `ResultsLawTests`.
@Suite(.onlySQLite(.statements))
struct ResultsBatchTests {
    private func withList(
        _ sectionNameKeyPath: String? = nil,
        _ body: (_ controller: FetchedResultsController<Player>, _ container: PersistentContainer, _ log: StatementLog)
            throws -> Void
    ) throws {
        try withStorePath { path in
            let log = StatementLog()
            let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            let writer = container.newContext()
            for number in 0..<50 {
                Player(context: writer, name: "P\(number)").age = Int16(number / 10)
            }
            try writer.save()
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.age).sorted(by: \.name).batchSize(5),
                managedObjectContext: context,
                sectionNameKeyPath: sectionNameKeyPath
            )
            try controller.performFetch()
            _ = log.take()
            try body(controller, container, log)
        }
    }

    @Test func objectsComeByBatches() throws {
        try withList { controller, _, log in
            let context = controller.managedObjectContext
            #expect(context.registeredObjects.isEmpty, "no row holds its object")
            expectEqual(controller.object(at: IndexPath(row: 7, section: 0)).name, "P7")
            expectEqual(log.take().count { $0.sql.hasPrefix("SELECT") }, 1)
            expectEqual(context.registeredObjects.count, 5)
            for row in [5, 6, 8, 9] {
                expectEqual(controller.object(at: IndexPath(row: row, section: 0)).name, "P\(row)")
            }
            #expect(log.take().isEmpty)
            // Only the objects that were accessed last stay registered.
            for row in stride(from: 10, to: 50, by: 5) { _ = controller.object(at: IndexPath(row: row, section: 0)) }
            context.graph.sweep()
            expectEqual(context.registeredObjects.count, 10)
            let objects = try #require(controller.fetchedObjects)
            expectEqual(objects.map(\.name), (0..<50).map { "P\($0)" })
            let first = controller.object(at: IndexPath(row: 0, section: 0))
            #expect(first === objects[0])
            expectEqual(controller.indexPath(forObject: first), IndexPath(row: 0, section: 0))
        }
    }

    /// An access to a registered object retains no batch, so it does not release another batch.
    @Test func registeredObjectsKeepTheBatches() throws {
        try withList { controller, _, _ in
            let context = controller.managedObjectContext
            for row in [7, 12, 12, 13, 14] { _ = controller.object(at: IndexPath(row: row, section: 0)) }
            context.graph.sweep()
            expectEqual(context.registeredObjects.count, 10)
        }
    }

    /// An access to a row whose object became a fault reads its batch with one statement.
    @Test func faultsAreReadByBatches() throws {
        try withList { controller, _, log in
            let context = controller.managedObjectContext
            let players = (5..<10).map { controller.object(at: IndexPath(row: $0, section: 0)) }
            context.refreshAllObjects()
            #expect(players.allSatisfy { $0.isFault })
            _ = log.take()
            #expect(controller.object(at: IndexPath(row: 7, section: 0)) === players[2])
            #expect(players.allSatisfy { !$0.isFault })
            expectEqual(log.take().count { $0.sql.hasPrefix("SELECT") }, 1)
        }
    }

    /// Row keys are unique among all tables, but other programs may use a row key twice.
    @Test func deletionsInAnotherTable() throws {
        try withList { controller, _, _ in
            let context = controller.managedObjectContext
            let table = ResultsTable<Player>()
            controller.delegate = table
            table.show(controller)
            let key = controller.snapshot.itemIdentifiers[7].key
            let path = try #require(context.persistentStoreCoordinator?.persistentStores.first).path
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
                try connection.execute("INSERT INTO \"Team\" (_id, _version, name) VALUES (\(key), 1, 'T')")
            }
            context.delete(try #require(try context.fetchOne(Team.fetchRequest())))
            try context.save()
            #expect(table.changes.isEmpty && controller.snapshot.numberOfItems == 50)
        }
    }

    /// Rows of unregistered objects are inserted, deleted and moved.
    @Test func changesOfOtherContexts() throws {
        try withList("age") { controller, container, log in
            let table = ResultsTable<Player>()
            controller.delegate = table
            table.show(controller)
            let other = container.newContext()
            let players = try other.fetch(Player.fetchRequest().sorted(by: \.age).sorted(by: \.name))
            other.delete(players[3])
            players[4].age = 4
            players[20].name = "P20b"
            _ = Player(context: other, name: "new")
            try other.save()
            _ = log.take()
            controller.managedObjectContext.processPendingChanges()
            let expected = try container.newContext().fetch(
                Player.fetchRequest().sorted(by: \.age).sorted(by: \.name).objectIDs
            )
            expectEqual(table.rows.flatMap { $0 }, expected)
            expectEqual(controller.snapshot.itemIdentifiers, expected)
            expectEqual(Set(table.changes.map(\.type)), [.delete, .insert, .move, .update])
        }
    }
}
