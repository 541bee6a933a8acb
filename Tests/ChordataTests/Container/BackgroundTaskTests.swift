import ChordataTestStores
import ChordataTestSupport
import Dispatch
import Synchronization
import Testing

@testable import Chordata

/// Background tasks do not occupy a thread of Swift's pool.
struct BackgroundTaskTests {
    /// Runs jobs on one thread at a time, in their order.
    private final class SerialExecutor: TaskExecutor {
        let queue = DispatchQueue(label: "BackgroundTaskTests")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
        }
    }

    private final class Count: Sendable {
        let value = Atomic(0)
    }

    /// A task that only calls background tasks leaves its thread to other tasks at each call.
    @Test func eachCallSuspends() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let executor = SerialExecutor()
        let count = Count()
        // Both tasks are waiting before one of them runs.
        executor.queue.suspend()
        let calls = Task(executorPreference: executor) {
            for _ in 0..<100 {
                await container.performBackgroundTask { _ in }
                count.value.add(1, ordering: .relaxed)
            }
        }
        let other = Task(executorPreference: executor) { count.value.load(ordering: .relaxed) }
        executor.queue.resume()
        expectEqual(await other.value, 0)
        await calls.value
        expectEqual(count.value.load(ordering: .relaxed), 100)
    }
}
