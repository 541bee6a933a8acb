import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// The limit of the connections that read: callers wait for a limited time, in the order of their calls.
@Suite(.onlySQLite(.engine))
struct ReaderLimitTests {
    private typealias Store = MonitoredStore

    private func makeStore(_ path: String, limit: Int, timeout: Duration = .seconds(3600)) throws -> MonitoredStore {
        try Store(path: path, options: StoreOptions(busyTimeout: timeout, maximumReaderCount: limit))
    }

    /// Reads wait for a connection on threads of the store, and get it in the order of the calls.
    @Test func readsWaitInTheirOrder() async throws {
        try await withStorePath { path in
            let store = try makeStore(path, limit: 2)
            _ = try store.save("a")
            let (container, sqlite) = (store.container, store.sqlite)
            let held = [try #require(try sqlite.beginTransaction()), try #require(try sqlite.beginTransaction())]
            var expected = StoreStatistics.Readers()
            (expected.openCount, expected.busyCount, expected.peakOpenCount, expected.openedCount) = (2, 2, 2, 2)
            expectEqual(store.statistics.readers, expected)
            let order = Numbers()
            var tasks: [Task<Int, any Error>] = []
            for number in 0..<5 {
                tasks.append(
                    Task.detached {
                        try await container.performBackgroundTask { context in
                            let count = try context.count(for: Store.request)
                            order.add(number)
                            return count
                        }
                    }
                )
                try await Store.until { store.statistics.readers.waitingCount == number + 1 }
            }
            // Saves do not wait for reading connections.
            try await container.performBackgroundTask { context in
                Store.insert("b", context)
                try context.save()
            }
            (expected.waitCount, expected.waitingCount) = (5, 5)
            expectEqual(store.statistics.readers, expected)
            sqlite.endTransaction(held[0])
            for task in tasks { expectEqual(try await task.value, 2) }
            expectEqual(order.all, [0, 1, 2, 3, 4])
            // A task returns its connection after its last job.
            try await Store.until { store.statistics.readers.busyCount == 1 }
            (expected.waitingCount, expected.busyCount, expected.idleCount) = (0, 1, 1)
            expectEqual(store.statistics.readers, expected)
            sqlite.endTransaction(held[1])
            (expected.busyCount, expected.idleCount) = (0, 2)
            expectEqual(store.statistics.readers, expected)
        }
    }

    /// A read that gets no connection throws, and its context can still be used.
    @Test func exhaustionIsAnError() async throws {
        try await withStorePath { path in
            let store = try makeStore(path, limit: 1, timeout: .milliseconds(20))
            let held = try #require(try store.sqlite.beginTransaction())
            let (sqlite, path) = (store.sqlite, store.container.store.path)
            // The connection is returned within the closure, by a thread of the store.
            let box = ConnectionBox(held)
            try await store.container.performBackgroundTask { context in
                Store.insert("a", context)
                let start = ContinuousClock.now
                let error = #expect(throws: StoreError.self) { try context.count(for: Store.request) }
                #expect(.now - start >= .milliseconds(20))
                #expect(error?.code == .readerLimitExceeded && error?.path == path)
                expectEqual(
                    error?.message,
                    "1 of 1 connections for reading are in use, and none was returned within "
                        + "StoreOptions.busyTimeout; read again later, or increase StoreOptions.maximumReaderCount"
                )
                expectEqual(context.insertedObjects.count, 1)
                sqlite.endTransaction(box.connection)
                try context.save()
                expectEqual(try context.count(for: Store.request), 1)
            }
            try await Store.until { store.statistics.readers.busyCount == 0 }
            let readers = store.statistics.readers
            #expect(readers.exhaustedCount == 1 && readers.waitCount == 1 && readers.waitingCount == 0)
            #expect(readers.openCount == 1 && readers.openedCount == 1 && readers.peakOpenCount == 1)
        }
    }

    /// A context that has a connection and needs a second one waits for a limited time.
    @Test func aSecondConnectionOfAContextIsNoDeadlock() async throws {
        try await withStorePath { path in
            let store = try makeStore(path, limit: 1, timeout: .milliseconds(20))
            _ = try store.save("a")
            let container = store.container
            try await container.performBackgroundTask { context in
                let count = try context.count(for: Store.request)
                let error = #expect(throws: StoreError.self) { try container.store.metadata() }
                expectEqual(error?.code, .readerLimitExceeded)
                let again = try context.count(for: Store.request)
                #expect(count == 1 && again == 1)
            }
            try await Store.until { store.statistics.readers.busyCount == 0 }
            expectEqual(try container.store.metadata().versionName, "Monitored")
        }
    }

    /// The connection of a child context counts as long as the context exists; an idle connection is closed to open it.
    @Test func childContextsHaveConnections() throws {
        try withStorePath { path in
            let store = try makeStore(path, limit: 1)
            _ = try store.save("a")
            expectEqual(try store.names(), ["a"])
            expectEqual(store.statistics.readers.idleCount, 1)
            let parent = store.container.newContext(isolation: nil)
            var child: ManagedObjectContext? = Store.child(of: parent)
            expectEqual(try child?.count(for: Store.request), 1)
            var expected = StoreStatistics.Readers()
            (expected.openCount, expected.busyCount, expected.peakOpenCount, expected.openedCount) = (1, 1, 1, 2)
            expectEqual(store.statistics.readers, expected)
            child = nil
            (expected.openCount, expected.busyCount) = (0, 0)
            expectEqual(store.statistics.readers, expected)
            expectEqual(try store.names(), ["a"])
        }
    }

    /// A child context waits for a connection of its own, which is opened after another connection was closed.
    @Test func childContextsWait() async throws {
        try await withStorePath { path in
            let store = try makeStore(path, limit: 1)
            _ = try store.save("a")
            let (container, sqlite) = (store.container, store.sqlite)
            var held = try sqlite.beginTransaction()
            let child = Task.detached {
                try await container.performBackgroundTask { context in
                    let child = Store.child(of: context)
                    return try child.count(for: Store.request)
                }
            }
            try await Store.until { store.statistics.readers.waitingCount == 1 }
            let reader = Task.detached {
                try await container.performBackgroundTask { try $0.count(for: Store.request) }
            }
            try await Store.until { store.statistics.readers.waitingCount == 2 }
            // The connection is closed when nothing retains it.
            if let connection = held { sqlite.endTransaction(connection) }
            held = nil
            expectEqual(try await child.value, 1)
            expectEqual(try await reader.value, 1)
            try await Store.until { store.statistics.readers.busyCount == 0 }
            let readers = store.statistics.readers
            #expect(readers.openCount == 1 && readers.openedCount == 3 && readers.peakOpenCount == 1)
        }
    }

    /// A connection that could not be opened, and one that was released without being returned, are not in use.
    @Test func closedConnectionsAreNotCounted() throws {
        try withStorePath { path in
            let store = try makeStore(path, limit: 1)
            let moved = path + ".moved"
            try FileManager.default.moveItem(atPath: path, toPath: moved)
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try store.names() }
                expectEqual(error?.code, .cannotOpen)
            }
            #expect(store.statistics.readers.openCount == 0 && store.statistics.readers.openedCount == 0)
            try FileManager.default.moveItem(atPath: moved, toPath: path)
            #expect(try store.sqlite.beginTransaction() != nil)
            #expect(store.statistics.readers.openCount == 0 && store.statistics.readers.openedCount == 1)
            expectEqual(try store.names(), [])
        }
    }

    /// More connections can be open than are kept when they are idle.
    @Test func fourConnectionsAreKept() throws {
        try withStorePath { path in
            let store = try makeStore(path, limit: 8)
            let held = try (0..<6).map { _ in try #require(try store.sqlite.beginTransaction()) }
            for connection in held { store.sqlite.endTransaction(connection) }
            #expect(store.statistics.readers.idleCount == 4 && store.statistics.readers.peakOpenCount == 6)
        }
        // The last two are closed when the array ends.
    }
}

private final class Numbers: Sendable {
    private let numbers = Mutex<[Int]>([])
    var all: [Int] { numbers.withLock { $0 } }
    func add(_ number: Int) { numbers.withLock { $0.append(number) } }
}
