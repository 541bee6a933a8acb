import ChordataModel

/// Creates the table of a root entity, without its indexes.
func makeEntityTable(root: EntityDescription, of model: ManagedObjectModel, names: SchemaNames) -> Table {
    var columns = [Column("_id", .integer, isRowID: true), Column("_version", .integer, isNotNull: true)]
    if !root.subentityNames.isEmpty { columns.append(Column("_entity", .text, isNotNull: true)) }
    let ordered = orderedInverseColumns(of: model, names: names)
    for entityName in model.subentityClosure(of: root.name) {
        guard let entity = model.entity(named: entityName) else { continue }
        for (path, attribute) in storedAttributes(declaredBy: entity, of: model) {
            guard let type = attribute.storageType,
                let name = names.columns[PropertyKey(entityName: entityName, path: path)]
            else { continue }
            columns.append(Column(name, type))
        }
        for relationship in storedRelationships(declaredBy: entity, of: model) where !relationship.isToMany {
            let key = PropertyKey(entityName: entityName, path: [relationship.name])
            guard let name = names.columns[key] else { continue }
            columns.append(
                Column(name, .integer, references: destinationTable(of: relationship, in: model, names: names))
            )
            if ordered.contains(key) { columns.append(Column("_order_\(name)", .integer)) }
        }
    }
    return Table(name: names.tables[root.name] ?? root.name, kind: .entity(root.name), columns: columns)
}

/// Creates the join tables in the order of the model, without their indexes.
func makeJoinTables(of model: ManagedObjectModel, names: SchemaNames) -> [Table] {
    var tables: [Table] = []
    for entity in model.entities {
        for relationship in storedRelationships(declaredBy: entity, of: model) {
            let declared = DeclaredRelationship(entity: entity, relationship: relationship)
            guard let pair = JoinedPair(of: declared, in: model), pair.owner.key == declared.key,
                let name = names.joinTables[declared.key]
            else { continue }
            var columns = [
                Column("source", .integer, isNotNull: true, references: names.tables[entity.rootEntityName]),
                Column(
                    "destination",
                    .integer,
                    isNotNull: true,
                    references: destinationTable(of: relationship, in: model, names: names)
                ),
            ]
            if relationship.isOrdered { columns.append(Column("_order", .integer)) }
            if pair.inverse?.relationship.isOrdered == true { columns.append(Column("_inverse_order", .integer)) }
            tables.append(
                Table(
                    name: name,
                    kind: .join(entity: entity.name, relationship: relationship.name),
                    columns: columns,
                    primaryKey: ["source", "destination"]
                )
            )
        }
    }
    return tables
}

/// Creates the tables of bytes that are stored externally, in the order of the model.
func makeExternalTables(of model: ManagedObjectModel, names: SchemaNames) -> [Table] {
    var tables: [Table] = []
    for entity in model.entities {
        for (path, attribute) in storedAttributes(declaredBy: entity, of: model) where attribute.isStoredExternally {
            let key = PropertyKey(entityName: entity.name, path: path)
            guard let name = names.externalTables[key], let table = names.tables[entity.rootEntityName],
                let column = names.columns[key]
            else { continue }
            tables.append(.external(named: name, table: table, column: column))
        }
    }
    return tables
}

/// Returns the to-one relationships whose inverse is an ordered to-many relationship.
private func orderedInverseColumns(of model: ManagedObjectModel, names: SchemaNames) -> Set<PropertyKey> {
    var keys: Set<PropertyKey> = []
    for entity in model.entities {
        for relationship in storedRelationships(declaredBy: entity, of: model)
        where relationship.isToMany && relationship.isOrdered {
            if let inverse = model.inverse(of: relationship, in: entity), !inverse.relationship.isToMany {
                keys.insert(inverse.key)
            }
        }
    }
    return keys
}

private func destinationTable(
    of relationship: RelationshipDescription,
    in model: ManagedObjectModel,
    names: SchemaNames
) -> String? {
    model.entity(named: relationship.destinationEntityName).flatMap { names.tables[$0.rootEntityName] }
}
