internal import ChordataModel
internal import ChordataSQL

// The decision how a table of entities gets its new form: altered in place, which costs nothing for most changes, or
// rebuilt.

extension MigrationPlanner {
    /// Decides which tables are rebuilt, and which columns the others lose.
    func decide(_ tables: [TablePlan]) -> [TablePlan] {
        tables.map { plan in
            var plan = plan
            if let existingTable = plan.existingTable {
                let used = Set(plan.columns.compactMap { $0.origins.first })
                plan.droppedColumns = existingTable.columns.filter { !used.contains($0.name) && !isKept($0, in: plan) }
                    .map { ($0.name, causesOfRemoved(column: $0.name, of: existingTable)) }
                plan.isRebuilt = needsRebuild(plan, existingTable, tables)
            } else {
                plan.isRebuilt = true
            }
            return plan
        }
    }

    /// Names of existing columns never change.
    private func isKept(_ column: Column, in plan: TablePlan) -> Bool {
        ["_id", "_version", "_entity"].contains(column.name)
            && plan.table.columns.contains { $0.name == column.name }
    }

    /// ALTER TABLE renames, adds and drops plain columns; everything else needs a new table.
    private func needsRebuild(_ plan: TablePlan, _ existingTable: Table, _ tables: [TablePlan]) -> Bool {
        if plan.flows.contains(where: { $0.origin != existingTable.name }) { return true }
        // SQLite drops no columns that refer to other tables, https://sqlite.org/lang_altertable.html, and goes over
        // all rows for each of the others.
        if plan.droppedColumns.count > Self.maximumDroppedColumns + plan.table.indexes.count { return true }
        let dropped = Set(plan.droppedColumns.map(\.name))
        if existingTable.columns.contains(where: { dropped.contains($0.name) && $0.references != nil }) { return true }
        var used: Set<String> = []
        for column in plan.columns {
            if column.values.values.contains(where: { $0.expression != nil }) { return true }
            let origins = column.origins
            if origins.count > 1 { return true }
            guard let name = origins.first ?? (isKept(column.column, in: plan) ? column.column.name : nil),
                let old = existingTable.columns.first(where: { $0.name == name })
            else { continue }
            if !used.insert(name).inserted || old.type != column.column.type || old.isNotNull != column.column.isNotNull
            {
                return true
            }
            guard let reference = column.column.references else {
                if old.references != nil { return true }
                continue
            }
            if tables.first(where: { $0.table.name == reference })?.existingTable?.name != old.references {
                return true
            }
        }
        return false
    }

    /// Each dropped column is one pass over the rows; a new table is two for all of them, and one for each index.
    ///
    /// Measured with 500,000 rows of ten columns: two columns take 0.99 s, a new table 0.98 s; with two indexes four
    /// take 1.35 s, it 1.33 s.
    private static var maximumDroppedColumns: Int { 2 }

    private func causesOfRemoved(column: String, of table: Table) -> [ModelChange] {
        if let found = causesOfRemovedOrder(column: column, of: table) { return found }
        let name = column.hasPrefix("_order_") ? String(column.dropFirst("_order_".count)) : column
        for entity in sourceMapping.entities where entity.tableName == table.name {
            let property =
                entity.attributes.first { $0.columnName == name }?.path[0]
                ?? entity.relationships.first { $0.storage == .column(name) }?.name
            guard let property else { continue }
            let owner = match.source.lineage(of: entity.entityName).first { level in
                level.declaredAttributes.contains { $0.name == property }
                    || level.declaredRelationships.contains { $0.name == property }
            }
            return owner.map { causes.ofRemovedProperty(property, declaredBy: $0.name) } ?? []
        }
        return []
    }

    /// The same of the places in an ordered to-many at the other end.
    private func causesOfRemovedOrder(column: String, of table: Table) -> [ModelChange]? {
        for entity in sourceMapping.entities {
            for relationship in entity.relationships {
                guard case .inverseColumn(table.name, _, let order?) = relationship.storage, order == column,
                    let owner = match.source.lineage(of: entity.entityName).first(where: { level in
                        level.declaredRelationships.contains { $0.name == relationship.name }
                    })
                else { continue }
                let found = causes.ofRemovedProperty(relationship.name, declaredBy: owner.name)
                if !found.isEmpty { return found }
            }
        }
        return nil
    }

    // MARK: Altering

