internal import CChordataSQLite

/// One connection to a database file, with its cache of prepared statements.
///
/// Not thread-safe: whoever holds a connection holds it alone (``SQLiteStore`` sees to that).
final class SQLiteConnection {
    enum Mode: Sendable {
        /// Creates the file if there is none.
        case readWriteCreate
        case readOnly
    }

    let path: String
    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    /// Those of texts that are known by identity; the texts are held, so that no other one gets their place in memory.
    private var statementsByText: [ObjectIdentifier: (text: SQLText, statement: SQLiteStatement)] = [:]

    /// Opens a file, or a database in memory for the path `:memory:`.
    init(path: String, mode: Mode) throws(StoreError) {
        let flags =
            switch mode {
            case .readWriteCreate: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
            case .readOnly: SQLITE_OPEN_READONLY
            }
        var opened: OpaquePointer?
        let result = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard result == SQLITE_OK, let opened else {
            let text = opened.map { String(cString: sqlite3_errmsg($0)) } ?? "out of memory"
            sqlite3_close_v2(opened)
            throw StoreError(.cannotOpen, "cannot be opened: \(text)", sqliteCode: result, path: path)
        }
        self.path = path
        self.handle = opened
        do throws(StoreError) {
            try configure(mode)
        } catch {
            sqlite3_close_v2(opened)
            throw error
        }
    }

    deinit {
        statements.removeAll()
        statementsByText.removeAll()
        // close_v2: a statement that is still alive keeps the connection until it is finalized.
        sqlite3_close_v2(handle)
    }

    /// The settings of every connection, each read back: SQLite ignores what it was built without.
    private func configure(_ mode: Mode) throws(StoreError) {
        sqlite3_busy_timeout(handle, 5_000)
        // Debian's library has double-quoted strings on: a misspelt column would silently become a constant.
        let switches: [(name: String, option: Int32, value: Int32)] = [
            ("defensive mode", SQLITE_DBCONFIG_DEFENSIVE, 1),
            ("trusted schema", SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0),
            ("double-quoted strings in statements", SQLITE_DBCONFIG_DQS_DML, 0),
            ("double-quoted strings in schemas", SQLITE_DBCONFIG_DQS_DDL, 0),
            ("extension loading", SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0),
            // Readers never checkpoint: SQLite's WAL-reset bug needs two connections that do,
            // https://sqlite.org/wal.html#walresetbug.
            ("checkpoint on close", SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, mode == .readOnly ? 1 : 0),
        ]
        for item in switches {
            var actual: Int32 = -1
            let result = chordata_db_config(handle, item.option, item.value, &actual)
            guard result == SQLITE_OK, actual == item.value else {
                throw StoreError(
                    .unsupportedEnvironment,
                    "SQLite \(String(cString: sqlite3_libversion())) cannot set \(item.name) to \(item.value)",
                    sqliteCode: result,
                    path: path
                )
            }
        }
        try execute("PRAGMA foreign_keys=ON")
        guard try integer("PRAGMA foreign_keys") == 1 else {
            throw StoreError(.unsupportedEnvironment, "this SQLite was built without foreign keys", path: path)
        }
        try execute("PRAGMA cell_size_check=ON")
        try execute("PRAGMA mmap_size=0")
        try registerFunctions(on: handle, path: path)
    }

    /// The prepared statement of a text; kept for the life of the connection.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// The prepared statement of a text; kept for the life of the connection.
    func statement(_ text: SQLText) throws(StoreError) -> SQLiteStatement {
        if let known = statementsByText[ObjectIdentifier(text)] { return known.statement }
        let statement = try prepare(text.sql)
        statementsByText[ObjectIdentifier(text)] = (text, statement)
        return statement
    }

    /// Prepares exactly one statement, which is not kept.
    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        var sql = sql
        let result = sql.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                sqlite3_prepare_v3(
                    handle,
                    $0.baseAddress,
                    Int32($0.count),
                    UInt32(SQLITE_PREPARE_PERSISTENT),
                    &prepared,
                    nil
                )
            }
        }
        guard result == SQLITE_OK, let prepared else { throw error(result, during: sql) }
        return SQLiteStatement(prepared, connection: handle, path: path)
    }

    /// Runs all statements of a text.
    func execute(_ sql: String) throws(StoreError) {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw error(result, during: sql) }
    }

    /// The first column of the first row as an integer; 0 when there is none.
    func integer(_ sql: String) throws(StoreError) -> Int64 {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.integer(at: 0) : 0
    }

    /// The first column of the first row as text.
    func text(_ sql: String) throws(StoreError) -> String? {
        let statement = try statement(sql)
        defer { statement.reset() }
        return try statement.step() ? statement.text(at: 0) : nil
    }

    /// How many rows the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    private func error(_ result: Int32, during sql: String) -> StoreError {
        StoreError(sqliteResult: result, connection: handle, path: path)
    }
}

extension StoreError {
    /// The error that a result code means.
    init(sqliteResult result: Int32, connection: OpaquePointer, path: String) {
        let text = String(cString: sqlite3_errmsg(connection))
        let code: Code =
            switch result & 0xFF {
            case SQLITE_NOTADB, SQLITE_CORRUPT: .notADatabase
            case SQLITE_BUSY, SQLITE_LOCKED: .busy
            case SQLITE_FULL: .full
            case SQLITE_READONLY: .readOnly
            case SQLITE_CANTOPEN, SQLITE_AUTH, SQLITE_PERM: .cannotOpen
            default: .statementFailed  // SQLite's list of codes is open-ended.
            }
        self.init(code, text, sqliteCode: result, path: path)
    }
}
