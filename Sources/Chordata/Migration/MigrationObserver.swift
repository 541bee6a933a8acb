internal import Synchronization

#if canImport(FoundationEssentials)
    internal import class Foundation.Progress
#else
    internal import Foundation
#endif

/// Reports the progress of a migration, and cancels the migration on request.
package final class MigrationObserver: Sendable {
    private struct State {
        var isCancelled = false
        var hasEnded = false
        var isDone = false
        var receivers: [Receiver] = []
        /// Closures that return whether the migration was cancelled elsewhere.
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

    /// Adds a closure that returns whether the migration was cancelled elsewhere.
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

    /// Notifies all receivers that the migration has ended.
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

    /// Runs a migration with an observer or, without an observer, with the current progress of the thread, if there is
    /// one.
    static func observing(
        _ observer: MigrationObserver?,
        _ migrate: (MigrationObserver?) throws(StoreError) -> Void
    ) throws(StoreError) {
        guard observer == nil, let current = Progress.current() else { return try migrate(observer) }
        let observer = MigrationObserver()
        // The migration's progress is a child of the current progress only if the thread did no other work before.
        observer.addCancellation { current.isCancelled }
        var isDone = false
        defer { observer.end(isDone: isDone) }
        _ = observer.makeProgress()
        try migrate(observer)
        isDone = true
    }

    /// Creates a progress, which is updated until the migration ends and which can cancel the migration.
    func makeProgress() -> Progress {
        let progress = Progress(totalUnitCount: 1)
        // Foundation calls the handler later on another thread, when the migration may have ended, so the migration
        // also checks the progress.
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
