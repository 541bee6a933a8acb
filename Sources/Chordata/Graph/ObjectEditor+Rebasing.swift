internal import ChordataModel

// After a merge policy has run, objects adopt the row versions of the store, and the properties that differ from the
// rows are their unsaved changes.

extension ObjectEditor {
    /// Adapts objects to the rows of their conflicts, regardless of what a policy has changed.
    func adopt(_ conflicts: [MergeConflict]) throws {
        // All of these objects are revived before one is examined, because objects that reference each other are
        // inserted together.
        var revived: [(object: ManagedObject, version: Int64)] = []
        for conflict in conflicts where conflict.row == nil && conflict.sourceObject.state == .updated {
            revived.append((conflict.sourceObject, conflict.sourceObject.version))
            beginRevival(of: conflict.sourceObject)
        }
        do {
            for conflict in conflicts { try adopt(conflict) }
        } catch {
            // The next save detects the conflicts again.
            for (object, version) in revived where object.state == .inserted {
                object.state = .updated
                object.version = version
            }
            throw error
        }
    }

    private func adopt(_ conflict: MergeConflict) throws {
        let object = conflict.sourceObject
        switch (object.state, conflict.row) {
        case (.detached, _): return
        case (.clean, .some) where object.isFault: return
        case (.clean, nil), (.deleted, nil): leave(object)
        case (.inserted, nil): try revive(object)
        case (.updated, nil):
            // An observer has changed the object.
            beginRevival(of: object)
            try revive(object)
        case (.inserted, let row?), (.updated, let row?), (.deleted, let row?), (.clean, let row?):
            try rebase(object, onto: row)
        }
        graph.recordRefresh(of: object)
    }

    /// Makes a row the snapshot of an object: values of the object that differ from the row are unsaved changes.
    func rebase(_ object: ManagedObject, onto row: RowSnapshot) throws {
        let old = object.changes
        let changes = ObjectChanges(of: object)
        changes.unset = old?.unset ?? PropertyMask()
        changes.committedUnset = row.values.unset
        if let old { changes.takePendingToMany(of: old) }
        var moved: [(field: Field, stored: Int64)] = []
        for field in object.runtimeEntity.fields {
            guard field.columnName != nil else {
                // To-many and transient properties are not part of a conflict.
                if old?.changed.contains(field.index) == true { changes.changed.insert(field.index) }
                continue
            }
            if field.attribute?.isDerived == true {
                // The attribute is computed again from the values to be written.
                takeValue(of: field, from: row, into: object)
                if row.values.unset.contains(field.index) {
                    changes.unset.insert(field.index)
                } else {
                    changes.unset.remove(field.index)
                }
                continue
            }
            guard differs(object, field, from: row, unset: changes.unset) else { continue }
            changes.keepCommittedValue(of: field.index, from: row.values)
            changes.changed.insert(field.index)
            if field.kind.base == .toOne { moved.append((field, row.values.key(of: field))) }
        }
        // The save deletes this row, whose owners can differ from the objects that were notified of the deletion.
        if object.state == .deleted {
            graph.willChangeObservedOwners(of: object.runtimeEntity) { row.values.key(of: $0) }
        }
        object.version = row.version
        object.changes = changes
        if object.state == .inserted { object.state = .updated }
        if object.state == .updated, changes.changed.isEmpty {
            makeClean(object)
        } else if object.state == .clean, !changes.changed.isEmpty {
            object.state = .updated
            graph.unsaved.insert(object)
        } else if object.state == .clean, changes.unset.isEmpty {
            object.changes = nil
        }
        for (field, stored) in moved { try settle(object, field, stored: stored) }
    }

    /// Returns a Boolean value that indicates whether a save has to write a field so that the row has the object's
    /// value.
    private func differs(_ object: ManagedObject, _ field: Field, from row: RowSnapshot, unset: PropertyMask) -> Bool {
        if field.kind.base == .toOne { return object.toOneReference(field).pointee.key != row.values.key(of: field) }
        let (here, stored) = (object.address(of: field), row.values.address(of: field))
        if let external = object.externalField(field.index), let value = external.value(at: here) {
            if value.data != nil { return true }
            // Bytes that were not read are not changed, so the object takes the value of the row.
            copyField(field.kind, from: stored, to: here, isInitialized: true)
            return false
        }
        return unset.contains(field.index) != row.values.unset.contains(field.index)
            || !fieldsAreEqual(field.kind, here, stored)
    }

