internal import ChordataModel

// Resolution of uniqueness conflicts by merge policies: one object is replaced by another, and references to it are
// redirected.

extension ObjectEditor {
    /// Restores the saved values of properties of a changed object.
    /// - Parameter all: Whether all changes of the object are discarded.
    func putBack(_ object: ManagedObject, _ fields: [Field], all: Bool) throws {
        // A row with another version is a separate conflict, which the next attempt detects.
        guard let row = try reader.readRowSnapshot(of: object), row.version == object.version else { return }
        if all {
            restore(object, to: row)
        } else {
            for field in fields { takeValue(of: field, from: row, into: object) }
        }
        try rebase(object, onto: row)
        graph.recordRefresh(of: object)
    }

    /// Replaces an inserted object by another object, and redirects references to it.
    func replace(_ object: ManagedObject, with kept: ManagedObject) {
        moveReferences(from: object, to: kept, withOwn: false)
        discard(object, for: kept)
    }

    /// Combines an inserted object and a saved row (U7, U8): the object becomes the object of the row or, if the
    /// context already has an object for the row or the entities differ, is replaced by the object of the row.
    ///
    /// - Parameter overwrites: Whether values that were never set also replace the values of the row; `nil` if the row
    ///   keeps all its values.
    func replace(_ object: ManagedObject, withRow row: RowSnapshot, overwrites: Bool?) throws {
        let type = row.values.runtimeEntity
        // An object without references needs no replacement.
        graph.releaseObjects(of: [IdentityMap.Key(rootIndex: type.rootIndex, key: row.key)])
        if type === object.runtimeEntity, graph.registered(key: row.key, rootIndex: type.rootIndex) == nil {
            try become(object, row, overwrites: overwrites)
            return
        }
        let saved =
            graph.registered(key: row.key, rootIndex: type.rootIndex) ?? graph.makeFault(key: row.key, type: type)
        if saved.isFault { reader.fulfillFault(saved) }
        if let overwrites {
            for field in type.columnFields
            where field.kind.base != .toOne && (overwrites || isSet(field, of: object)) {
                recordChange(of: saved, field: field.index)
                copyField(
                    field.kind,
                    from: object.address(of: field),
                    to: saved.address(of: field),
                    isInitialized: true
                )
            }
            for field in type.columnFields where field.kind.base == .toOne {
                let isEmpty = object.toOneReference(field).pointee.key == 0
                if isEmpty, overwrites || isSet(field, of: object) {
                    setToOne(nil, of: saved, field: field.index)
                }
            }
        }
        moveReferences(from: object, to: saved, withOwn: overwrites != nil)
        discard(object, for: saved)
    }

    /// Returns a Boolean value that indicates whether a property of an inserted object has a value, by its default or
    /// because it was set.
    private func isSet(_ field: Field, of object: ManagedObject) -> Bool {
        guard let changes = object.changes, !changes.unset.contains(field.index) else { return false }
        if changes.changed.contains(field.index) || field.isRequired { return true }
        if field.kind.base == .toOne { return object.toOneReference(field).pointee.key != 0 }
        return attributeValue(field.kind, at: object.address(of: field)) != nil
    }

    /// Detaches an inserted object, which gets the object ID of the object that is kept.
    private func discard(_ object: ManagedObject, for kept: ManagedObject) {
        recordFormerID(of: object)
        graph.unregister(object)
        object.state = .detached
        object.changes = nil
        if graph.notifier.hasObservers { graph.event.keys.replaced[object] = object.key }
        object.key = kept.key
        graph.unsaved.removeStaleEntriesLater()
        graph.event.forgotten.append(object)
        recordReplacement(of: object, by: kept)
    }

    /// Sets the keys of replaced objects to the current keys of their replacements, after all policies have run.
    func takeKeysOfReplacements() {
        for (object, replacement) in (saveTransaction?.replaced ?? []).reversed() { object.key = replacement.key }
    }

    /// Records the object ID by which observers know an inserted object, before the object gets another ID.
    private func recordFormerID(of object: ManagedObject) {
        guard !object.isNewInEvent else { return }
        let key = graph.unsaved.formerKeys.key(before: object.key) ?? object.key
        graph.event.formerIDs[object] = ManagedObjectID(runtimeEntity: object.runtimeEntity, key: key)
    }

    // MARK: An object that becomes the object of a row

    private func become(_ object: ManagedObject, _ row: RowSnapshot, overwrites: Bool?) throws {
        let type = object.runtimeEntity
        if overwrites == nil { dropOwnReferences(of: object) }
        let kept = type.columnFields.filter { field in overwrites.map { $0 || isSet(field, of: object) } ?? false }
        recordFormerID(of: object)
        object.isNewInEvent = false  // Its row is not new.
        let old = object.key
        graph.changeKey(of: object, to: row.key)
        changeKeyInToOnes(from: old, to: row.key, rootIndex: type.rootIndex)
        recordMembersAsUnread(of: object)
        for field in type.columnFields where !kept.contains(where: { $0 === field }) {
            takeValue(of: field, from: row, into: object)
        }
        try rebase(object, onto: row)
        for case let relationship? in type.relationships
        where relationship.description.isOrdered && object.changes?.changed.contains(relationship.field) == true {
            // A save writes positions, so it needs all members.
            _ = realizeToMany(of: object, field: relationship.field)
        }
        graph.recordRefresh(of: object)
    }

