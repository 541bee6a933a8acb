import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The records that saves send to a logger.
struct SaveLoggerTests {
    private typealias Store = MonitoredStore

    private func makeStore(_ path: String, _ log: SaveLog) throws -> MonitoredStore {
        try Store(path: path, options: StoreOptions(saveLogger: log.logger))
    }

    @Test func committedSaves() throws {
        try withStorePath { path in
            let log = SaveLog()
            let store = try makeStore(path, log)
            #expect(log.take().isEmpty)
            let context = store.container.newContext(isolation: nil)
            context.name = "import"
            let items = ["a", "b", "c"].map { Store.insert($0, context) }
            let start = ContinuousClock.now
            try context.save()
            let all = .now - start
            let record = try #require(log.take().first)
            #expect(record.outcome == .committed && record.groupSize == 1 && record.contextName == "import")
            expectEqual(record.counts, [3, 0, 0])
            #expect(record.waitingTime == .zero && record.duration > .zero && record.duration <= all)
            items[0].setValue(Int64(1), forKey: "count")
            items[1].setValue(Int64(1), forKey: "count")
            context.delete(items[2])
            Store.insert("d", context)
            try context.save()
            let records = log.take()
            expectEqual(records.map(\.counts), [[1, 2, 1]])
            // A save without changes and a save to a parent send no record.
            try context.save()
            let child = Store.child(of: context)
            Store.insert("e", child)
            try child.save()
            #expect(log.take().isEmpty)
            try context.save()
            expectEqual(log.take().map(\.insertedCount), [1])
        }
    }

