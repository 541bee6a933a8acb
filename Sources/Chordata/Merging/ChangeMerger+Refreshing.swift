internal import ChordataSQL

// Refreshing of objects with the values in the store.

extension ChangeMerger {
    /// Updates an object with the values in the store; see ``ManagedObjectContext/refresh(_:mergeChanges:)``.
    func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        guard object.state == .clean || object.state == .updated else { return }
        reader.endReading()  // The newest state is wanted, unless the context is pinned.
        if mergeChanges {
            guard !object.isFault else { return }
            var changed: PropertyMask?
            if let row = reader.readOrRecord({ try reader.readRowSnapshot(of: object) }) {
                changed = object.fieldsThatMayDiffer(from: row)
                graph.willChangeObservedMembers(of: object)
                graph.assign(row.values, version: row.version, to: object)
                editor.forgetOwnToMany(of: object)
                reader.readOrRecord { try editor.settleOneToOnes(of: object, row.values) }
            }
            graph.recordRefresh(of: object, fields: changed)
        } else {
            if object.state == .updated { editor.undoChanges(of: object) }
            if object.state == .clean { graph.turnIntoFault(object) }
            mergePostponedDeletions(of: [IdentityMap.Key(of: object)])
            graph.recordRefresh(of: object)
        }
        graph.executor.scheduleProcessing()
    }

    /// Turns all objects without unsaved changes into faults; see ``ManagedObjectContext/refreshAllObjects()``.
    func refreshAllObjects() {
        reader.clearError()
        reader.readNewest()
        let isObserved = graph.notifier.isObserved
        graph.forEachRegistered { object in
            guard object.state == .clean, !object.isFault else { return }
            graph.turnIntoFault(object)
            // Observers receive the object; the context releases it after they were notified.
            if isObserved { graph.recordRefresh(of: object) }
        }
        if !graph.event.isEmpty { graph.executor.scheduleProcessing() }
        if isObserved { graph.requestSweep() } else if !graph.notifier.isProcessing { graph.sweep() }
    }
}

extension ManagedObject {
    /// The fields that may differ from a row, including the to-many relationships, which are read again with the row.
    fileprivate func fieldsThatMayDiffer(from row: RowSnapshot) -> PropertyMask {
        var mask = PropertyMask()
        for field in runtimeEntity.fields {
            let isSame: Bool
            if field.kind.base == .toMany || field.kind.base == .external {
                // For bytes in a side table, only the length is known.
                isSame = false
            } else if field.columnName == nil {
                isSame = true
            } else if field.kind.base == .toOne {
                isSame = toOneReference(field).pointee.key == row.values.key(of: field)
            } else {
                isSame =
                    fieldsAreEqual(field.kind, address(of: field), row.values.address(of: field))
                    && changes?.unset.contains(field.index) ?? false == row.values.unset.contains(field.index)
            }
            if !isSame { mask.insert(field.index) }
        }
        return mask
    }
}
