import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The statistics of a store.
struct StoreStatisticsTests {
    private typealias Store = MonitoredStore

    /// The statistics of saves, without the queues, the connections and the log.
    private func counts(_ store: MonitoredStore) -> StoreStatistics {
        var counts = store.statistics
        (counts.saveQueue, counts.writeQueue, counts.readers) = (.init(), .init(), .init())
        counts.logSize = 0
        return counts
    }

    @Test func aNewStoreHasCountedNothing() throws {
        try withStorePath { path in
            let store = try Store(path: path)
            var statistics = store.statistics
            #expect(statistics.logSize > 0 || TestStore.isOnServer)
            statistics.logSize = 0
            expectEqual(statistics, StoreStatistics())
            expectEqual(try Store(path: ":memory:").statistics, StoreStatistics())
        }
    }

    @Test(arguments: [true, false])
    func savesThatWriteCount(inMemory: Bool) throws {
        try withStorePath { path in
            let store = try Store(path: inMemory ? ":memory:" : path)
            var expected = StoreStatistics()
            for name in ["a", "b"] { _ = try store.save(name) }
            (expected.saveCount, expected.saveTransactionCount) = (2, 2)
            expectEqual(counts(store), expected)
            // None of these is a save to the store.
            let context = store.container.newContext(isolation: nil)
            try context.save()
            let child = Store.child(of: context)
            Store.insert("c", child)
            try child.save()
            try store.container.store.setMetadata("1", forKey: "note")
            var update = BatchUpdateRequest<ManagedObject>(entityName: "Item")
            update.propertiesToUpdate = ["count": FetchExpression(forConstantValue: 1)]
            try context.execute(update)
            expectEqual(counts(store), expected)
            // The parent's save is a save to the store.
            try context.save()
            (expected.saveCount, expected.saveTransactionCount) = (3, 3)
            expectEqual(counts(store), expected)
        }
    }

