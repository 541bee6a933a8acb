internal import ChordataModel
internal import ChordataSQL

/// Plans copies of values that the steps drop or leave out, so that a stage can read them.
func stash(_ match: MigrationMatch) -> [MigrationStep] {
    let columns = columnsAside(match)
    return match.sourceMapping.tables.compactMap { table in
        guard let names = columns[table.name], !names.isEmpty else { return nil }
        let isJoin = if case .join = table.kind { true } else { false }
        let keys = (isJoin ? ["source", "destination"] : ["_id"]) + (table.hasEntityColumn ? ["_entity"] : [])
        let references = table.columns.filter { $0.references != nil && names.contains($0.name) }.map(\.name)
        return MigrationStep(
            .stash(
                StashedTable(
                    table: table.name,
                    columns: keys + table.columns.map(\.name).filter { names.contains($0) && !keys.contains($0) },
                    indexedColumns: isJoin ? keys : references
                )
            ),
            remark: "data that this migration drops is kept until the stage has ended, so that the stage can read it"
        )
    }
}

/// Returns the columns whose values are changed or dropped, by old table.
private func columnsAside(_ match: MigrationMatch) -> [String: Set<String>] {
    var found: [String: Set<String>] = [:]
    for entity in match.sourceMapping.entities where match.isConcreteSource(entity.entityName) {
        // Removed entities keep only their keys.
        if match.models.destinationEntity(of: entity.entityName) == nil {
            found[entity.tableName, default: []].insert("_id")
        }
        for attribute in entity.attributes where !keeps(attribute, of: entity.entityName, match) {
            found[entity.tableName, default: []].insert(attribute.columnName)
            if let sideTable = attribute.externalTableName { found[sideTable, default: []].insert("bytes") }
        }
        for relationship in entity.relationships
        where !keeps(relationship.relationship, of: entity.entityName, match) {
            switch relationship.storage {
            case .column(let name): found[entity.tableName, default: []].formUnion([name, "_order_" + name])
            case .inverseColumn(let table, let name, _):
                found[table, default: []].formUnion([name, "_order_" + name])
            case .joinTable(let table, _, _, _):
                found[table, default: []].formUnion(["source", "destination", "_order", "_inverse_order"])
            }
        }
    }
    return found
}

/// Returns a Boolean value that indicates whether the steps keep the values of an attribute.
private func keeps(_ attribute: AttributeMapping, of entityName: String, _ match: MigrationMatch) -> Bool {
    guard let later = match.models.destinationEntity(of: entityName),
        let mapped = match.destinationMapping.entity(named: later.name)?.attributes.first(where: { new in
            match.models.sourcePath(of: new.path, in: later.name) == attribute.path
        })
    else { return false }
    return attribute.attribute.attributeType == mapped.attribute.attributeType
}

/// Returns a Boolean value that indicates whether the steps keep all objects of a relationship.
private func keeps(_ relationship: RelationshipDescription, of entityName: String, _ match: MigrationMatch) -> Bool {
    guard let later = match.models.destinationEntity(of: entityName),
        let new = later.relationships.first(where: { new in
            !new.isTransient
                && match.models.sourceRelationship(named: new.name, of: later.name)?.name == relationship.name
        })
    else { return false }
    return new.isToMany == relationship.isToMany && new.isOrdered == relationship.isOrdered
        && match.destinations(of: relationship, in: new).lost.isEmpty
}
