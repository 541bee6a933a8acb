internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The threads of a store, which run its background tasks.
///
/// A task that waits for the store on these threads blocks a thread of the store, never a thread of Swift's pool. The
/// number of threads that run jobs is the number of processors, because additional threads would only compete with
/// them. A job that nevertheless waits for some milliseconds, because the jobs before it are long, gets an additional
/// thread. Threads without jobs end after a few seconds.
///
/// Saves are executed one after the other, so if jobs save, another thread would often only wait for its turn to write,
/// and waking it takes time, too. Such jobs wait for a running thread, unless it has run its job for long or many jobs
/// wait.
///
/// Waking a thread can take as long as a short save. So after short saves, if the last job arrived soon after the end
/// of the job before it, as those of a client do that saves again and again, a thread without jobs keeps running for
/// some microseconds and looks for the next job.
final class StoreThreadPool: Sendable {
    private struct State {
        /// The executors with waiting jobs; the jobs before the index `first` have already started.
        var jobs: [(executor: BackgroundExecutor, time: DispatchTime)] = []
        var first = 0
        var threadCount = 0
        /// The threads that run a job, and are not blocked.
        var running: [PoolThread] = []
        /// The number of threads that wait for the store: for their turn to write, or for a connection.
        var blockedCount = 0
        /// The threads that wait for a job; the thread that started to wait last gets the next job.
        ///
        /// Its memory is in the processor's cache, and surplus threads stay idle until they end.
        var idle: [PoolThread] = []
        /// The maximum number of jobs that wait for running threads although another thread is idle.
        var patientCount = 0
        /// The number of jobs that have ended since the last one that has saved.
        var otherJobCount = 0
        /// The time at which the last job ended.
        var lastEnd = DispatchTime.now()
        /// A Boolean value that indicates whether the last job arrived soon after the end of the job before it.
        var followsSoon = false
        /// A Boolean value that indicates whether a thread without jobs keeps running and looks for the next job.
        var isSpinning = false
        /// A Boolean value that indicates whether a thread watches for jobs that wait too long behind long jobs.
        var isWatched = false

        var hasJobs: Bool { first < jobs.count }
        var isFull: Bool { running.count >= StoreThreadPool.processorCount }

        /// Returns a Boolean value that indicates whether the running threads will probably start the waiting jobs
        /// soon.
        /// - Parameter shortTime: The time in nanoseconds after which a running job is long.
        func isSufficient(at time: DispatchTime, shortTime: UInt64 = StoreThreadPool.shortTime) -> Bool {
            if isFull { return true }
            let waitingCount = jobs.count - first
            // The spinning thread takes the first job.
            if isSpinning { return waitingCount <= 1 + patientCount }
            return waitingCount <= patientCount && running.contains { $0.hasStarted(within: shortTime, before: time) }
        }

        /// Adds a job.
        mutating func append(_ executor: BackgroundExecutor, at time: DispatchTime) {
            if running.isEmpty {
                followsSoon = time.uptimeNanoseconds < lastEnd.uptimeNanoseconds + StoreThreadPool.spinningTime
            }
            jobs.append((executor, time))
        }

        /// Records that a thread no longer runs.
        mutating func stop(_ thread: PoolThread) {
            if let place = running.firstIndex(where: { $0 === thread }) { running.remove(at: place) }
        }

        /// Records the end of the job of a thread.
        /// - Returns: A Boolean value that indicates whether other threads will probably run the waiting jobs.
        mutating func endJob(of thread: PoolThread, at time: DispatchTime) -> Bool {
            stop(thread)
            lastEnd = time
            guard let save = thread.save else {
                otherJobCount += 1
                if otherJobCount >= StoreThreadPool.otherJobLimit { patientCount = 0 }
                return isFull
            }
            thread.save = nil
            otherJobCount = 0
            let counts = StoreThreadPool.patientCounts
            guard save == .withoutFlush, thread.hasStarted(within: StoreThreadPool.shortTime, before: time) else {
                patientCount = counts.long
                // The threads whose saves were executed together all continue with the next jobs.
                return isFull
            }
            patientCount = counts.short
            // Threads whose saves wait for each other take longer than one thread.
            return isSufficient(at: time, shortTime: StoreThreadPool.restingTime)
        }

        mutating func popFirst() -> BackgroundExecutor? {
            guard hasJobs else { return nil }
            defer {
                first += 1
                if first == jobs.count {
                    jobs.removeAll(keepingCapacity: first <= 1_024)
                    first = 0
                } else if first >= 1_024, first * 2 >= jobs.count {
                    jobs.removeFirst(first)
                    first = 0
                }
            }
            return jobs[first].executor
        }
    }

