import Foundation
import Synchronization
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// A Boolean value that a thread sets for another thread.
private final class Flag: Sendable {
    let isSet = Atomic(false)
}

/// Statements, errors and cancelling on one connection.
struct ConnectionTests {
    @Test func statementsInOneRoundTrip() throws {
        let connection = try TestServer.connection()
        let table = "t_\(UUID().uuidString.prefix(8))"
        let counts = try connection.execute([
            ServerStatement("BEGIN"), ServerStatement("CREATE TEMP TABLE \"\(table)\" (a bigint, b text)"),
            ServerStatement(
                "INSERT INTO \"\(table)\" SELECT * FROM unnest($1, $2)",
                [.integers([1, 2]), .texts(["x", nil])]
            ),
            ServerStatement("UPDATE \"\(table)\" SET a = a + 1 WHERE a = $1", [.value(.attribute(.integer(2)))]),
            ServerStatement("SELECT * FROM \"\(table)\""), ServerStatement("COMMIT"),
        ])
        #expect(counts == [0, 0, 2, 1, 2, 0])
        #expect(!connection.isInTransaction)
        #expect(try connection.rows("SELECT * FROM \"\(table)\" ORDER BY a") == [["1", "x"], ["3", nil]])
    }

    /// Both sides fill their buffers: the writer must read while it writes.
    @Test(.timeLimit(.minutes(1))) func largeStatements() throws {
        let connection = try TestServer.connection()
        let large = String(repeating: "0123456789", count: 100_000)
        var lengths = 0
        let statements = (0..<40).map { _ in ServerStatement("SELECT $1", [.value(.attribute(.string(large)))]) }
        _ = try connection.execute(statements) { _, cells in
            if case .text(let bytes) = cells[0] { lengths += bytes.count }
        }
        #expect(lengths == 40_000_000)
    }

