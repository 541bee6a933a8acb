internal import Chordata
internal import ChordataPredicate
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The persistent history of a store on a server, as one read transaction sees it.
///
/// The number of a transaction is the one that the server assigned to it. A transaction has its place in the history
/// when all transactions with lower numbers have ended, so none appears later between two others.
struct ServerHistory: HistorySource {
    /// The SQL expression of the first number without a place: all transactions with lower numbers have ended, so that
    /// no other one can appear between them.
    static let horizon = "pg_snapshot_xmin(pg_current_snapshot())::text::bigint"
    /// The name of the row of `_sequence` with the number of the first transaction of the persistent history.
    static let name = "history"

    let reader: StoreReader

    private func integer(_ sql: String, _ arguments: [PredicateValue] = []) throws -> Int64? {
        var number: Int64?
        try reader.forEachRow(of: StoreQuery(sql, .values(arguments))) { row in
            if !row.isNull(at: 0) { number = row.integer(at: 0) }
        }
        return number
    }

    func hasHistory() throws -> Bool {
        try integer("SELECT count(*) FROM \"_sequence\" WHERE \"name\" = '\(Self.name)'") ?? 0 > 0
    }

    func historyRange() throws -> (first: Int64, last: Int64) {
        let first =
            try integer("SELECT max(\"next\") FROM \"_sequence\" WHERE \"name\" IN ('\(Self.name)', 'save')") ?? 1
        let last = try integer("SELECT max(\"id\") FROM \"_save\" WHERE \"id\" < \(Self.horizon)") ?? 0
        return (first, max(first - 1, last))
    }

    func historyNumber(from date: Date) throws -> Int64 {
        let range = try historyRange()
        if date.timeIntervalSinceReferenceDate.isNaN { return range.first }
        return try integer(
            "SELECT min(\"id\") FROM \"_save\" WHERE \"at\" >= $1 AND \"id\" >= $2 AND \"id\" < \(Self.horizon)",
            [.attribute(.date(date)), .attribute(.integer(range.first))]
        ) ?? range.last + 1
    }

    func historyOrigin(of number: Int64) throws -> Int64? {
        try integer("SELECT \"origin\" FROM \"_save\" WHERE \"id\" = $1", [.attribute(.integer(number))])
    }

    func readHistory(after number: Int64, _ condition: FetchPredicate?, limit: Int, _ progress: OperationProgress?)
        throws -> [HistoryRow]
    {
        let start = max(number, try historyRange().first - 1)
        let dialect = PostgresDialect()
        let fragment = try condition.map { try HistoryPredicate.render($0, dialect) }
        var sql = ""
        if fragment != nil {
            sql = """
                WITH "\(HistoryPredicate.entityName)" AS (SELECT "id" AS "_id", 1 AS "_version", "author",
                    "context" AS "contextName", "at" AS "timestamp", "id" AS "transactionNumber" FROM "_save")\u{20}
                """
        }
        // Saves without changes are recorded only by their numbers.
        sql +=
            ServerChangeRows.select("s.\"changes\"") + " WHERE s.\"id\" > \(start) AND s.\"id\" < \(Self.horizon)"
            + " AND (s.\"changes\" IS DISTINCT FROM '{}' OR \(ServerChangeRows.hasParts))"
        if let fragment { sql += " AND s.\"id\" IN (\(fragment.sql))" }
        sql += " ORDER BY s.\"id\""
        if limit > 0 { sql += " LIMIT \(limit)" }
        var rows: [HistoryRow] = []
        try reader.forEachRow(of: StoreQuery(sql, .values(fragment?.bindings ?? []))) { row in
            try progress?.checkCancellation()
            rows.append(HistoryRow(row))
        }
        return rows
    }

    /// Returns a Boolean value that indicates whether a transaction has its place in the history.
    func isPlaced(_ number: Int64) throws -> Bool {
        try integer("SELECT ($1 < \(Self.horizon))::int", [.attribute(.integer(number))]) == 1
    }

    /// Returns the number of the last committed transaction that has no place in the history yet; `nil` if there is
    /// none.
    func lastUnplacedNumber() throws -> Int64? {
        try integer("SELECT max(\"id\") FROM \"_save\" WHERE \"id\" >= \(Self.horizon)")
    }
}

/// The rows of `_save` with their parts.
enum ServerChangeRows {
    /// The text of the parts of a save, one in each line.
    static let parts =
        "(SELECT string_agg(p.\"changes\", E'\\n' ORDER BY p.\"part\") FROM \"_save_part\" AS p "
        + "WHERE p.\"origin\" = s.\"origin\" AND p.\"number\" = s.\"number\")"
    static let hasParts =
        "EXISTS (SELECT 1 FROM \"_save_part\" AS p WHERE p.\"origin\" = s.\"origin\" AND p.\"number\" = s.\"number\")"

    /// The beginning of a statement that reads saves.
    /// - Parameter changes: The expression of the changes that the program has recorded.
    static func select(_ changes: String) -> String {
        "SELECT s.\"id\", s.\"origin\", s.\"at\", s.\"author\", s.\"context\", \(changes), \(parts) FROM \"_save\" AS s"
    }
}

extension HistoryRow {
    /// Creates a row of the history from a row of the statement of ``ServerChangeRows/select(_:)``.
    init(_ row: StoreRow) {
        let texts = [row.text(at: 5), row.text(at: 6)]
        self.init(
            id: row.integer(at: 0),
            origin: row.integer(at: 1),
            date: Date(timeIntervalSinceReferenceDate: row.double(at: 2)),
            author: row.text(at: 3),
            contextName: row.text(at: 4),
            // If there is no text, the row was written by a program that does not record its changes; the result is
            // then not valid JSON.
            changes: texts[0] == nil ? "" : texts.compactMap(\.self).joined(separator: "\n")
        )
    }
}
