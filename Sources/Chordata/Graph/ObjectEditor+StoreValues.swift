internal import ChordataModel

// The effects of merge policies on objects: objects get values from the store, are detached, or lose their changes.
// These effects are not unsaved changes, but observers are notified. Observers may read objects that are about to
// change, so memory is examined after the notification.

extension ObjectEditor {
    /// Sets a property to its value in the store; both ends of a to-one relationship are kept consistent.
    func takeValue(of field: Field, from row: RowSnapshot, into object: ManagedObject) {
        if field.kind.base == .toOne {
            takeToOne(row.values.key(of: field), of: object, field)
            return
        }
        graph.willChangeObserved(object, field, to: row.values)
        // Strings that are equal can consist of different Unicode scalars.
        copyField(
            field.kind,
            from: row.values.address(of: field),
            to: object.address(of: field),
            isInitialized: true
        )
        guard field.isRequired else { return }
        let changes = object.changes ?? ObjectChanges(of: object)
        object.changes = changes
        if row.values.unset.contains(field.index) {
            changes.unset.insert(field.index)
        } else {
            changes.unset.remove(field.index)
        }
    }

    /// Detaches an object whose row was deleted, and removes references to it.
    func leave(_ object: ManagedObject) {
        guard object.state != .detached else { return }
        var deletedRows = DeletedRowKeys()
        deletedRows.insert(object)
        graph.willChangeObservedOwners(of: object.runtimeEntity) { object.toOneReference($0).pointee.key }
        graph.detach(object)
        graph.event.mergedDeleted.append(object)
        removeReferences(to: deletedRows)
        removeSavedReferences(to: deletedRows)
    }

    /// Discards the changes of an object, including its deletion.
    func restore(_ object: ManagedObject, to row: RowSnapshot) {
        // A deletion by itself has no list of changes, but restoring the relationships that it removed needs one.
        if object.state == .deleted, object.changes == nil { graph.beginChanges(of: object) }
        for case let relationship? in object.runtimeEntity.relationships {
            guard relationship.description.isToMany, relationship.storage != nil else { continue }
            if relationship.inverseToOne == nil {
                undoPairs(of: object, relationship)
            } else if object.state == .deleted {
                graph.willChangeObserved(object, relationship.field)
                // The members that the deletion removed record this change themselves.
                object.toManyReference(object.runtimeEntity.fields[relationship.field]).pointee.storage = nil
                object.changes?.changed.insert(relationship.field)
                object.changes?.changePendingToMany(of: relationship.field) { _ in }
            }
        }
        let wasDeleted = object.state == .deleted
        if wasDeleted { comeBack(object, as: .updated) }
        for field in object.runtimeEntity.columnFields {
            if wasDeleted, field.kind.base == .toOne {
                // The other ends no longer reference the object.
                takeToOne(row.values.key(of: field), of: object, field, isLinked: false)
            } else {
                takeValue(of: field, from: row, into: object)
            }
        }
    }

    /// Cancels the deletion of an object, which becomes a member again if nothing else has changed.
    func comeBack(_ object: ManagedObject, as state: ManagedObject.State) {
        var rows = DeletedRowKeys()
        rows.insert(object)
        graph.willChangeObservedCounts(of: rows)
        object.state = state
        for members in graph.remote.incompleteToManys {
            invalidateMembers(of: members.object, members.field)
            if members.object.state == .clean {
                graph.recordRefresh(of: members.object, fields: PropertyMask(members.field))
            }
        }
    }

    /// Discards the changes of an object's pairs, which are recorded at both ends of a relationship.
    private func undoPairs(of object: ManagedObject, _ relationship: RuntimeEntity.Relationship) {
        let isDeleted = object.state == .deleted
        guard isDeleted || object.changes?.changed.contains(relationship.field) == true else { return }
        graph.willChangeObserved(object, relationship.field)
        let reference = object.toManyReference(object.runtimeEntity.fields[relationship.field])
        var others = reference.pointee.storage?.array ?? []
        for key in reference.pointee.storage?.removedKeys ?? [] {
            if let other = graph.registered(key: key, rootIndex: relationship.destinationRootIndex) {
                others.append(other)
            }
        }
        if let unread = object.changes?.takePendingToMany(of: relationship.field) {
            others += Array(unread.added) + Array(unread.removed)
        }
        reference.pointee.storage = nil
        object.changes?.changed.remove(relationship.field)
        guard let inverse = relationship.inverseField else { return }
        for other in Set(others) where other !== object && other.state != .deleted && other.state != .detached {
            undoPair(of: object, in: other, inverse)
        }
    }

