internal import ChordataModel
internal import ChordataSQL

/// The columns of a table, with the conditions on its old and new rows.
struct PlannedColumns {
    private(set) var plans: [ColumnPlan]
    private let indexes: [String: Int]
    var checks: [ValueCheck] = []
    var stageChecks: [StageCheck] = []

    fileprivate init(_ columns: [Column]) {
        plans = columns.map { ColumnPlan(column: $0) }
        indexes = Dictionary(uniqueKeysWithValues: columns.indices.map { (columns[$0].name, $0) })
    }

    /// The plan of a column; `nil` if the table does not have it.
    fileprivate subscript(name: String) -> ColumnPlan? {
        get { indexes[name].map { plans[$0] } }
        set {
            guard let index = indexes[name], let newValue else { return }
            plans[index] = newValue
        }
    }
}

/// Plans the source of the values of each column of a table.
func planColumns(
    of table: Table,
    replacing existingTable: Table?,
    _ flows: [RowFlow],
    _ match: MigrationMatch
) -> Planned<PlannedColumns> {
    var columns = PlannedColumns(table.columns)
    var findings: [Finding] = []
    for flow in flows {
        for name in ["_id", "_version"] { columns[name]?.values[flow.source] = ColumnValue(origin: name) }
    }
    for entity in match.destinationMapping.entities where entity.tableName == table.name {
        let flow = flows.first { $0.destination == entity.entityName }
        findings += planAttributes(of: entity, flow, &columns, match)
        if let flow { findings += requiredToManys(of: entity, flow, match) }
        findings += planToOnes(of: entity, flow, &columns, match)
    }
    if let existingTable { keepEmptyColumns(of: table, existingTable, &columns, match) }
    return Planned(columns, findings)
}

private func planAttributes(
    of entity: EntityMapping,
    _ flow: RowFlow?,
    _ columns: inout PlannedColumns,
    _ match: MigrationMatch
) -> [Finding] {
    var findings: [Finding] = []
    for attribute in entity.attributes where columns[attribute.columnName] != nil {
        let owner = match.declarer(of: attribute.path[0], in: entity.entityName)
        let causes = match.causes.ofProperty(attribute.path[0], declaredBy: owner)
        columns[attribute.columnName]?.causes = causes
        guard let flow,
            let plan = planAttribute(attribute, flow, causes, match)?.value(addingFindingsTo: &findings)
        else { continue }
        columns[attribute.columnName]?.values[flow.source] = plan.value
        columns.checks += [plan.check].compactMap(\.self)
        columns.stageChecks += [plan.stageCheck].compactMap(\.self)
    }
    return findings
}

private func planToOnes(
    of entity: EntityMapping,
    _ flow: RowFlow?,
    _ columns: inout PlannedColumns,
    _ match: MigrationMatch
) -> [Finding] {
    var findings: [Finding] = []
    for relationship in entity.relationships {
        guard case .column(let name) = relationship.storage, columns[name] != nil else { continue }
        let owner = match.declarer(of: relationship.name, in: entity.entityName)
        let causes = match.causes.ofProperty(relationship.name, declaredBy: owner)
        columns[name]?.causes = causes
        columns["_order_" + name]?.causes = causes
        guard let flow else { continue }
        let plan = planToOne(relationship.relationship, flow, match).value(addingFindingsTo: &findings)
        columns[name]?.values[flow.source] = plan.value
        if plan.takesOldest { columns[name]?.takesOldest = true }
        columns["_order_" + name]?.values[flow.source] = plan.order
    }
    return findings
}

/// Finds to-many relationships that became required, or are new: existing objects may have no members.
private func requiredToManys(of entity: EntityMapping, _ flow: RowFlow, _ match: MigrationMatch) -> [Finding] {
    entity.relationships.map(\.relationship).filter { $0.isToMany && !$0.isOptional }.compactMap {
        relationship -> Finding? in
        let old = match.models.sourceRelationship(named: relationship.name, of: flow.destination)
        guard old?.isOptional != false else { return nil }
        let declarer = match.declarer(of: relationship.name, in: flow.destination)
        return .leavesInvalid(
            "relationship '\(relationship.name)' of '\(declarer)' \(old == nil ? "is new and" : "became") "
                + "required, so existing objects cannot be saved until it is set; make it optional, or set it in "
                + "your code",
            entity: declarer,
            property: relationship.name
        )
    }
}

// MARK: Columns without rows

/// Finds the old columns of properties that no rows have, so that they need not be rebuilt.
private func keepEmptyColumns(
    of table: Table,
    _ existingTable: Table,
    _ columns: inout PlannedColumns,
    _ match: MigrationMatch
) {
    for entity in match.destinationMapping.entities where entity.tableName == table.name {
        for (name, oldName) in emptyColumns(of: entity, existingTable, match) {
            guard let plan = columns[name], plan.values.isEmpty, plan.emptyOrigin == nil,
                let before = existingTable.columns.first(where: { $0.name == oldName }),
                before.type == plan.column.type
            else { continue }
            columns[name]?.emptyOrigin = oldName
        }
    }
}

/// Returns the columns of an abstract entity, with the columns that it had before.
private func emptyColumns(
    of entity: EntityMapping,
    _ existingTable: Table,
    _ match: MigrationMatch
) -> [(name: String, oldName: String)] {
    guard match.destination.entity(named: entity.entityName)?.isAbstract == true,
        let source = match.models.sourceEntity(of: entity.entityName),
        let old = match.sourceMapping.entity(named: source.name), old.tableName == existingTable.name
    else { return [] }
    let attributes = entity.attributes.compactMap { attribute -> (name: String, oldName: String)? in
        guard let path = match.models.sourcePath(of: attribute.path, in: entity.entityName),
            let before = old.attribute(at: path),
            before.attribute.attributeType == attribute.attribute.attributeType
        else { return nil }
        return (attribute.columnName, before.columnName)
    }
    let relationships = entity.relationships.flatMap { relationship -> [(name: String, oldName: String)] in
        guard case .column(let name) = relationship.storage,
            let before = match.models.sourceRelationship(named: relationship.name, of: entity.entityName),
            case .column(let oldName)? = old.relationship(named: before.name)?.storage
        else { return [] }
        return [(name, oldName), ("_order_" + name, "_order_" + oldName)]
    }
    return attributes + relationships
}
