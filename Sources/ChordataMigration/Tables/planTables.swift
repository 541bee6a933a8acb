internal import ChordataModel
internal import ChordataSQL

/// Plans the change of each table: first the destination of each row, then the source of each column's values, then the
/// form of the change.
func planTables(_ match: MigrationMatch) -> Planned<MigrationTables> {
    var findings: [Finding] = []
    let rows = planFlows(match).value(addingFindingsTo: &findings)
    let flows = Dictionary(grouping: rows.flows) { flow in
        match.destinationMapping.tableName(of: flow.destination) ?? flow.destination
    }
    let existingTables = planExistingTables(flows, match).value(addingFindingsTo: &findings)
    var entities: [TablePlan] = []
    var checks: [ValueCheck] = []
    var stageChecks = rows.stageChecks
    for table in match.destinationMapping.tables {
        guard case .entity = table.kind else { continue }
        let flowsOfTable = flows[table.name] ?? []
        let columns = planColumns(of: table, replacing: existingTables[table.name], flowsOfTable, match)
            .value(addingFindingsTo: &findings)
        entities.append(planTable(table, flowsOfTable, columns.plans, existingTables, match))
        checks += columns.checks
        stageChecks += columns.stageChecks
    }
    return Planned(
        MigrationTables(
            match: match,
            entities: entities,
            joins: planJoinTables(existingTables, match),
            externals: planExternalTables(entities, match),
            checks: checks,
            stageChecks: stageChecks
        ),
        findings
    )
}

/// Returns the name of a new table for the time in which an old table with its name may exist.
func newName(of table: Table, replacing existingTable: Table?, _ match: MigrationMatch) -> String {
    let isTaken = match.sourceMapping.tables.contains { old in
        foldedName(old.name) == foldedName(table.name)
            || old.indexes.contains { foldedName($0.name) == foldedName(table.name) }
    }
    return existingTable == nil && !isTaken ? table.name : "_new_" + table.name
}

// MARK: Rows

private struct PlannedRows {
    var flows: [RowFlow] = []
    var stageChecks: [StageCheck] = []
}

/// Plans the destination of the rows of each old entity.
private func planFlows(_ match: MigrationMatch) -> Planned<PlannedRows> {
    var rows = PlannedRows()
    var findings: [Finding] = []
    for entity in match.destination.entities {
        guard let old = match.models.sourceEntity(of: entity.name), !old.isAbstract,
            let origin = match.sourceMapping.tableName(of: old.name)
        else { continue }
        if entity.isAbstract {
            findings.append(
                .notInferred(
                    "entity '\(entity.name)' became abstract, and stores may have objects of it",
                    remedy: "keep it concrete",
                    entity: entity.name
                )
            )
            rows.stageChecks.append(
                StageCheck(
                    entityName: entity.name,
                    message:
                        "the stage must delete all objects of '\(entity.name)', which is abstract in the new version",
                    condition: .always
                )
            )
        }
        rows.flows.append(RowFlow(source: old.name, destination: entity.name, origin: origin))
    }
    return Planned(rows, findings)
}

// MARK: Old tables

/// Plans the old table that each table of entities replaces, by the name of the new table; no old table is replaced
/// twice.
private func planExistingTables(
    _ flows: [String: [RowFlow]],
    _ match: MigrationMatch
) -> Planned<[String: Table]> {
    var existingTables: [String: Table] = [:]
    var taken: Set<String> = []
    var findings: [Finding] = []
    func take(_ old: String, for table: Table) {
        guard taken.insert(old).inserted else { return }
        existingTables[table.name] = match.sourceMapping.table(named: old)
    }
    // Tables whose root entities match come first.
    for table in match.destinationMapping.tables {
        guard case .entity(let root) = table.kind, let old = match.models.sourceEntity(of: root),
            old.superentityName == nil, let name = match.sourceMapping.tableName(of: old.name)
        else { continue }
        take(name, for: table)
    }
    for table in match.destinationMapping.tables where existingTables[table.name] == nil {
        guard case .entity(let root) = table.kind, let flows = flows[table.name] else { continue }
        let origins = Set(flows.map(\.origin))
        if origins.count > 1, match.models.sourceEntity(of: root) == nil {
            let names = flows.map { "'\($0.destination)'" }.sorted().joined(separator: ", ")
            findings.append(
                .notInferred(
                    "entities \(names) were in different hierarchies and are in one now, below '\(root)'",
                    remedy: "keep separate hierarchies",
                    entity: root
                )
            )
        }
        if let origin = origins.subtracting(taken).min() { take(origin, for: table) }
    }
    return Planned(existingTables, findings)
}

// MARK: Tables

/// Plans the form of a table's change.
private func planTable(
    _ table: Table,
    _ flows: [RowFlow],
    _ columns: [ColumnPlan],
    _ existingTables: [String: Table],
    _ match: MigrationMatch
) -> TablePlan {
    let existingTable = existingTables[table.name]
    let dropped = existingTable.map { droppedColumns(of: $0, for: table, columns, match) } ?? []
    let isRebuilt =
        existingTable.map { existingTable in
            needsRebuild(table, flows, columns, dropped, existingTable) { existingTables[$0]?.name }
        } ?? true
    return TablePlan(
        table: table,
        existingTable: existingTable,
        newName: newName(of: table, replacing: existingTable, match),
        flows: flows,
        columns: columns,
        droppedColumns: dropped,
        isRebuilt: isRebuilt
    )
}
