internal import ChordataModel
internal import ChordataSQL
internal import OrderedCollections

/// A relationship to be saved that references a deleted row.
struct DanglingReference {
    let object: ManagedObject
    let relationship: RuntimeEntity.Relationship
    let destination: ManagedObjectID
}

/// Finds the conflicts that made a save fail, between the unsaved changes of a context and the rows of the store.
struct ConflictFinder {
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor

    init(_ editor: ObjectEditor) {
        graph = editor.graph
        reader = editor.reader
        self.editor = editor
    }

    private var schema: StoreSchema { graph.schema }

    /// Returns the conflicts of the objects whose rows have changed since they were read.
    /// - Parameter includesNew: Whether new objects may have rows, from a save with an unknown outcome.
    /// - Complexity: O(n) in the number of changed objects, with a lookup for each.
    func findMergeConflicts(includesNew: Bool) throws -> [MergeConflict] {
        var conflicts: [MergeConflict] = []
        for object in graph.changedObjects {
            switch object.state {
            case .inserted:
                // Another context may also have inserted a deleted row again.
                guard object.version > 0 || includesNew, let row = try reader.readRowSnapshot(of: object) else {
                    continue
                }
                conflicts.append(try MergeConflict(object, row, in: editor))
            case .updated, .deleted:
                let row = try reader.readRowSnapshot(of: object)
                // Differences of to-many relationships never conflict, and references to deleted rows are found from
                // the other end.
                let isWritten = object.isDeleted || object.hasColumnChanges || row == nil && object.hasOwnPairs
                if isWritten, row?.version != object.version {
                    conflicts.append(try MergeConflict(object, row, in: editor))
                }
            case .clean, .detached: continue
            }
        }
        return conflicts
    }

    /// Returns the references to rows that were deleted.
    func findDanglingReferences() throws -> [DanglingReference] {
        var references: [DanglingReference] = []
        var exists: [IdentityMap.Key: Bool] = [:]
        func alreadyExists(_ key: Int64, _ type: RuntimeEntity) throws -> Bool {
            let row = IdentityMap.Key(rootIndex: type.rootIndex, key: key)
            if graph.registered(key: key, rootIndex: type.rootIndex)?.state == .inserted { return true }
            let alreadyExists = try exists[row] ?? reader.hasRow(key, of: type)
            exists[row] = alreadyExists
            return alreadyExists
        }
        for object in graph.changedObjects where object.state == .inserted || object.state == .updated {
            for case let relationship? in object.runtimeEntity.relationships
            where object.state == .inserted || object.changes?.changed.contains(relationship.field) == true {
                let destination = schema.runtimeEntities[relationship.destination]
                if relationship.storage?.isColumn == true {
                    let key = object.toOneReference(object.runtimeEntity.fields[relationship.field]).pointee.key
                    guard key != 0, try !alreadyExists(key, destination) else { continue }
                    let known = graph.registered(key: key, rootIndex: destination.rootIndex)?.objectID
                    let id = known ?? ManagedObjectID(runtimeEntity: destination, key: key)
                    references.append(DanglingReference(object: object, relationship: relationship, destination: id))
                    continue
                }
                // Either end of a join row may be deleted.
                for member in addedMembers(of: object, relationship) {
                    if try !alreadyExists(member.key, member.runtimeEntity) {
                        references.append(
                            DanglingReference(object: object, relationship: relationship, destination: member.objectID)
                        )
                    } else if let inverse = relationship.inverseField,
                        try !alreadyExists(object.key, object.runtimeEntity),
                        let back = member.runtimeEntity.relationships[inverse]
                    {
                        references.append(
                            DanglingReference(object: member, relationship: back, destination: object.objectID)
                        )
                    }
                }
            }
        }
        return references
    }

    /// Returns the members for which a save writes pairs.
    private func addedMembers(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) -> [ManagedObject] {
        guard case .joinTable = relationship.storage else { return [] }
        let field = object.runtimeEntity.fields[relationship.field]
        let members: [ManagedObject]
        if let storage = object.toManyReference(field).pointee.storage {
            members = storage.addedMembers
        } else {
            members = Array(object.changes?.pendingToManyChanges(of: field.index)?.added ?? [])
        }
        return members.filter { $0.state != .deleted && $0.state != .detached }
    }

    // MARK: Uniqueness

    /// Values that must be unique in a store.
    private struct HeldValues: Hashable {
        let values: [UniqueValue]
        /// The row keys of the store, if several stores have the entity.
        let keys: ClosedRange<Int64>?
    }

    /// Returns the values that would not be unique after the save; values that the same save deletes or changes are
    /// free.
    func findConstraintConflicts() throws -> [ConstraintConflict] {
        let changes = graph.changedObjects
        var conflicts: [ConstraintConflict] = []
        for constraint in schema.makeUniquenessConstraints() {
            var holders: OrderedDictionary<HeldValues, [ManagedObject]> = [:]
            for object in changes where concerns(constraint, object) {
                guard let values = constraint.values(of: object) else { continue }
                let keys = schema.partition?.keys(ofStoreOf: object)
                holders[HeldValues(values: values, keys: keys), default: []].append(object)
            }
            for (held, objects) in holders {
                let row = try savedHolder(of: constraint, besides: objects, keys: held.keys)
                guard objects.count > 1 || row != nil else { continue }
                conflicts.append(ConstraintConflict(constraint, held.values, objects, row: row, in: editor))
            }
        }
        return conflicts
    }

    /// Returns a Boolean value that indicates whether a save writes values of a constraint for an object.
    private func concerns(_ constraint: UniquenessConstraint, _ object: ManagedObject) -> Bool {
        let fields = constraint.fields[object.runtimeEntity.index]
        switch object.state {
        case .inserted: return !fields.isEmpty
        case .updated: return fields.contains { object.changes?.changed.contains($0.index) == true }
        case .clean, .deleted, .detached: return false
        }
    }

    /// Returns the row that has the values of some objects now and will still have them after the save.
    private func savedHolder(
        of constraint: UniquenessConstraint,
        besides objects: [ManagedObject],
        keys: ClosedRange<Int64>?
    ) throws -> RowSnapshot? {
        guard let first = objects.first else { return nil }
        let values = constraint.fields[first.runtimeEntity.index].map { field -> PredicateValue in
            if field.kind.base == .toOne { return .attribute(.integer(first.toOneReference(field).pointee.key)) }
            return attributeValue(field.kind, at: first.address(of: field)).map { .attribute($0) } ?? .null
        }
        let query = StoreQuery(constraint.selectSQL(schema.dialect, keys: keys), .values(values))
        let key = try reader.readStore { try $0.readRow(of: query) { $0.integer(at: 0) } }
        guard let key, !objects.contains(where: { $0.key == key }) else { return nil }
        let known = graph.registered(key: key, rootIndex: first.runtimeEntity.rootIndex)
        if let known, known.state == .deleted || concerns(constraint, known) { return nil }
        return try reader.readRowSnapshot(key: key, inTableOf: first.runtimeEntity)
    }
}

extension ManagedObject {
    /// A Boolean value that indicates whether a save writes pairs of relationships that have no inverse.
    var hasOwnPairs: Bool {
        runtimeEntity.writtenToManys.contains {
            $0.inverseField == nil && changes?.changed.contains($0.field) == true
        }
    }
}

extension RelationshipMapping.Storage {
    fileprivate var isColumn: Bool {
        switch self {
        case .column: true
        case .inverseColumn, .joinTable: false
        }
    }
}
