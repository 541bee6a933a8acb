/// A logger that is called for each save of a store; set it as ``StoreOptions/saveLogger``.
///
/// ```swift
/// let logger = SaveLogger { print($0) }
/// let container = try PersistentContainer(
///     model: DoneModel.definition, path: "done.sqlite", options: StoreOptions(saveLogger: logger))
/// ```
/// The handler is called after each save to the store, successful or not: of contexts, including the saves of
/// ``PersistentContainer/write(attemptLimit:_:)``, of ``ManagedObjectContext/insertValues(_:)``, and of batch
/// insertions. Batch updates, batch deletions, saves that have nothing to write, and saves of a child context to its
/// parent are not reported.
///
/// The handler is called before the method that saves returns, on the thread of this method, which can be any thread.
/// The handler must not use the store.
public final class SaveLogger: Sendable, Hashable {
    /// A record of a save that has ended.
    public struct Record: Sendable, Hashable, CustomStringConvertible {
        /// The result of a save.
        public enum Outcome: Sendable, Hashable {
            /// All changes are in the store.
            case committed
            /// Nothing was written: the save threw a ``SaveConflictError``.
            case conflict
            /// Nothing was written: the save threw a ``UniquenessConflictError``.
            case uniquenessConflict
            /// Nothing was written: the task was cancelled while it waited.
            case cancelled
            /// Nothing was written, unless the code is ``StoreError/Code/outcomeUnknown``: the save threw a
            /// ``StoreError`` with this code, or another error, such as a ``ValidationError``, if the code is `nil`.
            case failed(StoreError.Code?)

            init(_ error: any Error) {
                self =
                    switch error {
                    case is SaveConflictError: .conflict
                    case is UniquenessConflictError: .uniquenessConflict
                    case is CancellationError: .cancelled
                    default: .failed((error as? StoreError)?.code)  // Hooks and policies can throw any error.
                    }
            }

            fileprivate var name: String {
                switch self {
                case .committed: "committed"
                case .conflict: "conflict"
                case .uniquenessConflict: "uniqueness conflict"
                case .cancelled: "cancelled"
                case .failed(let code): "failed" + (code.map { " (\($0))" } ?? "")
                }
            }
        }

        /// The result of the save.
        public var outcome: Outcome
        /// The number of inserted objects; if the save was not committed, the number that it would have inserted.
        public var insertedCount: Int
        /// The number of updated objects; if the save was not committed, the number that it would have updated.
        public var updatedCount: Int
        /// The number of deleted objects; if the save was not committed, the number that it would have deleted.
        public var deletedCount: Int
        /// The time that the save waited in the queue of the store, and for other saves that share its flush of the
        /// disk.
        ///
        /// The time that a closure of ``PersistentContainer/write(attemptLimit:_:)`` waited before it ran is not
        /// included, and neither is the wait for another process, which is a part of ``duration`` only.
        public var waitingTime: Duration
        /// The time from the call of the method that saves, such as `ManagedObjectContext.save()`, to its end,
        /// including ``waitingTime``, hooks and merge policies.
        public var duration: Duration
        /// The number of saves that were committed in the same transaction, including this one; 0 if the save was not
        /// committed.
        public var groupSize: Int
        /// The ``ManagedObjectContext/name`` of the context.
        public var contextName: String?

        /// A textual description in one line, such as
        /// `committed in 1.250 ms, 0.300 ms of it waiting: 2 inserted, 1 updated, 0 deleted` and then
        /// `; 3 saves in the transaction; context 'import'`.
        public var description: String {
            var text = "\(outcome.name) in \(duration.inMilliseconds) ms, "
            text += "\(waitingTime.inMilliseconds) ms of it waiting: "
            text += "\(insertedCount) inserted, \(updatedCount) updated, \(deletedCount) deleted"
            if groupSize > 0 { text += "; \(groupSize) \(groupSize == 1 ? "save" : "saves") in the transaction" }
            if let contextName { text += "; context '\(contextName)'" }
            return text
        }
    }

    let handler: @Sendable (Record) -> Void

    /// Creates a logger that calls a handler after each save.
    /// - Parameter handler: The closure that is called with each save that has ended.
    public init(_ handler: @escaping @Sendable (Record) -> Void) { self.handler = handler }

    /// Returns a Boolean value that indicates whether two loggers are the same instance.
    public static func == (left: SaveLogger, right: SaveLogger) -> Bool { left === right }
    /// Hashes the identity of the instance.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Duration {
    /// The duration in whole microseconds.
    var microseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
    }

    /// The duration in milliseconds as text, with three digits after the point.
    var inMilliseconds: String {
        let thousandths = String(microseconds % 1_000)
        return "\(microseconds / 1_000).\(String(repeating: "0", count: 3 - thousandths.count))\(thousandths)"
    }
}
