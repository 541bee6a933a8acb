internal import ChordataModel
internal import ChordataSQL

// The steps that alter a table in place, under its old name.

/// Plans the alteration of a table of entities; the names of entities in its rows are the old ones until the end.
func alterTable(_ plan: TablePlan, _ existingTable: Table, _ tables: MigrationTables) -> [MigrationStep] {
    let isEntityColumn = { (column: DroppedColumn) in column.name == "_entity" }
    var steps = deleteRemovedEntities(plan, existingTable, tables.match)
    steps += plan.droppedColumns.filter { !isEntityColumn($0) }.map { dropColumn($0, existingTable) }
    steps += renameColumns(plan, existingTable)
    for column in plan.columns { steps += addColumn(column, plan, existingTable, tables) }
    // The entity column is dropped last, because earlier steps select rows by their entities.
    steps += plan.droppedColumns.filter(isEntityColumn).map { dropColumn($0, existingTable) }
    return steps + [changeEntityNames(plan, existingTable, tables.match)].compactMap(\.self)
}

/// Plans the alteration of a join table.
func alterJoinTable(_ plan: JoinTablePlan, _ existingTable: Table) -> [MigrationStep] {
    let names = Set(plan.table.columns.map(\.name))
    let oldNames = Set(existingTable.columns.map(\.name))
    let dropped = existingTable.columns.filter { !names.contains($0.name) }.map { column in
        MigrationStep(.dropColumn(column.name, of: existingTable.name), causes: plan.causes, losesData: true)
    }
    let added = plan.table.columns.filter { !oldNames.contains($0.name) }.map { column in
        MigrationStep(
            .addColumn(column, of: plan.table.named(existingTable.name), defaultValue: nil),
            causes: plan.causes
        )
    }
    return dropped + added
}

extension Table {
    /// Returns the table with the name that it has while it is altered.
    fileprivate func named(_ name: String) -> Table {
        var table = self
        table.name = name
        return table
    }
}

// MARK: Entities

/// Plans the deletion of rows whose entity is removed, or is now in another table.
private func deleteRemovedEntities(
    _ plan: TablePlan,
    _ existingTable: Table,
    _ match: MigrationMatch
) -> [MigrationStep] {
    let removed = match.concreteEntities(in: existingTable).filter { name in
        !plan.flows.contains { $0.source == name }
    }
    if removed.isEmpty { return [] }
    let rows = RowSelection(
        table: existingTable.name,
        condition: existingTable.hasEntityColumn ? .isOf(Set(removed)) : nil
    )
    return [
        MigrationStep(
            .deleteRows(rows),
            causes: removed.flatMap { match.causes.ofOldEntity($0) },
            losesData: removed.contains { match.models.destinationEntity(of: $0) == nil }
        )
    ]
}

/// Plans the new names of entities in rows: a new column with the names, or other names in the existing column.
private func changeEntityNames(_ plan: TablePlan, _ existingTable: Table, _ match: MigrationMatch) -> MigrationStep? {
    guard let column = plan.table.columns.first(where: { $0.name == "_entity" }) else { return nil }
    if existingTable.hasEntityColumn { return renameEntities(plan, match) }
    guard let name = plan.flows.first?.destination ?? plan.rootName else { return nil }
    return MigrationStep(
        .addColumn(
            column,
            of: plan.table.named(existingTable.name),
            defaultValue: .constant(.string(name))
        ),
        remark: "'\(name)' has subentities or a superentity now"
    )
}

extension TablePlan {
    /// The root entity of the table, whose name is the default of `_entity` if there are no rows that could use it.
    fileprivate var rootName: String? {
        if case .entity(let root) = table.kind { root } else { nil }
    }
}

/// Plans the new names of entities, all in one step, so that names may be swapped.
private func renameEntities(_ plan: TablePlan, _ match: MigrationMatch) -> MigrationStep? {
    let renamed = plan.flows.filter { $0.source != $0.destination }
    guard let first = renamed.first else { return nil }
    let names = renamed.map {
        ValueExpression.EntityValue(entity: $0.source, value: .constant(.string($0.destination)))
    }
    return MigrationStep(
        .updateRows(
            RowSelection(table: plan.currentName, condition: .isOf(Set(renamed.map(\.source)))),
            column: "_entity",
            value: renamed.count == 1 ? .constant(.string(first.destination)) : .byEntity(names)
        ),
        causes: renamed.flatMap { match.causes.ofEntity($0.destination) }
    )
}

// MARK: Columns