    /// The statements that alter a table in place, under its old name, and the old names of its entities.
    func alteration(of plan: TablePlan, _ existingTable: Table) -> [MigrationStep] {
        let table = quoteIdentifier(existingTable.name)
        var steps: [MigrationStep] = []
        let leaving = concreteEntities(in: existingTable).filter { name in !plan.flows.contains { $0.source == name } }
        if !leaving.isEmpty {
            let condition = existingTable.hasEntityColumn ? " WHERE \(condition(leaving))" : ""
            steps.append(
                MigrationStep(
                    .deleteRows,
                    existingTable.name,
                    ["DELETE FROM \(table)\(condition)"],
                    causes: leaving.flatMap { causes.ofOldEntity($0) },
                    losesData: leaving.contains { match.destinationEntity(of: $0) == nil }
                )
            )
        }
        func drop(_ column: (name: String, causes: [ModelChange])) -> MigrationStep {
            MigrationStep(
                .dropColumn,
                existingTable.name,
                ["ALTER TABLE \(table) DROP COLUMN \(quoteIdentifier(column.name))"],
                causes: column.causes,
                losesData: column.causes.contains(where: \.mayLoseData)
            )
        }
        steps += plan.droppedColumns.filter { $0.name != "_entity" }.map(drop)
        steps += renamedColumns(of: plan, existingTable)
        for column in plan.columns { steps += additions(of: column, plan, existingTable) }
        // Last, because what comes before asks whose row it is.
        steps += plan.droppedColumns.filter { $0.name == "_entity" }.map(drop)
        if plan.table.hasEntityColumn, !existingTable.hasEntityColumn,
            let flow = plan.flows.first ?? emptyFlow(of: plan)
        {
            let column = plan.table.columns.first { $0.name == "_entity" } ?? Column("_entity", .text, isNotNull: true)
            steps.append(
                MigrationStep(
                    .addColumn,
                    existingTable.name,
                    [
                        "ALTER TABLE \(table) ADD COLUMN \(renderColumn(column, of: plan.table)) "
                            + "DEFAULT \(sqlLiteral(text: flow.destination))"
                    ],
                    remark: "'\(flow.destination)' has subentities or a superentity now"
                )
            )
        } else if plan.table.hasEntityColumn, existingTable.hasEntityColumn, let renaming = renamedEntities(plan) {
            steps.append(renaming)
        }
        return steps
    }

    /// Without rows the name in the column's default is not used.
    private func emptyFlow(of plan: TablePlan) -> RowFlow? {
        guard case .entity(let root) = plan.table.kind else { return nil }
        return RowFlow(source: root, destination: root, origin: plan.table.name)
    }

    private func renamedColumns(of plan: TablePlan, _ existingTable: Table) -> [MigrationStep] {
        var causesByName: [String: [ModelChange]] = [:]
        var renamings: [Renaming] = []
        for column in plan.columns {
            guard let old = column.origins.first, old != column.column.name else { continue }
            renamings.append(Renaming(from: old, to: column.column.name))
            causesByName[column.column.name] = column.causes
        }
        return ordered(renamings).map { renaming in
            MigrationStep(
                .renameColumn,
                existingTable.name,
                [
                    "ALTER TABLE \(quoteIdentifier(existingTable.name)) RENAME COLUMN \(quoteIdentifier(renaming.from)) "
                        + "TO \(quoteIdentifier(renaming.to))"
                ],
                causes: causesByName[renaming.last] ?? []
            )
        }
    }

    /// Adds a column if it is new, and gives values to the rows that need one.
    private func additions(of plan: ColumnPlan, _ table: TablePlan, _ existingTable: Table) -> [MigrationStep] {
        if isKept(plan.column, in: table) { return [] }
        let name = quoteIdentifier(plan.column.name)
        var steps: [MigrationStep] = []
        let fills = Dictionary(grouping: plan.values.keys.sorted()) { plan.values[$0]?.fill }
        if plan.origins.isEmpty {
            // The value that all rows get is a constant of the table, for any number of rows. An expression is not a
            // constant, https://sqlite.org/lang_altertable.html: text with a NUL is one.
            let fill = fills.count == 1 && plan.values.count == table.flows.count ? fills.keys.first ?? nil : nil
            let common = fill?.hasPrefix("CAST(") == true ? nil : fill
            let standard = common.map { " DEFAULT \($0)" } ?? ""
            steps.append(
                MigrationStep(
                    .addColumn,
                    existingTable.name,
                    [
                        "ALTER TABLE \(quoteIdentifier(existingTable.name)) ADD COLUMN "
                            + renderColumn(currently(plan.column), of: table.table) + standard
                    ],
                    causes: plan.causes
                )
            )
            if common != nil { return steps }
        }
        // Entities that have it no longer, or whose own it is not.
        let stale = entitiesWith(column: plan.origins.first, of: existingTable).filter { name in
            plan.values[name]?.origin == nil && table.flows.contains { $0.source == name }
        }
        if !stale.isEmpty {
            let others = conditionUnlessAll(stale, in: existingTable).map { "\($0) AND " } ?? ""
            steps.append(
                update(
                    existingTable.name,
                    "\(name) = NULL",
                    where: "\(others)\(name) IS NOT NULL",
                    plan.causes,
                    losesData: true
                )
            )
        }
        for (fill, entities) in fills.sorted(by: { ($0.key ?? "") < ($1.key ?? "") }) {
            guard let fill else { continue }
            let others = conditionUnlessAll(entities, in: existingTable).map { "\($0) AND " } ?? ""
            steps.append(
                update(existingTable.name, "\(name) = \(fill)", where: "\(others)\(name) IS NULL", plan.causes)
            )
        }
        return steps
    }

