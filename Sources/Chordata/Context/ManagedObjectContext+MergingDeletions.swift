internal import ChordataModel

// What relationships here do about rows that another context deleted (N4, H1). Local edits are kept, but none can keep
// a row alive: a save that referred to one would fail for ever.

extension ManagedObjectContext {
    /// The rows of one merge that are gone, and their objects as far as the context had them.
    struct GoneRows {
        var rows: Set<IdentityMap.Key> = []
        var objects: Set<ManagedObject> = []
        /// A Boolean value that indicates whether what led to them is led there again when the deletion is undone.
        var isUndoable = false
        var isEmpty: Bool { rows.isEmpty }

        mutating func insert(_ object: ManagedObject) {
            rows.insert(IdentityMap.Key(of: object))
            objects.insert(object)
        }
    }

    /// Takes rows that are gone out of the relationships that still lead to them.
    ///
    /// Rows that the other context changed along with the deletion are merged by themselves. What is left are
    /// relationships with local edits, and those without an inverse, of which the other context knew nothing.
    /// - Complexity: O(n) in the number of changed objects, besides that of ``removeOneWayReferences(to:)``.
    func removeReferences(to gone: GoneRows) {
        guard !gone.isEmpty else { return }
        willChangeObservedCounts(of: gone)
        for object in changedObjects where object.state == .inserted || object.state == .updated {
            object.changes?.forgetUnreadMembers(gone.objects)
            for case let relationship? in object.entityType.relationships {
                removeReferences(to: gone, from: object, relationship)
            }
        }
        removeOneWayReferences(to: gone)
    }

    /// Takes objects that were never saved out of the relationships that still lead to them (D6): by a rule that leaves
    /// these alone, or because nobody found them.
    func removeReferencesToUndoneInsertions() {
        guard !undoneInsertions.isEmpty else { return }
        var gone = GoneRows(isUndoable: notesUndo)
        for object in undoneInsertions { gone.insert(object) }
        undoneInsertions = []
        removeReferences(to: gone)
    }

    /// Takes rows that are gone out of relationships without inverses, through which nobody found them.
    /// - Complexity: O(n) in the number of registered objects, where the model has such relationships.
    func removeOneWayReferences(to gone: GoneRows) {
        guard schema.hasOneWayRelationships, !gone.isEmpty else { return }
        for map in identityMaps {
            map.forEach { object in
                guard object.state == .clean, !object.isFault else { return }
                for case let relationship? in object.entityType.relationships where relationship.inverseField == nil {
                    removeReferences(to: gone, from: object, relationship)
                }
            }
        }
    }

    func removeReferences(
        to gone: GoneRows,
        from object: ManagedObject,
        _ relationship: EntityType.Relationship
    ) {
        let field = object.entityType.fields[relationship.field]
        let isEdited = object.changes?.changed.contains(relationship.field) == true
        if relationship.description.isToMany {
            let reference = object.toManyReference(field)
            guard let storage = reference.pointee.storage else { return }
            let members = storage.array.filter { gone.objects.contains($0) }
            guard !members.isEmpty else { return }
            if gone.isUndoable {
                noteUndo(of: object, relationship.field)
                for member in members { noteUndo(of: object, relationship.field, member: member, isAdded: false) }
            }
            willChangeObserved(object, relationship.field)
            if isEdited {
                for member in members { _ = storage.remove(member) }
            } else {
                reference.pointee.storage = nil
            }
        } else {
            let reference = object.toOneReference(field)
            let rootIndex = schema.entityTypes[relationship.destination].rootIndex
            let row = IdentityMap.Key(rootIndex: rootIndex, key: reference.pointee.key)
            guard reference.pointee.key != 0, gone.rows.contains(row) else { return }
            if gone.isUndoable { noteUndo(of: object, relationship.field) }
            willChangeObserved(object, relationship.field)
            reference.pointee.key = 0
            reference.pointee.object = nil
        }
        event.refreshed.append(object)
    }
}
