internal import Synchronization

/// The job on a context's actor that processes pending changes at the end of the actor's turn.
///
/// It does not retain the context, and retains the actor only from the moment it is scheduled until it has run.
final class ProcessingJob: Sendable {
    // This property is set once, before other threads can use it; several threads may read a weak reference.
    nonisolated(unsafe) private(set) weak var actor: (any Actor)?
    // Only used on the actor.
    nonisolated(unsafe) private weak var context: ManagedObjectContext?
    private let isScheduled = Atomic(false)
    private let isCancelled = Atomic(false)

    init(_ actor: any Actor, of context: ManagedObjectContext) {
        self.actor = actor
        self.context = context
    }

    /// Schedules the job after the turn that is currently running on the actor, unless the job is already scheduled.
    ///
    /// May be called on any thread.
    func schedule() {
        guard !isScheduled.load(ordering: .relaxed), let actor,
            !isScheduled.exchange(true, ordering: .acquiringAndReleasing)
        else { return }
        // The cast does the same as the standard library's `assumeIsolated`: this thread only enqueues a job for the
        // actor, before the saving code does anything else. A nonisolated task would be enqueued later.
        unsafeBitCast(Self.enqueue, to: ((any Actor, ProcessingJob) -> Void).self)(actor, self)
    }

    private static let enqueue: @Sendable (isolated any Actor, ProcessingJob) -> Void = { actor, job in
        Task {
            _ = actor  // Isolates the task to the actor.
            job.process()
        }
    }

    /// Prevents the job from running again, because the context is used by another actor now.
    func cancel() { isCancelled.store(true, ordering: .releasing) }

    private func process() {
        // The flag is reset before the work, because changes that arrive during the work need another job.
        _ = isScheduled.exchange(false, ordering: .acquiringAndReleasing)
        if !isCancelled.load(ordering: .acquiring) { context?.processPendingChanges() }
    }
}
