import ChordataModel
package import ChordataPredicate

/// A query for the rows of a fetch whose results are values by name.
package struct ValueQuery {
    package enum Column {
        case keyPath(BoundKeyPath)
        case expression(BoundExpression)
    }

    package var columns: [Column]
    /// The key paths to group by; `nil` if each row is a result.
    package var groups: [BoundKeyPath]?
    /// The condition on groups.
    package var having: BoundPredicate?
    /// A Boolean value that indicates whether rows with equal columns become one result row; it has no effect if
    /// ``groups`` is set.
    package var isDistinct: Bool

    package init(columns: [Column], groups: [BoundKeyPath]?, having: BoundPredicate?, isDistinct: Bool) {
        self.columns = columns
        self.groups = groups
        self.having = having
        self.isDistinct = isDistinct
    }
}

/// Returns the statement that reads the rows of a result: first the key of the row, or the least key of the rows that
/// are combined into one, then each column.
///
/// The value of a key path is returned as it is stored; for a value in a side table, its bytes are returned. The value
/// of an expression is returned in the form ``ValueForm/computed``.
/// - Parameter limit: The maximum number of rows; 0 for all.
/// - Precondition: The columns, the predicate and the sort terms are bound to this entity of the mapping's model. If
///   rows are grouped, key paths other than ``ValueQuery/groups`` occur only in aggregate functions.
package func renderValueQuery(
    _ rows: ValueQuery,
    _ predicate: BoundPredicate? = nil,
    sortedBy sortTerms: [SortTerm] = [],
    limit: Int = 0,
    offset: Int = 0,
    entityName: String,
    in mapping: SchemaMapping,
    _ dialect: any SQLDialect = SQLiteDialect(),
    includesSubentities: Bool = true
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping, dialect)
    let isGrouped = rows.isDistinct || rows.groups != nil
    // SQLite takes a column that is neither grouped nor aggregated from the row with the least key.
    let key = isGrouped ? "min(t0.\"_id\")" : "t0.\"_id\""
    var columns = [key]
    for column in rows.columns { columns.append(renderer.renderResult(column)) }
    let condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    var grouping = ""
    if let groups = rows.groups {
        let paths = groups.map { renderer.renderResult(.keyPath($0)) }
        if !paths.isEmpty { grouping = " GROUP BY " + paths.joined(separator: ", ") }
    } else if rows.isDistinct {
        // The columns are referenced by number, because two copies of an expression with bindings are not the same.
        grouping = " GROUP BY " + rows.columns.indices.map { "\($0 + 2)" }.joined(separator: ", ")
    }
    if let having = rows.having { grouping += " HAVING " + renderer.render(having) }
    var order = sortTerms.map { dialect.sorted(renderer.orderedColumn($0), ascending: $0.ascending) }
    order.append(key)
    var sql = "SELECT " + columns.joined(separator: ", ") + renderer.source(of: entityName) + condition + grouping
    sql += " ORDER BY " + order.joined(separator: ", ") + renderer.range(limit: limit, offset: offset)
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

extension PredicateRenderer {
    fileprivate mutating func renderResult(_ column: ValueQuery.Column) -> String {
        switch column {
        case .expression(let expression): return renderComputed(expression)
        case .keyPath(let path):
            guard let name = entity(path.targetEntityName).attribute(at: path.attributePath)?.externalTableName else {
                // The column is rendered with its collation, because equal decimals are written in several ways.
                return orderedColumn(path)
            }
            var owner = path
            (owner.target, owner.attributePath) = (.object, [])
            return "(SELECT \"bytes\" FROM \(quoteIdentifier(name)) WHERE \"_id\" = \(self.column(owner)))"
        }
    }
}
