internal import CChordataSQLite
internal import ChordataModel

extension SQLiteConnection {
    /// The number of rows that the last statement changed.
    var changes: Int { Int(sqlite3_changes(handle)) }

    /// Checks that the last statement has written the expected number of rows.
    func checkChanges(_ count: Int, _ type: RuntimeEntity) throws(StoreError) {
        guard changes != count else { return }
        throw StoreError(missingRowsOf: type.entity.name, path: path)
    }

    /// A Boolean value that indicates whether a transaction is open.
    var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }

    /// Throws if the transaction has references to rows that do not exist, before SQLite reports them at the commit.
    func requireNoDanglingReferences() throws(StoreError) {
        var (count, highest): (Int32, Int32) = (0, 0)
        sqlite3_db_status(handle, SQLITE_DBSTATUS_DEFERRED_FKS, &count, &highest, 0)
        if count != 0 { throw StoreError(danglingReferencesIn: path) }
    }

    /// Commits the open transaction; if that fails and the outcome is known, the transaction is rolled back.
    /// - Throws: ``StoreError/Code/outcomeUnknown`` if the transaction may have reached the disk nevertheless.
    func commit() throws(StoreError) {
        do throws(StoreError) {
            try run(.commit)
        } catch {
            let isUncertain = error.code == .statementFailed && error.sqliteCode & 0xFF == SQLITE_IOERR
            rollBack()
            guard isUncertain else { throw error }
            throw StoreError(
                .outcomeUnknown,
                "the disk failed at commit; open the store again to check whether the changes were saved",
                sqliteCode: error.sqliteCode,
                path: path
            )
        }
    }

    /// Rolls back after an error.
    ///
    /// That error is the one to report, so an error of the rollback is ignored.
    func rollBack() {
        // SQLite rolls back automatically after some errors (full disk, I/O), https://sqlite.org/lang_transaction.html.
        guard isInTransaction else { return }
        do throws(StoreError) {
            try execute("ROLLBACK")
        } catch {
            // Nothing is committed, and the next transaction tries to roll back again before it begins.
        }
    }

    /// Checks that a transaction is open, because SQLite rolls it back automatically after some errors,
    /// <https://sqlite.org/lang_transaction.html#response_to_errors_within_a_transaction>.
    func requireTransaction() throws(StoreError) {
        guard !isInTransaction else { return }
        throw StoreError(
            .migrationFailed,
            "SQLite rolled back the transaction after an error in a statement, which the stage caught; rethrow the "
                + "error",
            path: path
        )
    }
}
