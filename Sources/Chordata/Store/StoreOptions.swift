/// How a store is opened; without any, in the safest way.
///
/// ```swift
/// let container = try PersistentContainer(
///     model: DoneModel.definition, path: "done.sqlite", options: StoreOptions(synchronous: .normal))
/// ```
public struct StoreOptions: Sendable, Hashable {
    /// What of the last saves is still there after a power cut.
    public enum Synchronous: Sendable, Hashable {
        /// All of them: a save returns when its changes are on the disk.
        case full
        /// All but the last few: a save returns when the operating system has its changes, which is faster by far where
        /// saves are small.
        ///
        /// - Warning: A power cut or a crash of the operating system may undo saves that had succeeded, each as a
        ///   whole, the newest first. The store stays sound, and the end of the program alone loses nothing. Keep
        ///   ``full`` where somebody was told that the changes are saved.
        case normal
    }

    /// What a power cut may undo, <https://sqlite.org/pragma.html#pragma_synchronous>.
    ///
    /// A store in memory has no use for it.
    public var synchronous: Synchronous

    /// A Boolean value that indicates whether nothing may be written: neither a save nor a migration, and no store is
    /// created.
    ///
    /// Others may write meanwhile, unless the folder of the store cannot be written either: from such a folder the file
    /// is read as it is, without locks, and whoever can change it must not do so while it is open.
    public var isReadOnly: Bool

    /// A Boolean value that indicates whether a store of an older version is migrated when it is opened; otherwise that
    /// fails with ``StoreError/Code/migrationNeeded``.
    public var shouldMigrateStoreAutomatically: Bool

    /// A Boolean value that indicates whether a store is copied before it is migrated, to a file beside it that has the
    /// name of its version behind its own and `.backup` behind that.
    public var backsUpBeforeMigration: Bool

    /// What the program itself does in migrations; see <doc:Migrations>.
    public var migrationStages: [MigrationStage]

    /// A Boolean value that indicates whether the stages of all steps must be there, not only those that the store at
    /// hand needs.
    package var requiresAllStages = true

    /// How long a statement waits while another process writes to the store; then it fails with
    /// ``StoreError/Code/busy``.
    public var busyTimeout: Duration

    /// How many bytes of the store each connection keeps in memory at most, <https://sqlite.org/pragma.html#pragma_cache_size>.
    ///
    /// There is one connection that writes and one for each context that reads at the same time; memory is taken as
    /// rows are read. A store, or the part of one that is in use, that fits is several times faster to look things up
    /// in, and faster to write to.
    public var cacheSize: Int

    /// What is told of each statement; `nil` for nobody, which costs nothing.
    public var statementLogger: StatementLogger?

    /// Creates options.
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
