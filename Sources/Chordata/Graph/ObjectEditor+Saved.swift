// The state of objects whose changes were saved.

extension ObjectEditor {
    /// Marks an inserted or changed object as saved.
    /// - Parameter version: The version of its row.
    func didWrite(_ object: ManagedObject, version: Int64) {
        object.version = version
        object.state = .clean
        let changed = object.changes?.changed
        object.changes = nil
        let base = object.fieldBase
        object.withRuntimeEntity { type in
            type.toManys.withUnsafeBufferPointer { toManys in
                for toMany in toManys {
                    let reference = (base + toMany.offset).assumingMemoryBound(to: ToManySlot.self)
                    guard let storage = reference.pointee.storage else { continue }
                    storage.changes = nil
                    guard toMany.isOrdered else { continue }
                    let isWritten = changed?.contains(toMany.field) == true
                    (storage as? OrderedToMany)?.didSave(isWritten: isWritten)
                }
            }
        }
    }

    /// Detaches an object whose deletion was saved.
    func didDelete(_ object: ManagedObject) {
        object.state = .detached
        object.detachmentReason = .savedDeletion
        object.changes = nil
        graph.unregister(object)
        graph.emptyRelationships(of: object)
    }

    /// Updates an object with derived attributes that a save has computed in its row.
    /// - Returns: `true` if the object has the version from which they were computed, so that it is up to date now.
    func takeDerivedValues(_ derived: DerivedRow, into object: ManagedObject) -> Bool {
        let row = derived.row
        let type = row.values.runtimeEntity
        for field in type.columnFields where type.derivedMask.contains(field.index) {
            graph.willChangeObserved(object, field, to: row.values)
            copyField(
                field.kind,
                from: row.values.address(of: field),
                to: object.address(of: field),
                isInitialized: true
            )
            object.changes?.unset.remove(field.index)
        }
        graph.recordRefresh(of: object, fields: type.derivedMask)
        guard object.version == derived.baseVersion else { return false }
        object.version = row.version
        return true
    }
}
