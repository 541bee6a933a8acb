internal import ChordataModel
internal import ChordataSQL

/// Plans the steps in the order in which they run: values are read while all old tables are unchanged.
///
/// - Parameter isStage: Whether a stage of the program runs after the steps.
func planSteps(_ tables: MigrationTables, isStage: Bool) -> [MigrationStep] {
    var steps = isStage ? stash(tables.match) : []
    steps += tables.checks.map { checkStep($0, tables.match) }
    for plan in tables.entities where plan.isRebuilt { steps += rebuildTable(plan, tables) }
    for plan in tables.joins where plan.existingTable == nil { steps += createJoinTable(plan, tables) }
    for plan in tables.externals where plan.existingTable == nil { steps += createExternalTable(plan, tables) }
    steps += dropIndexes(tables)
    for plan in tables.entities {
        if let existingTable = plan.alteredTable { steps += alterTable(plan, existingTable, tables) }
    }
    for plan in tables.joins {
        if let existingTable = plan.existingTable { steps += alterJoinTable(plan, existingTable) }
    }
    steps += dropTables(tables)
    steps += renameTables(tables)
    steps += repairReferences(tables)
    // Values that must be unique may be set by the stage.
    steps += createIndexes(tables).filter { !isStage || !$0.change.createsUniqueIndex }
    return steps
}

/// Plans the checks and indexes after the program's stage.
func planStepsAfterStage(_ tables: MigrationTables) -> [MigrationStep] {
    tables.stageChecks.compactMap { checkStep($0, tables.match.destinationMapping) }
        + createIndexes(tables).filter(\.change.createsUniqueIndex)
}

private func checkStep(_ check: ValueCheck, _ match: MigrationMatch) -> MigrationStep {
    let table = match.sourceMapping.table(named: check.flow.origin)
    let owner = table.flatMap { match.conditionUnlessAll([check.flow.source], in: $0) }
    let rows = RowSelection(
        table: check.flow.origin,
        condition: .both(owner, and: .isMisfit(check.column, check.misfit))
    )
    return MigrationStep(.check(message: check.message, .isEmpty(rows)), causes: check.causes, dependsOnData: true)
}

private func checkStep(_ check: StageCheck, _ mapping: SchemaMapping) -> MigrationStep? {
    guard let table = mapping.tableName(of: check.entityName) else { return nil }
    let isShared = mapping.table(named: table)?.hasEntityColumn == true
    let rows = RowSelection(
        table: table,
        condition: .both(isShared ? .isOf([check.entityName]) : nil, and: check.condition)
    )
    return MigrationStep(.check(message: check.message, .isEmpty(rows)), dependsOnData: true)
}

extension Column {
    /// The column as it references other tables before these get their final names.
    func referencingCurrentNames(_ tables: MigrationTables) -> Column {
        guard let reference = references else { return self }
        var column = self
        column.references = tables.currentName(of: reference)
        return column
    }
}
