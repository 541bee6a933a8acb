internal import ChordataModel

// Merging what other contexts saved. Local edits win until they are saved (N4).

extension ManagedObjectContext {
    func mergeInbox() {
        for row in inbox.drain() { merge(row) }
        awakenObjects()
    }

    private func merge(_ row: ChangeSet.Row) {
        let known = registered(key: row.key, rootIndex: row.type.rootIndex)
        switch row.kind {
        case .deleted:
            guard let known else { return }
            forgetToMany(around: known)
            known.state = .gone
            dropChanges(of: known)
            event.mergedDeleted.append(known)
        case .inserted, .updated:
            guard let values = row.values else {
                mergeIdentity(of: row, known: known)
                return
            }
            if let known {
                guard !known.isFault, known.state == .clean || known.state == .updated else { return }
                forgetToMany(around: known)
                assign(values, version: row.version, to: known)
                forgetToMany(around: known)
                forgetOwnToMany(of: known)
                event.refreshed.append(known)
            } else if row.kind == .inserted {
                let object = row.type.objectClass.init(ObjectInitialization(entityType: row.type))
                object.key = row.key
                assign(values, version: row.version, to: object)
                register(object)
                if row.type.hooks.awakeFromFetch != nil { awakening.append(object) }
                forgetToMany(around: object)
                event.mergedInserted.append(object)
            } else {
                // N4: an update of an object that nobody has here changes nothing, but an owner's list may have grown.
                forgetToMany(of: row.type) { values.key(of: $0) }
            }
        }
    }

    /// Merges a row whose values were too many to keep: it is read when somebody looks at it.
    private func mergeIdentity(of row: ChangeSet.Row, known: ManagedObject?) {
        guard let known else {
            if row.kind == .inserted {
                event.mergedInserted.append(makeFault(key: row.key, type: row.type))
            }
            return
        }
        // Local edits stay; saving them over a newer row is a conflict.
        guard known.state == .clean, !known.isFault else { return }
        forgetToMany(around: known)
        turnIntoFault(known)
        event.refreshed.append(known)
    }

    func forgetOwnToMany(of object: ManagedObject) {
        for field in object.entityType.fields where field.kind.base == .toMany {
            // Local edits stay until they are saved.
            guard object.changes?.changed.contains(field.index) != true else { continue }
            object.toManyReference(field).pointee.storage = nil
        }
    }

    func assign(_ values: FieldBlock, version: Int64, to object: ManagedObject) {
        for field in object.entityType.columnFields where object.changes?.changed.contains(field.index) != true {
            if field.kind.base == .toOne {
                let reference = object.toOneReference(field)
                let key = values.key(of: field)
                if reference.pointee.key != key { reference.pointee.object = nil }
                reference.pointee.key = key
            } else {
                copyField(
                    field.kind,
                    from: values.address(of: field),
                    to: object.address(of: field),
                    isInitialized: true
                )
            }
        }
        object.version = version
        object.changes?.committed = values
    }

    /// Lets the to-many relationships that the object's to-ones lead back to be read again, unless they have local edits.
    private func forgetToMany(around object: ManagedObject) {
        forgetToMany(of: object.entityType) { object.toOneReference($0).pointee.key }
    }

    private func forgetToMany(of type: EntityType, key keyOf: (Field) -> Int64) {
        for case let relationship? in type.relationships {
            guard !relationship.description.isToMany, relationship.isInverseToMany,
                let inverse = relationship.inverseField
            else { continue }
            guard type.fields[relationship.field].isStored else { continue }
            let key = keyOf(type.fields[relationship.field])
            let destination = schema.entityTypes[relationship.destination]
            guard key != 0, let owner = registered(key: key, rootIndex: destination.rootIndex),
                owner.changes?.changed.contains(inverse) != true
            else { continue }
            owner.toManyReference(owner.entityType.fields[inverse]).pointee.storage = nil
        }
    }
}
