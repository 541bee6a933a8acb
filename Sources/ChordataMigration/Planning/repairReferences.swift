internal import ChordataModel
internal import ChordataSQL

/// Plans the repairs when all tables have their final form: references to deleted objects, both ends of relationships
/// with an inverse, and the positions of objects in a new order.
func repairReferences(_ tables: MigrationTables) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    // The columns that may have lost their inverse references.
    var clearedColumns: Set<ColumnName> = []
    for plan in tables.entities {
        for column in plan.columns where column.column.references != nil {
            guard let step = clearDanglingReferences(column, plan, tables.match) else { continue }
            steps.append(step)
            clearedColumns.insert(ColumnName(table: plan.table.name, name: column.column.name))
        }
    }
    for plan in tables.joins where plan.mayDangle { steps.append(deleteDanglingPairs(plan, tables.match)) }
    for plan in tables.externals where plan.mayDangle { steps.append(deleteDanglingBytes(plan)) }
    steps += tables.externals.compactMap(insertDefaultBytes)
    steps += reconcilePairs(tables, clearedColumns)
    for plan in tables.entities { steps += numberRows(plan) }
    for plan in tables.joins { steps += numberRows(plan) }
    return steps
}

/// The name of a column and of its table.
private struct ColumnName: Hashable {
    var table: String
    var name: String
}

// MARK: References to deleted objects

/// Plans NULL in to-ones that reference deleted objects, or objects that do not belong to their destination.
private func clearDanglingReferences(
    _ column: ColumnPlan,
    _ plan: TablePlan,
    _ match: MigrationMatch
) -> MigrationStep? {
    var destinationName: String?
    var mayDangle = column.values.values.contains { $0.expression != nil }
    for flow in plan.flows {
        guard let entity = match.destinationMapping.entity(named: flow.destination),
            let mapped = entity.relationships.first(where: { $0.storage == .column(column.column.name) })
        else { continue }
        destinationName = mapped.relationship.destinationEntityName
        guard let old = match.models.sourceRelationship(named: mapped.name, of: flow.destination), !old.isToMany else {
            // The column has the values of its inverse, which may reference other objects.
            if column.values[flow.source]?.origin != nil { mayDangle = true }
            continue
        }
        if !match.destinations(of: old, in: mapped.relationship).lost.isEmpty { mayDangle = true }
    }
    guard mayDangle, let destinationName else { return nil }
    let name = column.column.name
    return MigrationStep(
        .updateRows(
            RowSelection(
                table: plan.table.name,
                condition: .all([.isNotNull(name), .isDangling(name, [selectRows(of: destinationName, match)])])
            ),
            column: name,
            value: .null
        ),
        causes: column.causes,
        remark: "references to deleted objects",
        losesData: true,
        dependsOnData: true
    )
}

private func deleteDanglingPairs(_ plan: JoinTablePlan, _ match: MigrationMatch) -> MigrationStep {
    var ends: [String: Set<String>] = [:]
    for entity in match.destinationMapping.entities where match.isConcreteDestination(entity.entityName) {
        for relationship in entity.relationships {
            guard case .joinTable(plan.table.name, let source, let destination, _) = relationship.storage else {
                continue
            }
            ends[source, default: []].insert(entity.entityName)
            ends[destination, default: []].formUnion(
                match.destination.concreteEntities(of: relationship.relationship.destinationEntityName)
            )
        }
    }
    let conditions = ["source", "destination"].map { column in
        RowCondition.isDangling(column, ends[column].map { selectRows(ofAnyOf: $0, match) })
    }
    return MigrationStep(
        .deleteRows(RowSelection(table: plan.table.name, condition: .any(conditions))),
        causes: plan.causes,
        remark: "join rows of deleted objects",
        losesData: true,
        dependsOnData: true
    )
}

/// Returns the rows of some entities of the destination.
private func selectRows(ofAnyOf entities: Set<String>, _ match: MigrationMatch) -> [RowSelection] {
    let byTable = Dictionary(grouping: entities) { match.destinationMapping.tableName(of: $0) }
    return byTable.compactMap { table, names in table.map { (table: $0, names: Set(names)) } }
        .sorted { $0.table < $1.table }
        .map { selectRows(in: $0.table, of: $0.names, match) }
}

