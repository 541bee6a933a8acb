import ChordataModel

/// The names of all tables and columns that represent elements of the model.
struct SchemaNames {
    /// The table of each root entity.
    var tables: [String: String] = [:]
    /// The join table of each to-many relationship that owns one.
    var joinTables: [PropertyKey: String] = [:]
    /// The column of each stored attribute and to-one relationship, by the entity that declares it.
    var columns: [PropertyKey: String] = [:]
    /// The side table of each attribute that is stored externally.
    var externalTables: [PropertyKey: String] = [:]
}

/// Assigns a name to each table and column; ``makeSchemaMapping(of:)`` describes the rules.
func allocateNames(for model: ManagedObjectModel) -> SchemaNames {
    var names = SchemaNames()
    var tableNames = NameAllocator()
    for table in Table.systemTables { _ = tableNames.take(table.name) }
    let roots = model.entities.filter { $0.superentityName == nil }.sorted { $0.name < $1.name }
    for root in roots { names.tables[root.name] = tableNames.allocate(storableTableName(root.name)) }

    var owners: Set<PropertyKey> = []
    for entity in model.entities {
        for relationship in storedRelationships(declaredBy: entity, of: model) {
            let declared = DeclaredRelationship(entity: entity, relationship: relationship)
            if let pair = JoinedPair(of: declared, in: model) { owners.insert(pair.owner.key) }
        }
    }
    for owner in owners.sorted() {
        names.joinTables[owner] = tableNames.allocate(storableTableName("\(owner.entityName)_\(owner.path[0])"))
    }

    for root in roots { allocateColumns(ofHierarchy: root, in: model, into: &names) }
    allocateExternalTables(in: model, &tableNames, into: &names)
    return names
}

/// Names the side tables after the columns of their lengths.
private func allocateExternalTables(
    in model: ManagedObjectModel,
    _ tableNames: inout NameAllocator,
    into names: inout SchemaNames
) {
    var claims: [(table: String, column: String, key: PropertyKey)] = []
    for entity in model.entities {
        for (path, attribute) in storedAttributes(declaredBy: entity, of: model) where attribute.isStoredExternally {
            let key = PropertyKey(entityName: entity.name, path: path)
            guard let table = names.tables[entity.rootEntityName], let column = names.columns[key] else { continue }
            claims.append((table, column, key))
        }
    }
    claims.sort { ($0.table, $0.column) < ($1.table, $1.column) }
    for claim in claims {
        names.externalTables[claim.key] = tableNames.allocate("_external_\(claim.table)_\(claim.column)")
    }
}

private func allocateColumns(
    ofHierarchy root: EntityDescription,
    in model: ManagedObjectModel,
    into names: inout SchemaNames
) {
    var claims: [(depth: Int, key: PropertyKey, name: String)] = []
    for entityName in model.subentityClosure(of: root.name) {
        guard let entity = model.entity(named: entityName) else { continue }
        let depth = model.lineage(of: entityName).count
        for (path, _) in storedAttributes(declaredBy: entity, of: model) {
            claims.append(
                (
                    depth, PropertyKey(entityName: entityName, path: path),
                    storableColumnName(path.joined(separator: "_"))
                )
            )
        }
        for relationship in storedRelationships(declaredBy: entity, of: model) where !relationship.isToMany {
            claims.append(
                (
                    depth, PropertyKey(entityName: entityName, path: [relationship.name]),
                    storableColumnName(relationship.name)
                )
            )
        }
    }
    claims.sort { ($0.depth, $0.key) < ($1.depth, $1.key) }
    var columnNames = NameAllocator()
    // Elements whose own name is free come first, so that a generated name never takes a property's name.
    let losers = claims.filter { claim in
        guard names.columns[claim.key] == nil, columnNames.take(claim.name) else { return true }
        names.columns[claim.key] = claim.name
        return false
    }
    for claim in losers where names.columns[claim.key] == nil {
        names.columns[claim.key] = columnNames.allocate("\(claim.name)_\(claim.key.entityName)")
    }
}

private func storableTableName(_ name: String) -> String {
    if name.hasPrefix("_") { return "entity" + name }
    return foldedName(name).hasPrefix("sqlite_") ? "entity_" + name : name
}

private func storableColumnName(_ name: String) -> String { name.hasPrefix("_") ? "property" + name : name }
