internal import ChordataModel

// Relationships to rows that another context deleted (N4, H1). Local edits are kept, but they do not keep a deleted
// row: each later save with a reference to one would fail.

extension ObjectEditor {
    /// Removes deleted rows from the relationships that still reference them.
    ///
    /// Rows that the other context changed together with the deletion are merged separately. The remaining references
    /// are in relationships with local edits, and in relationships without an inverse, which the other context does not
    /// update.
    /// - Complexity: O(n) in the number of changed objects, in addition to that of ``removeOneWayReferences(to:)``.
    func removeReferences(to deletedRows: DeletedRowKeys) {
        guard !deletedRows.isEmpty else { return }
        graph.willChangeObservedCounts(of: deletedRows)
        for object in graph.changedObjects where object.state == .inserted || object.state == .updated {
            object.changes?.removePendingMembers(deletedRows.objects)
            for case let relationship? in object.runtimeEntity.relationships {
                removeReferences(to: deletedRows, from: object, relationship)
            }
        }
        removeOneWayReferences(to: deletedRows)
    }

    /// Removes objects that were never saved from the relationships that still reference them (D6), because of the rule
    /// No Action, or because the relationships were not found.
    func removeReferencesToUndoneInsertions() {
        guard !graph.unsaved.undoneInsertions.isEmpty else { return }
        var deletedRows = DeletedRowKeys(isUndoable: graph.recordsUndo)
        for object in graph.unsaved.undoneInsertions { deletedRows.insert(object) }
        graph.unsaved.undoneInsertions = []
        removeReferences(to: deletedRows)
    }

    /// Removes deleted rows from relationships without inverses, which cannot be found from the other end.
    /// - Complexity: O(n) in the number of registered objects, if the model has such relationships.
    func removeOneWayReferences(to deletedRows: DeletedRowKeys) {
        guard graph.schema.hasOneWayRelationships, !deletedRows.isEmpty else { return }
        graph.forEachRegistered { object in
            guard object.state == .clean, !object.isFault else { return }
            for case let relationship? in object.runtimeEntity.relationships where relationship.inverseField == nil {
                removeReferences(to: deletedRows, from: object, relationship)
            }
        }
    }

    func removeReferences(
        to deletedRows: DeletedRowKeys,
        from object: ManagedObject,
        _ relationship: RuntimeEntity.Relationship
    ) {
        let field = object.runtimeEntity.fields[relationship.field]
        let isEdited = object.changes?.changed.contains(relationship.field) == true
        if relationship.description.isToMany {
            let reference = object.toManyReference(field)
            guard let storage = reference.pointee.storage else { return }
            let members = storage.array.filter { deletedRows.objects.contains($0) }
            guard !members.isEmpty else { return }
            if deletedRows.isUndoable {
                recordUndo(of: object, relationship.field)
                for member in members { recordUndo(of: object, relationship.field, member: member, isAdded: false) }
            }
            graph.willChangeObserved(object, relationship.field)
            if isEdited || graph.hasOnlyLocalPairs(object, relationship) {
                for member in members { _ = storage.remove(member) }
            } else {
                reference.pointee.storage = nil
            }
        } else {
            let reference = object.toOneReference(field)
            let rootIndex = graph.schema.runtimeEntities[relationship.destination].rootIndex
            let row = IdentityMap.Key(rootIndex: rootIndex, key: reference.pointee.key)
            guard reference.pointee.key != 0, deletedRows.rows.contains(row) else { return }
            if deletedRows.isUndoable { recordUndo(of: object, relationship.field) }
            graph.willChangeObserved(object, relationship.field)
            reference.pointee.key = 0
            reference.pointee.object = nil
        }
        graph.recordRefresh(of: object, fields: PropertyMask(relationship.field))
    }
}
