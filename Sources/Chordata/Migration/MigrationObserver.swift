internal import Synchronization

#if canImport(FoundationEssentials)
    internal import class Foundation.Progress
#else
    internal import Foundation
#endif

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
        /// A closure that is called once, at the end.
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
        if isCancelled { throw cancellation(path: path) }
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

    /// Runs a migration for an observer, or for the current progress of the thread if there is one.
    static func observing(
        _ observer: MigrationObserver?,
        _ migrate: (MigrationObserver?) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard observer == nil, let current = Progress.current() else { return try migrate(observer) }
        let observer = MigrationObserver()
        // The migration's progress is its child only if no other work of the thread has been before.
        observer.addCancellation { current.isCancelled }
        var isDone = false
        defer { observer.end(isDone: isDone) }
        _ = observer.makeProgress()
        try migrate(observer)
        isDone = true
    }

    /// Makes a progress, which is updated until the migration ends and can cancel it.
    func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: 1)
        // Foundation calls the handler on another thread and later, when the migration may be over, so the migration
        // asks the progress too.
        progress.cancellationHandler = { self.cancel() }
        addCancellation { progress.isCancelled }
        add(
            Receiver(
                progress: { step in
                    progress.totalUnitCount = Int64(max(1, step.totalUnitCount))
                    progress.completedUnitCount = Int64(step.completedUnitCount)
                },
                end: { isDone in if isDone { progress.completedUnitCount = progress.totalUnitCount } }
            )
        )
        return progress
    }

    /// Runs a body whose statements SQLite interrupts once the migration is cancelled.
    func interrupting<Result>(
        _ connection: SQLiteConnection,
        _ body: () throws(StoreError) -> Result
    ) throws(StoreError) -> Result {
        try connection.interruptingStatements(if: { isCancelled }, cancellation(path: connection.path), body)
    }

    private func cancellation(path: String) -> StoreError {
        StoreError(.cancelled, "the program cancelled the migration (134120)", path: path)
    }
}
