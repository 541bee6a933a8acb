#if !canImport(Darwin)
    internal import Chordata
    internal import Dispatch
    internal import Foundation

    /// The queue of a context, and the values that programs keep with the context.
    ///
    /// A tree of contexts, connected by their parents, has one queue, because a save to a parent changes the parent's
    /// objects: the main queue if one of the contexts uses the main queue, otherwise the queue of the topmost context.
    final class ContextQueue: ContextAssociation, @unchecked Sendable {  // Set up before the context is shared.
        let concurrencyType: NSManagedObjectContextConcurrencyType
        let userInfo = NSMutableDictionary()
        private weak var context: ManagedObjectContext?
        private var children: [WeakQueue] = []
        /// The queue of the tree.
        private var queue: SerialQueue

        private struct WeakQueue {
            weak var queue: ContextQueue?
        }

        init(_ concurrencyType: NSManagedObjectContextConcurrencyType, of context: ManagedObjectContext) {
            self.concurrencyType = concurrencyType
            self.context = context
            queue = concurrencyType == .mainQueueConcurrencyType ? .main : SerialQueue()
            context.setExecutor(ofQueue: queue.actor)
        }

        func parentDidChange() {
            guard let context, let parent = context.parent?.association as? ContextQueue else { return }
            parent.children.removeAll { $0.queue == nil }
            parent.children.append(WeakQueue(queue: self))
            var root = context
            while let next = root.parent { root = next }
            guard let top = root.association as? ContextQueue else { return }
            let isMain = queue === SerialQueue.main || top.queue === SerialQueue.main
            top.use(isMain ? .main : top.queue)
        }

        /// Uses a queue for the context and its child contexts.
        private func use(_ queue: SerialQueue) {
            if self.queue !== queue {
                self.queue = queue
                context?.setExecutor(ofQueue: queue.actor)
            }
            for child in children { child.queue?.use(queue) }
        }

        func async(_ body: @escaping () -> Void) { queue.async(body) }

        /// Runs a closure now if the caller's thread is on the queue, otherwise when the queue is free.
        func sync<Result>(_ body: () throws -> Result) rethrows -> Result { try queue.sync(body) }
    }

    /// A value that is used by one thread at a time, as its queue ensures.
    struct UncheckedSendable<Value>: @unchecked Sendable {
        let value: Value

        init(_ value: Value) { self.value = value }
    }

    /// A serial queue with an actor that runs its jobs on the queue.
    private final class SerialQueue: @unchecked Sendable {  // Immutable.
        static let main = SerialQueue(queue: .main, actor: MainActor.shared)
        private let queue: DispatchQueue
        let actor: any Actor

        private init(queue: DispatchQueue, actor: any Actor) { (self.queue, self.actor) = (queue, actor) }

        convenience init() {
            let queue = DispatchQueue(label: "NSManagedObjectContext")
            self.init(queue: queue, actor: QueueActor(QueueExecutor(queue)))
        }

        func async(_ body: @escaping () -> Void) {
            let body = UncheckedSendable(body)
            queue.async { [queue] in hold(queue) { body.value() } }
        }

        func sync<Result>(_ body: () throws -> Result) rethrows -> Result {
            if isHeld { return try body() }
            return try queue.sync { try hold(queue, body) }
        }

        private var isHeld: Bool {
            if self === SerialQueue.main, isOnMainQueue { return true }
            return heldQueues.contains(ObjectIdentifier(queue))
        }
    }

    private let mainQueueKey: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// A Boolean value that indicates whether the calling thread is on the main queue.
    ///
    /// This is the main thread or, after a call of `dispatchMain()`, the thread that runs the queue's blocks.
    private var isOnMainQueue: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) == true }

    // A thread on the queue of one context can wait for another context, whose block uses the first queue again.

    private let heldQueuesKey = "NSManagedObjectContext.queues"

    private var heldQueues: [ObjectIdentifier] {
        Thread.current.threadDictionary[heldQueuesKey] as? [ObjectIdentifier] ?? []
    }

    private func hold<Result>(_ queue: DispatchQueue, _ body: () throws -> Result) rethrows -> Result {
        let former = heldQueues
        Thread.current.threadDictionary[heldQueuesKey] = former + [ObjectIdentifier(queue)]
        defer { Thread.current.threadDictionary[heldQueuesKey] = former }
        return try body()
    }

    /// An executor that runs the jobs of an actor on a serial queue.
    private final class QueueExecutor: SerialExecutor {
        private let queue: DispatchQueue

        init(_ queue: DispatchQueue) { self.queue = queue }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { [self] in hold(queue) { job.runSynchronously(on: asUnownedSerialExecutor()) } }
        }
    }

    /// The actor of a queue.
    private actor QueueActor {
        private nonisolated let executor: QueueExecutor

        init(_ executor: QueueExecutor) { self.executor = executor }

        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
    }
#endif
