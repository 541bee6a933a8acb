internal import Chordata
internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The engine of a store on a database server.
///
/// The reads of an event are one transaction, which begins with the first query. A save is one transaction, and usually
/// one round trip. It is executed only once even if it is repeated, because it records a number under a primary key.
final class ServerEngine: ServerStoreEngine {
    let database: any ServerDatabase
    /// The schema of the server that has the tables.
    let schemaName: String
    private let versionHash: String
    /// A Boolean value that indicates whether the model has derived attributes.
    private let hasDerivations: Bool
    /// The number of this open store, which no other open store has or had.
    let origin: Int64
    let options: ServerOptions
    /// Queues the saves of this program and of other programs for contexts.
    let posts = ServerPosts()
    /// Reports the saves of other programs, once the store is open.
    let feed = Mutex<ServerChangeFeed?>(nil)
    /// The statement that makes names without a schema refer to the store until the end of the transaction, and that
    /// prevents a migration until then.
    private let settings: ServerStatement
    /// The texts of the statements that write rows.
    let rowTexts = RowWriteTexts()
    private let saveNumber = Atomic<Int64>(0)
    let commits = Atomic(0)
    let counters = StoreCounters()
    var saveLogger: SaveLogger? { options.saveLogger }

    package init(
        _ database: any ServerDatabase,
        schemaName: String,
        versionHash: String,
        hasDerivations: Bool,
        origin: Int64,
        options: ServerOptions = ServerOptions()
    ) {
        self.database = database
        self.schemaName = schemaName
        self.versionHash = versionHash
        self.hasDerivations = hasDerivations
        self.origin = origin
        self.options = options
        settings = ServerStatement(
            "SELECT set_config('search_path', $1, true), pg_advisory_xact_lock_shared($2)",
            [.text(postgresNamespaces(schemaName)), .integer(Self.lockKey(schemaName))],
            isKept: true
        )
    }

    var place: String { database.place }
    var historyOrigin: Int64 { origin }
    var commitCount: Int { commits.load(ordering: .acquiring) }

    func nextNumber() -> SaveNumber {
        SaveNumber(origin: origin, number: saveNumber.add(1, ordering: .relaxed).newValue)
    }

    // MARK: Reading

    func beginReading() throws -> StoreReader? {
        .engine(ServerReader(try database.take(for: "a context that reads"), begin: Self.beginOfReading(schemaName)))
    }

    /// The statements that begin a transaction that reads one state of the store.
    static func beginOfReading(_ schemaName: String) -> [ServerStatement] {
        [
            ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", isKept: true),
            searchPath(schemaName),
        ]
    }

    /// Returns the statement that makes names without a schema refer to the store until the transaction ends.
    static func searchPath(_ schemaName: String) -> ServerStatement {
        ServerStatement("SET LOCAL search_path = \(postgresNamespaces(schemaName))")
    }

    func endReading(_ connection: StoreReader) {
        guard case .engine(let reader as ServerReader) = connection else {
            preconditionFailure("a reader of another engine was returned")
        }
        reader.connection.endReading()
        database.release(reader.connection)
    }

