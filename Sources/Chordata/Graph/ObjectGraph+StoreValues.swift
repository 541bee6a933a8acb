internal import ChordataModel

// Assigning values of the store to objects.

extension ObjectGraph {
    /// Assigns the values of a row to an object, except for properties with unsaved changes.
    func assign(_ values: RowStorage, version: Int64, to object: ManagedObject) {
        willAssignObserved(values, to: object)
        for field in object.runtimeEntity.columnFields where object.changes?.changed.contains(field.index) != true {
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
        if object.changes == nil, !values.unset.isEmpty { object.changes = ObjectChanges(of: object) }
        guard let changes = object.changes else { return }
        changes.setCommittedValues(values)
        // The row alone determines which values are missing; values that were set in this context stay set.
        for field in object.runtimeEntity.columns where field.isRequired && !changes.changed.contains(field.index) {
            if values.unset.contains(field.index) {
                changes.unset.insert(field.index)
            } else {
                changes.unset.remove(field.index)
            }
        }
    }
}
