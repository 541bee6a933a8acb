internal import Synchronization

/// The executor of a background task: runs the task and its child tasks one after another on threads of the store.
///
/// The context of the task is used by one thread at a time, even after an `await`. While the task waits, its context
/// does not keep a read transaction open, which would prevent the store's write-ahead log from being reset.
final class BackgroundExecutor: TaskExecutor {
    private struct State {
        /// The jobs; those before the index `first` have already started.
        var jobs: [UnownedJob] = []
        var first = 0
        /// A Boolean value that indicates whether a thread of the pool is running a job or is going to run one.
        var isScheduled = false
    }

    private let threads: StoreThreadPool
    private let state = Mutex(State())
    /// The reader of the task's context; it is used only by jobs of this executor, and therefore by one thread at a
    /// time.
    nonisolated(unsafe) private var reader: RowReader?

    init(_ threads: StoreThreadPool) { self.threads = threads }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let schedules = state.withLock { state in
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if schedules { threads.enqueue(self) }
    }

    /// Runs the next job, on a thread of the pool.
    func runNext() {
        let job = state.withLock { state in
            defer {
                state.first += 1
                if state.first == state.jobs.count {
                    state.jobs.removeAll(keepingCapacity: true)
                    state.first = 0
                }
            }
            return state.jobs[state.first]
        }
        job.runSynchronously(on: asUnownedTaskExecutor())
        reader?.endReading()
        let hasMore = state.withLock { state in
            state.isScheduled = state.first < state.jobs.count
            return state.isScheduled
        }
        if hasMore { threads.enqueue(self) }
    }

    /// Runs a closure on the threads of a store.
    static func run<Result: Sendable, Failure: Error>(
        on threads: StoreThreadPool,
        _ body: (BackgroundExecutor) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let executor = BackgroundExecutor(threads)
        return try await withTaskExecutorPreference(executor) { () async throws(Failure) -> Result in
            try await body(executor)
        }
    }

    /// Runs a closure with a new context, within ``run(on:_:)``.
    func withContext<Result: Sendable, Failure: Error>(
        of coordinator: PersistentStoreCoordinator,
        _ body: (ManagedObjectContext) async throws(Failure) -> Result
    ) async throws(Failure) -> Result {
        let context = ManagedObjectContext(coordinator)
        let outerScope = context.executor.beginClosure()
        reader = context.reader
        defer {
            reader = nil
            context.executor.endClosure(in: outerScope)
            context.processPendingChanges()
        }
        return try await body(context)
    }
}
