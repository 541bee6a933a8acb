internal import ChordataModel

// Relationships: loading the objects that a getter returns, and keeping both ends consistent.

extension ObjectEditor {
    private func relationship(_ object: ManagedObject, _ field: Int) -> RuntimeEntity.Relationship {
        guard let relationship = object.runtimeEntity.relationships[field] else {
            preconditionFailure("'\(object.runtimeEntity.fields[field].name)' is not a relationship")
        }
        return relationship
    }

    // MARK: Reading

    /// Returns the object of a to-one relationship; on the first access, the object is found by its key.
    func realizeToOne(of object: ManagedObject, field: Int) -> ManagedObject? {
        let toOne = object.withRuntimeEntity { $0.relationshipFields[field] }
        let reference = (object.fieldBase + toOne.offset).assumingMemoryBound(to: ToOneSlot.self)
        if let known = reference.pointee.object { return known }
        let key = reference.pointee.key
        guard key != 0 else { return nil }
        if let found = graph.registered(key: key, rootIndex: toOne.rootIndex),
            found.withRuntimeEntity(\.index) == toOne.destination
        {
            reference.pointee.object = found
            return found
        }
        let found = findObject(forKey: key, destination: graph.schema.runtimeEntities[toOne.destination])
        reference.pointee.object = found
        return found
    }

    /// Returns the destination of a to-one relationship, for a key without a registered object of exactly this entity.
    @inline(never)
    private func findObject(forKey key: Int64, destination: RuntimeEntity) -> ManagedObject? {
        guard let found = reader.object(forKey: key, type: destination) else { return nil }
        // Another program may have written the key of a row of another entity, whose class is not the class of the
        // relationship.
        return graph.schema.model.entity(found.runtimeEntity.entity.name, isKindOf: destination.entity.name)
            ? found : nil
    }

    /// Returns the objects of a to-many relationship, which are read from the store if they have not been read yet.
    func realizeToMany(of object: ManagedObject, field: Int) -> ToManyStorage {
        if object.isFault { reader.fulfillFault(object) }
        let fieldInfo = object.runtimeEntity.fields[field]
        let reference = object.toManyReference(fieldInfo)
        if let storage = reference.pointee.storage { return storage }
        let relationship = relationship(object, field)
        // An object without a row has nothing in the store.
        let stored =
            object.version == 0 ? [] : reader.readOrRecord([]) { try reader.loadToMany(of: object, relationship) }
        return fillToMany(of: object, relationship, stored: stored)
    }

    /// Sets the members of a to-many relationship: the members in the store, with the changes since then.
    @discardableResult
    func fillToMany(
        of object: ManagedObject,
        _ relationship: RuntimeEntity.Relationship,
        stored: [ManagedObject]
    ) -> ToManyStorage {
        let field = relationship.field
        let storage = ToManyStorage.make(isOrdered: relationship.description.isOrdered)
        // Without changes there is no need to examine objects that were never accessed.
        let isPartial =
            (!graph.changedObjects.isEmpty || isSaving)
            && stored.contains {
                $0.state == .deleted || $0.state == .updated && wasReassigned($0, relationship, object)
            }
        let members =
            isPartial
            ? stored.filter { $0.state != .deleted && ($0.state == .clean || !wasReassigned($0, relationship, object)) }
            : stored
        (storage as? OrderedToMany)?.recordInsertions()
        if let unread = object.changes?.takePendingToMany(of: field) {
            if let inverse = relationship.inverseToOne {
                storage.fill(with: members.filter { $0.state != .detached && references($0, inverse, object) })
                for candidate in unread.candidates
                where candidate.state != .deleted && candidate.state != .detached
                    && references(candidate, inverse, object)
                {
                    _ = storage.insert(candidate)
                }
            } else {
                storage.fill(with: members.filter { !unread.removed.contains($0) })
                for member in unread.added { _ = storage.insert(member) }
            }
            storage.recordChanges(since: stored.map(\.key))
        } else {
            storage.fill(with: members)
        }
        let held = locallyRetainedMembers(by: object, relationship)
        for member in held { _ = storage.insert(member) }
        if isPartial || !held.isEmpty {
            graph.remote.incompleteToManys.insert(RelationshipReference(object: object, field: field))
        }
        object.toManyReference(object.runtimeEntity.fields[field]).pointee.storage = storage
        return storage
    }

