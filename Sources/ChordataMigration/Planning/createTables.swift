internal import ChordataModel
internal import ChordataSQL

// The steps that create tables and copy rows into them, while all old tables are unchanged.

/// Plans the new table of entities, and the copies of its rows.
func rebuildTable(_ plan: TablePlan, _ tables: MigrationTables) -> [MigrationStep] {
    let match = tables.match
    let causes = causesOfRebuild(plan, match)
    var steps = [createTable(plan.table, as: plan.newName, tables, causes)]
    let takesOldest = plan.columns.contains(where: \.takesOldest)
    let sources = Set(plan.flows.map(\.origin)).sorted().compactMap { match.sourceMapping.table(named: $0) }
        .map { table in
            let flows = plan.flows.filter { $0.origin == table.name }
            let condition = match.conditionUnlessAll(flows.map(\.source), in: table)
            return (flows: flows, rows: RowSelection(table: table.name, condition: condition))
        }
    for source in sources {
        let assignments = plan.columns.compactMap { column in
            value(of: column, for: source.flows).map { RowCopy.Assignment(column: column.column.name, value: $0) }
        }
        steps.append(
            MigrationStep(
                .copyRows(RowCopy(source: source.rows, destination: plan.newName, assignments: assignments)),
                causes: causes,
                losesData: causes.contains(where: \.mayLoseData) || takesOldest,
                dependsOnData: takesOldest
            )
        )
    }
    if sources.isEmpty { return steps }
    let check = RowCheck.hasAllRows(table: plan.newName, of: sources.map(\.rows))
    let message = "rows of '\(plan.table.name)' were lost while they were copied"
    return steps + [MigrationStep(.check(message: message, check), causes: causes, dependsOnData: true)]
}

private func createTable(
    _ table: Table,
    as name: String,
    _ tables: MigrationTables,
    _ causes: [ModelChange]
) -> MigrationStep {
    var table = table
    table.name = name
    table.columns = table.columns.map { $0.referencingCurrentNames(tables) }
    return MigrationStep(.createTable(table), causes: causes)
}

private func causesOfRebuild(_ plan: TablePlan, _ match: MigrationMatch) -> [ModelChange] {
    var found: [ModelChange] = []
    func add(_ changes: [ModelChange]) {
        for change in changes where !found.contains(change) { found.append(change) }
    }
    for entity in match.destinationMapping.entities where entity.tableName == plan.table.name {
        add(match.causes.ofEntity(entity.entityName))
    }
    // If the entity is new, its properties are not listed separately.
    if plan.flows.isEmpty, !found.isEmpty { return found }
    for column in plan.columns { add(column.causes) }
    for column in plan.droppedColumns { add(column.causes) }
    return found
}

/// Returns the value of a column for rows of some old entities of one table; `nil` for none.
private func value(of plan: ColumnPlan, for flows: [RowFlow]) -> ValueExpression? {
    let isEntityName = plan.column.name == "_entity"
    let values = flows.map { flow -> (String, ValueExpression?) in
        (flow.source, isEntityName ? .constant(.string(flow.destination)) : plan.values[flow.source]?.value)
    }
    let distinct = Set(values.map(\.1))
    guard distinct.count > 1 else { return distinct.first ?? nil }
    if isEntityName, flows.allSatisfy({ $0.source == $0.destination }) { return .column("_entity") }
    return .byEntity(
        values.compactMap { source, value in value.map { ValueExpression.EntityValue(entity: source, value: $0) } }
    )
}

// MARK: Join tables and bytes

/// Plans a new join table, and the copies of its rows.
func createJoinTable(_ plan: JoinTablePlan, _ tables: MigrationTables) -> [MigrationStep] {
    let copies = plan.links.map { links in
        MigrationStep(
            .copyRows(
                RowCopy(
                    source: RowSelection(
                        table: links.table,
                        condition: .all([.isNotNull(links.source), .isNotNull(links.destination)])
                    ),
                    destination: plan.newName,
                    assignments: plan.table.columns.compactMap { column in
                        links.column(for: column.name).map {
                            RowCopy.Assignment(column: column.name, value: .column($0))
                        }
                    },
                    // A pair that both ends have stored is copied once.
                    ignoresDuplicates: plan.links.count > 1
                )
            ),
            causes: plan.causes
        )
    }
    return [createTable(plan.table, as: plan.newName, tables, plan.causes)] + copies
}

extension LinkSource {
    /// The old column of the values of a join table's column.
    fileprivate func column(for name: String) -> String? {
        switch name {
        case "source": source
        case "destination": destination
        case "_order": order
        case "_inverse_order": inverseOrder
        default: nil  // There are no other columns.
        }
    }
}

/// Plans a new table of bytes, and the copies of its rows.
func createExternalTable(_ plan: ExternalTablePlan, _ tables: MigrationTables) -> [MigrationStep] {
    let copies = plan.bytes.map { place in
        MigrationStep(
            .copyRows(
                RowCopy(
                    source: RowSelection(table: place.table, condition: .isNotNull(place.column)),
                    destination: plan.newName,
                    assignments: [
                        .init(column: "_id", value: .column("_id")),
                        .init(column: "bytes", value: .column(place.column)),
                    ]
                )
            ),
            causes: plan.causes
        )
    }
    return [createTable(plan.table, as: plan.newName, tables, plan.causes)] + copies
}
