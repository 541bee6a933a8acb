/// Options for opening a store; the default values are the safest.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: DoneModel.definition, path: "done.sqlite", options: StoreOptions(synchronous: .normal))
/// ```
public struct StoreOptions: Sendable, Hashable {
    /// The durability of saves if there is a power failure.
    public enum Synchronous: Sendable, Hashable {
        /// All saves are durable: a save returns when its changes are on the disk.
        case full
        /// A save returns when the operating system has its changes; it is durable after the next checkpoint, when the
        /// write-ahead log has about 4,000 pages, or the store is closed.
        ///
        /// This is much faster for small saves.
        ///
        /// - Warning: A power failure or a crash of the operating system can undo successful saves, each completely,
        ///   the newest first. The store remains consistent, and if only the program crashes, no save is lost. Use
        ///   ``full`` if a user or another system has been informed that the changes are saved.
        case normal
    }

    /// The durability of saves; see <https://sqlite.org/pragma.html#pragma_synchronous>.
    ///
    /// The option has no effect for a store in memory.
    public var synchronous: Synchronous

    /// A Boolean value that indicates whether the store is read-only.
    ///
    /// A read-only store cannot be created, saved to or migrated.
    ///
    /// Other processes can write to the store while it is open. An exception is a store in a read-only folder: its file
    /// is read without locks, so no process may change the file while it is open.
    public var isReadOnly: Bool

    /// A Boolean value that indicates whether a store of an older version is migrated when it is opened.
    ///
    /// If the value is `false`, opening such a store throws ``StoreError/Code/migrationNeeded``.
    public var shouldMigrateStoreAutomatically: Bool

    /// A Boolean value that indicates whether a store is copied before it is migrated.
    ///
    /// The copy is in the same folder. Its name is the store's file name, a period, the name of the store's version and
    /// `.backup`, followed by a number if that file exists. A migration that fails and leaves the store unchanged
    /// deletes its copy.
    public var backsUpBeforeMigration: Bool

    /// The stages of migrations, custom and batched; see <doc:Migrations>.
    public var migrationStages: [MigrationStage]

    /// A Boolean value that indicates whether the stages of all steps must be provided, not only those that the
    /// opened store needs.
    package var requiresAllStages = true

    /// The maximum time that a statement waits while another process or another container writes to the store.
    ///
    /// After this time, the statement fails with ``StoreError/Code/busy``. A read waits for the same time if
    /// ``maximumReaderCount`` connections are in use.
    public var busyTimeout: Duration

    /// The maximum number of bytes of the store that each connection keeps in memory,
    /// <https://sqlite.org/pragma.html#pragma_cache_size>.
    ///
    /// A store has one connection for writing, and one for each context that reads at the same time, up to
    /// ``maximumReaderCount``. Memory is allocated as rows are read. If the store, or the part of it in use, fits into
    /// the cache, look-ups are several times faster, and writes are faster too.
    public var cacheSize: Int

    /// The maximum number of connections that are open for reading at the same time; the default is 128.
    ///
    /// A context uses a connection while it reads. The context of an actor keeps it until the end of the
    /// [turn](doc:Glossary#Changes), a closure of ``PersistentContainer/performBackgroundTask(_:)`` until the next
    /// `await`, and a child context until it is released. If all connections are in use, a further read waits until one
    /// is returned, in the order of the calls, and blocks its thread. After ``busyTimeout`` it throws
    /// ``StoreError/Code/readerLimitExceeded``.
    ///
    /// The option limits the memory of a store: a connection that has read one row uses about 128 KiB, and one that has
    /// filled its cache about 1 MiB more than ``cacheSize``. A background task without child contexts needs at most two
    /// connections, and a container has at most 64 threads for these tasks, so with the default value they do not wait.
    /// The number must be at least 1. The option has no effect for a store in memory, which has one connection for
    /// reading and writing.
    public var maximumReaderCount: Int