    @Test func insertedValues() throws {
        try withStorePath { path in
            let log = SaveLog()
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(saveLogger: log.logger)
            )
            let context = container.newContext(isolation: nil)
            let values = ["Reds", "Blues"].map { Team.Values(objectID: ObjectID(), name: $0, city: "Ulm") }
            try context.insertValues(values)
            let records = log.take()
            expectEqual(records.map(\.outcome), [.committed])
            expectEqual(records.map(\.counts), [[2, 0, 0]])
        }
    }

    /// The outcome of each kind of failure, and the numbers of objects that were not written.
    @Test func failedSaves() async throws {
        try await withStorePath { path in
            let log = SaveLog()
            let store = try makeStore(path, log)
            let id = try store.save("a")
            let first = store.container.newContext(isolation: nil)
            let second = store.container.newContext(isolation: nil)
            for (context, count) in [(first, 1), (second, 2)] {
                try context.existingObject(with: id).setValue(Int64(count), forKey: "count")
            }
            try first.performAndWait { try first.save() }
            _ = log.take()
            #expect(throws: SaveConflictError.self) { try second.performAndWait { try second.save() } }
            await #expect(throws: SaveConflictError.self) { try await second.save() }
            let conflicts = log.take()
            expectEqual(conflicts.map(\.outcome), [.conflict, .conflict])
            expectEqual(conflicts.map(\.counts), [[0, 1, 0], [0, 1, 0]])
            // A conflict that a merge policy resolves is one save.
            second.mergePolicy = .mergeByPropertyObjectTrump
            try await second.save()
            expectEqual(log.take().map(\.outcome), [.committed])
            Store.insert("a", first)
            await #expect(throws: UniquenessConflictError.self) { try await first.save() }
            let unique = log.take()
            #expect(unique.map(\.outcome) == [.uniquenessConflict] && unique.map(\.insertedCount) == [1])
            first.rollback()
            Store.insert(nil, first)
            await #expect(throws: ValidationError.self) { try await first.save() }
            let invalid = log.take()
            #expect(invalid.map(\.outcome) == [.failed(nil)] && invalid.map(\.insertedCount) == [1])
            expectEqual(invalid.map(\.groupSize), [0])
        }
    }

    @Test(.onlySQLite(.readOnly)) func failuresOfTheStore() async throws {
        try await withStorePath { path in
            let log = SaveLog()
            _ = try Store(path: path)
            let definition = try Store(path: path).container.persistentStoreCoordinator.definition
            let container = try definition.testContainer(
                at: path,
                options: StoreOptions(isReadOnly: true, saveLogger: log.logger)
            )
            let context = container.newContext(isolation: nil)
            Store.insert("a", context)
            await #expect(throws: StoreError.self) { try await context.save() }
            expectEqual(log.take().map(\.outcome), [.failed(.readOnly)])
        }
    }

    /// The waiting times in the queue, of a thread, of a task, and of a cancelled task.
    @Test(.onlySQLite(.engine)) func waitingTimesAndGroups() async throws {
        try await withStorePath { path in
            let log = SaveLog()
            let store = try makeStore(path, log)
            let container = store.container
            let bodies = ["a", "b"].map { name -> @Sendable () async throws -> Void in
                {
                    try await container.performBackgroundTask { context in
                        Store.insert(name, context)
                        try context.save()
                    }
                }
            }
            let start = ContinuousClock.now
            let (_, threads) = try await store.whileTaken(for: .milliseconds(5), bodies)
            let grouped = log.take()
            expectEqual(grouped.map(\.groupSize), [2, 2])
            for record in grouped {
                #expect(record.waitingTime >= threads && record.waitingTime <= record.duration)
                #expect(record.duration <= .now - start)
            }
            let (_, task) = try await store.whileTaken(
                for: .milliseconds(5),
                [
                    {
                        let context = container.newContext(isolation: nil)
                        Store.insert("c", context)
                        try await context.save()
                    }
                ]
            )
            let alone = log.take()
            #expect(alone.map(\.groupSize) == [1] && alone[0].waitingTime >= task)
            #expect(alone[0].waitingTime <= alone[0].duration)
            let queue = store.sqlite.writeQueue
            try await queue.takeTurn()
            let cancelled = Task.detached {
                let context = container.newContext(isolation: nil)
                Store.insert("d", context)
                try await context.save()
            }
            try await Store.until { queue.waitingCount == 1 }
            cancelled.cancel()
            await #expect(throws: CancellationError.self) { try await cancelled.value }
            queue.finishTurn()
            let last = log.take()
            #expect(last.map(\.outcome) == [.cancelled] && last.map(\.insertedCount) == [1])
            #expect(last[0].waitingTime > .zero && last[0].groupSize == 0)
        }
    }

    /// Each attempt of a `write` is a save with its own outcome.
    @Test func writes() async throws {
        try await withStorePath { path in
            let log = SaveLog()
            let store = try makeStore(path, log)
            let id = try store.save("a")
            _ = log.take()
            let container = store.container
            let hasConflict = Flag()
            try await container.write { context in
                try context.existingObject(with: id).setValue(Int64(1), forKey: "count")
                guard hasConflict.set() else { return }
                try await container.performBackgroundTask { other in
                    try other.existingObject(with: id).setValue(Int64(2), forKey: "count")
                    try other.save()
                }
            }
            expectEqual(log.take().map(\.outcome), [.committed, .conflict, .committed])
        }
    }

    /// A save by an observer of a save of the same context has a record of its own, which is sent first.
    @Test(.onlySQLite(.childContexts)) func nestedSaves() throws {
        try withStorePath { path in
            let log = SaveLog()
            let container = try DiaryModel.definition.testContainer(
                at: path,
                options: StoreOptions(saveLogger: log.logger)
            )
            let context = container.newContext(isolation: nil)
            var isNested = false
            let recorder = NotificationRecorder(context, [ManagedObjectContext.didSaveObjectsNotification]) { _ in
                guard !isNested else { return }
                isNested = true
                for _ in 0..<2 { _ = Note(context: context) }
                try context.save()
            }
            _ = Note(context: context)
            try context.save()
            let records = log.take()
            #expect(records.map(\.insertedCount) == [2, 1] && records.map(\.groupSize) == [1, 1])
            #expect(recorder.errors.isEmpty)
        }
    }

    @Test func descriptions() {
        var record = SaveLogger.Record(
            outcome: .committed,
            insertedCount: 2,
            updatedCount: 1,
            deletedCount: 0,
            waitingTime: .microseconds(300),
            duration: .microseconds(1_250),
            groupSize: 3
        )
        expectEqual(
            "\(record)",
            "committed in 1.250 ms, 0.300 ms of it waiting: 2 inserted, 1 updated, 0 deleted; 3 saves in the transaction"
        )
        (record.groupSize, record.contextName) = (1, "import")
        #expect("\(record)".hasSuffix("0 deleted; 1 save in the transaction; context 'import'"))
        record.groupSize = 0
        let names: [(SaveLogger.Record.Outcome, String)] = [
            (.conflict, "conflict"), (.uniquenessConflict, "uniqueness conflict"), (.cancelled, "cancelled"),
            (.failed(nil), "failed"), (.failed(.full), "failed (full)"),
        ]
        for (outcome, name) in names {
            record.outcome = outcome
            #expect("\(record)".hasPrefix("\(name) in 1.250 ms, "))
            #expect("\(record)".hasSuffix("deleted; context 'import'"))
        }
    }
}

private final class Flag: @unchecked Sendable {  // A closure of `write` runs once at a time.
    private var isSet = false
    /// - Returns: Whether the flag was not set before.
    func set() -> Bool {
        defer { isSet = true }
        return !isSet
    }
}
