internal import ChordataSQL

// Reading again what the store has.

extension ManagedObjectContext {
    /// Updates an object with the values in the store.
    ///
    /// An object that was never saved or is marked for deletion does not change.
    ///
    /// - Parameters:
    ///   - object: An object of this context. An object of another context traps.
    ///   - mergeChanges: `true` to read the row and keep the object's unsaved changes; `false` to discard them and turn
    ///     the object into a fault. An object that unsaved to-one relationships of other objects reference does not
    ///     become a fault: its row is read immediately, and it remains an updated object, because those changes belong
    ///     to the other objects.
    public func refresh(_ object: ManagedObject, mergeChanges: Bool) {
        let access = beginAccess()
        defer { access.end() }
        if object.isDeletedAndDetached { return }
        precondition(
            object.managedObjectContext === self,
            "an object of '\(object.entityType.entity.name)' can only be refreshed in its own context"
        )
        guard object.state == .clean || object.state == .updated else { return }
        reader.endReading()  // The newest is wanted.
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
            merger.mergePostponedDeletions(of: [IdentityMap.Key(of: object)])
            graph.event.refreshed.append(object)
        }
        executor.scheduleProcessing()
    }

    /// Turns all objects without unsaved changes into faults, and releases the objects that only the context
    /// references.
    ///
    /// The row of a fault is read again on access (rule N6 of <doc:Core-Data-Rules>).
    ///
    /// Faults do not reference each other, so objects that were referenced only by each other are released too. If the
    /// context has observers, the objects are released after the observers have been notified.
    public func refreshAllObjects() {
        let access = beginAccess()
        defer { access.end() }
        reader.error = nil
        reader.endReading()
        let isObserved = notifier.isObserved
        graph.forEachRegistered { object in
            guard object.state == .clean, !object.isFault else { return }
            graph.turnIntoFault(object)
            // Observers get the object, and the context releases it after them.
            if isObserved { graph.event.refreshed.append(object) }
        }
        if !graph.event.isEmpty { executor.scheduleProcessing() }
        if isObserved { graph.registry.requestSweep() } else if !notifier.isProcessing { graph.sweep() }
    }
}

extension ManagedObject {
    /// The fields that may differ from a row, and the to-many relationships, which are read again with it.
    fileprivate func fieldsThatMayDiffer(from row: RowSnapshot) -> PropertyMask {
        var mask = PropertyMask()
        for field in entityType.fields {
            let isSame: Bool
            if field.kind.base == .toMany || field.kind.base == .external {
                // Of bytes beside the row only the number is known.
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
