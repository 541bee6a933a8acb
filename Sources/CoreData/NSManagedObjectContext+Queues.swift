#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    private let currentContextKey = "NSManagedObjectContext.current"

    // As in Core Data: the program uses a context on its queue only.
    extension ManagedObjectContext: @unchecked Sendable {}

    /// The queue on which a context is used.
    public enum NSManagedObjectContextConcurrencyType: UInt, Sendable, Hashable {
        /// A queue of the context's own.
        case privateQueueConcurrencyType = 1
        /// The main queue.
        case mainQueueConcurrencyType = 2
    }

    extension ManagedObjectContext {
        /// Core Data's name of `NSManagedObjectContextConcurrencyType`.
        public typealias ConcurrencyType = NSManagedObjectContextConcurrencyType

        /// The time at which ``perform(schedule:_:)`` runs its closure.
        public enum ScheduledTaskType: Sendable, Hashable {
            /// Immediately, if the caller is on the context's queue.
            case immediate
            /// After all blocks that are on the queue.
            case enqueued
        }

        /// Creates a context without a store; set its `persistentStoreCoordinator` or `parent` before it is used.
        /// - Parameter concurrencyType: The queue of the context, which is ignored for a context with a parent: it
        ///   uses the queue of its parent.
        public convenience init(concurrencyType: NSManagedObjectContextConcurrencyType) {
            self.init(isolation: nil)
            setQueue(ContextQueue(concurrencyType))
        }

        /// Creates a context without a store.
        public convenience init(_ concurrencyType: NSManagedObjectContextConcurrencyType) {
            self.init(concurrencyType: concurrencyType)
        }

        func setQueue(_ queue: ContextQueue) {
            association = queue
            setExecutor(ofQueue: queue.actor)
        }

        /// The context whose block runs on the calling thread.
        static var current: NSManagedObjectContext? {
            Thread.current.threadDictionary[currentContextKey] as? NSManagedObjectContext
        }

        private func asCurrent<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
            let values = Thread.current.threadDictionary
            let former = values[currentContextKey]
            values[currentContextKey] = self
            defer { values[currentContextKey] = former }
            return try body()
        }

        private var ownQueue: ContextQueue {
            guard let queue = association as? ContextQueue else {
                preconditionFailure(
                    "the context has no queue; create it with NSManagedObjectContext(concurrencyType:) or newBackgroundContext()"
                )
            }
            return queue
        }

        private var queue: ContextQueue { sequence(first: self, next: \.parent).reduce(self) { $1 }.ownQueue }

        /// The queue on which the context is used.
        public var concurrencyType: NSManagedObjectContextConcurrencyType { ownQueue.concurrencyType }
        /// Values that the program keeps with the context.
        public var userInfo: NSMutableDictionary { ownQueue.userInfo }

        /// Runs a block on the context's queue later, and processes the context's pending changes after it.
        public func perform(_ block: @escaping () -> Void) {
            queue.async {
                self.asCurrent(block)
                self.processPendingChanges()
            }
        }

        /// Runs a block on the context's queue, and waits until it has run.
        ///
        /// Calls can be nested: on the context's queue the block runs immediately.
        /// - Returns: The value that the block returns.
        /// - Throws: Any error that the block throws.
        @discardableResult
        public func performAndWait<Result>(_ block: () throws -> Result) rethrows -> Result {
            try queue.sync { try asCurrent(block) }
        }

        /// Runs a block on the context's queue, and processes the context's pending changes after it.
        /// - Returns: The value that the block returns.
        /// - Throws: Any error that the block throws.
        @discardableResult
        public func perform<Result, Failure: Error>(
            schedule: ScheduledTaskType = .immediate,
            _ block: @escaping () throws(Failure) -> Result
        ) async throws(Failure) -> Result {
            let (queue, block) = (queue, UncheckedSendable(block))
            let result: UncheckedSendable<Swift.Result<Result, Failure>> = await withCheckedContinuation {
                continuation in
                queue.async {
                    let result = Swift.Result { () throws(Failure) in try self.asCurrent(block.value) }
                    self.processPendingChanges()
                    continuation.resume(returning: UncheckedSendable(result))
                }
            }
            return try result.value.get()
        }

        /// Runs a block on the context's queue; see ``perform(schedule:_:)``.
        @discardableResult
        public func perform<Result, Failure: Error>(
            _ block: @escaping () throws(Failure) -> Result
        ) async throws(Failure) -> Result {
            try await perform(schedule: .immediate, block)
        }
    }
#endif
