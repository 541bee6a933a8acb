internal import ChordataModel
internal import ChordataSQL

extension MigrationPlanner {
    /// The steps in the order in which they run: what is read is read while all old tables are as they were.
    func makeSteps(_ tables: MigrationTables) -> [MigrationStep] {
        let altered = tables.entities.compactMap { plan in
            plan.isRebuilt ? nil : plan.existingTable.map { (plan, $0) }
        }
        var steps = (isStage ? puttingAside() : []) + checks.map(step)
        for plan in tables.entities where plan.isRebuilt { steps += rebuilding(of: plan) }
        for plan in tables.joins where plan.existingTable == nil { steps += filling(plan) }
        for plan in tables.externals where plan.existingTable == nil { steps += filling(plan) }
        steps += droppedIndexes(tables)
        for (plan, existingTable) in altered { steps += alteration(of: plan, existingTable) }
        for plan in tables.joins { steps += plan.existingTable.map { alteration(of: plan, $0) } ?? [] }
        steps += droppedTables(tables)
        steps += renamedTables(tables)
        steps += repairingReferences(tables)
        // What must be unique may be what a stage fills.
        steps += createdIndexes(tables).filter { !isStage || !$0.isOfConstraint }
        return steps
    }

    /// The statements and checks after the program's stage.
    func stepsBehindStage(_ tables: MigrationTables) -> [MigrationStep] {
        stepsAfterStage + createdIndexes(tables).filter(\.isOfConstraint)
    }

    private func step(_ valueCheck: ValueCheck) -> MigrationStep {
        let old = sourceMapping.table(named: valueCheck.flow.origin)
        let owner = old.flatMap { conditionUnlessAll([valueCheck.flow.source], in: $0) }
        let conditions = [owner, "(\(valueCheck.misfit))"].compactMap(\.self).joined(separator: " AND ")
        return check(
            valueCheck.message,
            "EXISTS (SELECT 1 FROM \(quoteIdentifier(valueCheck.flow.origin)) WHERE \(conditions))",
            causes: valueCheck.causes
        )
    }

    // MARK: Join tables and bytes

    private func filling(_ plan: JoinTablePlan) -> [MigrationStep] {
        let name = plan.newName
        var table = plan.table
        table.columns = table.columns.map(currently)
        var steps = [MigrationStep(.createTable, name, [renderCreateTable(table, as: name)], causes: plan.causes)]
        for links in plan.links {
            let columns = plan.table.columns.compactMap { column -> (name: String, value: String)? in
                let value =
                    switch column.name {
                    case "source": links.source
                    case "destination": links.destination
                    case "_order": links.order
                    case "_inverse_order": links.inverseOrder
                    default: nil as String?  // There are no others.
                    }
                return value.map { (quoteIdentifier(column.name), quoteIdentifier($0)) }
            }
            // Of pairs that two ends have both had one is enough.
            let ignoring = plan.links.count > 1 ? "INSERT OR IGNORE" : "INSERT"
            steps.append(
                MigrationStep(
                    .copyRows,
                    links.table,
                    [
                        "\(ignoring) INTO \(quoteIdentifier(name)) (\(columns.map(\.name).joined(separator: ", "))) "
                            + "SELECT \(columns.map(\.value).joined(separator: ", ")) FROM \(quoteIdentifier(links.table)) "
                            + "WHERE \(quoteIdentifier(links.source)) IS NOT NULL AND \(quoteIdentifier(links.destination)) IS NOT NULL"
                    ],
                    causes: plan.causes
                )
            )
        }
        return steps
    }

    private func alteration(of plan: JoinTablePlan, _ existingTable: Table) -> [MigrationStep] {
        let table = "ALTER TABLE \(quoteIdentifier(existingTable.name))"
        let names = Set(plan.table.columns.map(\.name))
        let oldNames = Set(existingTable.columns.map(\.name))
        let dropped = existingTable.columns.filter { !names.contains($0.name) }.map { column in
            MigrationStep(
                .dropColumn,
                existingTable.name,
                ["\(table) DROP COLUMN \(quoteIdentifier(column.name))"],
                causes: plan.causes,
                losesData: true
            )
        }
        let added = plan.table.columns.filter { !oldNames.contains($0.name) }.map { column in
            MigrationStep(
                .addColumn,
                existingTable.name,
                ["\(table) ADD COLUMN \(renderColumn(column, of: plan.table))"],
                causes: plan.causes
            )
        }
        return dropped + added
    }