    /// A thread of the pool.
    ///
    /// The mutex of the pool protects the start; only the thread itself uses the other variables.
    private final class PoolThread: @unchecked Sendable {
        enum Save { case withoutFlush, withFlush }

        let pool: StoreThreadPool
        /// The signal for which the thread waits when it has no job.
        let signal = DispatchSemaphore(value: 0)
        /// The time at which the thread has started its last job, plus the time for which the thread was blocked.
        var start = DispatchTime.now()
        /// The save of the job, if it has saved.
        var save: Save?

        init(_ pool: StoreThreadPool) { self.pool = pool }

        /// Returns a Boolean value that indicates whether the job has started within a number of nanoseconds.
        func hasStarted(within duration: UInt64, before time: DispatchTime) -> Bool {
            time.uptimeNanoseconds < start.uptimeNanoseconds + duration
        }

        static var current: PoolThread? {
            chordata_thread_owner().map { Unmanaged<PoolThread>.fromOpaque($0).takeUnretainedValue() }
        }
    }

    private enum Help {
        case none, newThread
        case thread(PoolThread)
    }

    /// The maximum number of threads, including those that wait for the store.
    static let maximumThreadCount = 64
    /// The number of threads that asynchronous saves may block; further saves wait without blocking a thread.
    static let maximumBlockedCount = 16
    /// The number of threads that run jobs at the same time, unless jobs are long.
    static let processorCount = max(2, ProcessInfo.processInfo.activeProcessorCount)
    /// The time for which a job waits behind long jobs before it gets an additional thread.
    private static let patience = DispatchTimeInterval.milliseconds(2)
    /// The time in nanoseconds after which a job is long, so that other jobs do not wait for its end.
    private static let shortTime: UInt64 = 100_000
    /// The time in nanoseconds after which another thread's job is so long that a thread that has saved does not leave
    /// the waiting jobs to it.
    private static let restingTime: UInt64 = 500_000
    /// The number of jobs that wait for running threads if the last save was short, or was long.
    ///
    /// While a long save waits for the disk, other threads prepare the saves that are executed together next.
    private static let patientCounts = (short: 16, long: 4)
    /// The number of jobs without a save after which jobs no longer wait for running threads.
    private static let otherJobLimit = 4
    private static let idleTime = DispatchTimeInterval.seconds(5)
    /// The time in nanoseconds for which a thread looks for the next job before it waits; 0 if it would take this time
    /// from the thread that adds the job.
    private static let spinningTime: UInt64 = ProcessInfo.processInfo.activeProcessorCount > 1 ? 25_000 : 0

    private let state = Mutex(State())
    /// A Boolean value that indicates whether a job was added after a thread began to look for one.
    private let hasNewJob = Atomic(false)
    /// A semaphore that is never signalled; the watching thread waits on it with a timeout.
    private let watchSignal = DispatchSemaphore(value: 0)

    /// The number of threads that wait for the store: for their turn to write, or for a connection.
    var blockedCount: Int { state.withLock { $0.blockedCount } }

    /// Makes a thread run the next job of an executor.
    func enqueue(_ executor: BackgroundExecutor) {
        let time = DispatchTime.now()
        let help = state.withLock { state in
            state.append(executor, at: time)
            if state.isSpinning { hasNewJob.store(true, ordering: .relaxed) }
            return self.help(&state, at: time)
        }
        give(help)
    }

    /// Records that the calling thread saves.
    /// - Parameter flushes: A Boolean value that indicates whether the save flushes the disk.
    static func noteSave(flushes: Bool) { PoolThread.current?.save = flushes ? .withFlush : .withoutFlush }

    /// Returns the action for waiting jobs: wake or create a thread, unless there are enough threads and one of them
    /// watches.
    private func help(_ state: inout State, at time: DispatchTime) -> Help {
        guard state.hasJobs else { return .none }
        // The spinning thread takes a single job immediately.
        if state.isSpinning && state.jobs.count - state.first == 1 { return .none }
        if state.isSufficient(at: time) && state.isWatched { return .none }
        if let thread = state.idle.popLast() { return .thread(thread) }
        guard state.threadCount < Self.maximumThreadCount else { return .none }
        state.threadCount += 1
        return .newThread
    }

    private func give(_ help: Help) {
        switch help {
        case .none: return
        case .newThread: startThread()
        case .thread(let thread): thread.signal.signal()
        }
    }

    /// The pool to which the calling thread belongs; `nil` for other threads.
    static var current: StoreThreadPool? { PoolThread.current?.pool }

