// Letting go of changes, and of everything.

extension ManagedObjectContext {
    /// Forgets all unsaved changes: inserted objects go, deleted ones come back with their relationships (D8), changed
    /// ones get their saved values.
    ///
    /// Nothing can be undone after it (N12).
    public func rollback() {
        let access = beginAccess()
        defer { access.end() }
        processPendingChanges()
        undoManager?.removeAllActions()
        for object in takeChangedObjects() {
            if object.state == .inserted {
                object.state = .gone
                event.forgotten.append(object)
            } else {
                willRestoreObserved(object)
                restore(object)
                if remotelyChangedObjects.contains(object) { turnIntoFault(object) }
                event.refreshed.append(object)
            }
        }
        for members in incompleteToManys {
            willChangeObserved(members.object, members.field)
            members.object.toManyReference(at: members.field).pointee.storage = nil
            if members.object.state == .clean { event.refreshed.append(members.object) }
        }
        incompleteToManys = []
        remotelyChangedObjects = []
        forgetOutdatedMembers()
        mergePostponedDeletions(of: Array(deferredDeletions.keys))
        processPendingChanges()
    }

    private func restore(_ object: ManagedObject) {
        if let changes = object.changes {
            for field in object.entityType.columnFields {
                guard let committed = changes.committedValue(of: field) else { continue }
                if field.kind.base == .toOne {
                    let reference = object.toOneReference(field)
                    let key = committed.assumingMemoryBound(to: Int64.self).pointee
                    if reference.pointee.key != key { reference.pointee.object = nil }
                    reference.pointee.key = key
                } else {
                    copyField(field.kind, from: committed, to: object.address(of: field), isInitialized: true)
                }
            }
        }
        for field in object.entityType.fields where field.kind.base == .toMany {
            object.toManyReference(field).pointee.storage = nil
        }
        let unset = object.changes?.committedUnset ?? PropertyMask()
        object.changes = nil
        object.state = .clean
        guard !unset.isEmpty else { return }
        let changes = ObjectChanges(of: object)
        changes.unset = unset
        object.changes = changes
    }

    /// Lets go of everything: unsaved changes, and all objects, which must not be used any more.
    ///
    /// Observers are notified that all objects were invalidated. Results controllers are not: they keep their results
    /// until their next `performFetch()` (F20).
    public func reset() {
        let access = beginAccess()
        defer { access.end() }
        willResetObserved()
        forEachChild { $0.parentWillReset() }
        var ids: Set<ManagedObjectID> = []
        let mayBeObserved = ContextNotification.didChangeObjects.mayBeObserved
        for map in identityMaps {
            map.forEach { object in
                if mayBeObserved { ids.insert(object.objectID) }
                object.leaveContext()
                object.state = .gone
                object.changes = nil
                breakCycles(of: object)
            }
        }
        resetCount += 1
        undoManager?.removeAllActions()
        endReading()
        identityMaps = Array(repeating: IdentityMap(), count: identityMaps.count)
        _ = takeChangedObjects()
        incompleteToManys = []
        remotelyChangedObjects = []
        undoneInsertions = []
        deferredDeletions = [:]
        staleToManys = []
        event = ContextEvent()
        tellReset(ids)
    }
}
