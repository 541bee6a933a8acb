internal import ChordataModel
internal import ChordataSQL

/// Plans the positions of objects in new ordered relationships whose inverses are to-one.
func numberRows(_ plan: TablePlan) -> [MigrationStep] {
    plan.columns.compactMap { column in
        guard column.column.name.hasPrefix("_order_") else { return nil }
        let owner = String(column.column.name.dropFirst("_order_".count))
        let ownerValues = plan.columns.first { $0.column.name == owner }?.values ?? [:]
        let isNew = ownerValues.contains { source, value in
            !value.isEmpty && column.values[source].map(\.isEmpty) != false
        }
        guard isNew else { return nil }
        let numbering = RowNumbering(
            table: plan.table.name,
            column: column.column.name,
            group: owner,
            key: ["_id"],
            keepsPositions: true,
            lastColumn: "_id"
        )
        return numberingStep(numbering, column.causes)
    }
}

/// Plans the positions of objects in new ordered relationships that are stored in join tables.
func numberRows(_ plan: JoinTablePlan) -> [MigrationStep] {
    let (source, destination) = ("source", "destination")
    return [
        numberRows(plan, "_order", plan.links.map(\.order), group: source, lastColumn: destination),
        numberRows(plan, "_inverse_order", plan.links.map(\.inverseOrder), group: destination, lastColumn: source),
    ].compactMap(\.self)
}

/// - Parameter positions: The columns of the old positions, one for each source of join rows.
private func numberRows(
    _ plan: JoinTablePlan,
    _ column: String,
    _ positions: [String?],
    group: String,
    lastColumn: String
) -> MigrationStep? {
    guard plan.table.columns.contains(where: { $0.name == column }), positions.count > 1 || positions.contains(nil)
    else { return nil }
    let numbering = RowNumbering(
        table: plan.table.name,
        column: column,
        group: group,
        key: ["source", "destination"],
        // Without any position, the column's values are those of an order that was removed.
        keepsPositions: positions.contains { $0 != nil },
        lastColumn: lastColumn
    )
    return numberingStep(numbering, plan.causes)
}

private func numberingStep(_ numbering: RowNumbering, _ causes: [ModelChange]) -> MigrationStep {
    MigrationStep(
        .numberRows(numbering),
        causes: causes,
        remark: "the initial order is the order in which the objects were created"
    )
}
