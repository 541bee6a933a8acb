internal import ChordataModel
internal import ChordataSQL

/// Writes a change as statements of SQLite, without semicolons.
///
/// Another database has another function for the same changes.
func renderChange(_ change: SchemaChange) -> [String] {
    switch change {
    case .check(let message, let check): renderCheck(message, check)
    case .stash(let copy): renderStashedTable(copy)
    case .createTable(let table): [renderCreateTable(table)]
    case .dropTable(let name): ["DROP TABLE \(quoteIdentifier(name))"]
    case .renameTable(let name, let newName): [alterTable(name) + "RENAME TO \(quoteIdentifier(newName))"]
    case .copyRows(let copy): [renderCopy(copy)]
    case .insertDefaultBytes(let bytes): [renderDefaultBytes(bytes)]
    case .deleteRows(let rows): ["DELETE FROM " + renderRows(rows)]
    case .addColumn(let column, let table, let value):
        [
            alterTable(table.name) + "ADD COLUMN \(renderColumn(column, of: table))"
                + (value.map { " DEFAULT \(renderValue($0))" } ?? "")
        ]
    case .dropColumn(let name, let table): [alterTable(table) + "DROP COLUMN \(quoteIdentifier(name))"]
    case .renameColumn(let name, let newName, let table):
        [alterTable(table) + "RENAME COLUMN \(quoteIdentifier(name)) TO \(quoteIdentifier(newName))"]
    case .updateRows(let rows, let column, let value): [renderUpdate(rows, column, value)]
    case .numberRows(let numbering): [renderNumbering(numbering)]
    case .createIndex(let index, let table): [renderCreateIndex(index, on: table, ifNotExists: true)]
    // Version hashes do not include indexes, so a store may lack an index that its version has.
    case .dropIndex(let index, _): ["DROP INDEX IF EXISTS \(quoteIdentifier(index.name))"]
    }
}

private func alterTable(_ name: String) -> String { "ALTER TABLE \(quoteIdentifier(name)) " }

/// Writes the names and the condition of rows, as they appear after `FROM`.
private func renderRows(_ rows: RowSelection) -> String {
    quoteIdentifier(rows.table) + (rows.condition.map { " WHERE \(renderCondition($0))" } ?? "")
}

private func renderList(_ names: [String]) -> String { names.map(quoteIdentifier).joined(separator: ", ") }

// MARK: Checks

/// Writes the statements that fail with a message: SQLite reports the name of the constraint.
private func renderCheck(_ message: String, _ check: RowCheck) -> [String] {
    let table = quoteIdentifier(checkTableName)
    let isWrong =
        switch check {
        case .isEmpty(let rows): "EXISTS (SELECT 1 FROM \(renderRows(rows)))"
        case .hasAllRows(let new, let old):
            "\(renderCount(RowSelection(table: new))) <> \(old.map(renderCount).joined(separator: " + "))"
        }
    return [
        "CREATE TEMP TABLE \(table) (\"isWrong\" INTEGER CONSTRAINT \(quoteIdentifier(message)) CHECK (NOT \"isWrong\"))",
        "INSERT INTO \(table) SELECT \(isWrong)",
        "DROP TABLE temp.\(table)",
    ]
}

private func renderCount(_ rows: RowSelection) -> String { "(SELECT count(*) FROM \(renderRows(rows)))" }

// MARK: Rows

private func renderStashedTable(_ copy: StashedTable) -> [String] {
    let table = asideTableName(of: copy.table)
    let name = quoteIdentifier(table)
    let declarations = copy.columns.map { $0 == "_id" ? "\"_id\" INTEGER PRIMARY KEY" : quoteIdentifier($0) }
    let indexes = copy.indexedColumns.map { column in
        "CREATE INDEX temp.\(quoteIdentifier("\(table)_\(column)")) ON \(name) (\(quoteIdentifier(column)))"
    }
    return [
        "CREATE TEMP TABLE \(name) (\(declarations.joined(separator: ", ")))",
        "INSERT INTO temp.\(name) SELECT \(renderList(copy.columns)) FROM \(quoteIdentifier(copy.table))",
    ] + indexes
}

private func renderCopy(_ copy: RowCopy) -> String {
    let values = copy.assignments.map { renderValue($0.value) }.joined(separator: ", ")
    return "\(copy.ignoresDuplicates ? "INSERT OR IGNORE" : "INSERT") INTO \(quoteIdentifier(copy.destination)) "
        + "(\(renderList(copy.assignments.map(\.column)))) SELECT \(values) FROM \(renderRows(copy.source))"
}

private func renderDefaultBytes(_ bytes: DefaultBytes) -> String {
    "INSERT OR IGNORE INTO \(quoteIdentifier(bytes.sideTable)) (\"_id\", \"bytes\") "
        + "SELECT \"_id\", \(renderValue(bytes.value)) FROM \(quoteIdentifier(bytes.table)) "
        + "WHERE \(quoteIdentifier(bytes.column)) IS NOT NULL"
}