    @Test func errorsSkipWhatFollows() throws {
        let connection = try TestServer.connection()
        let failure = #expect(throws: ServerFailure.self) {
            try connection.execute([
                ServerStatement("BEGIN"), ServerStatement("SELECT 1 / $1", [.value(.attribute(.integer(0)))]),
                ServerStatement("SELECT 1"), ServerStatement("COMMIT"),
            ])
        }
        #expect(failure?.index == 1 && failure?.error.sqlState == "22012")
        #expect(connection.isInTransaction)
        try connection.execute([ServerStatement("ROLLBACK")])
        #expect(connection.isUsable)
    }

    /// Statements in the closure for a row, and statements inside these, while further rows are still being received.
    @Test func nestedStatements() throws {
        let connection = try TestServer.connection()
        var results: [String] = []
        let counts = try connection.execute([
            ServerStatement("SELECT * FROM generate_series(1, 3)"), ServerStatement("SELECT 10"),
        ]) { index, cells in
            let outer = text(cells[0]) ?? ""
            let inner = try connection.rows("SELECT * FROM generate_series(1, 2)")
            results.append("\(index) \(outer) \(inner.count)")
        }
        #expect(results == ["0 1 2", "0 2 2", "0 3 2", "1 10 2"])
        #expect(counts == [3, 1])
    }

    @Test func errorsOfClosures() throws {
        struct Stop: Error {}
        let connection = try TestServer.connection()
        #expect(throws: Stop.self) {
            try connection.execute([ServerStatement("SELECT * FROM generate_series(1, 1000)")]) { _, _ in throw Stop() }
        }
        #expect(try connection.rows("SELECT 1") == [["1"]])
    }

    @Test func preparedStatements() throws {
        let connection = try TestServer.connection()
        for _ in 0..<3 {
            #expect(try connection.rows("SELECT $1 + 1", [.value(.attribute(.integer(1)))], isKept: true) == [["2"]])
        }
        let names = try connection.rows("SELECT name FROM pg_prepared_statements")
        #expect(names.count == 1 && names[0][0]?.hasPrefix("chordata_") == true)
    }

    /// A pooler gives a statement to a connection that has not prepared it, or that another program has prepared.
    @Test(arguments: [true, false]) func poolersWithoutPreparedStatements(isKnown: Bool) throws {
        let prepares = PreparationSwitch(isOn: true)
        let connection = try PostgresConnection(TestServer.configuration(), prepares: prepares)
        let sql = "SELECT $1 + 1"
        let argument = ServerArgument.value(.attribute(.integer(1)))
        _ = try connection.rows(sql, [argument], isKept: true)
        let name = try #require(try connection.rows("SELECT name FROM pg_prepared_statements")[0][0])
        if isKnown {
            let other = try PostgresConnection(TestServer.configuration(), prepares: prepares)
            _ = try other.rows("PREPARE \(name) (bigint) AS SELECT 5")
            #expect(try other.rows(sql, [argument], isKept: true) == [["2"]])
        } else {
            _ = try connection.rows("DEALLOCATE \(name)")
            #expect(try connection.rows(sql, [argument], isKept: true) == [["2"]])
        }
        #expect(!prepares.isOn)
    }

    /// The end of a transaction that only reads can be the statement that the server does not know.
    @Test func lostPreparedEnds() throws {
        let prepares = PreparationSwitch(isOn: true)
        let connection = try PostgresConnection(TestServer.configuration(), prepares: prepares)
        let begin = ServerStatement("BEGIN READ ONLY")
        try connection.execute([begin])
        connection.endReading()
        try connection.execute([begin, ServerStatement("DEALLOCATE ALL")])
        connection.endReading()
        #expect(try connection.rows("SELECT 2") == [["2"]])
        #expect(!connection.isLost && !connection.isInTransaction && !prepares.isOn)
    }

    /// A statement after the first one of a round trip that begins a transaction is unknown to the server.
    @Test func lostPreparedStatementsOfATransaction() throws {
        let prepares = PreparationSwitch(isOn: true)
        let connection = try PostgresConnection(TestServer.configuration(), prepares: prepares)
        let select = ServerStatement("SELECT 7", isKept: true)
        try connection.execute([select])
        try connection.execute([ServerStatement("DEALLOCATE ALL")])
        var rows: [String?] = []
        let counts = try connection.execute([ServerStatement("BEGIN"), select, ServerStatement("COMMIT")]) { _, cells in
            rows.append(text(cells[0]))
        }
        #expect(rows == ["7"] && counts.count == 3)
        #expect(!connection.isInTransaction && !prepares.isOn)
        // In a transaction of an earlier round trip, the caller has to repeat it.
        let other = try PostgresConnection(TestServer.configuration(), prepares: PreparationSwitch(isOn: true))
        try other.execute([select])
        try other.execute([ServerStatement("BEGIN"), ServerStatement("DEALLOCATE ALL")])
        let failure = #expect(throws: ServerFailure.self) { try other.execute([select]) }
        #expect(failure?.error.isOfPreparation == true && other.isInTransaction)
    }

    @Test func cancelling() throws {
        let connection = try TestServer.connection { $0.statementTimeout = nil }
        let canceller = connection.canceller
        #expect(!canceller.cancel())
        let end = Flag()
        let isDone = DispatchSemaphore(value: 0)
        // Tests block the threads of Swift's pool, so another task might not run.
        Thread.detachNewThread {
            // The server ignores a request that arrives before the statement.
            while !end.isSet.load(ordering: .acquiring) {
                canceller.cancel()
                Thread.sleep(forTimeInterval: 0.01)
            }
            isDone.signal()
        }
        let failure = #expect(throws: ServerFailure.self) { try connection.rows("SELECT pg_sleep(30)") }
        end.isSet.store(true, ordering: .releasing)
        // The last request must not arrive during the next statement.
        isDone.wait()
        #expect(failure?.error.sqlState == "57014" && failure?.error.code == .statementFailed)
        #expect(try connection.rows("SELECT 1") == [["1"]])
    }

    @Test func timeLimits() throws {
        let connection = try TestServer.connection { $0.statementTimeout = .milliseconds(100) }
        let failure = #expect(throws: ServerFailure.self) { try connection.rows("SELECT pg_sleep(30)") }
        #expect(failure?.error.code == .timedOut && failure?.error.sqlState == "57014")
        #expect(try connection.rows("SELECT 1") == [["1"]])
    }

    @Test func terminatedDuringAStatement() throws {
        let connection = try TestServer.connection()
        let failure = #expect(throws: ServerFailure.self) {
            try connection.rows("SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(5)")
        }
        #expect(failure?.error.code == .connectionLost && failure?.error.sqlState == "57P01")
        #expect(connection.isLost)
        let again = #expect(throws: ServerFailure.self) { try connection.rows("SELECT 1") }
        #expect(again?.error.code == .connectionLost)
    }

    @Test func violations() throws {
        let connection = try TestServer.connection()
        let table = "v_\(UUID().uuidString.prefix(8))"
        _ = try connection.rows("CREATE TEMP TABLE \"\(table)\" (a bigint CONSTRAINT \"_pk_v\" PRIMARY KEY, b bigint)")
        _ = try connection.rows("CREATE UNIQUE INDEX u_b ON \"\(table)\" (b)")
        let insert = "INSERT INTO \"\(table)\" VALUES ($1, $2)"
        func values(_ a: Int64, _ b: Int64) -> [ServerArgument] {
            [.value(.attribute(.integer(a))), .value(.attribute(.integer(b)))]
        }
        _ = try connection.rows(insert, values(1, 1_234_567))
        let key = #expect(throws: ServerFailure.self) { try connection.rows(insert, values(1, 2)) }
        #expect(key?.error.violation == .rowKey)
        let unique = #expect(throws: ServerFailure.self) { try connection.rows(insert, values(2, 1_234_567)) }
        #expect(unique?.error.violation == .uniqueness(columns: ["u_b"]))
        // The details that the server sends contain the value.
        #expect(unique?.error.description.contains("1234567") == false)
    }
}
