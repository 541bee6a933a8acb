internal import ChordataModel
internal import ChordataSQL

/// Runs the statements of a batch deletion, within a transaction.
struct BatchDeleter {
    private let writer: BatchUpdateWriter
    private let validatesRelationships: Bool
    /// The origin of the deletion in the persistent history.
    private let origin: SaveOrigin

    init(_ writer: BatchUpdateWriter, validatesRelationships: Bool, _ origin: SaveOrigin) {
        self.writer = writer
        self.validatesRelationships = validatesRelationships
        self.origin = origin
    }

    private var schema: StoreSchema { writer.schema }
    private var transaction: StoreTransaction { writer.transaction }
    private var finder: ReferenceFinder { ReferenceFinder(writer) }

    func delete(_ bound: BoundFetchRequest) throws -> BatchDeleteResult {
        let rows = try addCascade(to: transaction.reader.readKeys(of: bound, in: schema))
        let keys = self.keys(of: rows)
        guard !keys.isEmpty else { return BatchDeleteResult(deletedRows: [], updatedRows: []) }
        writer.progress?.expectMore(keys.count)
        try checkDenials(rows, keys)
        let references = try finder.find(to: rows, except: keys)
        if validatesRelationships { try validate(references, rows, keys) }
        var updated: [Int: Set<Int64>] = [:]
        for reference in references { updated.merge(reference.owners.mapValues { Set($0) }) { $0.union($1) } }
        var derivations = try makeDerivations(references, updated)
        try derivations?.readFormerOwners(of: rows.merging(updated.mapValues { Array($0) }) { $0 + $1 })
        var history = transaction.tracksHistory ? HistoryChanges() : nil
        try history?.addDeletions(of: rows, in: schema, transaction.reader)
        for reference in references { try finder.remove(reference) }
        try delete(rows)
        let followers = try derive(derivations)
        if var history {
            for reference in references {
                var mask = PropertyMask()
                mask.insert(reference.field.index)
                try history.addUpdates(of: reference.owners, in: schema, transaction.reader) { _ in mask }
            }
            try history.addUpdates(
                of: followers.mapValues { $0.sorted() },
                in: schema,
                transaction.reader,
                fields: \.derivedMask
            )
            try transaction.recordHistory(history, origin)
        }
        for (index, keys) in followers { updated[index, default: []].formUnion(keys) }
        return BatchDeleteResult(
            deletedRows: schema.rowKeys(rows.mapValues { $0.sorted() }),
            updatedRows: schema.rowKeys(updated.mapValues { $0.sorted() })
        )
    }

    // MARK: Rows

    /// Adds the rows that the delete rule Cascade deletes, directly or because of other rows that it deletes.
    private func addCascade(to selected: [Int: [Int64]]) throws -> [Int: [Int64]] {
        var known = selected.mapValues { Set($0) }
        var pending = selected
        while !pending.isEmpty {
            var next: [Int: [Int64]] = [:]
            for (index, keys) in pending.orderedByKey {
                for case let relationship? in schema.runtimeEntities[index].relationships
                where relationship.description.deleteRule == .cascade {
                    for (destination, members) in try readMembers(of: keys, index, relationship) {
                        for key in members where known[destination, default: []].insert(key).inserted {
                            next[destination, default: []].append(key)
                        }
                    }
                }
            }
            pending = next
        }
        return known.mapValues { Array($0) }
    }

    private func keys(of rows: [Int: [Int64]]) -> Set<IdentityMap.Key> {
        var keys: Set<IdentityMap.Key> = []
        for (index, list) in rows {
            let rootIndex = schema.runtimeEntities[index].rootIndex
            for key in list { keys.insert(IdentityMap.Key(rootIndex: rootIndex, key: key)) }
        }
        return keys
    }

    /// Returns the keys of the rows that a relationship of the given rows references, by entity type.
    private func readMembers(of keys: [Int64], _ index: Int, _ relationship: RuntimeEntity.Relationship) throws
        -> [Int: [Int64]]
    {
        guard let storage = relationship.storage else { return [:] }
        let projection = schema.projection(of: schema.runtimeEntities[relationship.destination])
        let sql = renderMembers(
            projection.identitySelectList,
            of: storage,
            from: schema.runtimeEntities[index].mapping.tableName,
            to: projection.tableName,
            schema.dialect
        )
        return try transaction.reader.readKeys(of: StoreQuery(sql, .keys(keys)), projection)
    }

    /// Calls a closure for each reference of a relationship, with the keys of the owner and of the referenced row.
    private func forEachMember(
        of keys: [Int64],
        _ type: RuntimeEntity,
        _ relationship: RuntimeEntity.Relationship,
        _ body: (_ owner: Int64, _ member: Int64) -> Void
    ) throws {
        guard let storage = relationship.storage else { return }
        let sql = renderMemberPairs(of: storage, from: type.mapping.tableName, schema.dialect)
        try transaction.reader.forEachRow(of: StoreQuery(sql, .keys(keys))) { row in
            body(row.integer(at: 0), row.integer(at: 1))
        }
    }

    // MARK: Checks

