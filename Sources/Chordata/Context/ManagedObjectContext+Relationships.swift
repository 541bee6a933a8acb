internal import ChordataModel

// Relationships: loading what a getter asks for, and keeping both ends in step.

extension ManagedObjectContext {
    private func relationship(_ object: ManagedObject, _ field: Int) -> EntityType.Relationship {
        guard let relationship = object.entityType.relationships[field] else {
            preconditionFailure("'\(object.entityType.fields[field].name)' is not a relationship")
        }
        return relationship
    }

    // MARK: Reading

    /// The object of a to-one whose key is known and whose object nobody asked for yet.
    func realizeToOne(of object: ManagedObject, field: Int) -> ManagedObject? {
        let relationship = relationship(object, field)
        let reference = object.toOneReference(object.entityType.fields[field])
        if let known = reference.pointee.object { return known }
        guard reference.pointee.key != 0 else { return nil }
        let destination = schema.entityTypes[relationship.destination]
        let found = self.object(forKey: reference.pointee.key, type: destination)
        reference.pointee.object = found
        return found
    }

    /// The objects of a to-many, read from the store when that has not happened yet.
    func realizeToMany(of object: ManagedObject, field: Int) -> ToManyStorage {
        if object.isFault { fulfillFault(object) }
        let fieldInfo = object.entityType.fields[field]
        let reference = object.toManyReference(fieldInfo)
        if let storage = reference.pointee.storage { return storage }
        let relationship = relationship(object, field)
        let destination = schema.entityTypes[relationship.destination]
        let storage = destination.objectClass.makeToManyStorage(isOrdered: relationship.description.isOrdered)
        // An object without a row has nothing in the store.
        if object.version != 0 {
            for found in readOrTrap({ try loadToMany(of: object, relationship) }) where !found.isDeleted {
                guard !pointsElsewhere(found, than: object, relationship) else { continue }
                _ = storage.insert(found)
            }
        }
        // Unsaved changes at the other end are not in the store.
        if let inverse = relationship.inverseField {
            for candidate in changedObjects where candidate.state != .deleted {
                guard candidate.entityType.rootIndex == destination.rootIndex,
                    candidate.changes?.changed.contains(inverse) == true,
                    schema.model.entity(candidate.entityType.entity.name, isKindOf: destination.entity.name)
                else { continue }
                if pointsHere(candidate, object, relationship) { _ = storage.insert(candidate) }
            }
        }
        reference.pointee.storage = storage
        return storage
    }

    /// How many objects a to-many leads to; they are loaded only where unsaved changes may matter.
    func countToMany(of object: ManagedObject, field: Int) -> Int {
        let loaded = object.toManyReference(object.entityType.fields[field]).pointee.storage
        let rootIndex = schema.entityTypes[relationship(object, field).destination].rootIndex
        if loaded != nil || changedObjects.contains(where: { $0.entityType.rootIndex == rootIndex }) {
            return realizeToMany(of: object, field: field).count
        }
        if object.version == 0 { return 0 }
        return readOrTrap { try countMembers(of: object, relationship(object, field)) }
    }

    /// Whether the other end was changed so that it no longer belongs to this one.
    private func pointsElsewhere(
        _ other: ManagedObject,
        than object: ManagedObject,
        _ relationship: EntityType.Relationship
    ) -> Bool {
        guard let inverse = relationship.inverseField, other.changes?.changed.contains(inverse) == true else {
            return false
        }
        return !pointsHere(other, object, relationship)
    }

    private func pointsHere(
        _ other: ManagedObject,
        _ object: ManagedObject,
        _ relationship: EntityType.Relationship
    ) -> Bool {
        guard let inverse = relationship.inverseField else { return false }
        let field = other.entityType.fields[inverse]
        if relationship.isInverseToMany {
            return other.toManyReference(field).pointee.storage?.contains(object) ?? false
        }
        return other.toOneReference(field).pointee.key == object.key
    }

    // MARK: Writing

