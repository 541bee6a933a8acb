import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Long operations report to the current progress of the thread, and end if it is cancelled.
struct OperationProgressTests {
    private static let count = 3_000

    /// Runs a closure with a current progress.
    /// - Returns: The result and the progress.
    private func reporting<Result>(_ body: () throws -> Result) throws -> (Result, Progress) {
        let progress = Progress(totalUnitCount: 1)
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        return (try body(), progress)
    }

    /// Runs a closure whose progress is cancelled before it begins.
    private func cancelled<Result>(_ body: () throws -> Result) throws -> Result {
        let progress = Progress(totalUnitCount: 1)
        progress.cancel()
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        return try body()
    }

    /// Expects that a closure whose progress is cancelled before it begins ends with a cancellation error.
    private func expectCancellation(_ body: () throws -> Void) {
        do {
            try cancelled(body)
            Issue.record("the operation was not cancelled")
        } catch {
            #expect(error is CancellationError || (error as? StoreError)?.code == .cancelled, "\(error)")
        }
    }

    private func makePlayers(_ context: ManagedObjectContext) {
        for number in 0..<Self.count { _ = Player(context: context, name: "p\(number)") }
    }

    private func withFilledStore(_ body: (PersistentContainer, ManagedObjectContext, String) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(synchronous: .normal)
            )
            let context = container.newContext(isolation: nil)
            makePlayers(context)
            try context.save()
            try body(container, context, path)
        }
    }

    private func ages(_ context: ManagedObjectContext) throws -> Set<Int16> {
        let values: [Player.Values] = try context.fetchValues(Player.fetchRequest())
        return Set(values.map(\.age))
    }

    @Test(.onlySQLite(.statements)) func savesReportRowsAsTheyAreWritten() throws {
        // There are two tables, so there are reports between the statements.
        let fractions = Mutex<[Double]>([])
        let progress = Progress(totalUnitCount: 1)
        let options = StoreOptions(
            statementLogger: StatementLogger { statement in
                if statement.sql.hasPrefix("INSERT INTO") {
                    fractions.withLock { $0.append(progress.fractionCompleted) }
                }
            }
        )
        let container = try LeagueModel.definition.testContainer(at: ":memory:", options: options)
        let context = container.newContext(isolation: nil)
        makePlayers(context)
        for number in 0..<Self.count { _ = Team(context: context, name: "t\(number)") }
        progress.becomeCurrent(withPendingUnitCount: 1)
        try context.save()
        progress.resignCurrent()
        let seen = fractions.withLock { $0 }
        #expect(seen.contains { $0 > 0.4 && $0 < 0.6 }, "\(seen)")
        #expect(progress.fractionCompleted == 1 && progress.isFinished)
    }

    @Test func cancelledSavesWriteNothing() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext(isolation: nil)
        makePlayers(context)
        expectCancellation { try context.save() }
        expectEqual(context.insertedObjects.count, Self.count)
        expectEqual(try container.newContext(isolation: nil).count(for: Player.fetchRequest()), 0)
        try context.save()
        expectEqual(try container.newContext(isolation: nil).count(for: Player.fetchRequest()), Self.count)
    }

    @Test func smallSavesAreNotReported() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext(isolation: nil)
        _ = Player(context: context, name: "one")
        let (_, progress) = try reporting { try context.save() }
        // The units of a progress without children are completed by Foundation.
        expectEqual(progress.fractionCompleted, 1)
        _ = Player(context: context, name: "two")
        try cancelled { try context.save() }
    }

    @Test func valuesReportRows() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext(isolation: nil)
        let values = (0..<Self.count).map { number in
            Player.Values(objectID: ObjectID(), name: "p\(number)", age: 1, team: nil)
        }
        expectCancellation { _ = try context.insertValues(values) }
        expectEqual(try context.count(for: Player.fetchRequest()), 0)
        let (_, progress) = try reporting { try context.insertValues(values) }
        expectEqual(progress.fractionCompleted, 1)
        expectEqual(try context.count(for: Player.fetchRequest()), Self.count)
    }

    @Test func batchesEndWhenTheProgressIsCancelled() throws {
        try withFilledStore { _, context, _ in
            let update = BatchUpdateRequest<Player>().setting(\.age, to: 7)
            expectCancellation { _ = try context.execute(update) }
            expectEqual(try ages(context), [0])
            let (updated, progress) = try reporting { try context.execute(update) }
            #expect(updated.updatedObjectsCount == Self.count && progress.fractionCompleted == 1)
            expectEqual(try ages(context), [7])

            let deletion = BatchDeleteRequest(fetchRequest: Player.fetchRequest())
            expectCancellation { _ = try context.execute(deletion) }
            expectEqual(try context.count(for: Player.fetchRequest()), Self.count)
            let (deleted, deleting) = try reporting { try context.execute(deletion) }
            #expect(deleted.deletedObjectsCount == Self.count && deleting.fractionCompleted == 1)

            let dictionaries = Array(repeating: ["name": "guest" as Any?], count: Self.count)
            let insertion = BatchInsertRequest<Player>(objects: dictionaries)
            expectCancellation { _ = try context.execute(insertion) }
            expectEqual(try context.count(for: Player.fetchRequest()), 0)
            let (_, inserting) = try reporting { try context.execute(insertion) }
            expectEqual(inserting.fractionCompleted, 1)
        }
    }

    /// The rows that SQLite writes are counted in addition to the row keys that an update reports.
    @Test func reportedUpdatesReturnTheirRows() throws {
        try withFilledStore { _, context, _ in
            let update = BatchUpdateRequest<Player>().where(\.name == "p7").setting(\.age, to: 7)
            let (result, _) = try reporting { try context.execute(update) }
            expectEqual(result.updatedObjectIDs.count, 1)
        }
    }

    @Test func batchesEndWhenTheTaskIsCancelled() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(synchronous: .normal)
            )
            try await container.write { context in
                for number in 0..<Self.count { _ = Player(context: context, name: "p\(number)") }
            }
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                let context = container.newContext(isolation: nil)
                let update = BatchUpdateRequest<Player>().setting(\.age, to: 7)
                #expect(throws: CancellationError.self) { try context.execute(update) }
                let deletion = BatchDeleteRequest(fetchRequest: Player.fetchRequest())
                #expect(throws: CancellationError.self) { try context.execute(deletion) }
                let insertion = BatchInsertRequest<Player>(objects: [["name": "guest"]])
                #expect(throws: CancellationError.self) { try context.execute(insertion) }
            }
            await task.value
            let values: [Player.Values] = try container.newContext(isolation: nil).fetchValues(Player.fetchRequest())
            #expect(values.count == Self.count && values.allSatisfy { $0.age == 0 })
        }
    }

    @Test(.onlySQLite(.files)) func copiesReportPages() throws {
        try withFilledStore { container, context, path in
            let copy = path + "-copy"
            expectCancellation { try container.store.backUp(to: copy) }
            #expect(!FileManager.default.fileExists(atPath: copy))
            let (_, progress) = try reporting { try container.store.backUp(to: copy) }
            expectEqual(progress.fractionCompleted, 1)
            let copied = try LeagueModel.definition.testContainer(at: copy).newContext(isolation: nil)
            expectEqual(try copied.count(for: Player.fetchRequest()), Self.count)
            _ = try context.execute(BatchDeleteRequest(fetchRequest: Player.fetchRequest()))
            // A cancelled replacement leaves the destination unchanged.
            expectCancellation { try PersistentStoreCoordinator.replacePersistentStore(at: copy, withStoreAt: path) }
            expectEqual(try copied.count(for: Player.fetchRequest()), Self.count)
        }
    }

    @Test(.onlySQLite(.migrations)) func openingReportsAMigration() throws {
        let versions = try MigrationStageTests.versions()
        let definition = try versions.definition()
        let stage = MigrationStage.custom(
            from: "Shelf 1",
            to: "Shelf 2",
            didMigrate: MigrationStageTests.didMigrate
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path, MigrationStageTests.fill)
            let options = MigrationStageTests.options(stage)
            expectCancellation { _ = try definition.testContainer(at: path, options: options) }
            let manager = MigrationManager(model: definition, path: path, options: options)
            #expect(try !manager.pendingMigrations().isEmpty)
            let (_, progress) = try reporting {
                _ = try definition.testContainer(at: path, options: options)
            }
            expectEqual(progress.fractionCompleted, 1)
            #expect(try manager.pendingMigrations().isEmpty)
        }
    }

    /// Makes a store whose history has 20 transactions.
    private func makeHistory(at path: String) throws -> (PersistentContainer, ManagedObjectContext) {
        let container = try LeagueModel.definition.testContainer(
            at: path,
            options: StoreOptions(tracksPersistentHistory: true)
        )
        let context = container.newContext(isolation: nil)
        for number in 0..<20 {
            _ = Player(context: context, name: "p\(number)")
            try context.save()
        }
        return (container, context)
    }

    @Test func deletingHistoryReports() throws {
        try withStorePath { path in
            let (container, context) = try makeHistory(at: path)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let request = PersistentHistoryDeleteRequest.deleteHistory(before: Date.distantFuture)
            expectCancellation { _ = try context.execute(request) }
            let (count, progress) = try reporting { try context.execute(request) }
            #expect(count == 20 && progress.fractionCompleted == 1)
            withExtendedLifetime(store) {}
        }
    }

    @Test func readingAndEndingTheHistoryReport() throws {
        try withStorePath { path in
            let (container, context) = try makeHistory(at: path)
            let request = PersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
            expectCancellation { _ = try context.execute(request) }
            let (transactions, progress) = try reporting { try context.execute(request) }
            #expect(transactions.count == 20 && progress.fractionCompleted == 1)
            // If stopping is cancelled, the history is kept.
            expectCancellation { try container.store.stopTrackingHistory() }
            expectEqual(try context.execute(request).count, 20)
            let (_, end) = try reporting { try container.store.stopTrackingHistory() }
            expectEqual(end.fractionCompleted, 1)
            #expect(throws: PersistentHistoryError.self) { _ = try context.execute(request) }
        }
    }

    // MARK: Fetches

    private func withLongStore(_ body: (ManagedObjectContext) throws -> Void) throws {
        let context = try LeagueModel.container(at: ":memory:").newContext(isolation: nil)
        _ = try context.insertValues(
            (0..<9_000).map { number in
                Player.Values(objectID: ObjectID(), name: "p\(number)", age: 1, team: nil)
            }
        )
        try body(context)
    }

    @Test func fetchesReportRows() throws {
        try withLongStore { context in
            let (objects, progress) = try reporting { try context.fetch(Player.fetchRequest()) }
            #expect(objects.count == 9_000 && progress.fractionCompleted == 1)
        }
    }

    @Test func fetchesEndWhenTheProgressIsCancelled() throws {
        try withLongStore { context in
            let byName = Player.fetchRequest().sorted(by: \.name)
            expectCancellation { _ = try context.fetch(byName) }
            expectCancellation { let _: [Player.Values] = try context.fetchValues(byName) }
            expectCancellation { _ = try context.fetch(ObjectIDFetchRequest(byName)) }
            let dictionaries = DictionaryFetchRequest(byName).fetching("name")
            expectCancellation { _ = try context.fetch(dictionaries) }
            let controller = FetchedResultsController(fetchRequest: byName, managedObjectContext: context)
            expectCancellation { try controller.performFetch() }
            // The context can still be used.
            expectEqual(try context.fetch(byName).count, 9_000)
            try controller.performFetch()
            expectEqual(controller.fetchedObjects?.count, 9_000)
        }
    }

    /// A statement that takes long before it returns a row ends, too.
    @Test func searchesEndWhenTheProgressIsCancelled() throws {
        try withLongStore { context in
            var format = "name CONTAINS 'q'"
            for number in 0..<100 { format += " OR name CONTAINS 'q\(number)'" }
            let request = try Player.fetchRequest().where(format: format)
            expectCancellation { _ = try context.count(for: request) }
            expectCancellation { _ = try context.fetch(request) }
            expectEqual(try context.count(for: request), 0)
        }
    }

    /// A progress has one child, which is the first operation; the program can cancel the second operation, too.
    @Test func theSecondOperationCanBeCancelled() throws {
        let context = try LeagueModel.container(at: ":memory:").newContext(isolation: nil)
        makePlayers(context)
        let progress = Progress(totalUnitCount: 1)
        progress.becomeCurrent(withPendingUnitCount: 1)
        defer { progress.resignCurrent() }
        try context.save()
        makePlayers(context)
        progress.cancel()
        #expect(throws: CancellationError.self) { try context.save() }
        expectEqual(context.insertedObjects.count, Self.count)
    }

    // MARK: Indexes

    @Test(.onlySQLite(.files)) func theCreationOfIndexesCanBeCancelled() throws {
        try withFilledStore { _, _, path in
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            let names = try readIndexes(connection).map(\.name)
            #expect(!names.isEmpty)
            for name in names { try connection.execute("DROP INDEX \(quoteIdentifier(name))") }
            expectCancellation { _ = try LeagueModel.container(at: path) }
            #expect(try readIndexes(connection).isEmpty)
            let (_, progress) = try reporting { _ = try LeagueModel.container(at: path) }
            expectEqual(progress.fractionCompleted, 1)
            expectEqual(Set(try readIndexes(connection).map(\.name)), Set(names))
        }
    }
}
