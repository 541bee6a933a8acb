/// Options for opening a store; the default values are the safest.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: DoneModel.definition, path: "done.sqlite", options: StoreOptions(synchronous: .normal))
/// ```
public struct StoreOptions: Sendable, Hashable {
    /// The durability of saves in the event of a power failure.
    public enum Synchronous: Sendable, Hashable {
        /// All saves are durable: a save returns when its changes are on the disk.
        case full
        /// All saves except the last few are durable: a save returns when the operating system has its changes.
        ///
        /// This is much faster for small saves.
        ///
        /// - Warning: A power failure or a crash of the operating system can undo successful saves, each completely,
        ///   the newest first. The store remains consistent, and a crash of the program alone loses nothing. Use
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
    /// Other processes can write to the store, unless its folder is read-only too. In a read-only folder the file is
    /// read without locks, so it must not be changed while it is open.
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

    /// The custom stages of migrations; see <doc:Migrations>.
    public var migrationStages: [MigrationStage]

    /// A Boolean value that indicates whether the stages of all steps must be there, not only those that the store at
    /// hand needs.
    package var requiresAllStages = true

    /// The maximum time that a statement waits while another process or another container writes to the store.
    ///
    /// After this time, the statement fails with ``StoreError/Code/busy``.
    public var busyTimeout: Duration

    /// The maximum number of bytes of the store that each connection keeps in memory,
    /// <https://sqlite.org/pragma.html#pragma_cache_size>.
    ///
    /// A store has one connection for writing, and one for each context that reads at the same time. Memory is
    /// allocated as rows are read. If the store, or the part of it in use, fits into the cache, look-ups are several
    /// times faster, and writes are faster too.
    public var cacheSize: Int

    /// The logger of SQL statements; `nil` for no logging, which has no cost.
    public var statementLogger: StatementLogger?

    /// Creates options; each parameter sets the property of the same name.
    public init(
        synchronous: Synchronous = .full,
        isReadOnly: Bool = false,
        busyTimeout: Duration = .seconds(5),
        cacheSize: Int = 16 << 20,
        statementLogger: StatementLogger? = nil,
        shouldMigrateStoreAutomatically: Bool = true,
        backsUpBeforeMigration: Bool = false,
        migrationStages: [MigrationStage] = []
    ) {
        self.migrationStages = migrationStages
        self.shouldMigrateStoreAutomatically = shouldMigrateStoreAutomatically
        self.backsUpBeforeMigration = backsUpBeforeMigration
        self.statementLogger = statementLogger
        self.cacheSize = cacheSize
        self.busyTimeout = busyTimeout
        self.synchronous = synchronous
        self.isReadOnly = isReadOnly
    }
}
