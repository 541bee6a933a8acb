internal import CChordataSQLite

// Operations on whole databases.

extension SQLiteConnection {
    /// Replaces the contents of this database with those of another one.
    ///
    /// The current progress of the thread, if there is one, counts the pages and can cancel the copy.
    package func copy(from source: SQLiteConnection) throws(StoreError) {
        guard let progress = OperationProgress(expectedCount: nil) else { return try copy(from: source, nil) }
        // Without this transaction, SQLite would restart the copy after each change by another connection.
        let isNested = source.isInTransaction
        if !isNested { try source.execute("BEGIN") }
        defer { if !isNested { source.rollBack() } }
        try source.beginSnapshot()
        try copy(from: source, progress)
        progress.finish()
    }

    private func copy(from source: SQLiteConnection, _ progress: OperationProgress?) throws(StoreError) {
        guard let backup = sqlite3_backup_init(handle, "main", source.handle, "main") else {
            throw error(sqlite3_errcode(handle), during: "")
        }
        let pageCount: Int32 = progress == nil ? -1 : 1_000
        var patience = 100
        var result = SQLITE_OK
        while progress?.isCancelled != true {
            result = sqlite3_backup_step(backup, pageCount)
            if result == SQLITE_BUSY || result == SQLITE_LOCKED, patience > 0 {
                // Another process writes to one of the two databases.
                sqlite3_sleep(50)
                patience -= 1
            } else if result == SQLITE_OK {
                let total = Int(sqlite3_backup_pagecount(backup))
                progress?.expect(total)
                progress?.report(total - Int(sqlite3_backup_remaining(backup)))
            } else {
                break
            }
        }
        let end = sqlite3_backup_finish(backup)
        if result != SQLITE_DONE, progress?.isCancelled == true {
            throw StoreError(.cancelled, "the program cancelled the copy; nothing was changed", path: path)
        }
        guard result == SQLITE_DONE, end == SQLITE_OK else { throw error(end == SQLITE_OK ? result : end, during: "") }
    }

    /// Empties the database, regardless of its contents.
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
