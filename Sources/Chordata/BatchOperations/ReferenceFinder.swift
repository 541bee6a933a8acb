internal import ChordataSQL

/// To-one references to deleted rows, in one column.
struct ReferencesToRows {
    let table: String
    let column: String
    let field: Field
    var propertyName: String { field.name }
    /// A Boolean value that indicates whether the delete rule Nullify empties them; otherwise the store does.
    let isNullified: Bool
    /// The keys of the rows that have them, by entity type; no deleted rows.
    let owners: [Int: [Int64]]
}

/// Finds and removes the to-one references of other rows to rows that are about to be deleted.
struct ReferenceFinder {
    private let writer: BatchUpdateWriter

    init(_ writer: BatchUpdateWriter) { self.writer = writer }

    private var schema: StoreSchema { writer.schema }

    /// - Parameters:
    ///   - rows: The keys of the rows that are about to be deleted, by entity type.
    ///   - deleted: The same keys, whose own references do not count.
    func find(to rows: [Int: [Int64]], except deleted: Set<IdentityMap.Key>) throws -> [ReferencesToRows] {
        var references: [ReferencesToRows] = []
        for (index, keys) in rows.orderedByKey {
            for case let relationship? in schema.entityTypes[index].relationships {
                guard let inverse = relationship.inverseToOne, relationship.storage != nil else { continue }
                let destination = schema.entityTypes[relationship.destination]
                let isNullified = relationship.description.deleteRule == .nullify
                if let found = try find(to: keys, by: destination, inverse, isNullified: isNullified, deleted) {
                    references.append(found)
                }
            }
            guard schema.hasOneWayRelationships else { continue }
            for (type, field) in schema.oneWayReferences(to: schema.entityTypes[index]) {
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

    /// Empties the references, in new versions of the rows.
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
    /// The to-one relationships without an inverse that can reference rows of an entity: each with the entity that
    /// declares it.
    fileprivate func oneWayReferences(to type: RuntimeEntity) -> [(type: RuntimeEntity, field: Int)] {
        entityTypes.flatMap { owner in
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