    /// Inserting values counts as a save, even if objects have to be created for the values.
    @Test func insertedValuesCount() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext(isolation: nil)
            try context.insertValues([Team.Values(objectID: ObjectID(), name: "Reds", city: "Ulm")])
            #expect(container.statistics.saveCount == 1 && container.statistics.saveTransactionCount == 1)
        }
    }

    /// If saves share a transaction, and one of them fails, each save is counted, and the transaction is counted once.
    @Test(.onlySQLite(.engine)) func groupsCountOnce() async throws {
        try await withStorePath { path in
            let store = try Store(path: path)
            _ = try store.save("taken")
            let container = store.container
            let names = ["a", "b", "c", "taken", "d"]
            let (results, _) = try await store.whileTaken(
                names.map { name in
                    {
                        try await container.performBackgroundTask { context in
                            Store.insert(name, context)
                            try context.save()
                        }
                    }
                }
            )
            expectEqual(results.filter { (try? $0.get()) != nil }.count, 4)
            var expected = StoreStatistics()
            (expected.saveCount, expected.saveTransactionCount, expected.uniquenessConflictCount) = (5, 2, 1)
            expectEqual(counts(store), expected)
            expectEqual(try store.names(), ["a", "b", "c", "d", "taken"])
        }
    }

    @Test func failuresCountByTheirKind() throws {
        try withStorePath { path in
            let store = try Store(path: path)
            let id = try store.save("a")
            var expected = counts(store)
            // A conflict, which a policy then resolves: the save was committed once.
            let first = store.container.newContext(isolation: nil)
            let second = store.container.newContext(isolation: nil)
            for (context, count) in [(first, 1), (second, 2)] {
                try context.existingObject(with: id).setValue(Int64(count), forKey: "count")
            }
            try first.performAndWait { try first.save() }
            #expect(throws: SaveConflictError.self) { try second.performAndWait { try second.save() } }
            expected.saveCount += 1
            expected.saveTransactionCount += 1
            expected.conflictCount = 1
            expectEqual(counts(store), expected)
            second.mergePolicy = .mergeByPropertyObjectTrump
            try second.performAndWait { try second.save() }
            expected.saveCount += 1
            expected.saveTransactionCount += 1
            expectEqual(counts(store), expected)
            // The save fails because of a value that is not unique.
            Store.insert("a", first)
            first.mergePolicy = .error
            #expect(throws: UniquenessConflictError.self) { try first.performAndWait { try first.save() } }
            expected.uniquenessConflictCount = 1
            expectEqual(counts(store), expected)
            // The save fails because of a value that is not valid.
            first.rollback()
            Store.insert(nil, first)
            #expect(throws: ValidationError.self) { try first.performAndWait { try first.save() } }
            expected.failedSaveCount = 1
            expectEqual(counts(store), expected)
        }
    }

    /// Both save methods count a failed save once, regardless of the error.
    @Test func failuresOfAsynchronousSavesCountOnce() async throws {
        try await withStorePath { path in
            let store = try Store(path: path)
            _ = try store.save("a")
            let context = store.container.newContext(isolation: nil)
            Store.insert("a", context)
            await #expect(throws: UniquenessConflictError.self) { try await context.save() }
            expectEqual(store.statistics.uniquenessConflictCount, 1)
            context.rollback()
            Store.insert(nil, context)
            await #expect(throws: ValidationError.self) { try await context.save() }
            expectEqual(store.statistics.failedSaveCount, 1)
            expectEqual(store.statistics.saveCount, 1)
        }
    }

    @Test(.onlySQLite(.engine)) func cancelledSavesCount() async throws {
        try await withStorePath { path in
            let store = try Store(path: path)
            let container = store.container
            let queue = store.sqlite.writeQueue
            try await queue.takeTurn()
            let task = Task.detached {
                let context = container.newContext(isolation: nil)
                Store.insert("a", context)
                try await context.save()
            }
            try await Store.until { queue.waitingCount == 1 }
            expectEqual(store.statistics.saveQueue.waitingCount, 1)
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            queue.finishTurn()
            var expected = StoreStatistics()
            expected.cancelledSaveCount = 1
            expectEqual(counts(store), expected)
            // The save did not get its turn.
            var queueStatistics = StoreStatistics.Queue()
            queueStatistics.peakWaitingCount = 1
            expectEqual(store.statistics.saveQueue, queueStatistics)
        }
    }

    @Test func repeatedWritesCount() async throws {
        try await withStorePath { path in
            let store = try Store(path: path)
            let id = try store.save("a")
            let container = store.container
            @Sendable func write(_ limit: Int, conflicts: Int) async throws {
                let runs = Runs()
                try await container.write(attemptLimit: limit) { context in
                    try context.existingObject(with: id).setValue(Int64(1), forKey: "count")
                    guard runs.next() <= conflicts else { return }
                    try await container.performBackgroundTask { other in
                        try other.existingObject(with: id).setValue(Int64(2), forKey: "count")
                        try other.save()
                    }
                }
            }
            try await write(20, conflicts: 3)
            var expected = StoreStatistics()
            (expected.saveCount, expected.saveTransactionCount) = (5, 5)
            (expected.conflictCount, expected.repeatedWriteCount) = (3, 3)
            expectEqual(counts(store), expected)
            await #expect(throws: WriteError.self) { try await write(2, conflicts: 9) }
            (expected.saveCount, expected.saveTransactionCount) = (7, 7)
            (expected.conflictCount, expected.repeatedWriteCount) = (5, 4)
            expectEqual(counts(store), expected)
        }
    }

    // MARK: Queues

    /// Threads and tasks that wait are counted, with their waiting times.
    @Test(.onlySQLite(.engine)) func waitingTimes() async throws {
        try await withStorePath { path in
            let store = try Store(path: path)
            let container = store.container
            _ = try store.save("first")
            expectEqual(store.statistics.saveQueue, StoreStatistics.Queue())
            let start = ContinuousClock.now
            let (results, waited) = try await store.whileTaken(
                for: .milliseconds(20),
                [
                    {
                        let context = container.newContext(isolation: nil)
                        Store.insert("task", context)
                        try await context.save()
                    },
                    {
                        try await container.performBackgroundTask { context in
                            Store.insert("thread", context)
                            try context.save()
                        }
                    },
                    {
                        try await container.performBackgroundTask { _ in
                            try container.store.setMetadata("1", forKey: "x")
                        }
                    },
                ]
            )
            for result in results { try result.get() }
            let all = .now - start
            let queue = store.statistics.saveQueue
            #expect(queue.waitingCount == 0 && queue.peakWaitingCount == 3 && queue.waitCount == 3)
            expectEqual(queue.rejectedCount, 0)
            #expect(queue.longestWaitingTime >= waited && queue.longestWaitingTime <= all)
            #expect(queue.totalWaitingTime >= waited * 3 && queue.totalWaitingTime <= all * 3)
            #expect(queue.totalWaitingTime >= queue.longestWaitingTime + waited * 2)
            expectEqual(store.statistics.writeQueue, StoreStatistics.Queue())
        }
    }

    @Test func waitingWrites() async throws {
        try await withStorePath { path in
            let store = try Store(path: path)
            let container = store.container
            let writes = ["a", "b"].map { name -> @Sendable () async throws -> Void in
                { try await container.write { context in _ = Store.insert(name, context) } }
            }
            let (results, waited) = try await store.whileTaken(
                by: store.container.store.serialWrites,
                for: .milliseconds(5),
                writes
            )
            for result in results { try result.get() }
            let queue = store.statistics.writeQueue
            #expect(queue.waitingCount == 0 && queue.peakWaitingCount == 2 && queue.waitCount == 2)
            #expect(queue.longestWaitingTime >= waited && queue.totalWaitingTime >= waited * 2)
            expectEqual(try store.names(), ["a", "b"])
        }
    }

    /// A task that waits again because another writer was faster has waited once, since its first call.
    @Test(.onlySQLite(.engine)) func waitingAgainIsOneWait() async throws {
        let queue = WriteQueue()
        try await queue.takeTurn()
        let waiting = Task.detached { try await queue.waitForCall() }
        try await Store.until { queue.waitingCount == 1 }
        let start = ContinuousClock.now
        queue.finishTurn()
        let call = try await waiting.value
        // The other writer takes the turn of the called task.
        let hasTurn = try queue.withTurn { queue.withTurn(of: call) {} }
        #expect(!hasTurn)
        try await queue.takeTurn()
        let again = Task.detached { try await queue.waitForCall(after: call) }
        try await Store.until { queue.waitingCount == 1 }
        queue.finishTurn()
        let isTaken = queue.withTurn(of: try await again.value) {}
        #expect(isTaken)
        let statistics = queue.statistics
        #expect(statistics.waitCount == 1 && statistics.waitingCount == 0 && statistics.peakWaitingCount == 1)
        expectEqual(statistics.totalWaitingTime, statistics.longestWaitingTime)
        #expect(statistics.totalWaitingTime <= .now - start + .seconds(1))
    }

    // MARK: The log

    /// The size of the log is the size of its file, even if the path of the store is a link.
    @Test(.onlySQLite(.files)) func logSize() throws {
        try withStorePath { path in
            let link = path + ".link"
            try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: path)
            let store = try Store(path: link)
            let old = store.statistics.logSize
            for number in 0..<50 { _ = try store.save("\(number)") }
            let size = try FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int
            #expect(store.statistics.logSize == size && store.statistics.logSize > old)
        }
    }
}

/// The number of times that a closure ran.
private final class Runs: @unchecked Sendable {  // A closure of `write` runs once at a time.
    private var count = 0
    func next() -> Int {
        count += 1
        return count
    }
}
