internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL

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
    let busyTimeout: Int32

    package let path: String
    /// A Boolean value that indicates whether the connection was opened to write, and so checkpoints the log if it is
    /// the last connection to be closed.
    let checkpointsAtClose: Bool
    let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private static let mostStatements = 500
    /// The statements of ``SQLText`` objects, by identity; the objects are retained, so their addresses are unique.
    private var statementsByText: [ObjectIdentifier: (text: SQLText, statement: SQLiteStatement)] = [:]
    let rowCalls = RowCallbackAggregate()
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
    var cacheSize: Int64 = 0
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

    /// Attaches another database under a name; the connection must have been opened with `attachesByURI`.
    package func attach(_ path: String, as name: String, mode: Mode) throws(StoreError) {
        try run("ATTACH ? AS \(quoteIdentifier(name))", [.text(mode.uri(of: path))])
    }

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

    func error(_ result: Int32, during sql: String) -> StoreError {
        StoreError(sqliteResult: result, connection: handle, path: path)
    }
}