    /// Returns the number of objects of a to-many relationship; they are loaded only if unsaved changes matter.
    func countToMany(of object: ManagedObject, field: Int) -> Int {
        if let loaded = object.toManyReference(object.runtimeEntity.fields[field]).pointee.storage {
            return loaded.count
        }
        let relationship = relationship(object, field)
        if object.changes?.pendingToManyChanges(of: field) != nil
            || !locallyRetainedMembers(by: object, relationship).isEmpty
        {
            return realizeToMany(of: object, field: field).count
        }
        if object.version == 0 { return 0 }
        return reader.readOrRecord(0) { try reader.countMembers(of: object, relationship) }
    }

    /// Returns the members of a to-many relationship for changing them in place; `nil` if recording the change is
    /// enough (D9).
    private func changeableMembers(of object: ManagedObject, _ field: Int, isOrdered: Bool) -> ToManyStorage? {
        if let loaded = object.toManyReference(at: field).pointee.storage { return loaded }
        // A new object has no row to read. An order is known only if all members are known, and undo needs all.
        let isRead =
            object.version == 0 || isOrdered || graph.recordsUndo && recordsMembers(of: relationship(object, field))
        return isRead ? realizeToMany(of: object, field: field) : nil
    }

    private func insert(_ member: ManagedObject, into object: ManagedObject, field: Int) {
        if saveTransaction?.isResolving == true { recordReference(from: object, to: IdentityMap.Key(of: member)) }
        let relationship = object.withRuntimeEntity { $0.relationshipFields[field] }
        if let storage = changeableMembers(of: object, field, isOrdered: relationship.isOrdered) {
            guard !storage.contains(member) else { return }
            recordChange(of: object, field: field)
            if graph.recordsUndo { recordUndo(of: object, field, member: member, isAdded: true) }
            storage.recordChange()
            _ = storage.insert(member)
        } else {
            recordChange(of: object, field: field)
            object.withChanges { changes in
                changes.changePendingToMany(of: field) {
                    if relationship.hasToOneInverse { $0.candidates.append(member) } else { $0.add(member) }
                }
            }
        }
    }

    /// Adds a member that references the object in an unsaved change to the object's to-many relationship, also as an
    /// unsaved change.
    func restore(_ member: ManagedObject, in object: ManagedObject, field: Int) {
        if let storage = object.toManyReference(at: field).pointee.storage, storage.contains(member) {
            recordChange(of: object, field: field)
            storage.recordChange()
        } else {
            insert(member, into: object, field: field)
        }
    }

    /// - Parameter isDeletion: A Boolean value that indicates whether the member is removed because it is deleted,
    ///   which is already recorded for undo.
    private func remove(_ member: ManagedObject, of object: ManagedObject, field: Int, isDeletion: Bool = false) {
        let relationship = object.withRuntimeEntity { $0.relationshipFields[field] }
        let wasRead = object.toManyReference(at: field).pointee.storage != nil
        if let storage = changeableMembers(of: object, field, isOrdered: relationship.isOrdered) {
            // Members that are read after a deletion, or after a change of the member's to-one, do not include the
            // member any more, but the relationship has changed nevertheless.
            let isMember = storage.contains(member)
            guard isMember || member.isDeleted || !wasRead && relationship.hasToOneInverse else { return }
            recordChange(of: object, field: field)
            if graph.recordsUndo, isMember, !isDeletion {
                recordUndo(of: object, field, member: member, isAdded: false)
            }
            storage.recordChange()
            _ = storage.remove(member)
        } else {
            recordChange(of: object, field: field)
            object.withChanges { changes in
                changes.changePendingToMany(of: field) { if !relationship.hasToOneInverse { $0.remove(member) } }
            }
        }
    }

    /// Returns a Boolean value that indicates whether a to-many relationship has a member, if this is known without
    /// reading it.
    private func isKnown(_ member: ManagedObject, in object: ManagedObject, _ relationship: RuntimeEntity.Relationship)
        -> Bool
    {
        if let loaded = object.toManyReference(object.runtimeEntity.fields[relationship.field]).pointee.storage {
            return loaded.contains(member)
        }
        if let inverse = relationship.inverseToOne { return references(member, inverse, object) }
        return object.changes?.pendingToManyChanges(of: relationship.field)?.added.contains(member) == true
    }

