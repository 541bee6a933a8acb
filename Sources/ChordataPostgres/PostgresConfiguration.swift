public import Chordata

/// The location of a store on a PostgreSQL server, and the limits of its connections.
///
/// ```swift
/// let configuration = PostgresConfiguration(
///     "postgresql://app@db1,db2/shop?target_session_attrs=read-write", schema: "done")
/// ```
///
/// The connection string is a libpq connection string, so it may name several hosts, a service file or certificates,
/// and environment variables such as `PGPASSWORD` and the file `.pgpass` are used. No description and no error of
/// Chordata contains the password.
public struct PostgresConfiguration: Sendable {
    /// The connection string, which may contain a password.
    let connectionString: String
    /// The name of the schema that contains the tables of the store, and no other tables.
    public var schema: String

    /// The maximum number of connections of this process to the store.
    public var maximumConnectionCount = 8
    /// The maximum time that a caller waits for a connection while ``maximumConnectionCount`` connections are in use.
    public var connectionWaitTimeout = Duration.seconds(10)
    /// The maximum time that a statement runs, or waits for another transaction, before it is cancelled; `nil` for no
    /// limit.
    public var statementTimeout: Duration? = .seconds(30)
    /// The time after which an unused connection is not used again; it is closed when a caller would otherwise get it.
    public var idleTimeout = Duration.seconds(60)
    /// The time after which a connection is replaced, with a random deviation of up to a fifth, so that not all
    /// connections are replaced together.
    public var connectionLifetime = Duration.seconds(1_800)
    /// A Boolean value that indicates whether statements are prepared on the server.
    ///
    /// It is switched off automatically behind a connection pooler that does not support prepared statements.
    public var preparesStatements = true

    /// A Boolean value that indicates whether each save records what it has changed, for other programs and other
    /// containers; the default is `true`.
    ///
    /// If the value is `false`, a save is a little faster, and the containers whose ``reportsRemoteChanges`` is `true`
    /// are only notified that something was changed: their `PersistentContainer.remoteChanges` receive a value with
    /// `invalidatesAll`, and their contexts do not merge the save. The option has no effect if the store tracks its
    /// persistent history.
    public var recordsChanges = true
    /// A Boolean value that indicates whether the saves of other programs and of other containers are reported to the
    /// contexts of this container; the default is `true`.
    ///
    /// Contexts merge them as they merge saves of other contexts of the container. All containers of the process with
    /// the same connection string share one additional connection for this purpose.
    public var reportsRemoteChanges = true
    /// A Boolean value that indicates whether the recorded changes are kept as a persistent history; the default is
    /// `false`.
    ///
    /// The history belongs to the store: once a program has opened the store with `true`, all records are kept until
    /// `PersistentStore.stopTrackingHistory()` is called. Before the store is opened with `true` for the first time,
    /// close all programs that have opened it with ``recordsChanges`` set to `false`, because their saves would not be
    /// in the history.
    public var tracksPersistentHistory = false
    /// The time for which the changes of a save are kept for other programs, if the store does not track its persistent
    /// history; the default is an hour.
    ///
    /// If a container has not reached the server for a longer time, its `remoteChanges` receive a value whose
    /// `ObjectIDChanges.invalidatesAll` is `true`.
    public var changeRetention = Duration.seconds(3_600)

    /// A Boolean value that indicates whether a store of an older version is migrated when it is opened; the default is
    /// `true`.
    ///
    /// If several programs open the store at the same time, one migrates it, and the others wait. Programs with the
    /// older model fail at their next save with `StoreError.Code.incompatibleModel`. If the value is `false`, opening
    /// such a store throws `StoreError.Code.migrationNeeded`.
    public var shouldMigrateStoreAutomatically = true

    /// The stages of migrations, custom and batched, for the steps whose migration files have a stage.
    ///
    /// The statements of a stage are in the SQL of PostgreSQL, with the parameters `$1`, `$2` and so on. If several
    /// programs open the store at the same time, one of them migrates it, but each can compute values of a batched
    /// stage. `willMigrate` and `didMigrate` run again if another transaction prevents the migration.
    public var migrationStages: [MigrationStage] = []

    /// See `ServerOptions.requiresAllStages`.
    package var requiresAllStages = true
    /// See `ServerOptions.copiedRowCount`.
    package var copiedRowCount = ServerOptions().copiedRowCount

    /// Creates a configuration.
    /// - Parameters:
    ///   - connectionString: A connection string of libpq: a URI, or keywords and values such as
    ///     `host=/run/postgresql dbname=shop`.
    ///   - schema: The name of the schema that has the tables of the store.
    public init(_ connectionString: String, schema: String) {
        self.connectionString = connectionString
        self.schema = schema
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomReflectable {
    /// A textual description without the connection string, which may contain a password.
    public var description: String { "PostgresConfiguration(schema: \"\(schema)\")" }

    /// The values without the connection string, which may contain a password.
    public var customMirror: Mirror {
        Mirror(self, children: ["schema": schema, "maximumConnectionCount": maximumConnectionCount])
    }
}
