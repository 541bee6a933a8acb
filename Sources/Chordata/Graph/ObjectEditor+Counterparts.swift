internal import ChordataModel

// The objects of a parent context receive the changes of their counterparts in a child context.

extension ObjectEditor {
    /// Inserts the counterpart of an object that a child has inserted.
    func insertCounterpart(of object: ManagedObject) -> ManagedObject {
        let type = object.runtimeEntity
        let known = graph.registered(key: object.key, rootIndex: type.rootIndex)
        if let known, known.state == .deleted {
            // The deletion was transferred from the child, which has undone it.
            keep(known)
            // The destinations have removed the object; it is connected again to the objects that the child restored.
            for case let relationship? in type.relationships where !relationship.description.isToMany {
                recordChange(of: known, field: relationship.field)
                known.toOneReference(at: relationship.field).pointee = ToOneSlot()
            }
            return known
        }
        // An object with this ID may already be registered here.
        let counterpart = known ?? graph.makeObject(of: type)
        if known != nil { graph.registry.removeObject(forKey: object.key, rootIndex: type.rootIndex) }
        counterpart.slowPath.remove(.fault)
        counterpart.version = object.version
        counterpart.changes = ObjectChanges(of: counterpart)
        insert(counterpart, key: object.key)
        return counterpart
    }

    /// Sets the attributes that a child has set: all attributes, if the child has inserted the object.
    func takeAttributes(of object: ManagedObject, for counterpart: ManagedObject) {
        guard let changes = object.changes else { return }
        for field in object.runtimeEntity.fields where field.isAttribute {
            guard object.state == .inserted || changes.changed.contains(field.index) else { continue }
            // Initial values of a new object are not changes.
            if counterpart.state != .inserted || changes.changed.contains(field.index) {
                recordChange(of: counterpart, field: field.index)
            }
            copyAttribute(field.kind, from: object.address(of: field), to: counterpart.address(of: field))
            if changes.unset.contains(field.index) { counterpart.changes?.unset.insert(field.index) }
        }
    }

    /// Sets the to-one relationships that a child has set, and adds and removes the members that it has added to and
    /// removed from to-many relationships.
    func takeRelationships(of object: ManagedObject, for counterpart: ManagedObject) {
        guard let changes = object.changes else { return }
        for case let relationship? in object.runtimeEntity.relationships
        where changes.changed.contains(relationship.field) {
            let field = object.runtimeEntity.fields[relationship.field]
            let destination = graph.schema.runtimeEntities[relationship.destination]
            if !relationship.description.isToMany {
                let key = object.toOneReference(field).pointee.key
                let target = key == 0 ? nil : reader.object(forKey: key, type: destination)
                setToOne(target.flatMap { $0.isDeleted ? nil : $0 }, of: counterpart, field: field.index)
                continue
            }
            // If the inverse is a to-one relationship, the members have the change.
            guard relationship.inverseToOne == nil else { continue }
            let (added, removed) = object.memberChanges(of: relationship)
            for key in removed {
                guard let member = reader.object(forKey: key, type: destination) else { continue }
                removeFromMany(member, of: counterpart, field: field.index)
            }
            for key in added {
                guard let member = reader.object(forKey: key, type: destination), !member.isDeleted else {
                    continue
                }
                addToMany(member, of: counterpart, field: field.index)
            }
        }
    }

    /// Sorts members into the order that a child has set; members that the child does not have are last.
    func takeOrders(of object: ManagedObject, for counterpart: ManagedObject) {
        for case let relationship? in object.runtimeEntity.relationships where relationship.description.isOrdered {
            guard object.changes?.changed.contains(relationship.field) == true,
                let members = object.toManyReference(at: relationship.field).pointee.storage
            else { continue }
            let known = realizeToMany(of: counterpart, field: relationship.field).array
            let places = Dictionary(uniqueKeysWithValues: members.array.enumerated().map { ($1.key, $0) })
            let ordered = known.enumerated().ordered { left, right in
                (places[left.element.key] ?? .max, left.offset) < (places[right.element.key] ?? .max, right.offset)
            }
            setToMany(ordered.map(\.element), of: counterpart, field: relationship.field)
        }
    }
}

extension Field {
    fileprivate var isAttribute: Bool { kind.base != .toOne && kind.base != .toMany }
}