    /// The members with unsaved changes whose rows other contexts have deleted (H1), or changed in an unknown way: they
    /// keep their references until these are saved or discarded.
    func locallyRetainedMembers(by object: ManagedObject, _ relationship: RuntimeEntity.Relationship) -> [ManagedObject]
    {
        guard !graph.remote.deferredDeletions.isEmpty || !graph.remote.changedObjects.isEmpty,
            let inverse = relationship.inverseField
        else {
            return []
        }
        let rootIndex = relationship.destinationRootIndex
        let withoutRow = graph.remote.deferredDeletions.keys.lazy.filter { $0.rootIndex == rootIndex }
            .compactMap { self.graph.registered(key: $0.key, rootIndex: rootIndex) }
        let changed = graph.remote.changedObjects.lazy.filter { $0.runtimeEntity.rootIndex == rootIndex }
        return (Array(withoutRow) + Array(changed)).filter { member in
            guard member.state == .updated, graph.isDestination(member, of: relationship) else { return false }
            if relationship.inverseToOne != nil { return references(member, inverse, object) }
            // A to-many that was not read has no members in the store any more.
            return member.toManyReference(at: inverse).pointee.storage?.contains(object) == true
        }
    }

    /// Returns a Boolean value that indicates whether an object that references another object in the store was
    /// reassigned in this context.
    func wasReassigned(
        _ member: ManagedObject,
        _ relationship: RuntimeEntity.Relationship,
        _ object: ManagedObject
    ) -> Bool {
        relationship.inverseToOne.map { !references(member, $0, object) } ?? false
    }

    /// Returns a Boolean value that indicates whether a to-one relationship of a member references an object.
    private func references(_ member: ManagedObject, _ inverse: Int, _ object: ManagedObject) -> Bool {
        if member.isFault { reader.fulfillFault(member) }
        return member.toOneReference(member.runtimeEntity.fields[inverse]).pointee.key == object.key
    }

    // MARK: Writing

    func setToOne(_ new: ManagedObject?, of object: ManagedObject, field: Int) {
        checkMembership(new)
        if object.isFault { reader.fulfillFault(object) }
        let relationship = relationship(object, field)
        let old = realizeToOne(of: object, field: field)
        guard old !== new else { return }
        // Undo needs the order that the members have before the change.
        if graph.recordsUndo, let old, let inverse = relationship.inverseField, relationship.isInverseToMany,
            old.withRuntimeEntity({ $0.relationshipFields[inverse].isOrdered })
        {
            _ = realizeToMany(of: old, field: inverse)
        }
        assignToOne(new, of: object, field: field)
        guard let inverse = relationship.inverseField else { return }
        if let old { disconnect(object, from: old, inverse: inverse, isToMany: relationship.isInverseToMany) }
        if let new { connect(object, to: new, inverse: inverse, isToMany: relationship.isInverseToMany) }
    }

    /// Sets one end of a to-one as an unsaved change.
    func assignToOne(_ new: ManagedObject?, of object: ManagedObject, field: Int) {
        recordChange(of: object, field: field)
        let reference = object.toOneReference(at: field)
        reference.pointee.key = new?.key ?? 0
        reference.pointee.object = new
        if saveTransaction?.isResolving == true, let new { recordReference(from: object, to: IdentityMap.Key(of: new)) }
    }

    func addToMany(_ new: ManagedObject, of object: ManagedObject, field: Int) {
        checkMembership(new)
        if object.isFault { reader.fulfillFault(object) }
        let relationship = relationship(object, field)
        guard !isKnown(new, in: object, relationship) else { return }
        insert(new, into: object, field: field)
        if let inverse = relationship.inverseField {
            connect(object, to: new, inverse: inverse, isToMany: relationship.isInverseToMany)
        }
    }

    func removeFromMany(_ old: ManagedObject, of object: ManagedObject, field: Int) {
        checkMembership(old)
        if object.isFault { reader.fulfillFault(object) }
        let relationship = relationship(object, field)
        // Pairs are unknown before they are read; removing a pair that does not exist has no effect.
        guard relationship.isInverseToMany || relationship.inverseField == nil || isKnown(old, in: object, relationship)
        else { return }
        remove(old, of: object, field: field)
        if let inverse = relationship.inverseField {
            disconnect(object, from: old, inverse: inverse, isToMany: relationship.isInverseToMany)
        }
    }

