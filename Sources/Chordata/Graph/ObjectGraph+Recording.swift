// Functions with which components above the graph record and query its state; only files in this folder write it.

extension ObjectGraph {
    // MARK: The event

    /// Records that an object without changes in this event may have other values than before.
    func recordRefresh(of object: ManagedObject) { event.refreshed.append(object) }

    /// Records that objects without changes in this event may have other values than before.
    func recordRefresh(of objects: [ManagedObject]) { event.refreshed += objects }

    /// Records that another context has inserted an object.
    func recordMergedInsertion(of object: ManagedObject) { event.mergedInserted.append(object) }

    /// Records that another context has deleted an object.
    func recordMergedDeletion(of object: ManagedObject) { event.mergedDeleted.append(object) }

    /// Records a change of a row that has no registered object, or only a fault.
    func recordUnseen(_ row: ChangeSet.Row) { event.unseen.insert(row) }

    /// Records merged rows, for observers of merges.
    func recordMerged(_ rows: [(id: ManagedObjectID, kind: ChangeSet.Row.Kind)]) {
        guard !rows.isEmpty else { return }
        var merged = event.merged ?? ObjectIDChanges()
        for (id, kind) in rows {
            switch kind {
            case .inserted: merged.inserted.insert(id)
            case .updated: merged.updated.insert(id)
            case .deleted: merged.deleted.insert(id)
            }
        }
        event.merged = merged
    }

    // MARK: Changes by other contexts

    /// Records that rows of other contexts were merged.
    func recordMerge() { remote.hasMerged = true }

    /// Records that the row of an object with unsaved changes was changed.
    func recordChangedRow(of object: ManagedObject) { remote.changedObjects.insert(object) }

    /// Keeps a deletion of a row until the unsaved changes of its object are discarded.
    func deferDeletion(_ row: ChangeSet.Row, of key: IdentityMap.Key) { remote.deferredDeletions[key] = row }

    /// Removes and returns the deferred deletion of a row; `nil` if there is none.
    func takeDeferredDeletion(of key: IdentityMap.Key) -> ChangeSet.Row? {
        remote.deferredDeletions.isEmpty ? nil : remote.deferredDeletions.removeValue(forKey: key)
    }

    /// Returns a Boolean value that indicates whether the pairs of an object exist only in this context, because
    /// another context has deleted its row while it had unsaved changes (H1): there is nothing to read again, and the
    /// other ends keep the object.
    func hasOnlyLocalPairs(_ object: ManagedObject, _ relationship: RuntimeEntity.Relationship) -> Bool {
        !remote.deferredDeletions.isEmpty && relationship.inverseToOne == nil
            && remote.deferredDeletions[IdentityMap.Key(of: object)] != nil
    }

    // MARK: Saves

    /// Replaces the keys of inserted objects: provisional keys with permanent keys, or permanent keys with keys of
    /// another store.
    func replaceKeys(ofInserted objects: [ManagedObject], with keys: [Int64]) {
        // Observers expect each object at its key when they are notified.
        let replacesMost =
            objects.count * 2 >= registry.count && !notifier.hasObservers && observation == nil
        unsaved.formerKeys.append(objects, before: keys)
        var index = 0
        objects.forEachUnretained { object in
            if replacesMost { object.key = keys[index] } else { changeKey(of: object, to: keys[index]) }
            index += 1
        }
        guard replacesMost else { return }
        unsaved.recordChange()
        registry.updateKeys()
    }

    /// Records that all objects have permanent keys.
    func recordPermanentKeys() { unsaved.hasProvisionalKeys = false }

    /// Removes the provisional keys by which observers knew objects, after a save.
    func forgetProvisionalKeys() { unsaved.formerKeys = FormerKeys() }

    /// Removes the unsaved changes, which were written, and the recorded changes of other contexts to their rows.
    /// - Returns: The objects that had unsaved changes.
    func takeSavedObjects() -> [ManagedObject] {
        remote.incompleteToManys = []
        remote.changedObjects = []
        remote.deferredDeletions = [:]
        return unsaved.takeObjects()
    }

    /// Runs a closure that calls hooks.
    /// - Returns: The objects that were changed by the closure, in the order of the changes.
    func collectingChanges(_ body: () throws -> Void) rethrows -> [ManagedObject] {
        // The event also has these objects, but it ends when a hook fetches.
        unsaved.changedByHooks = []
        defer { unsaved.changedByHooks = nil }
        try body()
        return unsaved.changedByHooks ?? []
    }

    /// Records that unsaved changes may have changed, for child contexts.
    func recordUnsavedChange() { unsaved.recordChange() }

    // MARK: Registration

    /// Reserves capacity for objects of one table that are about to be registered.
    func makeRoom(for count: Int, rootIndex: Int) { registry.makeRoom(for: count, rootIndex: rootIndex) }

    /// Makes the release of unreferenced objects due at the next opportunity.
    func requestSweep() { registry.requestSweep() }

    /// The entity of a class.
    func runtimeEntity(for objectClass: ManagedObject.Type) -> RuntimeEntity {
        if let last = registry.lastRuntimeEntity, last.objectClass == objectClass { return last }
        guard let type = schema.runtimeEntity(of: objectClass) else {
            preconditionFailure(
                "no entity of this context's model has the class \(objectClass); use a class of this model"
            )
        }
        registry.lastRuntimeEntity = type
        return type
    }
}
