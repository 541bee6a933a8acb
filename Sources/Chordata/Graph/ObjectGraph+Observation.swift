internal import ChordataModel

// Notifying observers of objects before their properties change.

extension ObjectGraph {
    // MARK: Single objects

    /// Notifies observers of a property that it is about to change.
    @inline(__always)
    func willChangeObserved(_ object: ManagedObject, _ field: Int) {
        if object.slowPath.contains(.tracked) { observation?.willChange(object, field) }
    }

    /// Notifies observers of an attribute that it is about to get the value of a row, unless it has this value already.
    func willChangeObserved(_ object: ManagedObject, _ field: Field, to values: RowStorage) {
        guard object.slowPath.contains(.tracked) else { return }
        let wasUnset = object.changes?.unset.contains(field.index) == true
        if wasUnset != values.unset.contains(field.index)
            || !fieldsAreEqual(field.kind, object.address(of: field), values.address(of: field))
        {
            observation?.willChange(object, field.index)
        }
    }

    /// Notifies observers of all properties of an object that becomes a fault, is deleted, or leaves the context.
    @inline(__always)
    func willChangeObserved(_ object: ManagedObject) {
        if object.slowPath.contains(.tracked) { observation?.willChange(object) }
    }

    /// Notifies observers of an object's to-many relationships that its row was saved and the members may have changed.
    func willChangeObservedMembers(of object: ManagedObject) {
        guard object.slowPath.contains(.tracked) else { return }
        for field in object.runtimeEntity.fields where field.kind.base == .toMany {
            if object.changes?.changed.contains(field.index) != true { observation?.willChange(object, field.index) }
        }
    }

    /// Notifies observers of properties that a rollback changes.
    func willRestoreObserved(_ object: ManagedObject) {
        guard object.slowPath.contains(.tracked) else { return }
        if object.state == .deleted {
            observation?.willChange(object)
        } else if let changed = object.changes?.changed {
            // To-many relationships are read again, and other contexts may have changed them.
            for field in object.runtimeEntity.fields where changed.contains(field.index) || field.kind.base == .toMany {
                observation?.willChange(object, field.index)
            }
        }
    }

    // MARK: Rows

    /// Notifies observers of properties that change when an object gets the values of a newer row.
    func willAssignObserved(_ values: RowStorage, to object: ManagedObject) {
        guard let observation, !observation.isEmpty else { return }
        for field in object.runtimeEntity.columnFields where object.changes?.changed.contains(field.index) != true {
            if field.kind.base == .toOne {
                let old = object.toOneReference(field).pointee.key
                let new = values.key(of: field)
                guard old != new else { continue }
                willChangeOwner(old, of: object.runtimeEntity, field)
                willChangeOwner(new, of: object.runtimeEntity, field)
                willChangeObserved(object, field.index)
            } else {
                willChangeObserved(object, field, to: values)
            }
        }
    }

    /// Notifies observers of the to-many relationships to which rows of an entity belong, by the keys of the rows'
    /// to-one relationships.
    func willChangeObservedOwners(of type: RuntimeEntity, key keyOf: (Field) -> Int64) {
        guard let observation, !observation.isEmpty else { return }
        for field in type.columnFields where field.kind.base == .toOne {
            willChangeOwner(keyOf(field), of: type, field)
        }
    }

    /// Notifies observers of a relationship's member count, read without the members, that possible members were
    /// deleted or restored.
    ///
    /// Members with a to-one inverse are reported elsewhere, if there are no unsaved changes.
    func willChangeObservedCounts(of rows: DeletedRowKeys) {
        guard let observation, !observation.isEmpty, !rows.isEmpty else { return }
        let rootIndexes = Set(rows.rows.map(\.rootIndex))
        for key in observation.keys {
            guard let object = registered(key: key.key, rootIndex: key.rootIndex) else { continue }
            for case let relationship? in object.runtimeEntity.relationships
            where relationship.description.isToMany && rootIndexes.contains(relationship.destinationRootIndex) {
                let isEdited = object.changes?.changed.contains(relationship.field) == true
                guard isEdited || relationship.inverseToOne == nil,
                    object.toManyReference(at: relationship.field).pointee.storage == nil
                else { continue }
                willChangeObserved(object, relationship.field)
            }
        }
    }

    private func willChangeOwner(_ key: Int64, of type: RuntimeEntity, _ field: Field) {
        guard key != 0, let relationship = type.relationships[field.index], relationship.isInverseToMany,
            let inverse = relationship.inverseField,
            let owner = registered(key: key, rootIndex: relationship.destinationRootIndex),
            owner.slowPath.contains(.tracked), owner.changes?.changed.contains(inverse) != true,
            isDestination(owner, of: relationship)
        else { return }
        willChangeObserved(owner, inverse)
    }

    // MARK: Leaving the context

    /// Notifies observers of an object that it is detached.
    func endObservation(of object: ManagedObject) {
        guard let observation, object.slowPath.contains(.tracked) else { return }
        observation.willChange(object)
        observation.finishChanges()
        observation.forget(IdentityMap.Key(of: object))
    }

    /// Notifies all observers of objects that these are detached.
    func willResetObserved() {
        guard let observation else { return }
        for key in observation.keys {
            if let object = registered(key: key.key, rootIndex: key.rootIndex) { observation.willChange(object) }
        }
        observation.finishChanges()
        for key in observation.keys { observation.forget(key) }
    }

    /// Removes the observation of an object that the context released because it had no other reference.
    func forgetObservation(of key: IdentityMap.Key) {
        guard let observation, !observation.isEmpty, registered(key: key.key, rootIndex: key.rootIndex) == nil else {
            return
        }
        observation.forget(key)
    }

    /// Removes the observation of all objects that the context released.
    /// - Complexity: O(n) in the number of observed objects.
    func forgetObservationOfReleased() {
        for key in observation?.keys ?? [] { forgetObservation(of: key) }
    }
}