private func renderUpdate(_ rows: RowSelection, _ column: String, _ value: ValueExpression) -> String {
    "UPDATE \(quoteIdentifier(rows.table)) SET \(quoteIdentifier(column)) = \(renderValue(value))"
        + (rows.condition.map { " WHERE \(renderCondition($0))" } ?? "")
}

private func renderNumbering(_ numbering: RowNumbering) -> String {
    let (table, name, group) = (
        quoteIdentifier(numbering.table), quoteIdentifier(numbering.column), quoteIdentifier(numbering.group)
    )
    let order = (numbering.keepsPositions ? ["\(name) IS NULL", name] : []) + [quoteIdentifier(numbering.lastColumn)]
    let isSame = numbering.key.map(quoteIdentifier).map { "\"_ranked\".\($0) = \(table).\($0)" }
    return "UPDATE \(table) SET \(name) = \"_ranked\".\"_rank\" FROM (SELECT \(renderList(numbering.key)), "
        + "row_number() OVER (PARTITION BY \(group) ORDER BY \(order.joined(separator: ", "))) - 1 AS \"_rank\" "
        + "FROM \(table) WHERE \(group) IS NOT NULL) AS \"_ranked\" WHERE \(isSame.joined(separator: " AND "))"
}

// MARK: Expressions

/// Writes the value of a row.
func renderValue(_ value: ValueExpression) -> String {
    switch value {
    case .null: "NULL"
    case .constant(let value): sqlLiteral(value)
    case .column(let name): quoteIdentifier(name)
    case .converted(let name, let function): renderConversion(function, of: quoteIdentifier(name))
    case .byteCount(let name): "length(\(quoteIdentifier(name)))"
    case .externalBytes(let sideTable, let table):
        "(SELECT \"bytes\" FROM \(quoteIdentifier(sideTable)) AS \"_external\" "
            + "WHERE \"_external\".\"_id\" = \(quoteIdentifier(table)).\"_id\")"
    case .oldest(let column, let links, let table): renderOldest(column, links, table)
    case .firstOf(let values): "coalesce(\(values.map(renderValue).joined(separator: ", ")))"
    case .byEntity(let values):
        "CASE \"_entity\" "
            + values.map { "WHEN \(sqlLiteral(text: $0.entity)) THEN \(renderValue($0.value))" }.joined(separator: " ")
            + " END"
    }
}

private func renderOldest(_ column: String, _ links: LinkSource, _ table: String) -> String {
    let (source, destination) = (quoteIdentifier(links.source), quoteIdentifier(links.destination))
    return "(SELECT \(quoteIdentifier(column)) FROM \(quoteIdentifier(links.table)) AS \"_link\" "
        + "WHERE \"_link\".\(source) = \(quoteIdentifier(table)).\"_id\" AND \"_link\".\(destination) IS NOT NULL "
        + "ORDER BY \"_link\".\(destination) LIMIT 1)"
}

/// Writes a condition on the rows of a table.
func renderCondition(_ condition: RowCondition) -> String {
    switch condition {
    case .always: return "TRUE"
    case .isOf(let entities):
        let names = entities.sorted().map { sqlLiteral(text: $0) }
        return names.count == 1 ? "\"_entity\" = \(names[0])" : "\"_entity\" IN (\(names.joined(separator: ", ")))"
    case .isNull(let name): return "\(quoteIdentifier(name)) IS NULL"
    case .isNotNull(let name): return "\(quoteIdentifier(name)) IS NOT NULL"
    case .isMisfit(let name, let misfit): return "(\(renderMisfit(misfit, of: quoteIdentifier(name))))"
    case .isDangling(let name, let selections?):
        let keys = selections.map { "SELECT \"_id\" FROM \(renderRows($0))" }.joined(separator: " UNION ALL ")
        return renderReferences(from: name, toNoneOf: keys)
    case .isDangling(_, nil): return "1"
    case .hasNoInverse(let columns): return renderMissingInverse(columns)
    case .all(let conditions): return conditions.map(renderCondition).joined(separator: " AND ")
    case .any(let conditions): return conditions.map(renderCondition).joined(separator: " OR ")
    }
}

private func renderMissingInverse(_ columns: InverseColumns) -> String {
    let (table, name) = (quoteIdentifier(columns.table), quoteIdentifier(columns.column))
    return "NOT EXISTS (SELECT 1 FROM \(quoteIdentifier(columns.otherTable)) AS \"_other\" "
        + "WHERE \"_other\".\"_id\" = \(table).\(name) "
        + "AND \"_other\".\(quoteIdentifier(columns.otherColumn)) = \(table).\"_id\")"
}
