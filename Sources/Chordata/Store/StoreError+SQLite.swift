internal import CChordataSQLite

// What SQLite's result codes mean.

extension StoreError {
    /// Whether a file in write-ahead mode could not be read because there is no index beside it.
    var isForWantOfAnIndex: Bool {
        [SQLITE_CANTOPEN, SQLITE_READONLY].contains(sqliteCode & 0xFF)
    }

    /// The error that a result code means.
    init(sqliteResult result: Int32, connection: OpaquePointer, path: String) {
        // The connection may have gone on since.
        let isLatest = sqlite3_errcode(connection) == result || sqlite3_extended_errcode(connection) == result
        let text = String(cString: isLatest ? sqlite3_errmsg(connection) : sqlite3_errstr(result))
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
