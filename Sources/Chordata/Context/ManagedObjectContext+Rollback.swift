// Letting go of changes, and of everything.

extension ManagedObjectContext {
    /// Discards all unsaved changes.
    ///
    /// Inserted objects are removed, deleted objects are restored with their relationships (rule D8 of
    /// <doc:Core-Data-Rules>), and changed objects get their saved values.
    ///
    /// A rollback also removes all actions of the undo manager (rule N12 of <doc:Core-Data-Rules>).
    public func rollback() {
        let access = beginAccess()
        defer { access.end() }
        processPendingChanges()
        undoManager?.removeAllActions()
        for object in takeChangedObjects() {
            if object.state == .inserted {
                object.state = .detached
                event.forgotten.append(object)
            } else {
                let changed = object.state == .updated ? object.changes?.changed : nil
                willRestoreObserved(object)
                restore(object)
                if remotelyChangedObjects.contains(object) {
                    turnIntoFault(object)
                    event.refreshed.append(object)
                } else {
                    recordRefresh(of: object, fields: changed)
                }
            }
        }
        for members in incompleteToManys {
            willChangeObserved(members.object, members.field)
            members.object.toManyReference(at: members.field).pointee.storage = nil
            if members.object.state == .clean {
                recordRefresh(of: members.object, fields: PropertyMask(members.field))
            }
        }
        incompleteToManys = []
        remotelyChangedObjects = []
        invalidateStaleToManys()
        mergePostponedDeletions(of: Array(deferredDeletions.keys))
        processPendingChanges()
    }

    /// Notes that an object without changes in this event has other values than before.
    /// - Parameter fields: The fields that may have changed; `nil` where they are unknown.
    func recordRefresh(of object: ManagedObject, fields: PropertyMask?) {
        if let fields {
            event.refreshedFields.append((object, fields))
        } else {
            event.refreshed.append(object)
        }
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

    /// Discards all unsaved changes and removes all objects from the context; do not use these objects afterwards.
    ///
    /// Observers are notified that all objects were invalidated. Results controllers are not notified and keep their
    /// results until their next `performFetch()` (rule F20 of <doc:Core-Data-Rules>).
    public func reset() {
        let access = beginAccess()
        defer { access.end() }
        readError = nil
        willResetObserved()
        forEachChild { $0.parentWillReset() }
        var ids: Set<ManagedObjectID> = []
        let mayBeObserved = ContextNotification.didChangeObjects.mayBeObserved
        forEachRegistered { object in
            if mayBeObserved { ids.insert(object.objectID) }
            object.leaveContext()
            object.state = .detached
            object.changes = nil
            breakCycles(of: object)
        }
        resetCount += 1
        undoManager?.removeAllActions()
        endReading()
        registry = ObjectRegistry(rootCount: attachedStore?.schema.rootCount ?? 0)
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
