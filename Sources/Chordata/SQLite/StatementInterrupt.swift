internal import CChordataSQLite
internal import Synchronization

/// Interrupts a statement from a thread other than the one that runs it.
final class StatementInterrupt: Sendable {
    private struct State {
        /// The address of the connection while the statement runs.
        var connection: UInt = 0
        var isCancelled = false
    }

    private let state = Mutex(State())
    var isCancelled: Bool { state.withLock { $0.isCancelled } }

    func run(on connection: StoreReader, _ body: () throws -> Void) throws {
        // Other engines do not interrupt a statement; their reader checks ``isCancelled`` between rows.
        let address = connection.sqlite.map { UInt(bitPattern: $0.handle) } ?? 0
        let isCancelled = state.withLock { state in
            state.connection = address
            return state.isCancelled
        }
        defer { state.withLock { $0.connection = 0 } }
        if isCancelled { throw CancellationError() }
        try body()
    }

    func cancel() {
        state.withLock { state in
            state.isCancelled = true
            // The connection is not closed or reused during the call, because that waits for this lock.
            if let connection = OpaquePointer(bitPattern: state.connection) { sqlite3_interrupt(connection) }
        }
    }
}
