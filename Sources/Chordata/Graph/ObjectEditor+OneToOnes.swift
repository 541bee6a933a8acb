internal import ChordataModel

// One-to-one relationships have a column at each end. Other contexts may change one end while the other end has unsaved
// changes in this context. So every operation that merges a row of the store into the context settles both ends:
// unsaved changes take precedence, and the partner of the row gets a change that the next save writes.

extension ObjectEditor {
    /// Settles the one-to-one relationships of merged rows.
    func settleOneToOnes(of rows: some Sequence<ChangeSet.Row>) {
        guard !graph.changedObjects.isEmpty else { return }
        for row in rows where !row.type.oneToOnes.isEmpty {
            guard let values = row.values, let object = graph.registered(key: row.key, rootIndex: row.type.rootIndex),
                object.runtimeEntity === row.type
            else { continue }
            reader.readOrRecord { try settleOneToOnes(of: object, values) }
        }
    }

    /// Settles the one-to-one relationships of an object whose row was read again.
    func settleOneToOnes(of object: ManagedObject, _ values: RowStorage) throws {
        guard !graph.changedObjects.isEmpty, !object.isFault, object.state == .clean || object.state == .updated else {
            return
        }
        // The change follows from a save of another context, which undo does not revert.
        try graph.withoutUndo { try settleEnds(of: object, values) }
    }

    private func settleEnds(of object: ManagedObject, _ values: RowStorage) throws {
        for relationship in object.runtimeEntity.oneToOnes {
            guard let inverse = relationship.inverseField else { continue }
            let field = object.runtimeEntity.fields[relationship.field]
            if object.changes?.changed.contains(relationship.field) == true {
                let stored = values.key(of: field)
                guard stored != object.toOneReference(field).pointee.key else { continue }
                try settleOneToOne(of: object, field, relationship, inverse, stored: stored)
            } else if let partner = changedPartner(object.toOneReference(field).pointee.key, relationship, inverse),
                partner != object.key
            {
                assignToOne(nil, of: object, field: relationship.field)
            }
        }
    }

    /// Settles both ends of a one-to-one relationship that has an unsaved change.
    /// - Parameter stored: The key that the object's row has.
    func settleOneToOne(
        of object: ManagedObject,
        _ field: Field,
        _ relationship: RuntimeEntity.Relationship,
        _ inverse: Int,
        stored: Int64
    ) throws {
        if let (other, key) = try storedPartner(stored, relationship, inverse), key == object.key {
            assign(nil, of: other, inverse, besides: object)
        }
        if object.state != .deleted { try claimPartner(of: object, field, relationship, inverse) }
    }

    /// Makes the other end of a one-to-one relationship reference the object, as a change that a save writes.
    ///
    /// A partner that references a third object in an unsaved change keeps that reference; the object then has no
    /// partner.
    func claimPartner(
        of object: ManagedObject,
        _ field: Field,
        _ relationship: RuntimeEntity.Relationship,
        _ inverse: Int
    ) throws {
        let key = object.toOneReference(field).pointee.key
        if let partner = changedPartner(key, relationship, inverse), partner != 0, partner != object.key {
            assignToOne(nil, of: object, field: field.index)
        } else if let (other, stored) = try storedPartner(key, relationship, inverse), stored != object.key {
            assign(object, of: other, inverse, besides: object)
            // The object that the partner references in the store loses its reference to the partner.
            guard let back = other.runtimeEntity.relationships[inverse],
                let (third, key) = try storedPartner(stored, back, field.index), key == other.key
            else { return }
            assign(nil, of: third, field.index, besides: other)
        }
    }

    /// Returns the key that the object with a key references in an unsaved change of a to-one relationship; `nil` if
    /// there is no such change.
    private func changedPartner(_ key: Int64, _ relationship: RuntimeEntity.Relationship, _ inverse: Int) -> Int64? {
        guard key != 0, let other = graph.registered(key: key, rootIndex: relationship.destinationRootIndex),
            !other.isFault,
            other.state == .inserted || other.state == .updated, graph.isDestination(other, of: relationship),
            other.changes?.changed.contains(inverse) == true
        else { return nil }
        return other.toOneReference(at: inverse).pointee.key
    }

    /// Returns a saved object, and the key that its to-one relationship has in the store.
    private func storedPartner(_ key: Int64, _ relationship: RuntimeEntity.Relationship, _ inverse: Int) throws
        -> (ManagedObject, Int64)?
    {
        guard key != 0 else { return nil }
        let type = graph.schema.runtimeEntities[relationship.destination]
        guard let other = reader.object(forKey: key, type: type), other.state != .inserted, other.state != .deleted,
            other.state != .detached, graph.isDestination(other, of: relationship),
            let row = try reader.readRowSnapshot(of: other)
        else { return nil }
        // An object without changes of its own takes the values of the row; otherwise a merge policy would be applied
        // to values that were not changed here.
        if !other.isFault, !other.hasColumnChanges, row.version != other.version, try refresh(other, from: row) {
            graph.recordRefresh(of: other)
        }
        return (other, row.values.key(of: other.runtimeEntity.fields[inverse]))
    }

    /// Sets a to-one relationship of the partner as an unsaved change, unless such a change references a third object.
    private func assign(
        _ object: ManagedObject?,
        of other: ManagedObject,
        _ inverse: Int,
        besides partner: ManagedObject
    ) {
        if other.isFault { reader.fulfillFault(other) }
        let key = other.toOneReference(at: inverse).pointee.key
        if other.changes?.changed.contains(inverse) == true, key != 0, key != partner.key { return }
        assignToOne(object, of: other, field: inverse)
    }
}