    /// Discards the change of one pair at one end.
    func undoPair(of object: ManagedObject, in other: ManagedObject, _ field: Int) {
        let reference = other.toManyReference(other.runtimeEntity.fields[field])
        if let members = reference.pointee.storage {
            guard members.changes != nil else { return }
            if members.isStored(object) != members.contains(object) { graph.willChangeObserved(other, field) }
        } else {
            graph.willChangeObserved(other, field)
        }
        if let members = reference.pointee.storage, members.changes != nil {
            if members.isStored(object) { _ = members.insert(object) } else { _ = members.remove(object) }
        } else if other.changes?.pendingToManyChanges(of: field) != nil {
            other.changes?.changePendingToMany(of: field) { $0.forget([object]) }
        }
        graph.recordRefresh(of: other, fields: PropertyMask(field))
    }

    // MARK: To-one relationships

    /// - Parameter isLinked: Whether the object that is currently referenced has an inverse reference to the object.
    private func takeToOne(_ key: Int64, of object: ManagedObject, _ field: Field, isLinked: Bool = true) {
        guard let relationship = object.runtimeEntity.relationships[field.index] else { return }
        let reference = object.toOneReference(field)
        if reference.pointee.key != key { graph.willChangeObserved(object, field.index) } else if isLinked { return }
        if isLinked, let (other, inverse) = knownPartner(reference.pointee.key, relationship) {
            unlink(object, from: other, inverse, relationship)
        }
        if reference.pointee.key != key { reference.pointee.object = nil }
        reference.pointee.key = key
        if let (other, inverse) = knownPartner(key, relationship) { link(object, to: other, inverse, relationship) }
    }

    /// The object at the other end of a to-one if it is registered, and its inverse.
    private func knownPartner(_ key: Int64, _ relationship: RuntimeEntity.Relationship) -> (ManagedObject, Field)? {
        guard key != 0, let inverse = relationship.inverseField,
            let other = graph.registered(key: key, rootIndex: relationship.destinationRootIndex),
            other.state != .detached,
            other.state != .deleted, graph.isDestination(other, of: relationship)
        else { return nil }
        return (other, other.runtimeEntity.fields[inverse])
    }

    private func unlink(
        _ object: ManagedObject,
        from other: ManagedObject,
        _ inverse: Field,
        _ relationship: RuntimeEntity.Relationship
    ) {
        if relationship.isInverseToMany || other.toOneReference(inverse).pointee.key == object.key {
            graph.willChangeObserved(other, inverse.index)
        }
        // The number of members of a fault is available without reading the object, so observers are notified first.
        guard !other.isFault else { return }
        graph.recordRefresh(of: other, fields: PropertyMask(inverse.index))
        if !relationship.isInverseToMany {
            let reference = other.toOneReference(inverse)
            if reference.pointee.key == object.key { reference.pointee = ToOneSlot() }
        } else if other.changes?.changed.contains(inverse.index) == true {
            _ = other.toManyReference(inverse).pointee.storage?.remove(object)
        } else {
            other.toManyReference(inverse).pointee.storage = nil
        }
    }

    private func link(
        _ object: ManagedObject,
        to other: ManagedObject,
        _ inverse: Field,
        _ relationship: RuntimeEntity.Relationship
    ) {
        if relationship.isInverseToMany || other.toOneReference(inverse).pointee.key != object.key {
            graph.willChangeObserved(other, inverse.index)
        }
        guard !other.isFault else { return }
        graph.recordRefresh(of: other, fields: PropertyMask(inverse.index))
        if relationship.isInverseToMany {
            if other.changes?.changed.contains(inverse.index) == true {
                // A to-many that was not read finds the object by the object's to-one.
                _ = other.toManyReference(inverse).pointee.storage?.insert(object)
            } else {
                other.toManyReference(inverse).pointee.storage = nil
            }
            return
        }
        let reference = other.toOneReference(inverse)
        guard reference.pointee.key != object.key else { return }
        if let back = other.runtimeEntity.relationships[inverse.index],
            let (third, field) = knownPartner(reference.pointee.key, back)
        {
            unlink(other, from: third, field, back)
        }
        reference.pointee.key = object.key
        reference.pointee.object = object
    }
}