    /// Checks that relationships with the delete rule Deny reference only rows that are also deleted (D4).
    private func checkDenials(_ rows: [Int: [Int64]], _ deleted: Set<IdentityMap.Key>) throws {
        var failures: [ValidationError.Failure] = []
        for (index, keys) in rows.orderedByKey {
            let type = schema.runtimeEntities[index]
            for relationship in type.validation.denying {
                var owners: Set<Int64> = []
                try forEachMember(of: keys, type, relationship) { owner, member in
                    if !deleted.contains(relationship.destinationKey(member)) { owners.insert(owner) }
                }
                failures += owners.sorted().map { key in
                    ValidationError.Failure(
                        .relationshipDeniedDelete,
                        ManagedObjectID(runtimeEntity: type, key: key),
                        propertyName: relationship.description.name,
                        reason: ValidationRules.deniedDeletion
                    )
                }
            }
        }
        try ValidationError.throwIfAny(failures)
    }

    /// Checks the counts of the relationships that lose rows, as a save does.
    private func validate(_ references: [ReferencesToRows], _ rows: [Int: [Int64]], _ deleted: Set<IdentityMap.Key>)
        throws
    {
        var failures: [ValidationError.Failure] = []
        func check(_ index: Int, _ name: String, _ counts: [Int64: Int]) {
            let type = schema.runtimeEntities[index]
            guard let rule = type.validation.relationships.first(where: { $0.field.name == name }) else { return }
            for (key, count) in counts.orderedByKey {
                guard let violation = rule.violation(byCount: count) else { continue }
                failures.append(
                    ValidationError.Failure(
                        violation.code,
                        ManagedObjectID(runtimeEntity: type, key: key),
                        propertyName: name,
                        reason: violation.reason
                    )
                )
            }
        }
        for reference in references where reference.isNullified {
            for (index, keys) in reference.owners.orderedByKey {
                check(index, reference.propertyName, Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) }))
            }
        }
        for lists in try readShrinkingLists(of: rows, deleted).orderedByKey {
            for (field, keys) in lists.value.orderedByKey {
                let type = schema.runtimeEntities[lists.key]
                guard let relationship = type.relationships[field] else { continue }
                var counts = Dictionary(uniqueKeysWithValues: keys.map { ($0, 0) })
                try forEachMember(of: Array(keys), type, relationship) { owner, member in
                    if !deleted.contains(relationship.destinationKey(member)) { counts[owner, default: 0] += 1 }
                }
                check(lists.key, relationship.description.name, counts)
            }
        }
        try ValidationError.throwIfAny(failures)
    }

    /// The remaining rows with to-many relationships that lose members, by entity type and field.
    private func readShrinkingLists(of rows: [Int: [Int64]], _ deleted: Set<IdentityMap.Key>) throws -> [Int: [Int: Set<
        Int64
    >]] {
        var lists: [Int: [Int: Set<Int64>]] = [:]
        for (index, keys) in rows.orderedByKey {
            for case let relationship? in schema.runtimeEntities[index].relationships
            where relationship.description.deleteRule == .nullify && relationship.isInverseToMany {
                guard let inverse = relationship.inverseField else { continue }
                for (destination, members) in try readMembers(of: keys, index, relationship) {
                    let remaining = members.filter { !deleted.contains(relationship.destinationKey($0)) }
                    guard !remaining.isEmpty else { continue }
                    lists[destination, default: [:]][inverse, default: []].formUnion(remaining)
                }
            }
        }
        return lists
    }

    // MARK: Writing

    private func delete(_ rows: [Int: [Int64]]) throws {
        var tables: [String: (type: RuntimeEntity, keys: [Int64])] = [:]
        for (index, keys) in rows.orderedByKey {
            let type = schema.runtimeEntities[index]
            tables[type.mapping.tableName, default: (type, [])].keys += keys
        }
        for (table, rows) in tables.orderedByKey {
            let sql = renderDeletion(from: table, schema.dialect)
            let count = try transaction.run(StoreQuery(sql, .keys(rows.keys.sorted())))
            try transaction.requireCount(count, of: rows.type, expected: rows.keys.count)
        }
    }

    // MARK: Derived attributes

    private func makeDerivations(_ references: [ReferencesToRows], _ updated: [Int: Set<Int64>]) throws
        -> StoredDerivations?
    {
        guard schema.hasDerivations else { return nil }
        return StoredDerivations(
            writer,
            try schema.derivations(),
            updated.mapValues { $0.sorted() },
            assigned: Set(references.map(\.propertyName))
        )
    }

    /// - Returns: The keys of the rows that were written, by entity type.
    private func derive(_ derivations: StoredDerivations?) throws -> [Int: Set<Int64>] {
        do {
            return try derivations?.derive().mapValues { Set($0.keys) } ?? [:]
        } catch let error as UncomputableDerivation {
            throw FetchError.uncomputable(error.attributeName, entityName: error.entityName)
        }
    }
}

extension RuntimeEntity.Relationship {
    fileprivate func destinationKey(_ key: Int64) -> IdentityMap.Key {
        IdentityMap.Key(rootIndex: destinationRootIndex, key: key)
    }
}
