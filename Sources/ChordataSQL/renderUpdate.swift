import ChordataModel
package import ChordataPredicate

// Statements of batch updates. Each written row gets a new version, so that contexts in which it is registered detect
// the change.

/// The new value of a column in a batch update.
package enum ColumnValue {
    /// The same value for all rows.
    case constant(PredicateValue)
    /// A value that is computed from the row before the update.
    case computed(CheckedArithmetic)

    package var isComputed: Bool {
        if case .computed = self { true } else { false }
    }
}

/// Returns the statement that sets columns in all rows of an entity that meet a predicate.
/// - Parameters:
///   - asksOtherRows: Whether the predicate depends on more than the row itself.
///   - isRolledBackIfItFails: Whether the transaction is rolled back if the statement fails, and no trigger runs other
///     statements.
/// - Precondition: The predicate is bound to this entity of the mapping's model.
package func renderUpdate(
    _ values: [(column: String, value: ColumnValue)],
    where predicate: BoundPredicate?,
    asksOtherRows: Bool,
    isRolledBackIfItFails: Bool,
    entityName: String,
    in mapping: SchemaMapping,
    _ dialect: any SQLDialect = SQLiteDialect(),
    includesSubentities: Bool
) -> SQLFragment {
    var renderer = PredicateRenderer(mapping: mapping, dialect)
    let newValues = values.map { renderer.render($0.value) }
    var condition = renderer.condition(predicate, entityName: entityName, includesSubentities: includesSubentities)
    // A predicate on other rows is evaluated before any row is written; other predicates take half the time without
    // this step.
    if asksOtherRows {
        condition = " WHERE t0.\"_id\" IN (SELECT t0.\"_id\"" + renderer.source(of: entityName) + condition + ")"
    }
    let sql =
        update(
            isRolledBackIfItFails ? renderer.dialect.updateWithoutUndo : "UPDATE",
            values.map(\.column),
            of: entityName,
            in: mapping
        ) { newValues[$0] } + condition
    return SQLFragment(sql: sql, bindings: renderer.bindings)
}

/// Returns the statement that sets columns of one row.
///
/// The parameters are the key and then the values.
/// - Parameter ifDifferent: Whether a row that already has the values is not written.
package func renderRowUpdate(
    _ columns: [String],
    ifDifferent: Bool,
    entityName: String,
    in mapping: SchemaMapping,
    _ dialect: any SQLDialect = SQLiteDialect()
) -> String {
    func parameter(_ index: Int) -> String { dialect.repeatedParameter(index + 2) }
    let sql =
        update("UPDATE", columns, of: entityName, in: mapping, parameter)
        + " WHERE t0.\"_id\" = \(dialect.repeatedParameter(1))"
    guard ifDifferent else { return sql }
    let differences = columns.enumerated().map {
        dialect.areDifferent("t0.\(quoteIdentifier($1))", parameter($0))
    }
    return sql + " AND (\(differences.joined(separator: " OR ")))"
}

/// Returns the statement that sets a column of a row to NULL if its value differs from the new value, which another
/// statement sets later.
///
/// The parameters are the key of the row and the new value.
package func renderFreeing(
    _ column: String,
    entityName: String,
    in mapping: SchemaMapping,
    _ dialect: any SQLDialect = SQLiteDialect()
) -> String {
    let table = quoteIdentifier(mapping.mapped(entityName).tableName)
    let name = quoteIdentifier(column)
    let isOther = dialect.areDifferent(name, dialect.repeatedParameter(2))
    return "UPDATE \(table) SET \(name) = NULL WHERE \"_id\" = \(dialect.repeatedParameter(1)) AND \(isOther)"
}

extension PredicateRenderer {
    fileprivate mutating func render(_ value: ColumnValue) -> String {
        switch value {
        case .constant(let constant): bind(constant)
        case .computed(let arithmetic): render(arithmetic)
        }
    }
}

private func update(
    _ beginning: String,
    _ columns: [String],
    of entityName: String,
    in mapping: SchemaMapping,
    _ value: (Int) -> String
) -> String {
    let table = mapping.mapped(entityName).tableName
    let assignments = columns.enumerated().map { "\(quoteIdentifier($1)) = \(value($0))" }
    return "\(beginning) \(quoteIdentifier(table)) AS t0 SET "
        + (["\"_version\" = t0.\"_version\" + 1"] + assignments).joined(separator: ", ")
}
