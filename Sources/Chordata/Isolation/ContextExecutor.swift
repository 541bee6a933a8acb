internal import Synchronization

/// The actor that a context lives on, and the one job there that ends an event of the context.
///
/// Neither the actor nor the context is kept alive by it, except for what waits for the end of a turn that has begun.
final class ContextExecutor: Sendable {
    // Set once, before other threads can use it; a weak reference may be read by several threads.
    nonisolated(unsafe) private(set) weak var actor: (any Actor)?
    // Only used on the actor.
    nonisolated(unsafe) private weak var context: ManagedObjectContext?
    private let isScheduled = Atomic(false)
    /// A Boolean value that indicates whether the context is another actor's by now.
    private let isLeft = Atomic(false)

    init(_ actor: any Actor, of context: ManagedObjectContext) {
        self.actor = actor
        self.context = context
    }

    /// Lets the context process what is pending, on its actor, after the turn that runs there now; once, however often
    /// it is asked for.
    ///
    /// May be called on any thread.
    func scheduleProcessing() {
        guard !isScheduled.load(ordering: .relaxed), let actor,
            !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        // As the standard library's `assumeIsolated` does: this thread only enqueues a job for the actor, before the
        // saving code does anything else. A nonisolated task would come later.
        unsafeBitCast(Self.enqueue, to: ((any Actor, ContextExecutor) -> Void).self)(actor, self)
    }

    private static let enqueue: @Sendable (isolated any Actor, ContextExecutor) -> Void = { actor, executor in
        Task {
            _ = actor  // Makes the task one of the actor.
            executor.process()
        }
    }

    /// Ends what the executor does with the context, except for a job that runs just now.
    func leave() { isLeft.store(true, ordering: .releasing) }

    private func process() {
        // Before the work: changes that arrive during the work need a job of their own.
        _ = isScheduled.exchange(false, ordering: .acquiringAndReleasing)
        if !isLeft.load(ordering: .acquiring) { context?.processPendingChanges() }
    }
}
