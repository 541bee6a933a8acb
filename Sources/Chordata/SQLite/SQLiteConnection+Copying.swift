internal import CChordataSQLite

// Whole databases.

extension SQLiteConnection {
    /// Replaces the contents of this database with those of another one.
    package func copy(from source: SQLiteConnection) throws(StoreError) {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw error(sqlite3_errcode(handle), during: "")
        }
        var result = sqlite3_backup_step(backup, -1)
        var patience = 100
        while result == SQLITE_BUSY || result == SQLITE_LOCKED, patience > 0 {
            // Another process writes to one of the two.
            sqlite3_sleep(50)
            patience -= 1
            result = sqlite3_backup_step(backup, -1)
        }
        let end = sqlite3_backup_finish(backup)
        guard result == SQLITE_DONE, end == SQLITE_OK else { throw error(end == SQLITE_OK ? result : end, during: "") }
    }

    /// Empties the database, whatever is in it.
    func removeEverything() throws(StoreError) {
        var actual: Int32 = -1
        func setReset(_ value: Int32) throws(StoreError) {
            let result = chordata_db_config(handle, SQLITE_DBCONFIG_RESET_DATABASE, value, &actual)
            guard result == SQLITE_OK else { throw error(result, during: "") }
        }
        // https://sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigresetdatabase
        try setReset(1)
        do throws(StoreError) {
            try execute("VACUUM")
        } catch {
            try setReset(0)
            throw error
        }
        try setReset(0)
    }
}