    func setToOne(_ new: ManagedObject?, of object: ManagedObject, field: Int) {
        checkMembership(new)
        if object.isFault { fulfillFault(object) }
        let relationship = relationship(object, field)
        let old = realizeToOne(of: object, field: field)
        guard old !== new else { return }
        assignToOne(new, of: object, field: field)
        guard let inverse = relationship.inverseField else { return }
        if let old { detach(object, from: old, inverse: inverse, isToMany: relationship.isInverseToMany) }
        if let new { attach(object, to: new, inverse: inverse, isToMany: relationship.isInverseToMany) }
    }

    private func assignToOne(_ new: ManagedObject?, of object: ManagedObject, field: Int) {
        recordChange(of: object, field: field)
        let reference = object.toOneReference(object.entityType.fields[field])
        reference.pointee.key = new?.key ?? 0
        reference.pointee.object = new
    }

    func addToMany(_ new: ManagedObject, of object: ManagedObject, field: Int) {
        checkMembership(new)
        let relationship = relationship(object, field)
        let storage = realizeToMany(of: object, field: field)
        guard !storage.contains(new) else { return }
        recordChange(of: object, field: field)
        storage.noteChange()
        _ = storage.insert(new)
        if let inverse = relationship.inverseField {
            attach(object, to: new, inverse: inverse, isToMany: relationship.isInverseToMany)
        }
    }

    func removeFromMany(_ old: ManagedObject, of object: ManagedObject, field: Int) {
        let relationship = relationship(object, field)
        let storage = realizeToMany(of: object, field: field)
        guard storage.contains(old) else { return }
        recordChange(of: object, field: field)
        storage.noteChange()
        _ = storage.remove(old)
        if let inverse = relationship.inverseField {
            detach(object, from: old, inverse: inverse, isToMany: relationship.isInverseToMany)
        }
    }

    func setToMany(_ objects: [ManagedObject], of object: ManagedObject, field: Int) {
        let isOrdered = relationship(object, field).description.isOrdered
        let storage = realizeToMany(of: object, field: field)
        let wanted = Set(objects)
        for old in storage.array where !wanted.contains(old) { removeFromMany(old, of: object, field: field) }
        for new in objects { addToMany(new, of: object, field: field) }
        guard isOrdered, storage.array != objects else { return }
        recordChange(of: object, field: field)
        storage.noteChange()
        for member in objects {
            _ = storage.remove(member)
            _ = storage.insert(member)
        }
    }

    /// Makes the other end refer to the object, and lets go of what a to-one there referred to before.
    private func attach(_ object: ManagedObject, to other: ManagedObject, inverse: Int, isToMany: Bool) {
        if isToMany {
            recordChange(of: other, field: inverse)
            // One that is not loaded finds the object among the unsaved changes when it is.
            if let storage = other.toManyReference(other.entityType.fields[inverse]).pointee.storage {
                storage.noteChange()
                _ = storage.insert(object)
            } else if relationship(other, inverse).isInverseToMany {
                let storage = realizeToMany(of: other, field: inverse)
                storage.noteChange()
                _ = storage.insert(object)
            }
        } else {
            if other.isFault { fulfillFault(other) }
            let previous = realizeToOne(of: other, field: inverse)
            guard previous !== object else { return }
            assignToOne(object, of: other, field: inverse)
            let back = relationship(other, inverse)
            if let previous, let field = back.inverseField {
                detach(other, from: previous, inverse: field, isToMany: back.isInverseToMany)
            }
        }
    }

    /// Makes the other end stop referring to the object.
    private func detach(_ object: ManagedObject, from other: ManagedObject, inverse: Int, isToMany: Bool) {
        if isToMany {
            let storage: ToManyStorage
            if let loaded = other.toManyReference(other.entityType.fields[inverse]).pointee.storage {
                storage = loaded
            } else if relationship(other, inverse).isInverseToMany {
                storage = realizeToMany(of: other, field: inverse)
            } else {
                recordChange(of: other, field: inverse)
                return
            }
            guard storage.contains(object) else { return }
            recordChange(of: other, field: inverse)
            storage.noteChange()
            _ = storage.remove(object)
        } else if other.toOneReference(other.entityType.fields[inverse]).pointee.key == object.key {
            assignToOne(nil, of: other, field: inverse)
        }
    }

    private func checkMembership(_ object: ManagedObject?) {
        guard let object else { return }
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.entityType.entity.name)' from another context cannot be put into a relationship; "
                + "fetch it in this context, for example with object(with:)"
        )
    }
}
