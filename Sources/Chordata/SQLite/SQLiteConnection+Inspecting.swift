internal import CChordataSQLite

extension SQLiteConnection {
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

    /// Returns a Boolean value that indicates whether a table exists, without a statement.
    ///
    /// `false` if the schema cannot be read.
    func hasTable(_ name: String) -> Bool {
        sqlite3_table_column_metadata(handle, "main", name, nil, nil, nil, nil, nil, nil) == SQLITE_OK
    }
}
