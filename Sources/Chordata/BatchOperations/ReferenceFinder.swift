package import ChordataSQL

/// To-one references to deleted rows, in one column.
struct ReferencesToRows {
    let table: String
    let column: String
    let field: Field
    var propertyName: String { field.name }
    /// A Boolean value that indicates whether the delete rule Nullify empties the references; otherwise the store does.
    let isNullified: Bool
    /// The keys of the rows with the references, by entity type, without rows that are deleted themselves.
    let owners: [Int: [Int64]]
}

/// Rows with a to-many relationship that contains deleted rows.
struct ListsOfRows {
    /// The relationship.
    let fields: PropertyMask
    /// The keys of the rows with this relationship, by entity type.
    let owners: [Int: [Int64]]
}

/// Finds and removes the to-one references of other rows to rows that are about to be deleted.
struct ReferenceFinder {
    private let writer: BatchUpdateWriter

    init(_ writer: BatchUpdateWriter) { self.writer = writer }

    private var schema: StoreSchema { writer.schema }

    /// - Parameters:
    ///   - rows: The keys of the rows that are about to be deleted, by entity type.
    ///   - deleted: The same keys; references from these rows are ignored.
    func find(to rows: [Int: [Int64]], except deleted: Set<IdentityMap.Key>) throws -> [ReferencesToRows] {
        var references: [ReferencesToRows] = []
        for (index, keys) in rows.orderedByKey {
            for case let relationship? in schema.runtimeEntities[index].relationships {
                guard let inverse = relationship.inverseToOne, relationship.storage != nil else { continue }
                let destination = schema.runtimeEntities[relationship.destination]
                let isNullified = relationship.description.deleteRule == .nullify
                if let found = try find(to: keys, by: destination, inverse, isNullified: isNullified, deleted) {
                    references.append(found)
                }
            }
            guard schema.hasOneWayRelationships else { continue }
            for (type, field) in schema.oneWayReferences(to: schema.runtimeEntities[index]) {
                if let found = try find(to: keys, by: type, field, isNullified: false, deleted) {
                    references.append(found)
                }
            }
        }
        return references
    }

    private func find(
        to keys: [Int64],
        by type: RuntimeEntity,
        _ field: Int,
        isNullified: Bool,
        _ deleted: Set<IdentityMap.Key>
    ) throws -> ReferencesToRows? {
        guard let column = type.fields[field].columnName else { return nil }
        let projection = schema.projection(of: type)
        let sql = renderMembers(
            projection.identitySelectList,
            of: .inverseColumn(table: projection.tableName, column: column, orderColumn: nil),
            from: projection.tableName,
            to: projection.tableName,
            schema.dialect
        )
        let owners = try writer.transaction.reader.readKeys(of: StoreQuery(sql, .keys(keys)), projection)
            .mapValues { $0.filter { !deleted.contains(IdentityMap.Key(rootIndex: type.rootIndex, key: $0)) } }
            .filter { !$0.value.isEmpty }
        if owners.isEmpty { return nil }
        return ReferencesToRows(
            table: projection.tableName,
            column: column,
            field: type.fields[field],
            isNullified: isNullified,
            owners: owners
        )
    }

    /// Finds the rows with to-many relationships that lose members.
    /// - Parameter rows: The keys of the rows that are about to be deleted, by entity type.
    /// - Returns: The rows for each relationship; they can include rows that are about to be deleted.
    func findLists(of rows: [Int: [Int64]]) throws -> [ListsOfRows] {
        var lists: [ListsOfRows] = []
        for (index, keys) in rows.orderedByKey {
            let type = schema.runtimeEntities[index]
            for case let relationship? in type.relationships where relationship.isInverseToMany {
                guard let field = relationship.inverseField, let storage = relationship.storage else { continue }
                let owner = schema.runtimeEntities[relationship.destination]
                lists.append(try findLists(of: keys, storage, of: type, by: owner, field))
            }
            guard schema.hasOneWayRelationships else { continue }
            for (owner, field, reversed) in schema.oneWayLists(of: type) {
                lists.append(try findLists(of: keys, reversed, of: type, by: owner, field))
            }
        }
        return lists.filter { !$0.owners.isEmpty }
    }

    /// - Parameter storage: The storage of the relationship, as seen from its members.
    private func findLists(
        of keys: [Int64],
        _ storage: RelationshipMapping.Storage,
        of type: RuntimeEntity,
        by owner: RuntimeEntity,
        _ field: Int
    ) throws -> ListsOfRows {
        let projection = schema.projection(of: owner)
        let sql = renderMembers(
            projection.identitySelectList,
            of: storage,
            from: type.mapping.tableName,
            to: projection.tableName,
            schema.dialect
        )
        var fields = PropertyMask()
        fields.insert(field)
        let owners = try writer.transaction.reader.readKeys(of: StoreQuery(sql, .keys(keys)), projection)
        return ListsOfRows(fields: fields, owners: owners)
    }

    /// Sets the references to NULL and increases the row versions.
    func remove(_ references: ReferencesToRows) throws {
        let sql = renderReferenceCleanup(
            .nullifiesInNewVersion(column: references.column),
            of: references.table,
            where: schema.dialect.isAmongKeys("\"_id\"", at: 1)
        )
        try writer.transaction.run(StoreQuery(sql, .keys(Array(references.owners.values.joined()))))
    }
}

extension StoreSchema {
    /// Returns the to-many relationships without an inverse that can contain rows of an entity, each with the entity
    /// that declares it and with its storage as seen from its members.
    package func oneWayLists(of type: RuntimeEntity) -> [(RuntimeEntity, Int, RelationshipMapping.Storage)] {
        var lists: [(RuntimeEntity, Int, RelationshipMapping.Storage)] = []
        for owner in runtimeEntities {
            for case let relationship? in owner.relationships where relationship.inverseField == nil {
                guard case .joinTable(let table, let source, let destination, _)? = relationship.storage,
                    model.entity(type.entity.name, isKindOf: relationship.description.destinationEntityName),
                    owner.entity.declaredRelationships.contains(where: { $0.name == relationship.description.name })
                else { continue }
                let reversed = RelationshipMapping.Storage.joinTable(
                    table: table,
                    sourceColumn: destination,
                    destinationColumn: source,
                    orderColumn: nil
                )
                lists.append((owner, relationship.field, reversed))
            }
        }
        return lists
    }

    /// Returns the to-one relationships without an inverse that can reference rows of an entity, each with the entity
    /// that declares it.
    package func oneWayReferences(to type: RuntimeEntity) -> [(type: RuntimeEntity, field: Int)] {
        runtimeEntities.flatMap { owner in
            owner.relationships.compactMap { relationship -> (type: RuntimeEntity, field: Int)? in
                guard let relationship, relationship.inverseField == nil, case .column? = relationship.storage,
                    model.entity(type.entity.name, isKindOf: relationship.description.destinationEntityName),
                    owner.entity.declaredRelationships.contains(where: { $0.name == relationship.description.name })
                else { return nil }
                return (owner, relationship.field)
            }
        }
    }
}
