import ChordataModel
package import ChordataPredicate

// Statements of batch updates. Each row that is written gets another version, so that contexts which know it find out.

/// The statement that gives columns the same values in all rows of an entity that meet a predicate, and returns columns of these rows.
/// - Precondition: The predicate is bound to this entity of the mapping's model.
package func renderUpdate(
    _ values: [(column: String, value: PredicateValue)],
    where predicate: BoundPredicate?,
    entityName: String,
    in mapping: SchemaMapping,
    includesSubentities: Bool,
    returning columns: [String]
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping)
    renderer.bindings = values.map(\.value)
    let condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    let rows = "SELECT t0.\"_id\"" + renderer.source(of: entityName) + condition
    var sql = update(values.map(\.column), of: entityName, in: mapping) { _ in "?" }
    sql += " WHERE \"_id\" IN (\(rows)) RETURNING " + columns.map(quoteIdentifier).joined(separator: ", ")
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

/// The statement that gives columns of one row values, unless it has them, and returns columns of it.
///
/// Parameters are the key and then the values.
package func renderRowUpdate(
    _ columns: [String],
    ifDifferent: Bool,
    entityName: String,
    in mapping: SchemaMapping,
    returning returned: [String]
) -> String {
    var sql = update(columns, of: entityName, in: mapping) { "?\($0 + 2)" } + " WHERE \"_id\" = ?1"
    if ifDifferent {
        let differences = columns.enumerated().map { "\(quoteIdentifier($1)) IS NOT ?\($0 + 2)" }
        sql += " AND (\(differences.joined(separator: " OR ")))"
    }
    return sql + " RETURNING " + returned.map(quoteIdentifier).joined(separator: ", ")
}

private func update(
    _ columns: [String],
    of entityName: String,
    in mapping: SchemaMapping,
    _ parameter: (Int) -> String
) -> String {
    let table = PredicateRenderer(mapping: mapping).entity(entityName).tableName
    let assignments = columns.enumerated().map { "\(quoteIdentifier($1)) = \(parameter($0))" }
    return "UPDATE \(quoteIdentifier(table)) SET "
        + (["\"_version\" = \"_version\" + 1"] + assignments).joined(separator: ", ")
}