    private func makeClean(_ object: ManagedObject) {
        object.state = .clean
        if object.changes?.unset.isEmpty == true { object.changes = nil }
        graph.unsaved.removeStaleEntriesLater()
    }

    // MARK: Both ends of a to-one relationship

    /// Updates the other ends of a to-one relationship whose value in the store differs.
    private func settle(_ object: ManagedObject, _ field: Field, stored: Int64) throws {
        guard let relationship = object.runtimeEntity.relationships[field.index],
            let inverse = relationship.inverseField
        else { return }
        if relationship.isInverseToMany {
            // The members of a deleted object are read by their own columns.
            guard object.state == .updated else { return }
            let key = object.toOneReference(field).pointee.key
            if let owner = graph.registered(key: key, rootIndex: relationship.destinationRootIndex),
                graph.isDestination(owner, of: relationship), owner.toManyReference(at: inverse).pointee.storage == nil
            {
                // In the store, the owner has the object as a member only when this change is saved.
                graph.willChangeObserved(owner, inverse)
            }
            guard let other = graph.registered(key: stored, rootIndex: relationship.destinationRootIndex),
                other.state != .deleted, other.state != .detached, graph.isDestination(other, of: relationship)
            else { return }
            disconnect(object, from: other, inverse: inverse, isToMany: true)
            return
        }
        try settleOneToOne(of: object, field, relationship, inverse, stored: stored)
    }

    // MARK: Deleted rows

    /// The version offset of a re-inserted row: larger than the possible number of saves since its deletion.
    static let reinsertionVersionStep: Int64 = 1 << 32

    /// Turns a changed object whose row was deleted into an inserted object, with its ID and an unused row version.
    private func beginRevival(of object: ManagedObject) {
        object.state = .inserted
        object.version = max(object.version, 0) + Self.reinsertionVersionStep
        graph.unsaved.insert(object)
    }

    /// Adapts an object that is inserted again, and the objects that reference it, to the deletion of its row's data.
    private func revive(_ object: ManagedObject) throws {
        let type = object.runtimeEntity
        let changes = object.changes ?? ObjectChanges(of: object)
        object.changes = changes
        // Bytes that were not read were deleted with the row.
        for external in type.externalFields {
            let address = object.address(of: external.field)
            guard let value = external.value(at: address), value.data == nil else { continue }
            external.setValue(nil, at: address)
            if external.field.isRequired { changes.unset.insert(external.field.index) }
        }
        var deletedRows = DeletedRowKeys()
        deletedRows.insert(object)
        graph.willChangeObservedCounts(of: deletedRows)
        graph.willChangeObservedOwners(of: type) { object.toOneReference($0).pointee.key }
        removeSavedReferences(to: deletedRows)
        for case let relationship? in type.relationships where relationship.storage != nil {
            let field = type.fields[relationship.field]
            guard relationship.description.isToMany else {
                if let inverse = relationship.inverseField, !relationship.isInverseToMany {
                    try claimPartner(of: object, field, relationship, inverse)
                }
                continue
            }
            let reference = object.toManyReference(field)
            let isKept = relationship.inverseToOne == nil || changes.changed.contains(field.index)
            if !isKept || reference.pointee.storage == nil { graph.willChangeObserved(object, field.index) }
            if relationship.inverseToOne == nil {
                // The pairs were deleted with the row.
                guard let storage = reference.pointee.storage else { continue }
                storage.recordChanges(since: [])
                changes.changed.insert(field.index)
            } else if !isKept {
                reference.pointee.storage = nil
            }
        }
    }

    /// Removes deleted rows from the snapshots of objects: in the store, nothing references them any more.
    /// - Complexity: O(n) in the number of registered objects.
    func removeSavedReferences(to deletedRows: DeletedRowKeys) {
        graph.forEachRegistered { object in
            guard !object.isFault, object.state == .clean || object.state == .updated else { return }
            for case let relationship? in object.runtimeEntity.relationships
            where relationship.storage != nil && object.changes?.changed.contains(relationship.field) != true {
                removeReferences(to: deletedRows, from: object, relationship)
            }
        }
    }
}
