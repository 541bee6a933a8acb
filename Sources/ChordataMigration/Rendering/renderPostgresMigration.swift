package import ChordataModel
internal import ChordataSQL

/// Writes a plan as SQL for PostgreSQL that a person can review: the same changes as ``renderMigration(_:)``, with one
/// comment per change of the model.
///
/// The statements run in one transaction, whose search path begins with the schema of the store.
/// - Parameters:
///   - source: The model of the source version.
///   - destination: The model of the destination version.
/// - Returns: The text; `nil` if a name has different forms on the server in the two versions.
package func renderPostgresMigration(
    _ plan: MigrationPlan,
    from source: ManagedObjectModel,
    to destination: ManagedObjectModel
) -> String? {
    guard var renderer = PostgresChangeRenderer(plan, from: source, to: destination) else { return nil }
    var lines = [migrationTitle(plan.sourceName, plan.destinationName)]
    func append(_ statements: [String], under comment: String) {
        if statements.isEmpty { return }
        lines += ["", "-- \(comment)"] + statements.map { $0 + ";" }
    }
    func statements(_ step: MigrationStep) -> [String] { renderer.render(step.change) }
    // A stage reads the values in the types of the source version.
    let stashes = plan.steps.prefix { if case .stash = $0.change { true } else { false } }
    appendSteps(stashes, to: &lines, statements)
    append(
        renderer.droppedForeignKeys,
        under: "drops foreign keys of the changed tables, which this file creates again"
    )
    append(renderer.columnTypes, under: "types of columns")
    appendSteps(plan.steps[stashes.endIndex...], to: &lines, statements)
    append(renderer.addedForeignKeys, under: "foreign keys of the changed tables")
    if let stage = plan.stage { appendStage(stage, to: &lines, statements) }
    return lines.joined(separator: "\n") + "\n"
}

/// The names and types of the tables of a store on a server, by the names that they have in SQLite.
///
/// A plan has the names of SQLite, which PostgreSQL may truncate or reserve.
private struct PostgresTables {
    let original: SchemaMapping
    let mapping: SchemaMapping
    private let types: PostgresColumnTypes
    /// The names of tables and indexes, and of columns.
    private(set) var relations: [String: String] = [:]
    private(set) var columns: [String: String] = [:]
    /// A Boolean value that indicates whether each name has only one form.
    private(set) var isUnambiguous = true

    init(_ model: ManagedObjectModel) {
        original = makeSchemaMapping(of: model)
        mapping = makePostgresMapping(of: model)
        types = PostgresColumnTypes(mapping)
        for (table, renamed) in zip(original.tables, mapping.tables) {
            relations[table.name] = renamed.name
            for (index, other) in zip(table.indexes, renamed.indexes) { relations[index.name] = other.name }
            for (column, other) in zip(table.columns, renamed.columns) {
                if let known = columns.updateValue(other.name, forKey: column.name), known != other.name {
                    isUnambiguous = false
                }
            }
        }
    }

    /// Returns the table with the same purpose, with its name in PostgreSQL.
    func table(like table: Table) -> Table? {
        zip(original.tables, mapping.tables).first { $0.0.kind == table.kind }?.1
    }

