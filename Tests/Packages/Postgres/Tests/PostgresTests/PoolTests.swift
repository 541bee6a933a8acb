import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Connections that callers share.
struct PoolTests {
    private func pool(_ count: Int, wait: Duration = .milliseconds(100)) -> PostgresPool {
        PostgresPool(
            TestServer.configuration {
                $0.maximumConnectionCount = count
                $0.connectionWaitTimeout = wait
            }
        )
    }

    @Test func reuse() throws {
        let pool = pool(2)
        let first = try pool.takeConnection(for: "a test")
        let processID = first.processID
        pool.release(first)
        #expect(try pool.takeConnection(for: "a test").processID == processID)
        #expect(pool.openCount == 1)
    }

    @Test func exhaustion() throws {
        let pool = pool(2)
        let first = try pool.takeConnection(for: "the context 'import'")
        let second = try pool.takeConnection(for: "a save of 'view'")
        let error = try #require(#expect(throws: StoreError.self) { try pool.takeConnection(for: "a test") })
        #expect(error.code == .timedOut)
        #expect(error.message.contains("all 2 connections are in use"))
        #expect(error.message.contains("the context 'import' (for 0 s), a save of 'view' (for 0 s)"))
        pool.release(first)
        pool.release(try pool.takeConnection(for: "a test"))
        pool.release(second)
        #expect(pool.openCount == 2)
    }

    @Test(.timeLimit(.minutes(1))) func waiting() async throws {
        let pool = pool(4, wait: .seconds(30))
        let sum = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var sum = 0
                    for _ in 0..<125 {
                        let connection = try pool.takeConnection(for: "a test")
                        sum += Int(try connection.rows("SELECT 1")[0][0] ?? "") ?? 0
                        pool.release(connection)
                    }
                    return sum
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(sum == 1_000)
        #expect(pool.openCount <= 4)
    }

    /// The pool does not return a connection that the server has closed while it was unused.
    @Test func terminatedWhileUnused() throws {
        let pool = pool(1)
        let first = try pool.takeConnection(for: "a test")
        let processID = first.processID
        pool.release(first)
        let other = try TestServer.connection()
        #expect(try other.rows("SELECT pg_terminate_backend(\(processID), 5000)") == [["1"]])
        let second = try pool.takeConnection(for: "a test")
        #expect(second.processID != processID)
        #expect(try second.rows("SELECT 1") == [["1"]])
        pool.release(second)
        #expect(pool.openCount == 1)
    }

    @Test func terminatedWhileUsed() throws {
        let pool = pool(1)
        let first = try pool.takeConnection(for: "a test")
        _ = try? first.rows("SELECT pg_terminate_backend(pg_backend_pid())")
        pool.release(first)
        let second = try pool.takeConnection(for: "a test")
        #expect(second !== first)
        #expect(try second.rows("SELECT 1") == [["1"]])
        pool.release(second)
    }

    /// A transaction that a user of the connection did not end is not continued by the next user.
    @Test func openTransactions() throws {
        let pool = pool(1)
        let first = try pool.takeConnection(for: "a test")
        _ = try first.rows("BEGIN")
        pool.release(first)
        #expect(pool.openCount == 0)
        let second = try pool.takeConnection(for: "a test")
        #expect(!second.isInTransaction)
        pool.release(second)
    }

    @Test func lifetimes() throws {
        let pool = PostgresPool(
            TestServer.configuration {
                $0.maximumConnectionCount = 1
                $0.idleTimeout = .zero
            }
        )
        let first = try pool.takeConnection(for: "a test")
        let processID = first.processID
        pool.release(first)
        let second = try pool.takeConnection(for: "a test")
        #expect(second.processID != processID)
        pool.release(second)
    }
}
