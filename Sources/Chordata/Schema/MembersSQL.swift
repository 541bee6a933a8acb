internal import ChordataSQL

/// The SQL that selects the rows of a to-many relationship, in their order if it is ordered.
struct MembersSQL: Sendable {
    /// The statement for the row of one key.
    let ofOne: SQLText
    /// The statement that reads only the keys of these rows, and the names of their entities if there can be several.
    let keysOfOne: SQLText
    /// The statement for a JSON array of keys, with callbacks if possible; the last column is the key of the owner.
    let ofSome: SQLText
    /// The statement for all rows of the table.
    let ofAll: SQLText
    /// - Returns: `nil` for a relationship that is not stored as a to-many relationship.
    init?(of relationship: RuntimeEntity.Relationship, _ projection: Projection, _ dialect: any SQLDialect) {
        let columns = projection.columnNames.map { "t." + quoteIdentifier($0) }.joined(separator: ", ")
        let table = quoteIdentifier(projection.tableName)
        let source: String
        let owner: String
        let order: String?
        switch relationship.storage {
        case .column, nil: return nil
        case .inverseColumn(_, let column, let orderColumn):
            source = "\(table) AS t"
            owner = "t.\(quoteIdentifier(column))"
            order = orderColumn.map { "t.\(quoteIdentifier($0))" }
        case .joinTable(let join, let ownerColumn, let memberColumn, let orderColumn):
            source =
                "\(quoteIdentifier(join)) AS j JOIN \(table) AS t ON t.\"_id\" = j.\(quoteIdentifier(memberColumn))"
            owner = "j.\(quoteIdentifier(ownerColumn))"
            order = orderColumn.map { "j.\(quoteIdentifier($0))" }
        }
        let ordering = order.map { " ORDER BY \($0), t.\"_id\"" } ?? ""
        let isOwner = "\(owner) = \(dialect.parameters(1...1))"
        ofOne = SQLText("SELECT \(columns) FROM \(source) WHERE \(isOwner)\(ordering)")
        let keys = projection.entityColumn == nil ? "t.\"_id\"" : "t.\"_id\", t.\"_entity\""
        keysOfOne = SQLText("SELECT \(keys) FROM \(source) WHERE \(isOwner)\(ordering)")
        let function = order == nil ? dialect.rowFunction(columnCount: projection.columnNames.count + 1) : nil
        let values = "\(columns), \(owner)"
        let selection = "SELECT \(function.map { "\($0)(\(values))" } ?? values) FROM \(source) WHERE"
        ofSome = SQLText("\(selection) \(dialect.isAmongKeys(owner, at: 1))\(ordering)")
        // An index would add a lookup for every row.
        ofAll = SQLText("\(selection) \(dialect.withoutIndex(owner)) IS NOT NULL\(ordering)")
    }
}