    private func filling(_ plan: ExternalTablePlan) -> [MigrationStep] {
        let name = plan.newName
        var table = plan.table
        table.columns = table.columns.map(currently)
        var steps = [MigrationStep(.createTable, name, [renderCreateTable(table, as: name)], causes: plan.causes)]
        for place in plan.bytes {
            let column = quoteIdentifier(place.column)
            steps.append(
                MigrationStep(
                    .copyRows,
                    place.table,
                    [
                        "INSERT INTO \(quoteIdentifier(name)) (\"_id\", \"bytes\") "
                            + "SELECT \"_id\", \(column) FROM \(quoteIdentifier(place.table)) WHERE \(column) IS NOT NULL"
                    ],
                    causes: plan.causes
                )
            )
        }
        return steps
    }

    // MARK: Names

    /// The old tables to drop: those without a successor, and those that are rebuilt.
    private func droppedTables(_ tables: MigrationTables) -> [MigrationStep] {
        let kept = Set(
            tables.entities.filter { !$0.isRebuilt }.compactMap(\.existingTable?.name)
                + tables.joins.compactMap(\.existingTable?.name)
                + tables.externals.compactMap(\.existingTable?.name)
        )
        let rebuilt = Set(tables.entities.filter(\.isRebuilt).compactMap(\.existingTable?.name))
        return sourceMapping.tables.filter { $0.kind != .system && !kept.contains($0.name) }.map { table in
            let causes = causesOfDropped(table)
            return MigrationStep(
                .dropTable,
                table.name,
                ["DROP TABLE \(quoteIdentifier(table.name))"],
                causes: causes,
                remark: rebuilt.contains(table.name) ? "replaced by the new table" : nil,
                losesData: causes.contains(where: \.mayLoseData)
            )
        }
    }

    private func causesOfDropped(_ table: Table) -> [ModelChange] {
        switch table.kind {
        case .system: []
        case .entity: concreteEntities(in: table).flatMap { causes.ofOldEntity($0) }
        case .join(let entity, let relationship): causes.ofRemovedProperty(relationship, declaredBy: entity)
        case .external(let owner, let column):
            sourceMapping.entities.filter { $0.tableName == owner }.first { entity in
                entity.attributes.contains { $0.columnName == column }
            }.flatMap { entity in
                let attribute = entity.attributes.first { $0.columnName == column }
                let level = match.source.lineage(of: entity.entityName).first { level in
                    level.declaredAttributes.contains { $0.name == attribute?.path[0] }
                }
                return level.flatMap { level in
                    attribute.map { causes.ofRemovedProperty($0.path[0], declaredBy: level.name) }
                }
            } ?? []
        }
    }

