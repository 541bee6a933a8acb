#if !canImport(Darwin)
    public import Chordata
    public import Foundation

    private let currentContextKey = "NSManagedObjectContext.current"

    // As in Core Data, the program uses a context only on its queue.
    extension ManagedObjectContext: @unchecked Sendable {}

    /// The queue on which a context is used.
    public enum NSManagedObjectContextConcurrencyType: UInt, Sendable, Hashable {
        /// A type that Core Data has deprecated: the context is used by the thread that creates it.
        ///
        /// Creating a context with this type traps; the case exists for code that distinguishes all cases.
        case confinementConcurrencyType = 0
        /// The context has a private queue.
        case privateQueueConcurrencyType = 1
        /// The context uses the main queue.
        case mainQueueConcurrencyType = 2

        /// Core Data's newer name of `privateQueueConcurrencyType`.
        public static var privateQueue: NSManagedObjectContextConcurrencyType { .privateQueueConcurrencyType }
        /// Core Data's newer name of `mainQueueConcurrencyType`.
        public static var mainQueue: NSManagedObjectContextConcurrencyType { .mainQueueConcurrencyType }
    }

    extension ManagedObjectContext {
        /// Core Data's name of `NSManagedObjectContextConcurrencyType`.
        public typealias ConcurrencyType = NSManagedObjectContextConcurrencyType

        /// The time at which ``perform(schedule:_:)`` runs its closure.
        public enum ScheduledTaskType: Sendable, Hashable {
            /// The closure runs as soon as the queue is free.
            case immediate
            /// The closure runs after all blocks that are on the queue; in this module, this is the same as
            /// `immediate`.
            case enqueued
        }

        /// Creates a context without a store; set its `persistentStoreCoordinator` or `parent` before it is used.
        /// - Parameter concurrencyType: The queue of the context. A parent context and its child contexts share one
        ///   queue: the main queue if one of them uses the main queue, otherwise the queue of the topmost parent.
        ///   `confinementConcurrencyType` traps.
        public convenience init(concurrencyType: NSManagedObjectContextConcurrencyType) {
            precondition(
                concurrencyType != .confinementConcurrencyType,
                "a context cannot have the concurrency type confinementConcurrencyType; use privateQueueConcurrencyType, and call "
                    + "perform or performAndWait"
            )
            self.init(isolation: nil)
            associate(with: ContextQueue(concurrencyType, of: self))
        }

        /// Creates a context without a store.
        public convenience init(_ concurrencyType: NSManagedObjectContextConcurrencyType) {
            self.init(concurrencyType: concurrencyType)
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

        private var queue: ContextQueue {
            guard let queue = association as? ContextQueue else {
                preconditionFailure(
                    "the context has no queue; create the context with NSManagedObjectContext(concurrencyType:) or newBackgroundContext()"
                )
            }
            return queue
        }

        /// The queue on which the context is used.
        public var concurrencyType: NSManagedObjectContextConcurrencyType { queue.concurrencyType }
        /// Values that the program keeps with the context.
        public var userInfo: NSMutableDictionary { queue.userInfo }

        /// A Boolean value that indicates whether reading a fault without a row returns `nil` instead of an error;
        /// always `true`.
        public var shouldDeleteInaccessibleFaults: Bool {
            get { true }
            set {
                precondition(
                    newValue,
                    "shouldDeleteInaccessibleFaults cannot be false, because access to a fault without a row does not throw an error; remove the assignment of false"
                )
            }
        }

        /// Assigns an inserted object to a store of the context's coordinator.
        ///
        /// An object that was saved, or a store that cannot have the object, traps; Chordata's method throws an error.
        public func assign(_ object: Any, to store: NSPersistentStore) {
            guard let object = object as? NSManagedObject else {
                preconditionFailure(
                    "a value of type \(type(of: object)) cannot be assigned to a store; assign a managed object"
                )
            }
            do {
                try object.assign(to: store, in: self)
            } catch {
                preconditionFailure("the object '\(object.objectID)' cannot be assigned to a store: \(error)")
            }
        }

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
        public func performAndWait(_ block: () -> Void) { queue.sync { asCurrent(block) } }

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

        /// Runs a block on the context's queue later, and processes the context's pending changes after it.
        /// - Returns: The value that the block returns.
        /// - Throws: Any error that the block throws.
        @discardableResult
        public func perform<Result, Failure: Error>(
            _ block: @escaping () throws(Failure) -> Result
        ) async throws(Failure) -> Result {
            try await perform(schedule: .immediate, block)
        }
    }
#endif