    func setToMany(_ objects: [ManagedObject], of object: ManagedObject, field: Int) {
        let isOrdered = relationship(object, field).description.isOrdered
        let storage = realizeToMany(of: object, field: field)
        let wanted = Set(objects)
        for old in storage.array where !wanted.contains(old) {
            // Without an inverse, a new object that was deleted again is still a member here.
            if old.state == .detached { _ = storage.remove(old) } else { removeFromMany(old, of: object, field: field) }
        }
        for new in objects { addToMany(new, of: object, field: field) }
        guard isOrdered, storage.array != objects else { return }
        recordChange(of: object, field: field)
        storage.recordChange()
        (storage as? OrderedToMany)?.reorder(objects)
    }

    /// Inserts objects that are not members yet into an ordered to-many relationship, at their final indexes.
    /// - Complexity: Each insertion moves the members that follow in memory, without accessing them.
    func insert(
        _ objects: [ManagedObject],
        at indexes: some Sequence<Int>,
        of object: ManagedObject,
        field: Int
    ) {
        guard let storage = realizeToMany(of: object, field: field) as? OrderedToMany else { return }
        let relationship = relationship(object, field)
        for (member, index) in zip(objects, indexes) where !storage.contains(member) {
            checkMembership(member)
            precondition(
                (0...storage.count).contains(index),
                "index \(index) is out of range; the relationship has \(storage.count) objects"
            )
            recordChange(of: object, field: field)
            if graph.recordsUndo { recordUndo(of: object, field, member: member, isAdded: true) }
            storage.recordChange()
            _ = storage.insert(member, at: index)
            if let inverse = relationship.inverseField {
                connect(object, to: member, inverse: inverse, isToMany: relationship.isInverseToMany)
            }
        }
    }

    /// Makes the other end reference the object, and removes that end's previous reference if it is to-one.
    func connect(_ object: ManagedObject, to other: ManagedObject, inverse: Int, isToMany: Bool) {
        if object.state == .deleted { graph.unsaved.mayReferenceDeletedObjects = true }
        if isToMany {
            insert(object, into: other, field: inverse)
            return
        }
        if other.isFault { reader.fulfillFault(other) }
        let previous = realizeToOne(of: other, field: inverse)
        guard previous !== object else { return }
        assignToOne(object, of: other, field: inverse)
        let back = relationship(other, inverse)
        if let previous, let field = back.inverseField {
            disconnect(other, from: previous, inverse: field, isToMany: back.isInverseToMany)
        }
    }

    /// Removes the reference of the other end to the object.
    func disconnect(
        _ object: ManagedObject,
        from other: ManagedObject,
        inverse: Int,
        isToMany: Bool,
        isDeletion: Bool = false
    ) {
        if isToMany {
            remove(object, of: other, field: inverse, isDeletion: isDeletion)
        } else {
            if other.isFault { reader.fulfillFault(other) }
            if other.toOneReference(at: inverse).pointee.key == object.key {
                assignToOne(nil, of: other, field: inverse)
            }
        }
    }

    // MARK: Primitive values

    func setPrimitiveToOne(_ new: ManagedObject?, of object: ManagedObject, _ field: Field) {
        checkMembership(new)
        let reference = object.toOneReference(field)
        reference.pointee.key = new?.key ?? 0
        reference.pointee.object = new
    }

    func setPrimitiveToMany(_ members: [ManagedObject], of object: ManagedObject, _ field: Field) {
        for member in members { checkMembership(member) }
        // A save writes the difference from the members in the store, so these must be known.
        let old = realizeToMany(of: object, field: field.index)
        let relationship = relationship(object, field.index)
        let new = ToManyStorage.make(isOrdered: relationship.description.isOrdered)
        let stored = old.array.filter(old.isStored).map(\.key) + old.removedKeys
        for member in members { _ = new.insert(member) }
        new.recordChanges(since: stored)
        object.toManyReference(field).pointee.storage = new
    }

    private func checkMembership(_ object: ManagedObject?) {
        guard let object else { return }
        precondition(
            !object.isUnattached,
            "an object of '\(object.runtimeEntity.entity.name)' cannot be put into a relationship before it is inserted; "
                + "call insert(_:) first"
        )
        precondition(
            object.contextReference?.toOpaque() == graph.owner?.toOpaque(),
            "an object of '\(object.runtimeEntity.entity.name)' from another context cannot be put into a relationship; "
                + "fetch it in this context, for example with object(with:)"
        )
        if object.state == .deleted { graph.unsaved.mayReferenceDeletedObjects = true }
    }
}
