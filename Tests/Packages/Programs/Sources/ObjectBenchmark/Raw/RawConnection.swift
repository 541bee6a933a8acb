import Foundation
import GRDBSQLite

/// The parts of SQLite that a handwritten program needs: a handle and its statements.
final class RawConnection {
    let handle: OpaquePointer
    private var statements: [OpaquePointer] = []

    init(path: String) throws {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
        let result = sqlite3_open_v2(path, &opened, flags, nil)
        guard result == SQLITE_OK, let opened else { throw RawError(code: result, message: path) }
        handle = opened
        // The settings that all contestants have in common.
        try execute("PRAGMA journal_mode=WAL")
        try execute("PRAGMA synchronous=NORMAL")
        try execute("PRAGMA foreign_keys=ON")
    }

    deinit {
        for statement in statements { sqlite3_finalize(statement) }
        sqlite3_close_v2(handle)
    }

    func execute(_ sql: String) throws {
        let result = sqlite3_exec(handle, sql, nil, nil, nil)
        guard result == SQLITE_OK else { throw RawError(code: result, message: sql) }
    }

    /// Prepares a statement that lives as long as the connection.
    func prepare(_ sql: String) throws -> OpaquePointer {
        var statement: OpaquePointer?
        let result = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard result == SQLITE_OK, let statement else { throw RawError(code: result, message: sql) }
        statements.append(statement)
        return statement
    }

    /// The first column of all rows.
    func integers(_ sql: String) throws -> [Int64] {
        let statement = try prepare(sql)
        var integers: [Int64] = []
        while sqlite3_step(statement) == SQLITE_ROW { integers.append(sqlite3_column_int64(statement, 0)) }
        sqlite3_reset(statement)
        return integers
    }
}

struct RawError: Error {
    var code: Int32
    var message: String
}

/// `SQLITE_TRANSIENT`, which is a cast that Swift does not import.
nonisolated(unsafe) private let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

@inline(__always)
func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
    guard let start = sqlite3_column_text(statement, column) else { return nil }
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
}

@inline(__always)
func bind(_ text: String, to statement: OpaquePointer, _ index: Int32) {
    var text = text
    text.withUTF8 { bytes in
        _ = bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_bind_text(statement, index, $0.baseAddress, Int32($0.count), transient)
        }
    }
}

@inline(__always)
func bind(_ uuid: UUID, to statement: OpaquePointer, _ index: Int32) {
    withUnsafeBytes(of: uuid.uuid) { _ = sqlite3_bind_blob(statement, index, $0.baseAddress, 16, transient) }
}
