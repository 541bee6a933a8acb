import ChordataModel
package import ChordataPredicate

/// The statement that reads the rows of an entity that meet a predicate.
///
/// `SELECT t0."a", … FROM "Table" AS t0 LEFT JOIN … WHERE … ORDER BY …, t0."_id" LIMIT ? OFFSET ?`. The order always ends
/// with `_id`, so that it is the same each time. Nulls come first, or last in a descending sort.
/// - Parameter columns: the columns of the entity's table that are wanted, by name.
/// - Parameter limit: how many rows at most; 0 for all.
/// - Parameter function: an aggregate function to call with each row in the place of giving it, where all rows of the table are read
///   one after the other.
/// - Precondition: the predicate and the key paths are bound to this entity of the mapping's model.
package func renderFetch(
    columns: [String],
    _ predicate: BoundPredicate? = nil,
    sortedBy sortTerms: [SortTerm] = [],
    limit: Int = 0,
    offset: Int = 0,
    entityName: String,
    in mapping: SchemaMapping,
    includesSubentities: Bool = true,
    calling function: String? = nil
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping)
    let condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    // Without a condition and without an index the way is along the keys, which is the order that is wanted.
    if let function, condition.isEmpty, sortTerms.isEmpty, limit == 0, offset == 0 {
        let arguments = columns.map { "t0." + quoteIdentifier($0) }.joined(separator: ", ")
        let source = renderer.source(of: entityName)
        return SQLFragment(sql: "SELECT \(function)(\(arguments))\(source) NOT INDEXED")
    }
    var order: [String] = []
    for term in sortTerms {
        order.append(renderer.orderedColumn(term) + (term.ascending ? "" : " DESC"))
    }
    order.append("t0.\"_id\"")
    var sql = "SELECT " + columns.map { "t0." + quoteIdentifier($0) }.joined(separator: ", ")
    sql += renderer.source(of: entityName) + condition + " ORDER BY " + order.joined(separator: ", ")
    sql += renderer.range(limit: limit, offset: offset)
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

/// The statement that counts the rows of an entity that meet a predicate.
/// - Parameter limit: how many rows are counted at most; 0 for all.
/// - Precondition: the predicate is bound to this entity of the mapping's model.
package func renderCount(
    _ predicate: BoundPredicate? = nil,
    limit: Int = 0,
    offset: Int = 0,
    entityName: String,
    in mapping: SchemaMapping,
    includesSubentities: Bool = true
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping)
    let condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    let rows = renderer.source(of: entityName) + condition
    let range = renderer.range(limit: limit, offset: offset)
    // As soon as there are as many as are wanted, nobody looks on.
    let sql = range.isEmpty ? "SELECT count(*)\(rows)" : "SELECT count(*) FROM (SELECT 1\(rows)\(range))"
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

extension PredicateRenderer {
    /// ` LIMIT ? OFFSET ?`, or nothing when all rows are wanted.
    mutating func range(limit: Int, offset: Int) -> String {
        var sql = ""
        if limit > 0 || offset > 0 {
            sql += " LIMIT ?"
            bindings.append(.attribute(.integer(limit > 0 ? Int64(limit) : -1)))
        }
        if offset > 0 {
            sql += " OFFSET ?"
            bindings.append(.attribute(.integer(Int64(offset))))
        }
        return sql
    }
}