    /// New tables take the names of the old ones in whose place they come, so that others refer to them; then all get
    /// their own.
    private func renamedTables(_ tables: MigrationTables) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        func rename(_ from: String, _ to: String, _ causes: [ModelChange]) {
            steps.append(
                MigrationStep(
                    .renameTable,
                    from,
                    ["ALTER TABLE \(quoteIdentifier(from)) RENAME TO \(quoteIdentifier(to))"],
                    causes: causes
                )
            )
        }
        for plan in tables.entities where plan.isRebuilt {
            if let existingTable = plan.existingTable { rename(plan.newName, existingTable.name, []) }
        }
        var renamings: [Renaming] = []
        var causesByName: [String: [ModelChange]] = [:]
        for plan in tables.entities {
            renamings.append(Renaming(from: plan.currentName, to: plan.table.name))
            if case .entity(let root) = plan.table.kind { causesByName[plan.table.name] = causes.ofEntity(root) }
        }
        for plan in tables.joins {
            renamings.append(Renaming(from: plan.currentName, to: plan.table.name))
            causesByName[plan.table.name] = plan.causes
        }
        for plan in tables.externals {
            renamings.append(Renaming(from: plan.currentName, to: plan.table.name))
            causesByName[plan.table.name] = plan.causes
        }
        for renaming in ordered(renamings.filter { $0.from != $0.to }) {
            rename(renaming.from, renaming.to, causesByName[renaming.last] ?? [])
        }
        return steps
    }

    // MARK: Indexes

    /// The indexes of old tables that stay, without those that stay with them.
    private func droppedIndexes(_ tables: MigrationTables) -> [MigrationStep] {
        keptTables(tables).flatMap { kept in
            let existingTable = kept.existingTable
            return existingTable.indexes.filter { !kept.keeps($0) }.map { index in
                MigrationStep(
                    .dropIndex,
                    existingTable.name,
                    // Indexes have no part in version hashes, so a store may lack one that its version has.
                    ["DROP INDEX IF EXISTS \(quoteIdentifier(index.name))"],
                    remark: "indexes of '\(existingTable.name)' change"
                )
            }
        }
    }

    private func createdIndexes(_ tables: MigrationTables) -> [MigrationStep] {
        let kept = keptTables(tables)
        let all = tables.entities.map(\.table) + tables.joins.map(\.table) + tables.externals.map(\.table)
        return all.flatMap { table in
            let existingTable = kept.first { $0.table.name == table.name }
            return table.indexes.filter { existingTable?.keeps($0) != true }.map { index in
                let causes = index.isUnique ? self.causes.ofConstraints(in: table, mapping) : []
                return MigrationStep(
                    .createIndex,
                    table.name,
                    [renderCreateIndex(index, on: table.name, ifNotExists: true)],
                    causes: causes,
                    remark: causes.isEmpty ? "indexes of '\(table.name)'" : nil,
                    dependsOnData: !causes.isEmpty
                )
            }
        }
    }

    /// The old tables that are altered in place, with their new tables.
    private func keptTables(_ tables: MigrationTables) -> [KeptTable] {
        tables.entities.filter { !$0.isRebuilt }.compactMap { plan in
            plan.existingTable.map { KeptTable(existingTable: $0, table: plan.table, columns: plan.columns) }
        }
            + tables.joins.compactMap { plan in
                plan.existingTable.map { KeptTable(existingTable: $0, table: plan.table) }
            }
            + tables.externals.compactMap { plan in
                plan.existingTable.map { KeptTable(existingTable: $0, table: plan.table) }
            }
    }
}

/// A table that is altered in place.
private struct KeptTable {
    let existingTable: Table
    let table: Table
    /// The sources of the values of an entity's columns; other tables keep their columns.
    var columns: [ColumnPlan] = []

    /// Returns a Boolean value that indicates whether an index stays with it: the same columns must be in it, not
    /// others that have got their names, which an index follows.
    func keeps(_ index: Index) -> Bool {
        guard table.name == existingTable.name, existingTable.indexes.contains(index), table.indexes.contains(index)
        else { return false }
        return index.elements.allSatisfy { element in
            guard !["_id", "_version", "_entity"].contains(element.columnName),
                let plan = columns.first(where: { $0.column.name == element.columnName })
            else { return true }
            return plan.origins == [element.columnName]
        }
    }
}

extension MigrationStep {
    /// A Boolean value that indicates whether it makes an index for values that are to be unique.
    fileprivate var isOfConstraint: Bool {
        kind == .createIndex && statements.contains { $0.hasPrefix("CREATE UNIQUE INDEX") }
    }
}

extension MigrationCauses {
    /// The uniqueness constraints of a table's entities that are new.
    func ofConstraints(in table: Table, _ mapping: SchemaMapping) -> [ModelChange] {
        let names = Set(mapping.entities.filter { $0.tableName == table.name }.map(\.entityName))
        return changes.filter { change in
            change.subject == .uniquenessConstraint && change.kind != .removed
                && change.entityName.map(names.contains) == true
        }
    }
}
