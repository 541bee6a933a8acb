internal import CChordataSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

extension SQLiteStatement {
    /// Binds bytes without copying them, runs the statement, which returns no rows, and removes all bound values.
    func run(withBytes bytes: Data, at index: Int32) throws(StoreError) {
        let outcome = bytes.withUnsafeBytes { bytes -> Result<Void, StoreError> in
            // Without an address SQLite would bind NULL.
            let result =
                bytes.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), nil)
            defer { reset() }
            guard result == SQLITE_OK else { return .failure(error(result)) }
            let step = sqlite3_step(handle)
            return step == SQLITE_DONE ? .success(()) : .failure(error(step))
        }
        try outcome.get()
    }

    private func error(_ result: Int32) -> StoreError {
        StoreError(sqliteResult: result, connection: sqlite3_db_handle(handle), path: path)
    }

    /// The maximum number of bytes of a value in this connection, https://sqlite.org/limits.html.
    var maximumLength: Int { Int(sqlite3_limit(sqlite3_db_handle(handle), SQLITE_LIMIT_LENGTH, -1)) }
}

extension StoreError {
    /// A Boolean value that indicates whether a value, or its row, has more bytes than SQLite accepts.
    var isForLength: Bool { sqliteCode & 0xFF == SQLITE_TOOBIG }
}
