internal import CChordataSQLite

extension SQLiteConnection {
    /// Runs an UPDATE of a table without triggers, which does not change the keys of rows.
    /// - Returns: The keys of the updated rows, in the order in which they were written.
    func updatedKeys(by statement: SQLiteStatement) throws(StoreError) -> [Int64] {
        let recorder = UpdatedRows()
        sqlite3_update_hook(
            handle,
            { recorder, _, _, _, key in
                guard let recorder else { return }
                Unmanaged<UpdatedRows>.fromOpaque(recorder).takeUnretainedValue().keys.append(key)
            },
            Unmanaged.passUnretained(recorder).toOpaque()
        )
        defer { sqlite3_update_hook(handle, nil, nil) }
        try withExtendedLifetime(recorder) { () throws(StoreError) in try statement.run() }
        return recorder.keys
    }

    /// Returns a Boolean value that indicates whether a statement that writes a table runs others.
    func hasTriggers(onTableNamed tableName: String) throws(StoreError) -> Bool {
        let statement = try statement(Self.selectTrigger)
        defer { statement.reset() }
        statement.bind(tableName, at: 1)
        return try statement.step()
    }

    private static let selectTrigger = SQLText(
        "SELECT 1 FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE LIMIT 1"
    )
}

/// The keys of the rows that a statement has updated, in its order.
private final class UpdatedRows {
    var keys: [Int64] = []
}