    /// The maximum number of saves that wait for other saves, and also of closures of
    /// ``PersistentContainer/write(attemptLimit:_:)`` that wait for other closures; the default is 1,000.
    ///
    /// If this number of saves is waiting, a further save throws ``StoreError/Code/waitingSaveLimitExceeded``
    /// immediately, and all its changes remain in the context. Saves, batch updates and other changes of the store wait
    /// in one queue, the closures of `write` in another queue; each of the queues has this limit. The number of
    /// closures of background tasks that wait for a thread of the store is not limited.
    ///
    /// The option limits the memory and the waiting time of a store: a waiting save of one object uses about 7 KiB. The
    /// rows of each save are delivered to the contexts of all waiting saves, so the time grows with the square of the
    /// number: in a measurement, 1,000 waiting saves were executed in 1.2 seconds, and 4,000 in 19 seconds. The number
    /// must not be negative; with 0, a save throws if another save is running.
    public var maximumWaitingSaveCount: Int

    /// The maximum number of bytes by which the write-ahead log grows while a context is pinned to a query generation;
    /// the default is 64 MiB.
    ///
    /// If the log has grown more after a save of this container, or when the pinned context reads, the generation
    /// expires; see ``ManagedObjectContext/setQueryGenerationFrom(_:)``.
    public var maximumPinnedLogSize: Int

    /// A Boolean value that indicates whether the store records its transactions in a persistent history.
    ///
    /// The history belongs to the store: once a program has opened the store with `true`, the transactions of all
    /// programs are recorded, regardless of their options, until ``PersistentStore/stopTrackingHistory()`` is called.
    /// See <doc:Persistent-History>. The option has no effect for a read-only store.
    public var tracksPersistentHistory: Bool

    /// A Boolean value that indicates whether the saves of other programs and of other containers are reported to the
    /// contexts of this container; the default is `false`.
    ///
    /// Contexts merge them as they merge saves of other contexts of the container. The store reads the persistent
    /// history ten times a second, so `true` implies ``tracksPersistentHistory``. See
    /// ``PersistentContainer/remoteChanges``. The option has no effect for a store in memory.
    public var reportsRemoteChanges: Bool

    /// The logger of SQL statements; `nil` for no logging, which has no cost.
    public var statementLogger: StatementLogger?

    /// The logger of saves; `nil` for no logging, which has no cost.
    public var saveLogger: SaveLogger?

    /// Creates options; each parameter sets the property of the same name.
    public init(
        synchronous: Synchronous = .full,
        isReadOnly: Bool = false,
        busyTimeout: Duration = .seconds(5),
        cacheSize: Int = 16 << 20,
        maximumReaderCount: Int = 128,
        maximumWaitingSaveCount: Int = 1_000,
        maximumPinnedLogSize: Int = 64 << 20,
        tracksPersistentHistory: Bool = false,
        reportsRemoteChanges: Bool = false,
        statementLogger: StatementLogger? = nil,
        saveLogger: SaveLogger? = nil,
        shouldMigrateStoreAutomatically: Bool = true,
        backsUpBeforeMigration: Bool = false,
        migrationStages: [MigrationStage] = []
    ) {
        self.migrationStages = migrationStages
        self.shouldMigrateStoreAutomatically = shouldMigrateStoreAutomatically
        self.backsUpBeforeMigration = backsUpBeforeMigration
        self.saveLogger = saveLogger
        self.statementLogger = statementLogger
        self.reportsRemoteChanges = reportsRemoteChanges
        self.tracksPersistentHistory = tracksPersistentHistory
        self.maximumPinnedLogSize = maximumPinnedLogSize
        self.maximumWaitingSaveCount = maximumWaitingSaveCount
        self.maximumReaderCount = maximumReaderCount
        self.cacheSize = cacheSize
        self.busyTimeout = busyTimeout
        self.synchronous = synchronous
        self.isReadOnly = isReadOnly
    }
}