    /// Runs a closure in which the calling thread blocks; in the meantime, another thread of its pool can run jobs.
    /// - Parameter waitsForStore: A Boolean value that indicates whether the thread waits for others that use the
    ///   store, and so is counted as blocked.
    static func whileBlocked(waitsForStore: Bool = true, _ body: () -> Void) {
        guard let thread = PoolThread.current else { return body() }
        let (pool, count, time) = (thread.pool, waitsForStore ? 1 : 0, DispatchTime.now())
        let help = pool.state.withLock { state in
            state.stop(thread)
            state.blockedCount += count
            return pool.help(&state, at: time)
        }
        pool.give(help)
        body()
        let duration = DispatchTime.now().uptimeNanoseconds - time.uptimeNanoseconds
        pool.state.withLock { state in
            state.blockedCount -= count
            thread.start = DispatchTime(uptimeNanoseconds: thread.start.uptimeNanoseconds + duration)
            state.running.append(thread)
        }
    }

    // MARK: Threads

    private func startThread() {
        let thread = Unmanaged.passRetained(PoolThread(self))
        let result = chordata_start_thread(
            { owner in
                let thread = Unmanaged<PoolThread>.fromOpaque(owner!).takeRetainedValue()
                thread.pool.runJobs(on: thread)
            },
            thread.toOpaque()
        )
        if result == 0 { return }
        // The system cannot create another thread. An existing thread of the pool runs the job; if there is none, the
        // calling thread has to.
        thread.release()
        let isAlone = state.withLock { state in
            state.threadCount -= 1
            return state.threadCount == 0
        }
        guard isAlone else { return }
        while let job = state.withLock({ $0.popFirst() }) { job.runNext() }
    }

    private func runJobs(on thread: PoolThread) {
        var job = nextJob(after: .idle, on: thread)
        while let current = job {
            current.runNext()
            job = nextJob(after: .job, on: thread)
        }
    }

    /// The activity of a thread before it requests a job.
    private enum Activity { case idle, job, spinning, watching }

    /// Waits for a job; returns `nil` if the thread is no longer needed.
    private func nextJob(after activity: Activity, on thread: PoolThread) -> BackgroundExecutor? {
        enum Next {
            case job(BackgroundExecutor, Help)
            case spin, watch, idle
        }
        var activity = activity
        while true {
            let time = DispatchTime.now()
            let next = state.withLock { state -> Next in
                let hasRun = activity == .job
                let isSufficient: Bool
                switch activity {
                case .idle: isSufficient = state.isSufficient(at: time)
                case .spinning:
                    state.isSpinning = false
                    if !state.hasJobs { state.followsSoon = false }
                    isSufficient = state.isSufficient(at: time)
                case .job:
                    isSufficient = state.endJob(of: thread, at: time)
                case .watching:
                    state.isWatched = false
                    isSufficient = state.isSufficient(at: time)
                }
                activity = .idle
                if state.hasJobs {
                    let isLate = state.jobs[state.first].time + Self.patience <= time
                    if !isSufficient || isLate, let job = state.popFirst() {
                        thread.start = time
                        state.running.append(thread)
                        return .job(job, help(&state, at: time))
                    }
                    if !state.isWatched {
                        state.isWatched = true
                        return .watch
                    }
                }
                if hasRun, state.followsSoon, state.patientCount == Self.patientCounts.short, !state.isSpinning,
                    !state.hasJobs
                {
                    state.isSpinning = true
                    hasNewJob.store(false, ordering: .relaxed)
                    return .spin
                }
                state.idle.append(thread)
                return .idle
            }
            switch next {
            case .job(let job, let help):
                give(help)
                return job
            case .spin:
                activity = .spinning
                let end = time.uptimeNanoseconds + Self.spinningTime
                while !hasNewJob.load(ordering: .relaxed), DispatchTime.now().uptimeNanoseconds < end {}
            case .watch:
                activity = .watching
                _ = watchSignal.wait(timeout: .now() + Self.patience)
            case .idle:
                if thread.signal.wait(timeout: .now() + Self.idleTime) == .success { continue }
                let ends = state.withLock { state in
                    guard let place = state.idle.firstIndex(where: { $0 === thread }) else { return false }
                    state.idle.remove(at: place)
                    state.threadCount -= 1
                    return true
                }
                if ends { return nil }
                // A job was assigned to this thread just now, and its signal follows.
                thread.signal.wait()
            }
        }
    }
}

/// Runs a closure in which the calling thread waits for a server; in the meantime, another thread of its pool can run
/// jobs.
package func whileWaitingForServer(_ body: () -> Void) { StoreThreadPool.whileBlocked(body) }