    /// Empties the relationships that only a new object stores: to-one relationships, and to-many relationships without
    /// an inverse.
    private func dropOwnReferences(of object: ManagedObject) {
        for case let relationship? in object.runtimeEntity.relationships {
            if !relationship.description.isToMany {
                setToOne(nil, of: object, field: relationship.field)
            } else if relationship.inverseField == nil {
                graph.willChangeObserved(object, relationship.field)
                object.toManyReference(object.runtimeEntity.fields[relationship.field]).pointee.storage = nil
                object.changes?.changed.remove(relationship.field)
            }
        }
    }

    /// Records the members of a new object as added members, because the row has its own members.
    private func recordMembersAsUnread(of object: ManagedObject) {
        for case let relationship? in object.runtimeEntity.relationships
        where relationship.description.isToMany && relationship.storage != nil {
            graph.willChangeObserved(object, relationship.field)
            let reference = object.toManyReference(object.runtimeEntity.fields[relationship.field])
            guard let storage = reference.pointee.storage else { continue }
            reference.pointee.storage = nil
            guard storage.count > 0 else {
                object.changes?.changed.remove(relationship.field)
                continue
            }
            storage.recordChanges(since: [])
            recordAsUnread(storage, of: object, relationship)
        }
    }

    // MARK: References

    /// Redirects references to an inserted object to another object.
    /// - Parameter withOwn: Whether the other object also gets the references that only the inserted object stores.
    private func moveReferences(from old: ManagedObject, to new: ManagedObject, withOwn: Bool) {
        for case let relationship? in old.runtimeEntity.relationships {
            let isToMany = relationship.description.isToMany
            for target in targets(of: old, relationship) {
                let inverse = relationship.inverseField.flatMap { target.runtimeEntity.relationships[$0] }
                // A new object that was deleted again may still be in a relationship without an inverse.
                if target.state == .detached { continue }
                if target !== old, target.state != .deleted, withOwn || isToMany, let inverse,
                    graph.isDestination(new, of: inverse)
                {
                    moveReference(of: target, inverse, from: old, to: new)
                    continue
                }
                if isToMany {
                    removeFromMany(target, of: old, field: relationship.field)
                } else {
                    setToOne(nil, of: old, field: relationship.field)
                }
                guard withOwn, inverse == nil || target === old,
                    new.runtimeEntity.field(named: relationship.description.name)?.index == relationship.field
                else { continue }
                let moved = target === old ? new : target
                if isToMany {
                    addToMany(moved, of: new, field: relationship.field)
                } else {
                    setToOne(moved, of: new, field: relationship.field)
                }
            }
        }
        guard graph.schema.hasOneWayRelationships else { return }
        for object in referencingObjects(of: IdentityMap.Key(of: old))
        where object !== old && (object.state == .inserted || object.state == .updated) {
            for case let relationship? in object.runtimeEntity.relationships
            where relationship.inverseField == nil && references(object, relationship, old) {
                moveReference(of: object, relationship, from: old, to: new)
            }
        }
    }

    private func references(_ object: ManagedObject, _ relationship: RuntimeEntity.Relationship, _ other: ManagedObject)
        -> Bool
    {
        guard relationship.destinationRootIndex == other.runtimeEntity.rootIndex else { return false }
        let field = object.runtimeEntity.fields[relationship.field]
        guard relationship.description.isToMany else {
            return object.toOneReference(field).pointee.key == other.key
        }
        if let storage = object.toManyReference(field).pointee.storage { return storage.contains(other) }
        return object.changes?.pendingToManyChanges(of: relationship.field)?.added.contains(other) == true
    }

    /// Replaces an object in a relationship by another one, which gets its position if the relationship is ordered.
    ///
    /// If the other object is not of the relationship's destination entity, it is not added.
    private func moveReference(
        of object: ManagedObject,
        _ relationship: RuntimeEntity.Relationship,
        from old: ManagedObject,
        to new: ManagedObject
    ) {
        let field = relationship.field
        let fits = graph.isDestination(new, of: relationship)
        guard relationship.description.isToMany else {
            return setToOne(fits ? new : nil, of: object, field: field)
        }
        guard relationship.description.isOrdered, fits else {
            removeFromMany(old, of: object, field: field)
            if fits { addToMany(new, of: object, field: field) }
            return
        }
        var members = realizeToMany(of: object, field: field).array.filter { $0.state != .detached }
        let place = members.firstIndex(of: old)
        if members.contains(new) {
            members.removeAll { $0 == old }
        } else if let place {
            members[place] = new
        }
        setToMany(members, of: object, field: field)
    }
}
