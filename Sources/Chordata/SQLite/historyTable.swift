internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// The table of the persistent history. Its rows are numbered in the order of the commits; the next number is at least
// that of the row 'save' of `_sequence`, so that numbers of deleted rows are not used again.

/// Returns a Boolean value that indicates whether a store tracks its history.
func hasHistory(_ connection: SQLiteConnection) throws(StoreError) -> Bool {
    let columns = Table.history.columns.map { sqlLiteral(text: $0.name) }.joined(separator: ", ")
    return try connection.integer(
        "SELECT count(*) FROM pragma_table_info(\(sqlLiteral(text: Table.history.name))) WHERE name IN (\(columns))"
    ) == Table.history.columns.count
}

/// Starts the history of a store, unless it is already tracked.
func startHistory(_ versionHash: String, _ connection: SQLiteConnection) throws(StoreError) {
    if try !hasHistory(connection) {
        try connection.execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try requireVersion(versionHash, connection)
            // Another process may have done the same.
            if try !hasHistory(connection) {
                try requireFreeName(connection)
                try connection.execute(renderCreateTable(.history))
            }
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }
    connection.tracksHistory = true
}

private func requireFreeName(_ connection: SQLiteConnection) throws(StoreError) {
    let name = sqlLiteral(text: Table.history.name)
    guard try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name = \(name)") > 0 else { return }
    throw StoreError(
        .storeDrifted,
        "has a table, view or index '\(Table.history.name)' that Chordata did not create, so the history of the store cannot be tracked; rename it",
        path: connection.path
    )
}

/// Deletes all transactions of the history within the transaction of a migration; tokens of earlier transactions
/// expire.
func clearHistory(_ connection: SQLiteConnection) throws(StoreError) {
    guard try hasHistory(connection) else { return }
    try connection.expireHistory()
}

/// Ends the history, within a transaction; tokens of earlier transactions expire.
func dropHistory(_ connection: SQLiteConnection) throws(StoreError) {
    try connection.expireHistory()
    try connection.execute("DROP TABLE \(quoteIdentifier(Table.history.name))")
}

extension SQLiteConnection: HistorySource {
    package func hasHistory() throws -> Bool { try Chordata.hasHistory(self) }

    private var nextNumber: String {
        """
        max(coalesce((SELECT max("id") FROM "_save"), 0) + 1,
            coalesce((SELECT "next" FROM "_sequence" WHERE "name" = 'save'), 1))
        """
    }

    /// Records the changes of a transaction, within the transaction.
    func recordHistory(_ changes: HistoryChanges, _ origin: SaveOrigin) throws {
        if changes.isEmpty { return }
        let statement = try statement(
            """
            INSERT INTO "_save" ("id", "origin", "number", "at", "author", "context", "changes")
                VALUES (\(nextNumber), ?, ?, ?, ?, ?, ?)
            """
        )
        defer { statement.reset() }
        historyOrigin.number += 1
        statement.bind(historyOrigin.id, at: 1)
        statement.bind(historyOrigin.number, at: 2)
        statement.bind(Date.now.timeIntervalSinceReferenceDate, at: 3)
        if let author = origin.author { statement.bind(author, at: 4) } else { statement.bindNull(at: 4) }
        if let name = origin.contextName { statement.bind(name, at: 5) } else { statement.bindNull(at: 5) }
        statement.bind(try changes.text(), at: 6)
        try statement.run()
    }

    /// Deletes transactions of the history, within a transaction.
    /// - Parameter number: The number of the first transaction that is kept.
    /// - Returns: The number of deleted transactions.
    @discardableResult
    func deleteHistory(before number: Int64) throws(StoreError) -> Int {
        let first = try integer("SELECT min(\(number), \(nextNumber))")
        try execute(
            "INSERT OR REPLACE INTO \"_sequence\" (\"name\", \"next\") SELECT 'save', max(\(first), \(firstNumber))"
        )
        try execute("DELETE FROM \"_save\" WHERE \"id\" < \(first)")
        return changes
    }

    /// Deletes all transactions of the history, and skips a number, so that the token of the last transaction expires
    /// too, because changes follow that are not recorded.
    fileprivate func expireHistory() throws(StoreError) {
        try execute("INSERT OR REPLACE INTO \"_sequence\" (\"name\", \"next\") SELECT 'save', \(nextNumber) + 1")
        try execute("DELETE FROM \"_save\"")
    }

    /// The SQL expression of the number from which on no transaction was deleted.
    private var firstNumber: String { "coalesce((SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'save'), 1)" }

    /// Returns the numbers of the first transaction that may exist and of the last one.
    package func historyRange() throws(StoreError) -> (first: Int64, last: Int64) {
        (try integer("SELECT \(firstNumber)"), try integer("SELECT \(nextNumber) - 1"))
    }

    /// Returns the number of the first transaction at a time or later; if there is none, the number of the next
    /// transaction.
    package func historyNumber(from date: Date) throws(StoreError) -> Int64 {
        // No transaction is before or after a time that is not a number.
        if date.timeIntervalSinceReferenceDate.isNaN { return try historyRange().first }
        let statement = try statement(
            "SELECT coalesce((SELECT min(\"id\") FROM \"_save\" WHERE \"at\" >= ?), \(nextNumber))"
        )
        defer { statement.reset() }
        statement.bind(date.timeIntervalSinceReferenceDate, at: 1)
        guard try statement.step() else { return 1 }
        return statement.integer(at: 0)
    }

    /// Returns the origin of a transaction: the open store that has written it; `nil` if the transaction does not
    /// exist.
    package func historyOrigin(of number: Int64) throws(StoreError) -> Int64? {
        let statement = try statement("SELECT \"origin\" FROM \"_save\" WHERE \"id\" = ?")
        defer { statement.reset() }
        statement.bind(number, at: 1)
        return try statement.step() ? statement.integer(at: 0) : nil
    }

    /// Reads transactions in their order.
    package func readHistory(
        after number: Int64,
        _ predicate: FetchPredicate?,
        limit: Int,
        _ progress: OperationProgress?
    )
        throws -> [HistoryRow]
    {
        let condition = try predicate.map { try HistoryPredicate.render($0, SQLiteDialect()) }
        var sql = ""
        if condition != nil {
            sql = """
                WITH "\(HistoryPredicate.entityName)" AS (SELECT "id" AS "_id", 1 AS "_version", "author",
                    "context" AS "contextName", "at" AS "timestamp", "id" AS "transactionNumber" FROM "_save")\u{20}
                """
        }
        sql +=
            "SELECT \"id\", \"origin\", \"at\", \"author\", \"context\", \"changes\" FROM \"_save\" WHERE \"id\" > \(number)"
        if let condition { sql += " AND \"id\" IN (\(condition.sql))" }
        sql += " ORDER BY \"id\""
        if limit > 0 { sql += " LIMIT \(limit)" }
        let statement = try prepare(sql)
        if let condition { statement.bind(condition.bindings) }
        var rows: [HistoryRow] = []
        while try statement.step() {
            try progress?.checkCancellation()
            rows.append(
                HistoryRow(
                    id: statement.integer(at: 0),
                    origin: statement.integer(at: 1),
                    date: Date(timeIntervalSinceReferenceDate: statement.double(at: 2)),
                    author: statement.text(at: 3),
                    contextName: statement.text(at: 4),
                    changes: statement.text(at: 5) ?? ""
                )
            )
        }
        return rows
    }
}
