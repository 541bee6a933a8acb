import ChordataModel
package import ChordataPredicate

/// The columns that a statement reads from the table of its entity, `t0`.
package struct SelectList: Sendable, ExpressibleByArrayLiteral {
    /// `t0."a", t0."b"`.
    let sql: String

    /// - Parameter columns: The columns by name.
    package init(_ columns: [String]) {
        var sql = ""
        for (index, column) in columns.enumerated() {
            sql += index == 0 ? "t0." : ", t0."
            sql.appendIdentifier(column)
        }
        self.sql = sql
    }

    package init(arrayLiteral columns: String...) { self.init(columns) }
}

/// Returns the statement that reads the rows of an entity that meet a predicate.
///
/// `SELECT t0."a", … FROM "Table" AS t0 LEFT JOIN … WHERE … ORDER BY …, t0."_id" LIMIT ? OFFSET ?`. The order always
/// ends with `_id`, so that it is the same each time. Nulls come first, or last in a descending sort.
/// - Parameter columns: The columns of the entity's table to read.
/// - Parameter limit: The maximum number of rows; 0 for all.
/// - Parameter function: An aggregate function that is called with each row instead of returning the row, if the
///   statement reads all rows of the table in the order of their keys.
/// - Precondition: The predicate and the key paths are bound to this entity of the mapping's model.
package func renderFetch(
    columns: SelectList,
    _ predicate: BoundPredicate? = nil,
    sortedBy sortTerms: [SortTerm] = [],
    limit: Int = 0,
    offset: Int = 0,
    entityName: String,
    in mapping: SchemaMapping,
    _ dialect: any SQLDialect = SQLiteDialect(),
    includesSubentities: Bool = true,
    calling function: String? = nil
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping, dialect)
    let condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    // Without a condition and without an index, the rows are read in the order of their keys, which is the required
    // order.
    if let function, condition.isEmpty, sortTerms.isEmpty, limit == 0, offset == 0 {
        let source = renderer.source(of: entityName)
        return SQLFragment(sql: "SELECT \(function)(\(columns.sql))\(source) NOT INDEXED")
    }
    var order = ""
    for term in sortTerms {
        order += dialect.sorted(renderer.orderedColumn(term), ascending: term.ascending)
        order += ", "
    }
    var sql = "SELECT "
    sql.reserveCapacity(columns.sql.utf8.count + condition.utf8.count + order.utf8.count + 128)
    sql += columns.sql
    sql += renderer.source(of: entityName)
    sql += condition
    sql += " ORDER BY "
    sql += order
    sql += "t0.\"_id\""
    sql += renderer.range(limit: limit, offset: offset)
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

/// Returns the statement that counts the rows of an entity that meet a predicate.
/// - Parameter limit: The maximum number of rows that are counted; 0 for all.
/// - Precondition: The predicate is bound to this entity of the mapping's model.
package func renderCount(
    _ predicate: BoundPredicate? = nil,
    limit: Int = 0,
    offset: Int = 0,
    entityName: String,
    in mapping: SchemaMapping,
    _ dialect: any SQLDialect = SQLiteDialect(),
    includesSubentities: Bool = true
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping, dialect)
    let condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    let rows = renderer.source(of: entityName) + condition
    let range = renderer.range(limit: limit, offset: offset)
    // The search ends when enough rows are found.
    let sql =
        range.isEmpty
        ? "SELECT count(*)\(rows)" : "SELECT count(*) FROM (SELECT 1\(rows)\(range))\(dialect.subqueryAlias)"
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

extension PredicateRenderer {
    /// Returns ` LIMIT … OFFSET …`, or an empty text if all rows are selected.
    mutating func range(limit: Int, offset: Int) -> String {
        dialect.range(limit: limit, offset: offset) { bind($0) }
    }
}
