internal import CChordataSQLite
internal import ChordataSQL

// The meaning of SQLite's result codes.

extension StoreError {
    /// A Boolean value that indicates whether a file in write-ahead mode could not be read because its WAL index does
    /// not exist and cannot be created.
    ///
    /// The value is `false` if a transaction must be rolled back or recovered from the log first, because otherwise a
    /// read would not return what was saved.
    var isForMissingIndex: Bool {
        // SQLITE_READONLY_CANTINIT, SQLITE_READONLY_DIRECTORY
        [SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_READONLY | (5 << 8), SQLITE_READONLY | (6 << 8)].contains(sqliteCode)
    }

    /// A Boolean value that indicates whether the file is a damaged database.
    var isForDamage: Bool { sqliteCode & 0xFF == SQLITE_CORRUPT }
    /// A Boolean value that indicates whether the file is not a database.
    var isForAnotherFile: Bool { sqliteCode & 0xFF == SQLITE_NOTADB }
    /// A Boolean value that indicates whether the statement is not valid for the schema.
    var isForInvalidStatement: Bool { sqliteCode == SQLITE_ERROR }
    /// A Boolean value that indicates whether the statement was interrupted.
    var isForInterruption: Bool { sqliteCode & 0xFF == SQLITE_INTERRUPT }

    /// Creates the error for a result code.
    init(sqliteResult result: Int32, connection: OpaquePointer, path: String) {
        // The connection may have run other statements since.
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
        let message = (remedy(result) ?? remedy(text)).map { "\(text); \($0)" } ?? text
        self.init(code, message, sqliteCode: result, path: path)
        violation = ConstraintViolation(sqliteCode: result, message: text)
    }

    /// Creates the error for a file that is not a database.
    init(notADatabase message: String, path: String) {
        self.init(.notADatabase, message, sqliteCode: SQLITE_NOTADB, path: path)
    }

    /// Creates the error for rows that reference rows that do not exist.
    init(brokenReferences message: String, path: String) {
        self.init(.migrationFailed, message, sqliteCode: chordata_constraint_foreign_key, path: path)
        violation = .reference
    }

    /// Creates the error for a transaction whose rows reference rows that do not exist, which SQLite reports at the
    /// commit.
    init(danglingReferencesIn path: String) {
        let text = String(cString: sqlite3_errstr(chordata_constraint_foreign_key))
        self.init(.statementFailed, text, sqliteCode: chordata_constraint_foreign_key, path: path)
        violation = .reference
    }

    /// Creates the error for a statement that did not write rows, although SQLite reported no error.
    init(missingRowsOf entityName: String, path: String) {
        let reason =
            "rows of '\(entityName)' were not written, although SQLite reported no error; check for a trigger of another "
            + "program"
        self.init(.statementFailed, reason, path: path)
    }
}

extension ConstraintViolation {
    /// Creates the violation for an extended result code; `nil` for other codes.
    /// - Parameter message: SQLite's message, which names the columns of values that are not unique.
    fileprivate init?(sqliteCode: Int32, message: String) {
        switch sqliteCode {
        case chordata_constraint_unique:
            let columns = message.split(separator: ": ", maxSplits: 1).last?.split(separator: ", ") ?? []
            self = .uniqueness(columns: columns.map(String.init))
        case chordata_constraint_primary_key: self = .rowKey
        case chordata_constraint_foreign_key: self = .reference
        case chordata_constraint_datatype: self = .mistypedValue
        default: return nil  // SQLite's list of codes is open-ended.
        }
    }
}

private let damagedIndexRemedy =
    "a full-text index is damaged: call rebuildFullTextIndexes() of the PersistentStore"

/// Returns the remedy for a message about a full-text index.
private func remedy(_ message: String) -> String? {
    if message.hasPrefix("no such table: \(FullTextIndex.namePrefix)") {
        return "another program, whose model does not declare the full-text index, has dropped it: open the store again"
    }
    return message.hasPrefix("invalid fts5 file format") ? damagedIndexRemedy : nil
}

/// Returns the remedy for a result code, if it does not depend on the operation.
private func remedy(_ result: Int32) -> String? {
    if result == SQLITE_READONLY | (6 << 8) {  // SQLITE_READONLY_DIRECTORY
        return "SQLite writes a log beside the store: make the folder writable, or open the store with isReadOnly"
    }
    if result == SQLITE_READONLY | (3 << 8) {  // SQLITE_READONLY_ROLLBACK
        return "a program ended in the middle of a transaction, which has to be rolled back: "
            + "open the store once for writing"
    }
    if result == SQLITE_CORRUPT | (1 << 8) {  // SQLITE_CORRUPT_VTAB
        return damagedIndexRemedy
    }
    return switch result & 0xFF {
    case SQLITE_BUSY, SQLITE_LOCKED: "the store is locked by another writer; retry, or raise StoreOptions.busyTimeout"
    case SQLITE_FULL: "free disk space, then try again"
    case SQLITE_READONLY: "make the file writable, or open the store with isReadOnly"
    case SQLITE_CANTOPEN: "check that the folder exists and is readable and writable"
    case SQLITE_NOTADB, SQLITE_CORRUPT: "restore the store from a backup"
    default: nil
    }
}
