import CSQLite

/// A read-only connection to the file of a store that does not use the library.
public final class StoreFile {
    private let connection: OpaquePointer

    /// Opens a file.
    public init(_ path: String) throws(SQLiteFailure) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(path, &opened, flags, nil) == SQLITE_OK, let opened else {
            sqlite3_close_v2(opened)
            throw SQLiteFailure("cannot be opened")
        }
        connection = opened
        sqlite3_busy_timeout(connection, 10_000)
    }

    deinit { sqlite3_close_v2(connection) }

    /// The first column of all rows of a statement, as text.
    public func texts(_ sql: String) throws(SQLiteFailure) -> [String] {
        var texts: [String] = []
        try forEachRow(of: sql) { texts.append($0.text(at: 0)) }
        return texts
    }

    /// Runs a closure for each row of a statement.
    public func forEachRow(of sql: String, _ body: (SQLiteRow) -> Void) throws(SQLiteFailure) {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else {
            throw failure
        }
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: body(SQLiteRow(statement: statement))
            case SQLITE_DONE: return
            default: throw failure
            }
        }
    }

    /// The problems that `integrity_check` and `foreign_key_check` report.
    public func integrityProblems() throws(SQLiteFailure) -> [String] {
        let damage = try texts("PRAGMA integrity_check").filter { $0 != "ok" }
        return try damage + texts("PRAGMA foreign_key_check").map { "a row of '\($0)' references a missing row" }
    }

    private var failure: SQLiteFailure { SQLiteFailure(String(cString: sqlite3_errmsg(connection))) }
}

/// The current row of a statement.
public struct SQLiteRow {
    fileprivate let statement: OpaquePointer

    /// A column as an integer.
    public func integer(at column: Int32) -> Int { Int(sqlite3_column_int64(statement, column)) }

    /// A column as text.
    public func text(at column: Int32) -> String {
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
    }
}

/// An error that SQLite has reported for the file of a store.
public struct SQLiteFailure: Error, CustomStringConvertible {
    /// The message.
    public let description: String
    init(_ description: String) { self.description = description }
}