    /// Returns the types of the columns of a table by their names in SQLite.
    func columnTypes(of table: Table) -> [String: String] {
        guard let (original, renamed) = zip(original.tables, mapping.tables).first(where: { $0.0.kind == table.kind })
        else { return [:] }
        return Dictionary(
            zip(original.columns, renamed.columns).map { ($0.name, types.type(of: $1, in: renamed)) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    func renderTable(like table: Table, named name: String) -> String? {
        self.table(like: table).map { renderPostgresTable($0, named: name, types) }
    }

    /// The tables except Chordata's own.
    var tables: [Table] { original.tables.filter { $0.kind != .system } }

    /// The columns that reference other tables: by the names in SQLite, and as a statement that creates the constraint.
    var foreignKeys: [(key: ForeignKey, name: String, table: String, sql: String)] {
        zip(original.tables, mapping.tables).flatMap { table, renamed in
            zip(table.columns, renamed.columns).compactMap { column, other in
                guard let destination = column.references,
                    let sql = renderPostgresForeignKey(of: other, in: renamed)
                else { return nil }
                let key = ForeignKey(table: table.name, column: column.name, destination: destination)
                return (key, foreignKeyName(of: other.name, in: renamed.name), renamed.name, sql)
            }
        }
    }
}

/// A column that references another table, by the names in SQLite.
private struct ForeignKey: Hashable {
    let table, column, destination: String
}

/// Writes the changes of a plan in order, and keeps track of the types of all columns.
private struct PostgresChangeRenderer {
    private struct ColumnState {
        var type: String
        /// The column of the source version, unless the column is new.
        var origin: ForeignKey?
    }

    private let source: PostgresTables
    private let destination: PostgresTables
    private var states: [String: [String: ColumnState]] = [:]
    private(set) var droppedForeignKeys: [String] = []
    private(set) var addedForeignKeys: [String] = []
    /// The changes of the types of columns that SQLite stores in the same way.
    private(set) var columnTypes: [String] = []

    init?(_ plan: MigrationPlan, from source: ManagedObjectModel, to destination: ManagedObjectModel) {
        self.source = PostgresTables(source)
        self.destination = PostgresTables(destination)
        guard self.source.isUnambiguous, self.destination.isUnambiguous,
            Self.agree(self.source.columns, self.destination.columns),
            Self.agree(self.source.relations, self.destination.relations)
        else { return nil }
        reset()
        planForeignKeys(plan)
        planColumnTypes(plan)
    }

    private static func agree(_ left: [String: String], _ right: [String: String]) -> Bool {
        left.allSatisfy { right[$0.key] == nil || right[$0.key] == $0.value }
    }

    private mutating func reset() {
        states = [:]
        for table in source.tables {
            states[table.name] = source.columnTypes(of: table).mapValues { ColumnState(type: $0) }
            for name in states[table.name, default: [:]].keys {
                states[table.name]?[name]?.origin = ForeignKey(table: table.name, column: name, destination: "")
            }
        }
    }

    /// Plans the foreign keys that are dropped first and added at the end: a foreign key would check rows before they
    /// are complete, and a table with unchecked rows cannot be altered.
    private mutating func planForeignKeys(_ plan: MigrationPlan) {
        var changed: Set<String> = []
        for step in plan.steps {
            switch step.change {
            case .createIndex, .dropIndex, .check: break
            case .renameTable(let name, let newName): changed.formUnion([name, newName])
            case .stash, .createTable, .dropTable, .copyRows, .insertDefaultBytes, .deleteRows, .addColumn,
                .dropColumn, .renameColumn, .updateRows, .numberRows:
                changed.insert(step.table)
                if case .copyRows(let copy) = step.change { changed.insert(copy.destination) }
            }
        }
        func isKept(_ key: ForeignKey) -> Bool { !changed.contains(key.table) && !changed.contains(key.destination) }
        let old = source.foreignKeys
        let new = destination.foreignKeys
        let kept = Set(old.map(\.key)).intersection(new.map(\.key)).filter(isKept)
        droppedForeignKeys = old.filter { !kept.contains($0.key) }.map { key in
            "ALTER TABLE \(quoteIdentifier(key.table)) DROP CONSTRAINT \(quoteIdentifier(key.name))"
        }
        addedForeignKeys = new.filter { !kept.contains($0.key) }.map(\.sql)
    }

    private mutating func planColumnTypes(_ plan: MigrationPlan) {
        for step in plan.steps { apply(step.change) }
        let final = states
        reset()
        for table in destination.tables {
            for (name, type) in destination.columnTypes(of: table).sorted(by: { $0.key < $1.key }) {
                guard let state = final[table.name]?[name], state.type != type, let origin = state.origin else {
                    continue
                }
                let column = quoteIdentifier(self.column(origin.column))
                columnTypes.append(
                    "ALTER TABLE \(relation(origin.table)) ALTER COLUMN \(column) TYPE \(type) "
                        + "USING \(cast(column, from: state.type, to: type))"
                )
                states[origin.table]?[origin.column]?.type = type
            }
        }
    }

    // MARK: Names and types

    private func relationName(_ name: String) -> String {
        destination.relations[name] ?? source.relations[name] ?? postgresName(name)
    }

    private func relation(_ name: String) -> String { quoteIdentifier(relationName(name)) }

    private func column(_ name: String) -> String {
        destination.columns[name] ?? source.columns[name] ?? postgresName(name)
    }

    private func quoted(_ column: String) -> String { quoteIdentifier(self.column(column)) }
    private func list(_ columns: [String]) -> String { columns.map(quoted).joined(separator: ", ") }
    private func type(of column: String, in table: String) -> String? { states[table]?[column]?.type }

    /// Applies the effect of a change to the types.
    private mutating func apply(_ change: SchemaChange) {
        switch change {
        case .createTable(let table):
            states[table.name] = destination.columnTypes(of: table).mapValues { ColumnState(type: $0) }
        case .dropTable(let name): states[name] = nil
        case .renameTable(let name, let newName):
            let columns = states.removeValue(forKey: name)
            states[newName] = columns
        case .addColumn(let column, let table, _):
            states[table.name]?[column.name] = destination.columnTypes(of: table)[column.name].map {
                ColumnState(type: $0)
            }
        case .dropColumn(let name, let table): states[table]?[name] = nil
        case .renameColumn(let name, let newName, let table):
            let state = states[table]?.removeValue(forKey: name)
            states[table]?[newName] = state
        case .check, .stash, .copyRows, .insertDefaultBytes, .deleteRows, .updateRows, .numberRows, .createIndex,
            .dropIndex:
            break
        }
    }

    // MARK: Changes

    mutating func render(_ change: SchemaChange) -> [String] {
        defer { apply(change) }
        switch change {
        case .check(let message, let check): return [renderCheck(message, check)]
        case .stash(let stashed): return renderStash(stashed)
        case .createTable(let table):
            return [destination.renderTable(like: table, named: relationName(table.name))].compactMap(\.self)
        case .dropTable(let name): return ["DROP TABLE \(relation(name))"]
        case .renameTable(let name, let newName):
            let keys = [name, newName].map { quoteIdentifier(primaryKeyName(of: relationName($0))) }
            return [
                "ALTER TABLE \(relation(name)) RENAME TO \(relation(newName))",
                "ALTER INDEX \(keys[0]) RENAME TO \(keys[1])",
            ]
        case .copyRows(let copy): return [renderCopy(copy)]
        case .insertDefaultBytes(let bytes):
            return [
                "INSERT INTO \(relation(bytes.sideTable)) (\"_id\", \"bytes\") "
                    + "SELECT \"_id\", \(render(bytes.value, as: "bytea", in: bytes.table)) FROM \(relation(bytes.table)) "
                    + "WHERE \(quoted(bytes.column)) IS NOT NULL ON CONFLICT DO NOTHING"
            ]
        case .deleteRows(let rows): return ["DELETE FROM " + render(rows)]
        case .addColumn(let column, let table, let value): return renderAddition(of: column, to: table, value)
        case .dropColumn(let name, let table): return ["ALTER TABLE \(relation(table)) DROP COLUMN \(quoted(name))"]
        case .renameColumn(let name, let newName, let table):
            return ["ALTER TABLE \(relation(table)) RENAME COLUMN \(quoted(name)) TO \(quoted(newName))"]
        case .updateRows(let rows, let column, let value):
            let type = type(of: column, in: rows.table)
            return [
                "UPDATE \(relation(rows.table)) SET \(quoted(column)) = \(render(value, as: type, in: rows.table))"
                    + (rows.condition.map { " WHERE \(render($0, in: rows.table))" } ?? "")
            ]
        case .numberRows(let numbering): return [renderNumbering(numbering)]
        case .createIndex(let index, let table):
            let renamed = Index(
                name: relationName(index.name),
                elements: index.elements.map { Index.Element(column($0.columnName), isAscending: $0.isAscending) },
                isUnique: index.isUnique
            )
            return [renderPostgresIndex(renamed, on: relationName(table), ifNotExists: true)]
        // Version hashes do not include indexes, so a store may lack an index that its version has.
        case .dropIndex(let index, _): return ["DROP INDEX IF EXISTS \(relation(index.name))"]
        }
    }

    /// Writes the statements that copy columns into a temporary table.
    private func renderStash(_ stashed: StashedTable) -> [String] {
        let name = "pg_temp." + quoteIdentifier(postgresAsideTableName(of: relationName(stashed.table)))
        let keys = stashed.columns.filter { $0 == "_id" } + stashed.indexedColumns
        return [
            "CREATE TEMPORARY TABLE \(name) ON COMMIT DROP AS SELECT \(list(stashed.columns)) FROM \(relation(stashed.table))"
        ] + keys.map { "CREATE INDEX ON \(name) (\(quoted($0)))" }
    }

    private func renderAddition(of column: Column, to table: Table, _ value: ValueExpression?) -> [String] {
        let type = destination.columnTypes(of: table)[column.name] ?? "bigint"
        let alter = "ALTER TABLE \(relation(table.name)) "
        let addition = alter + "ADD COLUMN \(quoted(column.name)) \(type)\(column.isNotNull ? " NOT NULL" : "")"
        guard let value else { return [addition] }
        // The server records the value for all existing rows; new rows have no default.
        return [
            addition + " DEFAULT \(render(value, as: type, in: table.name))",
            alter + "ALTER COLUMN \(quoted(column.name)) DROP DEFAULT",
        ]
    }

    /// Writes the statement that fails with a message.
    private func renderCheck(_ message: String, _ check: RowCheck) -> String {
        let isWrong =
            switch check {
            case .isEmpty(let rows): "EXISTS (SELECT 1 FROM \(render(rows)))"
            case .hasAllRows(let new, let old):
                "\(count(RowSelection(table: new))) <> \(old.map(count).joined(separator: " + "))"
            }
        // The body is a quoted literal, because a dollar sign in it could end a dollar-quoted one.
        let body =
            "BEGIN IF \(isWrong) THEN RAISE EXCEPTION USING MESSAGE = \(postgresLiteral(text: message)); END IF; END"
        return "DO \(postgresLiteral(text: body))"
    }

    private func count(_ rows: RowSelection) -> String { "(SELECT count(*) FROM \(render(rows)))" }

    private func renderCopy(_ copy: RowCopy) -> String {
        let values = copy.assignments.map { assignment in
            render(assignment.value, as: type(of: assignment.column, in: copy.destination), in: copy.source.table)
        }
        return "INSERT INTO \(relation(copy.destination)) (\(list(copy.assignments.map(\.column)))) "
            + "SELECT \(values.joined(separator: ", ")) FROM \(render(copy.source))"
            + (copy.ignoresDuplicates ? " ON CONFLICT DO NOTHING" : "")
    }

    private func renderNumbering(_ numbering: RowNumbering) -> String {
        let (table, name) = (relation(numbering.table), quoted(numbering.column))
        let group = quoted(numbering.group)
        let order = (numbering.keepsPositions ? ["\(name) NULLS LAST"] : []) + [quoted(numbering.lastColumn)]
        let isSame = numbering.key.map(quoted).map { "\"_ranked\".\($0) = \(table).\($0)" }
        return "UPDATE \(table) SET \(name) = \"_ranked\".\"_rank\" FROM (SELECT \(list(numbering.key)), "
            + "row_number() OVER (PARTITION BY \(group) ORDER BY \(order.joined(separator: ", "))) - 1 AS \"_rank\" "
            + "FROM \(table) WHERE \(group) IS NOT NULL) AS \"_ranked\" WHERE \(isSame.joined(separator: " AND "))"
    }

    // MARK: Rows and values

    private func render(_ rows: RowSelection) -> String {
        relation(rows.table) + (rows.condition.map { " WHERE \(render($0, in: rows.table))" } ?? "")
    }

    /// Writes a value.
    /// - Parameters:
    ///   - type: The type of the column that gets the value; `nil` if any type is acceptable.
    ///   - table: The table of the row.
    private func render(_ value: ValueExpression, as type: String?, in table: String) -> String {
        switch value {
        case .null: return type.map { "CAST(NULL AS \(plain($0)))" } ?? "NULL"
        case .constant(let value): return postgresLiteral(value)
        case .column(let name): return cast(quoted(name), from: self.type(of: name, in: table), to: type)
        case .converted(let name, let function):
            return renderPostgresConversion(
                function,
                of: quoted(name),
                isBoolean: self.type(of: name, in: table) == "boolean"
            )
        case .byteCount(let name): return "CAST(octet_length(\(quoted(name))) AS bigint)"
        case .externalBytes(let sideTable, let table):
            return "(SELECT \"bytes\" FROM \(relation(sideTable)) AS \"_external\" "
                + "WHERE \"_external\".\"_id\" = \(relation(table)).\"_id\")"
        case .oldest(let column, let links, let table):
            let (source, destination) = (quoted(links.source), quoted(links.destination))
            return "(SELECT \(quoted(column)) FROM \(relation(links.table)) AS \"_link\" "
                + "WHERE \"_link\".\(source) = \(relation(table)).\"_id\" AND \"_link\".\(destination) IS NOT NULL "
                + "ORDER BY \"_link\".\(destination) LIMIT 1)"
        case .firstOf(let values):
            return "coalesce(\(values.map { render($0, as: type, in: table) }.joined(separator: ", ")))"
        case .byEntity(let values):
            let cases = values.map {
                "WHEN \(postgresLiteral(text: $0.entity)) THEN \(render($0.value, as: type, in: table))"
            }
            return "CASE \"_entity\" \(cases.joined(separator: " ")) END"
        }
    }

    /// Returns the type without its collation, which a conversion does not have.
    private func plain(_ type: String) -> String { type.hasPrefix("text") ? "text" : type }

    private func cast(_ value: String, from old: String?, to new: String?) -> String {
        guard let old, let new, old != new else { return value }
        return switch (old, new) {
        case ("boolean", "bigint"): "CAST(\(value) AS int)"
        case ("boolean", _): "CAST(CAST(\(value) AS int) AS \(plain(new)))"
        case (_, "boolean"): "\(value) <> 0"
        default: "CAST(\(value) AS \(plain(new)))"
        }
    }

    private func render(_ condition: RowCondition, in table: String) -> String {
        switch condition {
        case .always: return "TRUE"
        case .isOf(let entities):
            let names = entities.sorted().map { postgresLiteral(text: $0) }
            return names.count == 1 ? "\"_entity\" = \(names[0])" : "\"_entity\" IN (\(names.joined(separator: ", ")))"
        case .isNull(let name): return "\(quoted(name)) IS NULL"
        case .isNotNull(let name): return "\(quoted(name)) IS NOT NULL"
        case .isMisfit(let name, let misfit): return "(\(renderPostgresMisfit(misfit, of: quoted(name))))"
        case .isDangling(let name, let selections?):
            let keys = selections.map { "SELECT \"_id\" FROM \(render($0))" }.joined(separator: " UNION ALL ")
            return renderReferences(from: column(name), toNoneOf: keys)
        case .isDangling(_, nil): return "TRUE"
        case .hasNoInverse(let columns):
            let (table, name) = (relation(columns.table), quoted(columns.column))
            return "NOT EXISTS (SELECT 1 FROM \(relation(columns.otherTable)) AS \"_other\" "
                + "WHERE \"_other\".\"_id\" = \(table).\(name) "
                + "AND \"_other\".\(quoted(columns.otherColumn)) = \(table).\"_id\")"
        case .all(let conditions): return conditions.map { render($0, in: table) }.joined(separator: " AND ")
        case .any(let conditions): return conditions.map { render($0, in: table) }.joined(separator: " OR ")
        }
    }
}

/// Writes the expression that converts a value; the results are the same as those of ``renderConversion(_:of:)``.
private func renderPostgresConversion(_ function: ValueConversion.Function, of column: String, isBoolean: Bool)
    -> String
{
    let value = isBoolean ? "CAST(\(column) AS int)" : column
    return switch function {
    case .real: "CAST(\(value) AS double precision)"
    case .integer: "CAST(trunc(\(value)) AS bigint)"
    case .decimal: "CAST(\(value) AS numeric)"
    case .boolean: "\(value) <> 0"
    // The conversion to `real` gives the nearest float; the server rejects numbers that become 0.
    case .float:
        "CASE WHEN abs(\(value)) <= 7.006492321624085e-46 THEN 0 ELSE CAST(CAST(\(value) AS real) AS double precision) END"
    case .floatOfInteger: "CAST(CAST(\(value) AS real) AS double precision)"
    }
}

/// Writes the condition that a value does not fit into a type; NaN is greater than all other values.
private func renderPostgresMisfit(_ misfit: ValueConversion.Misfit, of value: String) -> String {
    switch misfit {
    case .integer(let lowest, let greatest): "\(value) NOT BETWEEN \(lowest) AND \(greatest)"
    case .real(let below, let above): "\(value) <= \(below) OR \(value) >= \(above)"
    case .float: "abs(\(value)) >= 3.4028235677973366e38 AND abs(\(value)) < CAST('Infinity' AS double precision)"
    }
}
