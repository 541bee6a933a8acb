internal import ChordataModel
internal import ChordataSQL

// The statements that rebuild a table of entities beside the old one.

extension MigrationPlanner {
    /// The statements that make a table and copy its rows, while all old tables are as they were.
    func rebuilding(of plan: TablePlan) -> [MigrationStep] {
        let name = plan.newName
        var table = plan.table
        table.columns = table.columns.map(currently)
        let found = causesOfRebuild(plan)
        var steps = [MigrationStep(.createTable, name, [renderCreateTable(table, as: name)], causes: found)]
        let origins = Set(plan.flows.map(\.origin)).sorted()
        for origin in origins {
            let flows = plan.flows.filter { $0.origin == origin }
            guard let old = sourceMapping.table(named: origin) else { continue }
            let columns = plan.columns.compactMap { column in
                value(of: column, for: flows, in: old).map { (column.column.name, $0) }
            }
            let condition = old.hasEntityColumn ? conditionUnlessAll(flows.map(\.source), in: old) : nil
            steps.append(
                MigrationStep(
                    .copyRows,
                    origin,
                    [
                        "INSERT INTO \(quoteIdentifier(name)) (\(columns.map { quoteIdentifier($0.0) }.joined(separator: ", "))) "
                            + "SELECT \(columns.map(\.1).joined(separator: ", ")) FROM \(quoteIdentifier(origin))"
                            + (condition.map { " WHERE \($0)" } ?? "")
                    ],
                    causes: found,
                    losesData: found.contains(where: \.mayLoseData) || plan.columns.contains(where: \.losesData),
                    dependsOnData: plan.columns.contains(where: \.dependsOnData)
                )
            )
        }
        if !origins.isEmpty { steps.append(countCheck(plan, origins, causes: found)) }
        return steps
    }

    /// Fails unless as many rows came as there were.
    private func countCheck(_ plan: TablePlan, _ origins: [String], causes: [ModelChange]) -> MigrationStep {
        let counts = origins.map { origin in
            let flows = plan.flows.filter { $0.origin == origin }
            let old = sourceMapping.table(named: origin)
            let condition =
                old?.hasEntityColumn == true ? old.flatMap { conditionUnlessAll(flows.map(\.source), in: $0) } : nil
            return "(SELECT count(*) FROM \(quoteIdentifier(origin))\(condition.map { " WHERE \($0)" } ?? ""))"
        }
        let new = "(SELECT count(*) FROM \(quoteIdentifier(plan.newName)))"
        return check(
            "rows of '\(plan.table.name)' were lost while they were copied",
            "\(new) <> \(counts.joined(separator: " + "))",
            causes: causes
        )
    }

    private func causesOfRebuild(_ plan: TablePlan) -> [ModelChange] {
        var found: [ModelChange] = []
        func add(_ changes: [ModelChange]) {
            for change in changes where !found.contains(change) { found.append(change) }
        }
        for entity in mapping.entities where entity.tableName == plan.table.name {
            add(causes.ofEntity(entity.entityName))
        }
        // What is new has new properties.
        if plan.flows.isEmpty, !found.isEmpty { return found }
        for column in plan.columns { add(column.causes) }
        for column in plan.droppedColumns { add(column.causes) }
        return found
    }

    /// The value of a column for rows of some old entities of one table; `nil` for none.
    private func value(of plan: ColumnPlan, for flows: [RowFlow], in old: Table) -> String? {
        let isEntityName = plan.column.name == "_entity"
        let values = flows.map { flow in
            (flow.source, isEntityName ? sqlLiteral(text: flow.destination) : plan.values[flow.source]?.sql)
        }
        let distinct = Set(values.map(\.1))
        guard distinct.count > 1 else { return distinct.first ?? nil }
        if isEntityName, flows.allSatisfy({ $0.source == $0.destination }) { return "\"_entity\"" }
        let cases = values.compactMap { source, value in value.map { "WHEN \(sqlLiteral(text: source)) THEN \($0)" } }
        return "CASE \"_entity\" \(cases.joined(separator: " ")) END"
    }
}