/// Returns the rows of an entity of the destination and of its subentities.
private func selectRows(of entityName: String, _ match: MigrationMatch) -> RowSelection {
    let table = match.destinationMapping.tableName(of: entityName) ?? entityName
    return selectRows(in: table, of: Set(match.destination.concreteEntities(of: entityName)), match)
}

/// Returns the rows of some entities of the destination that share a table.
private func selectRows(in table: String, of entities: Set<String>, _ match: MigrationMatch) -> RowSelection {
    let all = match.destinationMapping.entities.filter { entity in
        entity.tableName == table && match.isConcreteDestination(entity.entityName)
    }
    guard match.destinationMapping.table(named: table)?.hasEntityColumn == true,
        !Set(all.map(\.entityName)).isSubset(of: entities)
    else { return RowSelection(table: table) }
    return RowSelection(table: table, condition: .isOf(entities))
}

// MARK: Bytes

private func deleteDanglingBytes(_ plan: ExternalTablePlan) -> MigrationStep {
    let owners = RowSelection(table: plan.owner.table, condition: .isNotNull(plan.owner.column))
    return MigrationStep(
        .deleteRows(RowSelection(table: plan.table.name, condition: .isDangling("_id", [owners]))),
        causes: plan.causes,
        remark: "bytes of deleted rows",
        losesData: true
    )
}

private func insertDefaultBytes(_ plan: ExternalTablePlan) -> MigrationStep? {
    plan.fill.map { fill in
        MigrationStep(
            .insertDefaultBytes(
                DefaultBytes(
                    sideTable: plan.table.name,
                    table: plan.owner.table,
                    column: plan.owner.column,
                    value: fill
                )
            ),
            causes: plan.causes
        )
    }
}

// MARK: Both ends of a pair

/// Plans the repair of one-to-one relationships of which one end was computed from the other, or cleared: references
/// without a matching inverse are cleared.
private func reconcilePairs(_ tables: MigrationTables, _ clearedColumns: Set<ColumnName>) -> [MigrationStep] {
    var steps: [MigrationStep] = []
    for plan in tables.entities {
        for column in plan.columns {
            let name = ColumnName(table: plan.table.name, name: column.column.name)
            guard column.takesOldest || clearedColumns.contains(name) else { continue }
            for columns in inverseColumns(of: column, plan, tables.match) {
                for step in [clearOneWayReferences(columns, column), clearOneWayReferences(columns.reversed, column)]
                where !steps.contains(step) {
                    steps.append(step)
                }
            }
        }
    }
    return steps
}

/// Returns the columns of to-ones that are the inverses of the to-ones of a column.
private func inverseColumns(of column: ColumnPlan, _ plan: TablePlan, _ match: MigrationMatch) -> [InverseColumns] {
    match.destinationMapping.entities.filter { $0.tableName == plan.table.name }.compactMap { entity in
        guard let mapped = entity.relationships.first(where: { $0.storage == .column(column.column.name) }),
            let description = match.destination.entity(named: entity.entityName),
            let inverse = match.destination.inverse(of: mapped.relationship, in: description),
            !inverse.relationship.isToMany,
            let other = match.destinationMapping.entity(named: inverse.entity.name),
            case .column(let otherColumn)? = other.relationship(named: inverse.relationship.name)?.storage
        else { return nil }
        return InverseColumns(
            table: plan.table.name,
            column: column.column.name,
            otherTable: other.tableName,
            otherColumn: otherColumn
        )
    }
}

/// The rule for several references to one object where only one is possible, for messages.
let oldestKeepsReference = "if several objects reference the same object, only the oldest keeps its reference"

private func clearOneWayReferences(_ columns: InverseColumns, _ plan: ColumnPlan) -> MigrationStep {
    MigrationStep(
        .updateRows(
            RowSelection(
                table: columns.table,
                condition: .all([.isNotNull(columns.column), .hasNoInverse(columns)])
            ),
            column: columns.column,
            value: .null
        ),
        causes: plan.causes,
        remark: plan.takesOldest ? oldestKeepsReference : "references without a matching inverse",
        losesData: true,
        dependsOnData: true
    )
}
