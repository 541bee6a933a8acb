internal import ChordataSQL

/// Describes the rows of a table that prevent a unique index, such as `3 rows of 'User' have the same email
/// 'a@b.c' (_id 1, 4, 9)`; `nil` if there are none.
///
/// Rows with NULL never prevent a unique index.
func describeDuplicates(
    _ columns: [String],
    of tableName: String,
    where condition: String? = nil,
    _ connection: SQLiteConnection
) throws(StoreError) -> String? {
    let (table, list) = (quoteIdentifier(tableName), columns.map(quoteIdentifier).joined(separator: ", "))
    let conditions = columns.map { "\(quoteIdentifier($0)) IS NOT NULL" } + (condition.map { ["(\($0))"] } ?? [])
    let filter = conditions.joined(separator: " AND ")
    let groups = try connection.rows(
        "SELECT count(*), \(list) FROM \(table) WHERE \(filter) GROUP BY \(list) HAVING count(*) > 1 ORDER BY 1 DESC, 2 LIMIT 1"
    )
    guard let group = groups.first, case .integer(let count)? = group.first else { return nil }
    let values = Array(group.dropFirst())
    let equalities = columns.indices.map { "\(quoteIdentifier(columns[$0])) IS ?\($0 + 1)" }.joined(separator: " AND ")
    let keys = try connection.rows(
        "SELECT rowid FROM \(table) WHERE \(filter) AND \(equalities) ORDER BY rowid LIMIT 3",
        values
    )
    let ids = keys.compactMap { row -> String? in
        guard case .integer(let key)? = row.first else { return nil }
        return "\(key)"
    }
    let shown = zip(columns, values).map { "\($0) \(describe($1))" }.joined(separator: " and ")
    return "\(count) rows of '\(tableName)' have the same \(shown) (_id \(ids.joined(separator: ", "))"
        + (count > Int64(ids.count) ? ", …)" : ")")
}

/// Describes a value of a column for a message; a long text is truncated.
private func describe(_ value: SQLValue) -> String {
    switch value {
    case .null: "NULL"
    case .integer(let number): "\(number)"
    case .real(let number): "\(number)"
    case .text(let text): "'\(text.count > 60 ? text.prefix(60) + "…" : text)'"
    case .blob(let data): "of \(data.count) bytes"
    }
}