    private func update(
        _ table: String,
        _ assignment: String,
        where condition: String,
        _ causes: [ModelChange],
        losesData: Bool = false
    ) -> MigrationStep {
        MigrationStep(
            .updateRows,
            table,
            ["UPDATE \(quoteIdentifier(table)) SET \(assignment) WHERE \(condition)"],
            causes: causes,
            losesData: losesData
        )
    }

    /// The old entities whose rows have a column.
    private func entitiesWith(column: String?, of table: Table) -> [String] {
        guard let column else { return [] }
        return sourceMapping.entities.filter { entity in
            entity.tableName == table.name && match.source.entity(named: entity.entityName)?.isAbstract == false
                && (entity.attributes.contains { $0.columnName == column }
                    || entity.relationships.contains {
                        $0.storage == .column(column)
                            || column.hasPrefix("_order_")
                                && $0.storage == .column(String(column.dropFirst("_order_".count)))
                    })
        }.map(\.entityName)
    }

    /// The rows of other entities are called otherwise in one statement, so that names may change places.
    private func renamedEntities(_ plan: TablePlan) -> MigrationStep? {
        let renamed = plan.flows.filter { $0.source != $0.destination }
        guard !renamed.isEmpty else { return nil }
        let value: String
        if let only = renamed.first, renamed.count == 1 {
            value = sqlLiteral(text: only.destination)
        } else {
            value =
                "CASE \"_entity\" "
                + renamed.map { "WHEN \(sqlLiteral(text: $0.source)) THEN \(sqlLiteral(text: $0.destination))" }
                .joined(separator: " ") + " END"
        }
        return MigrationStep(
            .updateRows,
            plan.currentName,
            [
                "UPDATE \(quoteIdentifier(plan.currentName)) SET \"_entity\" = \(value) "
                    + "WHERE \(condition(renamed.map(\.source)))"
            ],
            causes: renamed.flatMap { causes.ofEntity($0.destination) }
        )
    }

    // MARK: Parts

    /// A column whose table others refer to by the name that it has before all tables get their last names.
    func currently(_ column: Column) -> Column {
        guard let reference = column.references else { return column }
        var column = column
        column.references = currentNames[reference] ?? reference
        return column
    }

    func concreteEntities(in table: Table) -> [String] {
        sourceMapping.entities.filter { entity in
            entity.tableName == table.name && match.source.entity(named: entity.entityName)?.isAbstract == false
        }.map(\.entityName)
    }

    /// The condition that a row is of some entities.
    func condition(_ entities: [String]) -> String {
        let names = Set(entities).sorted().map { sqlLiteral(text: $0) }
        return names.count == 1 ? "\"_entity\" = \(names[0])" : "\"_entity\" IN (\(names.joined(separator: ", ")))"
    }

    /// The same, and nothing where there are no other rows.
    func conditionUnlessAll(_ entities: [String], in table: Table) -> String? {
        guard table.hasEntityColumn else { return nil }
        return Set(concreteEntities(in: table)).isSubset(of: entities) ? nil : condition(entities)
    }

    /// Fails with a message where there are rows that should not exist: SQLite reports the name of the constraint.
    func check(_ message: String, _ condition: String, causes: [ModelChange]) -> MigrationStep {
        MigrationStep(
            .check,
            "_check",
            [
                "CREATE TEMP TABLE \"_check\" (\"isWrong\" INTEGER CONSTRAINT \(quoteIdentifier(message)) CHECK (NOT \"isWrong\"))",
                "INSERT INTO \"_check\" SELECT \(condition)",
                "DROP TABLE temp.\"_check\"",
            ],
            causes: causes,
            dependsOnData: true
        )
    }
}

extension ColumnPlan {
    /// The old columns that its values come from as they are.
    var origins: Set<String> {
        if values.isEmpty, let emptyOrigin { return [emptyOrigin] }
        return Set(values.values.compactMap { $0.expression == nil ? $0.origin : nil })
    }
}

extension Table {
    var hasEntityColumn: Bool { columns.contains { $0.name == "_entity" } }
}
