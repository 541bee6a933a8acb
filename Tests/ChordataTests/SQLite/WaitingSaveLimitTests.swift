import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The limit of waiting saves: a further save is rejected immediately, and nothing is lost.
@Suite(.onlySQLite(.engine))
struct WaitingSaveLimitTests {
    private typealias Store = MonitoredStore

    /// Waiting threads and tasks count, and every kind of further save is rejected.
    @Test func furtherSavesAreRejected() async throws {
        try await withStorePath { path in
            let store = try Store(path: path, options: StoreOptions(maximumWaitingSaveCount: 3))
            let container = store.container
            let queue = store.sqlite.writeQueue
            try await queue.takeTurn()
            let waiting: [@Sendable () async throws -> Void] = [
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
                    try await withCheckedThrowingContinuation { continuation in
                        let thread = Thread {
                            continuation.resume(with: Result { _ = try store.save("own thread") })
                        }
                        thread.start()
                    }
                },
            ]
            let tasks = try await Store.start(waiting, waitingIn: queue)
            let context = store.container.newContext(isolation: nil)
            let item = Store.insert("rejected", context)
            check(await #expect(throws: StoreError.self) { try await context.save() }, path)
            #expect(context.insertedObjects == [item] && item.value(forKey: "name") as? String == "rejected")
            try await checkThreads(store, path)
            queue.finishTurn()
            for task in tasks { try await task.value }
            try await context.save()
            #expect(!context.hasChanges)
            expectEqual(try store.names(), ["own thread", "rejected", "task", "thread"])
            let statistics = store.statistics
            #expect(statistics.saveQueue.rejectedCount == 4 && statistics.saveQueue.peakWaitingCount == 3)
            #expect(statistics.failedSaveCount == 2 && statistics.saveCount == 4)
        }
    }

    /// Operations that would block a thread are rejected.
    ///
    /// They run on a thread of the store, because other threads must not be blocked if an operation is not rejected.
    private func checkThreads(_ store: MonitoredStore, _ path: String) async throws {
        try await store.container.performBackgroundTask { context in
            Store.insert("other", context)
            check(#expect(throws: StoreError.self) { try context.save() }, path)
            expectEqual(context.insertedObjects.count, 1)
            check(#expect(throws: StoreError.self) { try store.container.store.setMetadata("1", forKey: "a") }, path)
            var update = BatchUpdateRequest<ManagedObject>(entityName: "Item")
            update.propertiesToUpdate = ["count": FetchExpression(forConstantValue: 1)]
            check(#expect(throws: StoreError.self) { try context.execute(update) }, path)
            // Reads do not wait.
            let names = try store.names()
            expectEqual(names, [])
        }
    }

    private func check(_ error: StoreError?, _ path: String) {
        #expect(error?.code == .waitingSaveLimitExceeded && error?.path == path)
        expectEqual(
            error?.message,
            "3 saves are waiting, and the limit is 3; save again later, or increase "
                + "StoreOptions.maximumWaitingSaveCount"
        )
    }

    /// Closures of `write` have the same limit, in their own queue.
    @Test func furtherWritesAreRejected() async throws {
        try await withStorePath { path in
            let store = try Store(path: path, options: StoreOptions(maximumWaitingSaveCount: 2))
            let container = store.container
            let queue = container.store.serialWrites
            try await queue.takeTurn()
            var tasks: [Task<Void, any Error>] = []
            for (number, name) in ["a", "b"].enumerated() {
                tasks.append(Task.detached { try await container.write { context in _ = Store.insert(name, context) } })
                try await Store.until { queue.waitingCount == number + 1 }
            }
            let error = await #expect(throws: StoreError.self) {
                try await container.write { context in _ = Store.insert("c", context) }
            }
            expectEqual(error?.code, .waitingSaveLimitExceeded)
            #expect(store.statistics.writeQueue.waitingCount == 2 && store.statistics.writeQueue.rejectedCount == 1)
            expectEqual(store.statistics.failedSaveCount, 0)
            queue.finishTurn()
            for task in tasks { try await task.value }
            try await container.write { context in _ = Store.insert("c", context) }
            expectEqual(try store.names(), ["a", "b", "c"])
        }
    }

    /// A task that was already called waits again, regardless of the limit.
    @Test func calledTasksAreNotRejected() async throws {
        let queue = WriteQueue(limit: 1)
        let call = try await queue.waitForCall()
        try await queue.takeTurn()
        let other = Task.detached {
            try await queue.takeTurn()
            queue.finishTurn()
        }
        try await Store.until { queue.waitingCount == 1 }
        let again = Task.detached {
            var call = try await queue.waitForCall(after: call)
            // After some time, the other task is called.
            while !queue.withTurn(of: call, {}) { call = try await queue.waitForCall(after: call) }
        }
        try await Store.until { queue.waitingCount == 2 }
        expectEqual(queue.statistics.peakWaitingCount, 2)
        await #expect(throws: StoreError.self) { try await queue.takeTurn() }
        queue.finishTurn()
        try await again.value
        try await other.value
        expectEqual(queue.statistics.rejectedCount, 1)
    }

    /// With a limit of 0, a save does not wait at all.
    @Test func nothingWaits() async throws {
        try await withStorePath { path in
            let store = try Store(path: path, options: StoreOptions(maximumWaitingSaveCount: 0))
            let context = store.container.newContext(isolation: nil)
            Store.insert("a", context)
            try await store.sqlite.writeQueue.takeTurn()
            await #expect(throws: StoreError.self) { try await context.save() }
            store.sqlite.writeQueue.finishTurn()
            try await context.save()
            expectEqual(try store.names(), ["a"])
        }
    }

    /// Reads of a store in memory use the queue of the saves, but are not rejected.
    @Test func readsInMemoryWait() async throws {
        let store = try Store(path: ":memory:", options: StoreOptions(maximumWaitingSaveCount: 0))
        _ = try store.save("a")
        let container = store.container
        let (results, _) = try await store.whileTaken([
            {
                let count = try await container.performBackgroundTask { try $0.count(for: Store.request) }
                expectEqual(count, 1)
            }
        ])
        for result in results { try result.get() }
        expectEqual(store.statistics.saveQueue.waitCount, 1)
    }
}
