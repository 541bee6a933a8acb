internal import CChordataSQLite
internal import Dispatch
internal import Synchronization

/// The threads of a store, which run its background tasks.
///
/// A task that waits for the store here blocks a thread of the store, never one of Swift's pool. Threads are started
/// when there are jobs for them, and end after a few seconds without jobs.
final class StoreThreadPool: Sendable {
    private struct State {
        /// The executors with jobs that no thread has begun, those before `first` excepted.
        var jobs: [BackgroundExecutor] = []
        var first = 0
        /// The number of threads, and of those that wait for a job or for their turn to write.
        var threadCount = 0
        var idleCount = 0
        var blockedCount = 0

        mutating func popFirst() -> BackgroundExecutor? {
            guard first < jobs.count else { return nil }
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
            return jobs[first]
        }

        /// Whether a further thread is useful, which is then counted.
        mutating func startsThread() -> Bool {
            guard first < jobs.count, idleCount == 0, threadCount < StoreThreadPool.maximumThreadCount,
                threadCount - blockedCount < StoreThreadPool.maximumRunningCount
            else { return false }
            threadCount += 1
            return true
        }
    }

    /// The maximum number of threads, those that wait for their turn to write included.
    static let maximumThreadCount = 64
    /// The maximum number of threads that do not wait.
    static let maximumRunningCount = 16
    private static let idleTime = DispatchTimeInterval.seconds(5)

    private let state = Mutex(State())
    private let jobSignal = DispatchSemaphore(value: 0)

    /// The number of threads now.
    var threadCount: Int { state.withLock { $0.threadCount } }

    /// Lets a thread run the next job of an executor.
    func enqueue(_ job: BackgroundExecutor) {
        let starts = state.withLock { state in
            state.jobs.append(job)
            if state.idleCount > 0 {
                state.idleCount -= 1
                jobSignal.signal()
                return false
            }
            return state.startsThread()
        }
        if starts { startThread() }
    }

    /// The pool that the calling thread is of; `nil` for other threads.
    static var current: StoreThreadPool? {
        chordata_thread_owner().map { Unmanaged<StoreThreadPool>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Runs a closure in which the calling thread waits for others; meanwhile another thread of its pool can run jobs.
    static func whileBlocked(_ body: () -> Void) {
        guard let pool = current else { return body() }
        let starts = pool.state.withLock { state in
            state.blockedCount += 1
            return state.startsThread()
        }
        if starts { pool.startThread() }
        body()
        pool.state.withLock { $0.blockedCount -= 1 }
    }

    /// The number of threads that wait for their turn to write.
    var blockedCount: Int { state.withLock { $0.blockedCount } }

    // MARK: Threads

    private func startThread() {
        let result = chordata_start_thread(
            { owner in Unmanaged<StoreThreadPool>.fromOpaque(owner!).takeRetainedValue().runJobs() },
            Unmanaged.passRetained(self).toOpaque()
        )
        if result == 0 { return }
        // The system has no thread left. One of the others runs the job; without others this one has to.
        Unmanaged.passUnretained(self).release()
        let isAlone = state.withLock { state in
            state.threadCount -= 1
            return state.threadCount == 0
        }
        guard isAlone else { return }
        while let job = state.withLock({ $0.popFirst() }) { job.runNext() }
    }

    private func runJobs() {
        while let job = nextJob() { job.runNext() }
    }

    /// Waits for a job; `nil` if the thread is no longer necessary.
    private func nextJob() -> BackgroundExecutor? {
        while true {
            let job = state.withLock { state -> BackgroundExecutor? in
                if let job = state.popFirst() { return job }
                state.idleCount += 1
                return nil
            }
            if let job { return job }
            if jobSignal.wait(timeout: .now() + Self.idleTime) == .success { continue }
            let ends = state.withLock { state in
                // A job may have come just now, with its signal.
                if jobSignal.wait(timeout: .now()) == .success { return false }
                state.idleCount -= 1
                state.threadCount -= 1
                return true
            }
            if ends { return nil }
        }
    }
}
