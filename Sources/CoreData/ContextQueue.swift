#if !canImport(Darwin)
    internal import Chordata
    internal import Dispatch
    internal import Foundation

    /// The queue of a context, and the values that programs keep with the context.
    ///
    /// A child context uses the queue of the context at the top of its chain of parents, because their saves change
    /// each other's objects.
    final class ContextQueue: @unchecked Sendable {  // No lock: `userInfo` is used on the queue.
        let concurrencyType: NSManagedObjectContextConcurrencyType
        let userInfo = NSMutableDictionary()
        /// `nil` for the main queue.
        private let executor: QueueExecutor?
        private let queueActor: QueueActor?

        init(_ concurrencyType: NSManagedObjectContextConcurrencyType) {
            self.concurrencyType = concurrencyType
            executor = concurrencyType == .mainQueueConcurrencyType ? nil : QueueExecutor()
            queueActor = executor.map { QueueActor($0) }
        }

        /// The actor whose turns are those of the queue.
        var actor: any Actor {
            if let queueActor { return queueActor }
            return MainActor.shared
        }

        private var isCurrent: Bool { executor?.isCurrent ?? Thread.isMainThread }
        private var queue: DispatchQueue { executor?.queue ?? .main }

        func async(_ body: @escaping () -> Void) {
            let body = UncheckedSendable(body)
            queue.async { body.value() }
        }

        /// Runs a closure now if the caller is on the queue, otherwise when the queue is free.
        func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
            if isCurrent { return try body() }
            return try queue.sync(execute: body)
        }
    }

    /// A value that is used by one thread at a time, as its queue ensures.
    struct UncheckedSendable<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// An executor that runs the jobs of an actor on a serial queue.
    private final class QueueExecutor: SerialExecutor {
        private static let key = DispatchSpecificKey<ObjectIdentifier>()

        let queue = DispatchQueue(label: "NSManagedObjectContext")

        init() { queue.setSpecific(key: Self.key, value: ObjectIdentifier(self)) }

        var isCurrent: Bool { DispatchQueue.getSpecific(key: Self.key) == ObjectIdentifier(self) }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    /// The actor of a queue.
    private actor QueueActor {
        private nonisolated let executor: QueueExecutor

        init(_ executor: QueueExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    }
#endif
