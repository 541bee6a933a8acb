/// Statistics of a store's saves, waiting times, connections and write-ahead log.
///
/// ``PersistentContainer/statistics`` and ``PersistentStore/statistics`` return them. The numbers belong to one open
/// store: they include all contexts of its container, but not other containers and processes. Properties whose
/// description says "at the moment" have the value at the time of the access; all others start at 0 when the store is
/// opened and never decrease. The properties are read one after another, so during saves they can be from slightly
/// different times.
public struct StoreStatistics: Sendable, Hashable {
    /// The number of committed saves: of contexts, including the saves of
    /// ``PersistentContainer/write(attemptLimit:_:)``, of ``ManagedObjectContext/insertValues(_:)``, and of batch
    /// insertions.
    ///
    /// A save of a child context to its parent does not count, and neither does a save that had nothing to write.
    public var saveCount = 0
    /// The number of transactions in which these saves were committed.
    ///
    /// Saves that wait at the same time can share a transaction, so ``saveCount`` divided by this number is the mean
    /// number of saves in a transaction. Transactions without a save, such as batch updates, do not count.
    public var saveTransactionCount = 0
    /// The number of saves that threw a ``SaveConflictError``, including the saves that
    /// ``PersistentContainer/write(attemptLimit:_:)`` repeated.
    public var conflictCount = 0
    /// The number of saves that threw a ``UniquenessConflictError``, including the saves that
    /// ``PersistentContainer/write(attemptLimit:_:)`` repeated.
    public var uniquenessConflictCount = 0
    /// The number of saves whose task was cancelled while it waited.
    public var cancelledSaveCount = 0
    /// The number of saves that threw an error that is neither a conflict nor a cancellation, such as a
    /// ``ValidationError`` or a ``StoreError``.
    public var failedSaveCount = 0
    /// The number of times that ``PersistentContainer/write(attemptLimit:_:)`` ran a closure again, after a conflict.
    public var repeatedWriteCount = 0

    /// The queue in which saves wait, and other changes of the store such as batch updates.
    ///
    /// In a store in memory, reads also wait in this queue.
    public var saveQueue = Queue()
    /// The queue in which the closures of ``PersistentContainer/write(attemptLimit:_:)`` wait for each other.
    public var writeQueue = Queue()
    /// The connections for reading; all numbers are 0 for a store in memory, which has no such connections.
    public var readers = Readers()
    /// The size of the write-ahead log at the moment, in bytes; 0 if there is no log, as for a store in memory.
    ///
    /// SQLite overwrites a log whose contents are in the store's file, but does not make it shorter. A log that keeps
    /// growing is a sign of a read transaction that does not end, for example in another process.
    public var logSize = 0

    /// Statistics of a queue, such as ``StoreStatistics/writeQueue``, in which callers wait for their turn.
    public struct Queue: Sendable, Hashable {
        /// The number of waiting callers at the moment.
        public var waitingCount = 0
        /// The highest number of callers that waited at the same time.
        public var peakWaitingCount = 0
        /// The number of callers that waited, for their turn or for other saves that share their flush of the disk, and
        /// could then continue; callers that did not have to wait, gave up or were rejected are not counted.
        public var waitCount = 0
        /// The sum of the times that these callers waited.
        public var totalWaitingTime = Duration.zero
        /// The longest time that one of these callers waited.
        public var longestWaitingTime = Duration.zero
        /// The number of callers that were rejected with ``StoreError/Code/waitingSaveLimitExceeded``.
        public var rejectedCount = 0

        /// Creates statistics of a queue that has not been used.
        public init() {}
    }

    /// Statistics of the connections for reading.
    public struct Readers: Sendable, Hashable {
        /// The number of open connections at the moment: the sum of ``busyCount`` and ``idleCount``.
        public var openCount = 0
        /// The number of connections that are in use at the moment, including the connections of child contexts.
        public var busyCount = 0
        /// The number of open connections that are not in use at the moment, 4 at most.
        public var idleCount = 0
        /// The number of callers that wait for a connection at the moment.
        public var waitingCount = 0
        /// The highest number of connections that were open at the same time.
        public var peakOpenCount = 0
        /// The number of connections that were opened.
        ///
        /// If this number increases with each read, more connections are used at the same time than are kept idle.
        public var openedCount = 0
        /// The number of times that a caller had to wait because ``StoreOptions/maximumReaderCount`` connections were
        /// busy.
        public var waitCount = 0
        /// The number of times that a caller gave up and threw ``StoreError/Code/readerLimitExceeded``.
        public var exhaustedCount = 0

        /// Creates statistics of a store that has not been read.
        public init() {}
    }

    /// Creates statistics of a store that has not been used.
    public init() {}
}
