// The other ends of relationships, for deletions without objects. Parameter 1 is a list of row keys.

/// Writes the statement that reads the rows that a relationship of some rows references.
/// - Parameters:
///   - columns: The columns to read.
///   - owners: The table of the rows that have the relationship.
///   - destination: The table of the referenced rows.
package func renderMembers(
    _ columns: SelectList,
    of storage: RelationshipMapping.Storage,
    from owners: String,
    to destination: String,
    _ dialect: any SQLDialect
) -> String {
    func select(_ column: String, from table: String, where owner: String) -> String {
        "t0.\"_id\" IN (SELECT \(quoteIdentifier(column)) FROM \(quoteIdentifier(table)) WHERE "
            + dialect.isAmongKeys(quoteIdentifier(owner), at: 1) + ")"
    }
    let condition =
        switch storage {
        case .column(let column): select(column, from: owners, where: "_id")
        case .inverseColumn(_, let column, _): dialect.isAmongKeys("t0.\(quoteIdentifier(column))", at: 1)
        case .joinTable(let table, let source, let member, _): select(member, from: table, where: source)
        }
    return "SELECT \(columns.sql) FROM \(quoteIdentifier(destination)) AS t0 WHERE \(condition)"
}

/// Writes the statement that reads the keys of some rows, and for each of them the key of a row that a relationship
/// references.
/// - Parameters:
///   - owners: The table of the rows that have the relationship.
package func renderMemberPairs(
    of storage: RelationshipMapping.Storage,
    from owners: String,
    _ dialect: any SQLDialect
) -> String {
    func select(_ owner: String, _ member: String, from table: String) -> String {
        let (owner, member) = (quoteIdentifier(owner), quoteIdentifier(member))
        return "SELECT \(owner), \(member) FROM \(quoteIdentifier(table)) WHERE "
            + dialect.isAmongKeys(owner, at: 1) + " AND \(member) IS NOT NULL"
    }
    return switch storage {
    case .column(let column): select("_id", column, from: owners)
    case .inverseColumn(let table, let column, _): select(column, "_id", from: table)
    case .joinTable(let table, let source, let member, _): select(source, member, from: table)
    }
}

/// Writes the statement that deletes some rows.
package func renderDeletion(from table: String, _ dialect: any SQLDialect) -> String {
    "DELETE FROM \(quoteIdentifier(table)) WHERE " + dialect.isAmongKeys("\"_id\"", at: 1)
}
