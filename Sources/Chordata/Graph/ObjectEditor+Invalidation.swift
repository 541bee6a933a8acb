internal import ChordataModel

// To-many relationships that are read again.

/// A to-many relationship of an object.
struct RelationshipReference: Hashable {
    let object: ManagedObject
    let field: Int
}

extension ObjectEditor {
    /// Invalidates a to-many relationship, so that it is read again: immediately, or, if it is ordered and has local
    /// edits, when these are saved or discarded.
    func invalidateMembers(of object: ManagedObject, _ field: Int) {
        if let relationship = object.runtimeEntity.relationships[field], graph.hasOnlyLocalPairs(object, relationship) {
            return
        }
        let reference = object.toManyReference(at: field)
        if object.changes?.changed.contains(field) != true {
            graph.willChangeObserved(object, field)
            reference.pointee.storage = nil
        } else if let relationship = object.runtimeEntity.relationships[field], !relationship.description.isOrdered {
            guard let storage = reference.pointee.storage else { return }
            graph.willChangeObserved(object, field)
            recordAsUnread(storage, of: object, relationship)
            reference.pointee.storage = nil
        } else {
            // Until then, a save writes the order of this context.
            (reference.pointee.storage as? OrderedToMany)?.forgetPositions()
            graph.remote.staleToManys.insert(RelationshipReference(object: object, field: field))
        }
    }

    /// Keeps the unsaved changes of members that are going to be read again.
    func recordAsUnread(_ storage: ToManyStorage, of object: ManagedObject, _ relationship: RuntimeEntity.Relationship)
    {
        object.changes?.changePendingToMany(of: relationship.field) { unread in
            // The to-one relationships of the members have the changes.
            if relationship.inverseToOne != nil {
                unread.candidates = storage.array
                return
            }
            guard let changes = storage.changes else { return }
            for member in storage.addedMembers where member.state != .detached { unread.add(member) }
            for key in changes.removedKeys.sorted() {
                let rootIndex = relationship.destinationRootIndex
                let type = graph.schema.runtimeEntities[relationship.destination]
                unread.remove(graph.registered(key: key, rootIndex: rootIndex) ?? graph.makeFault(key: key, type: type))
            }
        }
    }

    /// Invalidates the relationships that other contexts changed while they had local edits, which are now saved or
    /// discarded.
    func invalidateStaleToManys() {
        let outdated = graph.remote.staleToManys
        graph.remote.staleToManys = []
        for members in outdated {
            graph.willChangeObserved(members.object, members.field)
            members.object.toManyReference(at: members.field).pointee.storage = nil
            graph.recordRefresh(of: members.object, fields: PropertyMask(members.field))
        }
    }

    /// Invalidates the to-many relationships that new rows are added to.
    func invalidateMembers(referencing rows: ValuesInsertBuffer) {
        for column in rows.columns where column.kind.base == .toOne {
            guard let relationship = rows.type.relationships[column.index], relationship.isInverseToMany,
                let inverse = relationship.inverseField
            else { continue }
            for index in 0..<rows.count {
                let key = rows.key(of: column, index)
                guard key != 0, let owner = graph.registered(key: key, rootIndex: relationship.destinationRootIndex)
                else {
                    continue
                }
                invalidateMembers(of: owner, inverse)
            }
        }
    }

    /// Invalidates the to-many relationships to objects of some entities.
    /// - Complexity: O(n) in the number of registered objects.
    func invalidateMembers(referencing types: Set<Int>) {
        let names = types.map { graph.schema.runtimeEntities[$0].entity.name }
        func references(_ relationship: RuntimeEntity.Relationship) -> Bool {
            guard relationship.description.isToMany, relationship.inverseField != nil, !relationship.isInverseToMany
            else { return false }
            return names.contains {
                graph.schema.model.entity($0, isKindOf: relationship.description.destinationEntityName)
            }
        }
        let fields = graph.schema.runtimeEntities.map { type in
            type.relationships.compactMap { $0 }.filter(references).map(\.field)
        }
        guard fields.contains(where: { !$0.isEmpty }) else { return }
        graph.forEachRegistered { object in
            for field in fields[object.runtimeEntity.index] { invalidateMembers(of: object, field) }
        }
    }

    /// Invalidates the to-many relationships of an object.
    func forgetOwnToMany(of object: ManagedObject) {
        for field in object.runtimeEntity.fields where field.kind.base == .toMany {
            invalidateMembers(of: object, field.index)
        }
    }

    /// Invalidates the inverse to-many relationships of the object's to-one relationships, unless these have local
    /// edits.
    func forgetToMany(around object: ManagedObject) {
        forgetToMany(of: object.runtimeEntity) { object.toOneReference($0).pointee.key }
    }

    func forgetToMany(of type: RuntimeEntity, key keyOf: (Field) -> Int64) {
        for case let relationship? in type.relationships {
            guard !relationship.description.isToMany, relationship.isInverseToMany,
                let inverse = relationship.inverseField
            else { continue }
            guard type.fields[relationship.field].isStored else { continue }
            let key = keyOf(type.fields[relationship.field])
            let destination = graph.schema.runtimeEntities[relationship.destination]
            guard key != 0, let owner = graph.registered(key: key, rootIndex: destination.rootIndex) else { continue }
            invalidateMembers(of: owner, inverse)
        }
    }
}
