// Discarding unsaved changes.

extension ObjectEditor {
    /// Restores the saved values of all objects, and detaches inserted objects.
    func rollback() {
        for object in graph.unsaved.takeObjects() {
            if object.state == .inserted {
                object.state = .detached
                graph.event.forgotten.append(object)
            } else {
                let changed = object.state == .updated ? object.changes?.changed : nil
                graph.willRestoreObserved(object)
                restore(object)
                if graph.remote.changedObjects.contains(object) {
                    graph.turnIntoFault(object)
                    graph.recordRefresh(of: object)
                } else {
                    graph.recordRefresh(of: object, fields: changed)
                }
            }
        }
        for members in graph.remote.incompleteToManys {
            graph.willChangeObserved(members.object, members.field)
            members.object.toManyReference(at: members.field).pointee.storage = nil
            if members.object.state == .clean {
                graph.recordRefresh(of: members.object, fields: PropertyMask(members.field))
            }
        }
        graph.remote.incompleteToManys = []
        graph.remote.changedObjects = []
        invalidateStaleToManys()
    }

    /// Restores the saved values of a changed or deleted object.
    private func restore(_ object: ManagedObject) {
        if let changes = object.changes {
            for field in object.runtimeEntity.columnFields {
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
        for field in object.runtimeEntity.fields where field.kind.base == .toMany {
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

    /// Discards the unsaved changes of an object, at both ends of its relationships.
    ///
    /// The object still has changes if other objects reference it by their own to-one relationships, or if it
    /// referenced objects to be deleted.
    func undoChanges(of object: ManagedObject) {
        let type = object.runtimeEntity
        let changed = object.changes?.changed ?? PropertyMask()
        let isRelated = type.relationships.contains { $0.map { changed.contains($0.field) } == true }
        guard isRelated, let row = reader.readOrRecord({ try reader.readRowSnapshot(of: object) }) else {
            object.state = .clean
            return graph.dropChanges(of: object)
        }
        restore(object, to: row)
        for case let relationship? in type.relationships {
            if !relationship.description.isToMany {
                let reference = object.toOneReference(at: relationship.field)
                let target = graph.registered(key: reference.pointee.key, rootIndex: relationship.destinationRootIndex)
                if target?.state == .deleted { reference.pointee = ToOneSlot() }
            } else if relationship.description.isOrdered, relationship.inverseToOne != nil {
                // The order belongs to the object, but the members belong to other objects' to-one relationships.
                let reference = object.toManyReference(at: relationship.field)
                guard let members = reference.pointee.storage?.array, changed.contains(relationship.field) else {
                    continue
                }
                object.changes?.changePendingToMany(of: relationship.field) { $0.candidates = members }
                reference.pointee.storage = nil
            }
        }
        reader.readOrRecord { try rebase(object, onto: row) }
    }
}
