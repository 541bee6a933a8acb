internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL
internal import Synchronization

/// One connection to a database file, with its cache of prepared statements.
///
/// A connection is not thread-safe: it has one user at a time, which ``SQLiteStore`` ensures.
package final class SQLiteConnection {
    package enum Mode: Sendable {
        /// Creates the file if it does not exist.
        case readWriteCreate
        case readOnly
        /// Opens a read-only file on a medium where no file can be created next to it.
        case immutable

        /// The URI that opens a file in this mode, <https://sqlite.org/uri.html>.
        fileprivate func uri(of path: String) -> String {
            let query =
                switch self {
                case .readWriteCreate: ""
                case .readOnly: "?mode=ro"
                case .immutable: "?immutable=1"
                }
            return "file:\(escape(path, with: .uri))\(query)"
        }
    }

    /// The number of milliseconds that a statement waits for another process.
    private let busyTimeout: Int32

    package let path: String
    /// A Boolean value that indicates whether the connection was opened to write, and so checkpoints the log if it is
    /// the last connection to be closed.
    let checkpointsAtClose: Bool
    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private static let mostStatements = 500
    /// The statements of ``SQLText`` objects, by identity; the objects are retained, so their addresses are unique.
    private var statementsByText: [ObjectIdentifier: (text: SQLText, statement: SQLiteStatement)] = [:]
    private let rowCalls = RowCallbackAggregate()
    /// The progress to which the written rows are reported; see `reporting(to:_:)`.
    var progress: OperationProgress?
    /// The condition that ends statements; see `interruptingStatements(if:_:_:)`.
    var interruption: StatementInterruption?
    /// The progress of the running fetch; see `reportingFetch(_:)`.
    var fetchProgress: FetchProgress?
    /// The lease that counts the connection as open, if it belongs to a pool.
    var lease: ReaderPool.Lease?
    /// A Boolean value that indicates whether each transaction is recorded in the persistent history.
    var tracksHistory = false
    /// The origin of the recorded transactions, and the number of the last one.
    var historyOrigin = (id: Int64.random(in: 1...Int64.max), number: Int64(0))
    /// The names of the attached stores that the connection reads together with the first store.
    var attachedNames: [String] = [] { didSet { hasAttached = !attachedNames.isEmpty } }
    /// This property is read after each read of a row, and is set before the first.
    @exclusivity(unchecked) private var hasAttached = false
    /// The queries of the temporary views that have the names of tables, by the names.
    var viewSelections: [String: String] = [:]
    private var trace: StatementTrace?
    /// A Boolean value that indicates whether the functions and collations of ``SQLFunction`` are registered.
    private var hasFunctions = false
    /// A Boolean value that indicates whether the connection has the settings for writing.
    var isConfiguredToWrite = false
    /// The cache size that was set last.
    private var cacheSize: Int64 = 0
    /// The source of values for saves, if one was used, and the column counts of its virtual tables.
    private var writtenRows: (rows: RowValueSource, columnCounts: Set<Int>)?

    /// Opens a file, or a database in memory for the path `:memory:`.
    /// - Parameters:
    ///   - attachesByURI: Whether ``attach(_:as:mode:)`` will be called.
    ///   - isConfigured: Whether the connection has the settings and functions of Chordata; `false` for a connection
    ///     that only reads the list of tables.
    package init(
        path: String,
        mode: Mode,
        busyTimeout: Duration = .seconds(5),
        attachesByURI: Bool = false,
        isConfigured: Bool = true
    ) throws(StoreError) {
        try requireDatabasePath(path)
        let isURI = attachesByURI || mode == .immutable
        var flags =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly, .immutable: SQLITE_OPEN_READONLY
            }
        if isURI { flags |= SQLITE_OPEN_URI }
        let name = isURI ? mode.uri(of: path) : path
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let opened else {
            let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw StoreError(.cannotOpen, "cannot be opened: \(text)", sqliteCode: result, path: path)
        }
        self.path = path
        checkpointsAtClose = mode == .readWriteCreate
        self.handle = opened
        self.busyTimeout = milliseconds(busyTimeout)
        do throws(StoreError) {
            if isConfigured {
                try configure(mode)
                observeFetches()
            }
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
    }

    deinit {
        statements.removeAll()
        statementsByText.removeAll()
        // A statement that ends later no longer has a logger.
        if trace != nil { sqlite3_trace_v2(handle, 0, nil, nil) }
        sqlite3_progress_handler(handle, 0, nil, nil)
        // close_v2: a statement that is still alive keeps the connection until it is finalized.
        sqlite3_close_v2(handle)
    }

    /// Changes the settings of the connection.
    ///
    /// Each setting is read back, because SQLite ignores a setting of a feature that it was built without.
    private func configure(_ mode: Mode) throws(StoreError) {
        // STRICT tables since 3.37, JSON functions built in since 3.38.
        guard sqlite3_libversion_number() >= 3_038_000 else {
            let version = String(cString: sqlite3_libversion())
            throw StoreError(.unsupportedEnvironment, "SQLite \(version) is too old; 3.38 is needed", path: path)
        }
        sqlite3_busy_timeout(handle, busyTimeout)
        // Debian's library has double-quoted strings on: a misspelt column would silently become a constant.
        let switches: [(name: String, option: Int32, value: Int32)] = [
            ("defensive mode", SQLITE_DBCONFIG_DEFENSIVE, 1),
            ("trusted schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            ("foreign keys", SQLITE_DBCONFIG_ENABLE_FKEY, 1),
            ("double-quoted strings in statements", SQLITE_DBCONFIG_DQS_DML, 0),
            ("double-quoted strings in schemas", SQLITE_DBCONFIG_DQS_DDL, 0),
            ("extension loading", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            // Readers never checkpoint: SQLite's WAL-reset bug needs two connections that do,
            // https://sqlite.org/wal.html#walresetbug.
            ("checkpoint on close", SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, mode == .readWriteCreate ? 0 : 1),
        ]
        for item in switches {
            var actual: Int32 = -1
            let result = chordata_db_config(handle, item.option, item.value, &actual)
            guard result == SQLITE_OK, actual == item.value else {
                throw StoreError(
                    .unsupportedEnvironment,
                    "SQLite \(String(cString: sqlite3_libversion())) cannot set \(item.name) to \(item.value), which Chordata needs; use another build of SQLite",
                    sqliteCode: result,
                    path: path
                )
            }
        }
        try setSupported("cell_size_check", to: 1)
        try unmapFile()
        guard sqlite3_limit(handle, SQLITE_LIMIT_FUNCTION_ARG, -1) >= SQLiteDialect.maximumColumnCount else {
            throw StoreError(
                .unsupportedEnvironment,
                "SQLite \(String(cString: sqlite3_libversion())) allows fewer than \(SQLiteDialect.maximumColumnCount) arguments of a function; use a build of SQLite with a higher SQLITE_MAX_FUNCTION_ARG",
                path: path
            )
        }
        let result = rowCalls.register(on: handle)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Makes SQLite read the file without mapping it into memory, because an I/O error in a mapped file would crash the
    /// program.
    private func unmapFile() throws(StoreError) {
        // A database in memory has no such setting.
        guard path != ":memory:", !Self.mapsNoFiles.load(ordering: .relaxed) else { return }
        if try integer("PRAGMA mmap_size") == 0 {
            Self.mapsNoFiles.store(true, ordering: .relaxed)
        } else {
            try execute("PRAGMA mmap_size=0")
        }
    }

    /// A Boolean value that indicates whether this SQLite, like most builds, maps a file only if a connection requests
    /// it.
    private static let mapsNoFiles = Atomic(false)

    /// Reports each statement to a logger from now on.
    func log(to logger: StatementLogger?) {
        guard let logger else { return }
        let trace = StatementTrace(logger)
        trace.observe(handle)
        self.trace = trace
    }

    /// Runs internal statements, which are not reported to a logger.
    func withoutLogging(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        trace?.isPaused = true
        defer { trace?.isPaused = false }
        try body()
    }

    /// Sets whether this connection checkpoints the log when it is closed as the last connection.
    func setCheckpointsAtClose(_ isOn: Bool) throws(StoreError) {
        var actual: Int32 = -1
        let result = chordata_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, isOn ? 0 : 1, &actual)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Sets whether SQL that creates tables and indexes may contain texts in double quotes, as other programs write
    /// them.
    func setDoubleQuotedTexts(_ isOn: Bool) throws(StoreError) {
        var actual: Int32 = -1
        let result = chordata_db_config(handle, SQLITE_DBCONFIG_DQS_DDL, isOn ? 1 : 0, &actual)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Runs a closure that changes `sqlite_schema` directly; afterwards SQLite reads the schema again.
    func withSchemaWriting(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try setDefensive(false)
        do throws(StoreError) {
            try execute("PRAGMA writable_schema=ON")
            try body()
        } catch {
            try execute("PRAGMA writable_schema=RESET")
            try setDefensive(true)
            throw error
        }
        try execute("PRAGMA writable_schema=RESET")
        try setDefensive(true)
    }

    private func setDefensive(_ isOn: Bool) throws(StoreError) {
        var actual: Int32 = -1
        let result = chordata_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, isOn ? 1 : 0, &actual)
        guard result == SQLITE_OK else { throw error(result, during: "") }
    }

    /// Attaches another database under a name; the connection must have been opened with `attachesByURI`.
    package func attach(_ path: String, as name: String, mode: Mode) throws(StoreError) {
        try run("ATTACH ? AS \(quoteIdentifier(name))", [.text(mode.uri(of: path))])
    }

    /// Limits the number of bytes that the caches of the store and of the attached stores use together.
    func setCacheSize(_ count: Int) throws(StoreError) {
        // SQLite interprets a negative size as KiB, and a positive one as pages.
        let size = -Int64(max(count / 1_024 / (attachedNames.count + 1), 64))
        guard size != cacheSize else { return }
        cacheSize = size
        try setSupported("cache_size", to: size)
        for name in attachedNames { try set("\(name).cache_size", to: size) }
    }

    /// Sets a pragma that has an effect in any state of the connection, and reads it back the first time in the
    /// process, because all connections have the same pragmas.
    func setSupported(_ pragma: String, to value: Int64) throws(StoreError) {
        if Self.supportedPragmas.withLock({ $0.contains(pragma) }) { return try execute("PRAGMA \(pragma)=\(value)") }
        try set(pragma, to: value)
        Self.supportedPragmas.withLock { _ = $0.insert(pragma) }
    }

    private static let supportedPragmas = Mutex<Set<String>>([])

    /// Sets a pragma, and reads it back, because SQLite ignores the pragmas of features that it was built without.
    package func set(_ pragma: String, to value: Int64) throws(StoreError) {
        try execute("PRAGMA \(pragma)=\(value)")
        let actual = try integer("PRAGMA \(pragma)")
        guard actual == value else {
            throw StoreError(
                .unsupportedEnvironment,
                "SQLite \(String(cString: sqlite3_libversion())) cannot set PRAGMA \(pragma) to \(value); it is \(actual); use another build of SQLite",
                path: path
            )
        }
    }

    /// A Boolean value that indicates whether the schema of the database is empty.
    var isEmpty: Bool {
        get throws(StoreError) { try integer("SELECT count(*) FROM sqlite_schema") == 0 }
    }

    /// A Boolean value that indicates whether the file cannot be written.
    var isReadOnly: Bool { sqlite3_db_readonly(handle, "main") == 1 }

    /// A Boolean value that indicates whether the file, even if it is damaged, contains text that only stores contain:
    /// the statement that creates their first table.
    var hasTracesOfStore: Bool {
        let statement = Self.firstStatement
        return statement.withCString { chordata_file_contains(handle, $0, Int32(statement.utf8.count)) != 0 }
    }

    /// A Boolean value that indicates whether the file is in write-ahead mode.
    var isWriteAhead: Bool { chordata_is_write_ahead(handle) != 0 }

    /// Returns a Boolean value that indicates whether the schema in the first page of a file is that of a store.
    static func beginsAsStore(_ path: String) -> Bool {
        chordata_first_page_contains(path, firstStatement, "Z_METADATA") != 0
    }

    /// The beginning of the statement that creates the first table of a store.
    private static let firstStatement = "CREATE TABLE \"_metadata\""

    /// Returns the prepared statement of an SQL text; it is cached until there are too many statements.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try prepare(sql)
        // Programs with an unlimited number of texts are rare, so the whole cache is emptied.
        if statements.count >= Self.mostStatements { statements.removeAll(keepingCapacity: true) }
        statements[sql] = statement
        return statement
    }

    /// Returns the prepared statement of an SQL text; it is cached for the lifetime of the connection.
    func statement(_ text: SQLText) throws(StoreError) -> SQLiteStatement {
        if let known = statementsByText[ObjectIdentifier(text)] { return known.statement }
        let statement = try prepare(text.sql)
        statementsByText[ObjectIdentifier(text)] = (text, statement)
        return statement
    }

    /// Removes the cached statements.
    func forgetStatements() {
        statements.removeAll()
        statementsByText.removeAll()
    }

    /// Registers Chordata's functions and collations before the first statement that uses one, because most connections
    /// execute no such statement.
    private func registerFunctions(for sql: inout String) throws(StoreError) {
        guard !hasFunctions else { return }
        let usesFunctions = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { bytes in
                bytes.baseAddress.map { chordata_mentions($0, bytes.count, SQLFunction.prefix) == 1 } ?? false
            }
        }
        guard usesFunctions else { return }
        try Chordata.registerFunctions(on: handle, path: path)
        hasFunctions = true
    }

    /// Returns a Boolean value that indicates whether a table exists, without a statement.
    ///
    /// `false` if the schema cannot be read.
    func hasTable(_ name: String) -> Bool {
        sqlite3_table_column_metadata(handle, "main", name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
    }

    /// Prepares exactly one statement, which is not cached.
    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        var sql = sql
        try registerFunctions(for: &sql)
        let (result, isWhole) = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                var tail: UnsafePointer<CChar>?
                let flags = UInt32(SQLITE_PREPARE_PERSISTENT)
                let result = sqlite3_prepare_v3(handle, $0.baseAddress, Int32($0.count), flags, &prepared, &tail)
                // Without a statement, the tail is meaningless, and it may be after a NUL that SQLite has added.
                guard result == SQLITE_OK, let tail, let start = $0.baseAddress else { return (result, true) }
                let rest = UnsafeBufferPointer(start: tail, count: max(start + text.count - tail, 0))
                return (result, rest.allSatisfy { [0x20, 0x09, 0x0A, 0x0C, 0x0D].contains($0) })
            }
        }
        guard result == SQLITE_OK, let prepared else { throw error(result, during: sql) }
        guard isWhole else {
            sqlite3_finalize(prepared)
            throw StoreError(.statementFailed, "the SQL has more than one statement: \(sql)", path: path)
        }
        return SQLiteStatement(
            prepared,
            connection: handle,
            path: path,
            makesCalls: RowCallbackAggregate.isSelection(sql)
        )
    }

    /// Runs the prepared statement of an SQL text; the statement returns no rows.
    func run(_ text: SQLText) throws(StoreError) { try statement(text).run() }

    /// Runs all statements of an SQL text.
    package func execute(_ sql: String) throws(StoreError) {
        var sql = sql
        try registerFunctions(for: &sql)
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result, during: sql) }
    }

    /// Runs a closure for each row of a statement, which may pass its rows to ``RowCallbackAggregate``.
    func forEachRow(of statement: SQLiteStatement, _ body: (StoreRow) throws -> Void) throws {
        if statement.makesCalls {
            guard let trace else { return try rowCalls.run(statement, body) }
            return try rowCalls.run(statement) { row in
                trace.countRow(of: statement.handle)
                try body(row)
            }
        }
        while try statement.step() { try body(statement.currentRow) }
    }

    /// Returns the source of values for statements that write rows.
    func valueSource() throws(StoreError) -> RowValueSource {
        if let writtenRows { return writtenRows.rows }
        let rows = RowValueSource()
        let result = rows.registerFunction(on: handle)
        guard result == SQLITE_OK else { throw error(result, during: "") }
        writtenRows = (rows, [])
        return rows
    }

    /// Returns the source of values for the statements that write rows of an entity, with its virtual table.
    func writtenRows(of type: RuntimeEntity) throws(StoreError) -> RowValueSource {
        let rows = try valueSource()
        let columnCount = type.columns.count + RowValueSource.firstColumn
        if writtenRows?.columnCounts.contains(columnCount) == false {
            let result = rows.createTable(columnCount: columnCount, on: handle)
            guard result == SQLITE_OK else { throw error(result, during: "") }
            writtenRows?.columnCounts.insert(columnCount)
        }
        return rows
    }

    /// Returns the first column of the first row as an integer; 0 if there is no row.
    func integer(_ sql: String) throws(StoreError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// Returns the first column of the first row as text.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(at: 0) : nil
    }

    /// Runs a body that neither waits for other processes nor, at its commit, for the disk.
    func withoutWaiting<Result>(_ body: () throws -> Result) throws -> Result {
        let level = try integer("PRAGMA synchronous")
        sqlite3_busy_timeout(handle, 0)
        defer { sqlite3_busy_timeout(handle, busyTimeout) }
        // A later transaction that reaches the disk includes this one, because a write-ahead log is read from its
        // beginning.
        try execute("PRAGMA synchronous=NORMAL")
        let result: Result
        do {
            result = try body()
        } catch {
            try execute("PRAGMA synchronous=\(level)")
            throw error
        }
        try execute("PRAGMA synchronous=\(level)")
        return result
    }

    /// The data version for which the version of the model was checked; `nil` before that.
    var checkedDataVersion: UInt32?

    /// A number that changes with each transaction that writes to the files, from this or another connection.
    ///
    /// Within a transaction, it is the number of the state that the transaction sees.
    @inline(__always)
    var dataVersion: UInt32 {
        let version = dataVersion(of: "main")
        return hasAttached ? attachedNames.reduce(version) { $0 &* 31 &+ dataVersion(of: $1) } : version
    }

    @inline(__always)
    private func dataVersion(of name: String) -> UInt32 {
        var version: UInt32 = 0
        // This call does not fail for an open database, https://sqlite.org/c3ref/c_fcntl_begin_atomic_write.html.
        sqlite3_file_control(handle, name, SQLITE_FCNTL_DATA_VERSION, &version)
        return version
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Checks that the last statement has written the expected number of rows.
    func checkChanges(_ count: Int, _ type: RuntimeEntity) throws(StoreError) {
        guard changes != count else { return }
        throw StoreError(missingRowsOf: type.entity.name, path: path)
    }

    /// A Boolean value that indicates whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Throws if the transaction has references to rows that do not exist, before SQLite reports them at the commit.
    func requireNoDanglingReferences() throws(StoreError) {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        if count != 0 { throw StoreError(danglingReferencesIn: path) }
    }

    /// Commits the open transaction; if that fails and the outcome is known, the transaction is rolled back.
    /// - Throws: ``StoreError/Code/outcomeUnknown`` if the transaction may have reached the disk nevertheless.
    func commit() throws(StoreError) {
        do throws(StoreError) {
            try run(.commit)
        } catch {
            let isUncertain = error.code == .statementFailed && error.sqliteCode & 0xFF == SQLITE_IOERR
            rollBack()
            guard isUncertain else { throw error }
            throw StoreError(
                .outcomeUnknown,
                "the disk failed at commit; open the store again to check whether the changes were saved",
                sqliteCode: error.sqliteCode,
                path: path
            )
        }
    }

    /// Rolls back after an error.
    ///
    /// That error is the one to report, so an error of the rollback is ignored.
    func rollBack() {
        // SQLite rolls back automatically after some errors (full disk, I/O), https://sqlite.org/lang_transaction.html.
        guard isInTransaction else { return }
        do throws(StoreError) {
            try execute("ROLLBACK")
        } catch {
            // Nothing is committed, and the next transaction tries to roll back again before it begins.
        }
    }

    /// Checks that a transaction is open, because SQLite rolls it back automatically after some errors,
    /// <https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction>.
    func requireTransaction() throws(StoreError) {
        guard !isInTransaction else { return }
        throw StoreError(
            .migrationFailed,
            "SQLite rolled back the transaction after an error in a statement, which the stage caught; rethrow the "
                + "error",
            path: path
        )
    }

    func error(_ result: Int32, during sql: String) -> StoreError {
        StoreError(sqliteResult: result, connection: handle, path: path)
    }
}

/// Returns a duration in milliseconds, the unit that SQLite expects.
func milliseconds(_ time: Duration) -> Int32 {
    let (seconds, attoseconds) = time.components
    let milliseconds = seconds.multipliedReportingOverflow(by: 1_000)
    let all = milliseconds.overflow ? .max : milliseconds.partialValue + attoseconds / 1_000_000_000_000_000
    return Int32(clamping: max(0, all))
}
