internal import CChordataPostgres
internal import Synchronization

/// Cancels the statements that a connection executes, from any thread.
package final class PostgresCanceller: Sendable {
    private struct State: ~Copyable, @unchecked Sendable {  // Protected by the mutex.
        /// The key with which the server recognizes the connection.
        let key: OpaquePointer?
        var executionCount = 0

        deinit { if let key { chordata_pg_freeCancel(key) } }
    }

    private let state: Mutex<State>

    init(_ connection: OpaquePointer) { state = Mutex(State(key: chordata_pg_getCancel(connection))) }

    func begin() { state.withLock { $0.executionCount += 1 } }
    /// Ends an execution; a cancellation that has begun is completed first, so that it never cancels a later statement.
    func end() { state.withLock { $0.executionCount -= 1 } }

    /// Cancels the statements that are being executed.
    /// - Returns: `false` if nothing is executed or the server cannot be reached.
    @discardableResult
    package func cancel() -> Bool {
        state.withLock { state in
            guard state.executionCount > 0, let key = state.key else { return false }
            var message = [CChar](repeating: 0, count: 256)
            return chordata_pg_cancel(key, &message, Int32(message.count)) == 1
        }
    }
}
