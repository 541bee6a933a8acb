internal import ChordataSQL

/// Writes a plan as SQL that a person can review: one comment per change of the model.
///
/// The statements expect foreign keys to be off, and to run in one transaction.
package func renderMigration(_ plan: MigrationPlan) -> String {
    var lines = ["-- '\(oneLine(plan.sourceName))' to '\(oneLine(plan.destinationName))'"]
    var reason = ""
    for step in plan.steps {
        if step.reason != reason {
            lines.append("")
            lines.append("-- \(oneLine(step.reason))")
            reason = step.reason
        }
        lines += statements(of: step.change).map { $0 + ";" }
    }
    return lines.joined(separator: "\n") + "\n"
}

/// A comment ends with its line, and the SQL with a NUL, so a name must not bring one of its own, nor hide what follows.
private func oneLine(_ text: String) -> String {
    String(
        String.UnicodeScalarView(
            text.unicodeScalars.map { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: " "
                default: scalar  // Unicode's list of categories is not ours.
                }
            }
        )
    )
}

private func statements(of change: MigrationStep.Change) -> [String] {
    func alter(_ table: String) -> String { "ALTER TABLE \(quoteIdentifier(table))" }
    switch change {
    // Indexes have no part in version hashes, so a store may lack one that its version has, or have one that is new in the next.
    case .dropIndex(let name): return ["DROP INDEX IF EXISTS \(quoteIdentifier(name))"]
    case .createTable(let table): return [renderCreateTable(table)]
    case .renameTable(let from, let to): return ["\(alter(from)) RENAME TO \(quoteIdentifier(to))"]
    case .addColumn(let column, let table, let value):
        let standard = value.map { " DEFAULT \($0)" } ?? ""
        return ["\(alter(table.name)) ADD COLUMN \(renderColumn(column, of: table))\(standard)"]
    case .renameColumn(let table, let from, let to):
        return ["\(alter(table)) RENAME COLUMN \(quoteIdentifier(from)) TO \(quoteIdentifier(to))"]
    case .dropColumn(let table, let name): return ["\(alter(table)) DROP COLUMN \(quoteIdentifier(name))"]
    case .fill(let table, let column, let value):
        let name = quoteIdentifier(column)
        return ["UPDATE \(quoteIdentifier(table)) SET \(name) = \(value) WHERE \(name) IS NULL"]
    case .moveIntoTable(let side, let table, let column):
        let name = quoteIdentifier(column)
        return [
            "INSERT INTO \(quoteIdentifier(side)) (\"_id\", \"bytes\") "
                + "SELECT \"_id\", \(name) FROM \(quoteIdentifier(table)) WHERE \(name) IS NOT NULL"
        ]
    case .renameEntity(let table, let from, let to):
        return [
            "UPDATE \(quoteIdentifier(table)) SET \"_entity\" = \(sqlLiteral(text: to)) "
                + "WHERE \"_entity\" = \(sqlLiteral(text: from))"
        ]
    case .rebuildTable(let table, let from, let columns):
        // https://sqlite.org/lang_altertable.html steps 4 to 7: the new table first, never the old one renamed.
        // It takes the old name before its own, because a table that refers to it is changed only by a renaming.
        let temporary = "_new_" + table.name
        let names = columns.map { quoteIdentifier($0.column) }.joined(separator: ", ")
        let values = columns.map(\.expression).joined(separator: ", ")
        return [
            renderCreateTable(table, as: temporary),
            "INSERT INTO \(quoteIdentifier(temporary)) (\(names)) SELECT \(values) FROM \(quoteIdentifier(from))",
            "DROP TABLE \(quoteIdentifier(from))",
            "\(alter(temporary)) RENAME TO \(quoteIdentifier(from))",
        ] + (from == table.name ? [] : ["\(alter(from)) RENAME TO \(quoteIdentifier(table.name))"])
    case .dropTable(let name): return ["DROP TABLE \(quoteIdentifier(name))"]
    case .createIndex(let index, let table): return [renderCreateIndex(index, on: table, ifNotExists: true)]
    }
}
