import ChordataModel
package import ChordataPredicate

// Statements of batch updates. Each row that is written gets another version, so that contexts which know it find out.

/// The statement that gives columns the same values in all rows of an entity that meet a predicate.
/// - Parameter asksOtherRows: Whether the predicate depends on more than the row itself.
/// - Precondition: The predicate is bound to this entity of the mapping's model.
package func renderUpdate(
    _ values: [(column: String, value: PredicateValue)],
    where predicate: BoundPredicate?,
    asksOtherRows: Bool,
    entityName: String,
    in mapping: SchemaMapping,
    includesSubentities: Bool
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping)
    renderer.bindings = values.map(\.value)
    var condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    // What asks other rows is answered before any of them is written; what does not takes half the time by itself.
    if asksOtherRows {
        condition = " WHERE t0.\"_id\" IN (SELECT t0.\"_id\"" + renderer.source(of: entityName) + condition + ")"
    }
    let sql = update(values.map(\.column), of: entityName, in: mapping) { _ in "?" } + condition
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

/// The statement that gives columns of one row values.
///
/// Parameters are the key and then the values.
/// - Parameter ifDifferent: Whether a row that has the values already stays as it is.
package func renderRowUpdate(
    _ columns: [String],
    ifDifferent: Bool,
    entityName: String,
    in mapping: SchemaMapping
) -> String {
    let sql = update(columns, of: entityName, in: mapping) { "?\($0 + 2)" } + " WHERE t0.\"_id\" = ?1"
    guard ifDifferent else { return sql }
    let differences = columns.enumerated().map { "t0.\(quoteIdentifier($1)) IS NOT ?\($0 + 2)" }
    return sql + " AND (\(differences.joined(separator: " OR ")))"
}

/// The statement that takes a value from a row that has another one than it is to get; parameters are the key and that.
package func renderFreeing(_ column: String, entityName: String, in mapping: SchemaMapping) -> String {
    let table = PredicateRenderer(mapping: mapping).entity(entityName).tableName
    let name = quoteIdentifier(column)
    return "UPDATE \(quoteIdentifier(table)) SET \(name) = NULL WHERE \"_id\" = ?1 AND \(name) IS NOT ?2"
}

private func update(
    _ columns: [String],
    of entityName: String,
    in mapping: SchemaMapping,
    _ parameter: (Int) -> String
) -> String {
    let table = PredicateRenderer(mapping: mapping).entity(entityName).tableName
    let assignments = columns.enumerated().map { "\(quoteIdentifier($1)) = \(parameter($0))" }
    return "UPDATE \(quoteIdentifier(table)) AS t0 SET "
        + (["\"_version\" = t0.\"_version\" + 1"] + assignments).joined(separator: ", ")
}
