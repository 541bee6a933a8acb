/// The options by which a store is opened; the defaults are the safest.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: DoneModel.definition, path: "done.sqlite", options: StoreOptions(synchronous: .normal))
/// ```
public struct StoreOptions: Sendable, Hashable {
    /// The durability of the last saves after a power cut.
    public enum Synchronous: Sendable, Hashable {
        /// All of them: a save returns when its changes are on the disk.
        case full
        /// All but the last few: a save returns when the operating system has its changes, which is faster by far where
        /// saves are small.
        ///
        /// - Warning: A power cut or a crash of the operating system may undo saves that had succeeded, each as a
        ///   whole, the newest first. The store stays consistent, and a crash of the program alone loses nothing. Keep
        ///   ``full`` where a user or another system was informed that the changes are saved.
        case normal
    }

    /// The saves that a power cut may undo, <https://sqlite.org/pragma.html#pragma_synchronous>.
    ///
    /// A store in memory has no use for it.
    public var synchronous: Synchronous

    /// A Boolean value that indicates whether nothing may be written: neither a save nor a migration, and no store is
    /// created.
    ///
    /// Other processes may write, unless the folder of the store is read-only too: from such a folder the file is read
    /// without locks, and it must not be changed while it is open.
    public var isReadOnly: Bool

    /// A Boolean value that indicates whether a store of an older version is migrated when it is opened; otherwise that
    /// fails with ``StoreError/Code/migrationNeeded``.
    public var shouldMigrateStoreAutomatically: Bool

    /// A Boolean value that indicates whether a store is copied before it is migrated, to a file beside it that has the
    /// name of its version behind its own and `.backup` behind that.
    public var backsUpBeforeMigration: Bool

    /// The program's own stages of migrations; see <doc:Migrations>.
    public var migrationStages: [MigrationStage]

    /// A Boolean value that indicates whether the stages of all steps must be there, not only those that the store at
    /// hand needs.
    package var requiresAllStages = true

    /// The time that a statement waits while another process writes to the store; then it fails with
    /// ``StoreError/Code/busy``.
    public var busyTimeout: Duration

    /// The maximum number of bytes of the store that each connection keeps in memory,
    /// <https://sqlite.org/pragma.html#pragma_cache_size>.
    ///
    /// There is one connection that writes and one for each context that reads at the same time; memory is taken as
    /// rows are read. A store, or the part of one that is in use, that fits is several times faster to look things up
    /// in, and faster to write to.
    public var cacheSize: Int

    /// The logger of each statement; `nil` for none, which costs nothing.
    public var statementLogger: StatementLogger?

    /// Creates options; each parameter is the property of the same name.
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
