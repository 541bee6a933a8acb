// The recording of the data that undo needs, before a change.

extension ObjectEditor {
    /// Records the value of a property before it changes.
    func recordUndo(of object: ManagedObject, _ fieldIndex: Int) {
        guard let undoManager else { return }
        let property = UndoStep.Property(object: object, field: fieldIndex)
        let field = object.runtimeEntity.fields[fieldIndex]
        guard let relationship = object.runtimeEntity.relationships[fieldIndex] else {
            // Derived attributes are computed again.
            guard field.attribute?.isDerived != true, undoManager.markKnown(property) else { return }
            object.loadExternalData(fieldIndex)
            let wasUnset = object.changes?.unset.contains(fieldIndex) == true
            return undoManager.record(.attribute(property, FieldCopy(field, of: object), wasUnset: wasUnset))
        }
        if !relationship.description.isToMany {
            guard undoManager.markKnown(property) else { return }
            undoManager.record(.toOne(property, realizeToOne(of: object, field: fieldIndex)))
        } else if relationship.description.isOrdered, undoManager.markKnown(property) {
            undoManager.record(.order(property, realizeToMany(of: object, field: fieldIndex).array))
        }
    }

    /// Records that a member is added to a to-many relationship or removed from it.
    func recordUndo(of object: ManagedObject, _ field: Int, member: ManagedObject, isAdded: Bool) {
        guard let undoManager, object.runtimeEntity.relationships[field]?.inverseToOne == nil else { return }
        undoManager.record(.member(UndoStep.Property(object: object, field: field), member, wasAdded: isAdded))
    }

    /// A Boolean value that indicates whether undo needs the members that a to-many has before a change.
    func recordsMembers(of relationship: RuntimeEntity.Relationship) -> Bool {
        relationship.description.isOrdered || relationship.inverseToOne == nil
    }

    /// Returns the data for undoing a deletion, before the delete rules have changed anything.
    func undoOfDeletion(of object: ManagedObject) -> DeletedObject {
        object.loadExternalData()
        var toOnes: [(field: Int, target: ManagedObject)] = []
        var toManys: [DeletedObject.Members] = []
        for case let relationship? in object.runtimeEntity.relationships {
            let field = relationship.field
            if relationship.description.isToMany {
                let storage = realizeToMany(of: object, field: field)
                let hasPairs = object.version != 0 && relationship.inverseToOne == nil
                let stored = hasPairs ? storage.array.filter(storage.isStored).map(\.key) : []
                toManys.append(.init(field: field, objects: storage.array, storedKeys: Set(stored)))
            } else if let target = realizeToOne(of: object, field: field) {
                toOnes.append((field, target))
            }
        }
        return DeletedObject(
            object: object,
            toOnes: toOnes,
            toManys: toManys,
            unset: object.changes?.unset ?? PropertyMask()
        )
    }
}
