internal import CChordataSQLite
internal import Synchronization

/// Reports a migration's progress, and cancels it on request.
final class MigrationObserver: Sendable {
    private struct State {
        var isCancelled = false
        var hasEnded = false
        var isDone = false
        var receivers: [Receiver] = []
        /// Return whether the migration was cancelled elsewhere.
        var cancellations: [@Sendable () -> Bool] = []
    }

    /// An observer.
    struct Receiver: Sendable {
        var progress: @Sendable (MigrationProgress) -> Void
        /// Called once, with whether all was done.
        var end: @Sendable (_ isDone: Bool) -> Void
    }

    private let state = Mutex(State())

    var isCancelled: Bool {
        let (isCancelled, cancellations) = state.withLock { ($0.isCancelled, $0.cancellations) }
        return isCancelled || cancellations.contains { $0() }
    }

    /// Adds another place where the migration may be cancelled.
    func addCancellation(_ isCancelled: @escaping @Sendable () -> Bool) {
        state.withLock { $0.cancellations.append(isCancelled) }
    }

    func cancel() { state.withLock { $0.isCancelled = true } }

    /// - Throws: ``StoreError/Code/cancelled``.
    func requireGoingOn(path: String) throws(StoreError) {
        if isCancelled { throw StoreError(.cancelled, "the program cancelled the migration (134120)", path: path) }
    }

    func add(_ receiver: Receiver) {
        let (hasEnded, isDone) = state.withLock { state in
            if !state.hasEnded { state.receivers.append(receiver) }
            return (state.hasEnded, state.isDone)
        }
        if hasEnded { receiver.end(isDone) }
    }

    func begin() { state.withLock { $0.hasEnded = false } }

    /// Ends the stream of reports.
    func end(isDone: Bool) {
        let receivers = state.withLock { state in
            defer { (state.hasEnded, state.isDone, state.receivers) = (true, isDone, []) }
            return state.receivers
        }
        for receiver in receivers { receiver.end(isDone) }
    }

    /// - Throws: ``StoreError/Code/cancelled``.
    func report(_ progress: MigrationProgress, path: String) throws(StoreError) {
        try requireGoingOn(path: path)
        let receivers = state.withLock { $0.receivers }
        for receiver in receivers { receiver.progress(progress) }
    }

    /// Runs a body whose statements SQLite interrupts once the migration is cancelled.
    func interrupting<Result>(
        _ connection: SQLiteConnection,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        let owner = Unmanaged.passUnretained(self).toOpaque()
        sqlite3_progress_handler(
            connection.handle,
            10_000,
            { owner in
                guard let owner else { return 0 }
                return Unmanaged<MigrationObserver>.fromOpaque(owner).takeUnretainedValue().isCancelled ? 1 : 0
            },
            owner
        )
        defer { sqlite3_progress_handler(connection.handle, 0, nil, nil) }
        do throws(StoreError) {
            return try body()
        } catch {
            guard error.isForInterruption, isCancelled else { throw error }
            throw StoreError(.cancelled, "the program cancelled the migration (134120)", path: connection.path)
        }
    }
}