    /// Checks the version after a failure: in a migrated store, a statement does not find its columns, or rows have
    /// unknown entities.
    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError) {
        // If the metadata cannot be read either, the first error is reported.
        guard hasFailed, let metadata = try? readServerMetadata(connection, place: place),
            metadata.versionHash != versionHash
        else { return }
        throw StoreError(
            .incompatibleModel,
            "has been migrated to another version of the model by another program while this program had it open; "
                + "open it with a program that has the new version",
            path: place
        )
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws {
        guard let reader = try beginReading() else { return }
        defer { endReading(reader) }
        try read(with: reader, body)
    }

    func metadata() throws -> StoreMetadata {
        var metadata: StoreMetadata?
        try withReader { metadata = try readServerMetadata($0, place: place) }
        guard let metadata else { preconditionFailure("the metadata must have been read") }
        return metadata
    }

    // MARK: Statements of writes

    /// Returns the statements that begin the transaction of a save, and that prevent a migration of the store until its
    /// end.
    ///
    /// Each statement of the transaction sees the state at its own beginning.
    func beginOfSave(computesDerivations: Bool) -> [ServerStatement] {
        // The locks are taken in the same order as by other writes.
        [Self.readCommitted] + (computesDerivations ? [Self.searchPath(schemaName), Self.derivationLock] : []) + [
            settings
        ]
    }

    /// Returns the statements that begin a transaction of a batch before a migration.
    ///
    /// Until its end, the version of the store does not change, and no other program writes batches.
    static func beginOfBatch(_ schemaName: String) -> [ServerStatement] {
        [readCommitted, searchPath(schemaName)] + migrationSettings + [
            derivationLock,
            ServerStatement("SELECT pg_advisory_xact_lock_shared($1)", [.integer(lockKey(schemaName))]),
        ]
    }

    /// The settings of the transactions of a migration.
    ///
    /// Other transactions wait for a waiting change of a table, so a transaction that waits longer is rolled back and
    /// begins again. A stage may take any time between two statements.
    static let migrationSettings = [
        ServerStatement("SET LOCAL lock_timeout = '5s'"),
        ServerStatement("SET LOCAL idle_in_transaction_session_timeout = 0"),
    ]

    private static let readCommitted = ServerStatement("BEGIN ISOLATION LEVEL READ COMMITTED", isKept: true)

    /// Returns the statements that begin a transaction whose statements all see one state, so that it writes what it
    /// has read, and that prevent a migration of the store until its end.
    ///
    /// The last one checks the version of the model.
    func beginOfOtherWrite() -> [ServerStatement] {
        // The state that the transaction sees is that of its first SELECT.
        [
            ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ", isKept: true), Self.searchPath(schemaName),
        ] + (hasDerivations ? [Self.derivationLock] : []) + [
            ServerStatement(
                "SELECT pg_advisory_xact_lock_shared($1)",
                [.integer(Self.lockKey(schemaName))],
                isKept: true
            ),
            // The lock may have waited for a migration that is not in this state; locking the row then fails.
            ServerStatement("SELECT \(Self.versionCheck("$1", " FOR SHARE"))", [.text(versionHash)], isKept: true),
        ]
    }

    /// The statement after which no other transaction computes derived attributes of other rows, or writes batches of a
    /// migration, until the end of this one, because it would not see the rows of this one.
    private static let derivationLock = ServerStatement("LOCK TABLE \"_metadata\" IN SHARE UPDATE EXCLUSIVE MODE")

    /// Returns an expression that is 1 if the store has a version of the model, and otherwise divides by zero.
    /// - Parameters:
    ///   - parameter: The parameter with the version.
    ///   - lock: The clause that locks the row that is read.
    private static func versionCheck(_ parameter: String, _ lock: String = "") -> String {
        "1 / COALESCE((SELECT \"value\" = \(parameter) FROM \"_metadata\" WHERE \"key\" = 'versionHash'\(lock)), false)::int"
    }

    /// Returns the statement that acquires the lock of a store, for which programs that open the store or save to it
    /// wait.
    static func storeLock(_ schemaName: String) -> ServerStatement {
        ServerStatement("SELECT pg_advisory_xact_lock($1)", [.integer(lockKey(schemaName))])
    }

    /// The key of the lock of a store's version.
    static func lockKey(_ schemaName: String) -> Int64 {
        Int64(bitPattern: stableHash("chordata " + schemaName))
    }

    /// Returns the statement that records the number of a save, and its changes if the store records them.
    /// - Parameter checksVersion: A Boolean value that indicates whether the statement divides by zero if the store has
    ///   another version of the model.
    func note(_ save: SaveNumber, _ origin: SaveOrigin, _ changes: String?, checksVersion: Bool)
        -> ServerStatement
    {
        let arguments: [ServerArgument] = [
            .integer(save.origin), .integer(save.number), .value(.attribute(.date(Date()))), .text(origin.author),
            .text(origin.contextName), .text(changes),
        ]
        return checksVersion
            ? ServerStatement(Self.checkingNoteSQL, arguments + [.text(versionHash)], isKept: true)
            : ServerStatement(Self.noteSQL, arguments, isKept: true)
    }

    private static let noteSQL =
        "INSERT INTO \"_save\" (\"origin\", \"number\", \"at\", \"author\", \"context\", \"changes\") "
        + "SELECT $1, $2, $3, $4, $5, $6"
    private static let checkingNoteSQL = noteSQL + " WHERE \(versionCheck("$7")) = 1"

    // MARK: Section caches

    // A row that each save deletes would make saves wait for each other.
    var hasSectionCaches: Bool { false }
    func contentsName(_ reader: StoreReader) throws -> String? { nil }
    func nameContents() throws {}
}