private func dropColumn(_ column: DroppedColumn, _ existingTable: Table) -> MigrationStep {
    MigrationStep(
        .dropColumn(column.name, of: existingTable.name),
        causes: column.causes,
        losesData: column.causes.contains(where: \.mayLoseData)
    )
}

private func renameColumns(_ plan: TablePlan, _ existingTable: Table) -> [MigrationStep] {
    var causesByName: [String: [ModelChange]] = [:]
    var renamings: [Renaming] = []
    for column in plan.columns {
        guard let old = column.origins.first, old != column.column.name else { continue }
        renamings.append(Renaming(from: old, to: column.column.name))
        causesByName[column.column.name] = column.causes
    }
    return ordered(renamings).map { renaming in
        MigrationStep(
            .renameColumn(renaming.from, to: renaming.to, of: existingTable.name),
            causes: causesByName[renaming.last] ?? []
        )
    }
}

/// Plans a new column, and the values of rows that need one.
private func addColumn(
    _ column: ColumnPlan,
    _ plan: TablePlan,
    _ existingTable: Table,
    _ tables: MigrationTables
) -> [MigrationStep] {
    if column.column.keepsName(in: plan.table) { return [] }
    var steps: [MigrationStep] = []
    if column.origins.isEmpty {
        let value = column.commonFill(plan.flows)
        steps.append(
            MigrationStep(
                .addColumn(
                    column.column.referencingCurrentNames(tables),
                    of: plan.table.named(existingTable.name),
                    defaultValue: value
                ),
                causes: column.causes
            )
        )
        if value != nil { return steps }
    }
    return steps + clearStaleValues(column, plan, existingTable, tables.match)
        + fillColumn(column, existingTable, tables.match)
}

extension ColumnPlan {
    /// The constant for all rows, which becomes the default of the column.
    ///
    /// With a default, the cost does not depend on the number of rows. A default must be a constant, not an expression,
    /// https://sqlite.org/lang_altertable.html.
    fileprivate func commonFill(_ flows: [RowFlow]) -> ValueExpression? {
        guard let fill = values.values.first?.fill, values.count == flows.count,
            values.values.allSatisfy({ $0.fill == fill })
        else { return nil }
        if case .constant(let value) = fill, !hasConstantLiteral(value) { return nil }
        return fill
    }
}

/// Plans NULL in rows of entities that do not have the property any more, or whose own value is not in the column.
private func clearStaleValues(
    _ column: ColumnPlan,
    _ plan: TablePlan,
    _ existingTable: Table,
    _ match: MigrationMatch
) -> [MigrationStep] {
    let stale = entitiesWith(column: column.origins.first, of: existingTable, match).filter { name in
        column.values[name]?.origin == nil && plan.flows.contains { $0.source == name }
    }
    if stale.isEmpty { return [] }
    return [
        MigrationStep(
            .updateRows(
                RowSelection(
                    table: existingTable.name,
                    condition: .both(
                        match.conditionUnlessAll(stale, in: existingTable),
                        and: .isNotNull(column.column.name)
                    )
                ),
                column: column.column.name,
                value: .null
            ),
            causes: column.causes,
            losesData: true
        )
    ]
}

/// Plans the constant for rows without a value.
private func fillColumn(_ column: ColumnPlan, _ existingTable: Table, _ match: MigrationMatch) -> [MigrationStep] {
    let entities = column.values.keys.filter { column.values[$0]?.fill != nil }.sorted()
    // A column has the values of one attribute, which has one default.
    guard let fill = entities.first.flatMap({ column.values[$0]?.fill }) else { return [] }
    return [
        MigrationStep(
            .updateRows(
                RowSelection(
                    table: existingTable.name,
                    condition: .both(
                        match.conditionUnlessAll(entities, in: existingTable),
                        and: .isNull(column.column.name)
                    )
                ),
                column: column.column.name,
                value: fill
            ),
            causes: column.causes
        )
    ]
}

/// Returns the old entities whose rows have a column.
private func entitiesWith(column: String?, of table: Table, _ match: MigrationMatch) -> [String] {
    guard let column else { return [] }
    let owner = column.hasPrefix("_order_") ? String(column.dropFirst("_order_".count)) : nil
    return match.sourceMapping.entities.filter { entity in
        entity.tableName == table.name && match.isConcreteSource(entity.entityName)
            && (entity.attributes.contains { $0.columnName == column }
                || entity.relationships.contains {
                    $0.storage == .column(column) || owner.map(RelationshipMapping.Storage.column) == $0.storage
                })
    }.map(\.entityName)
}
