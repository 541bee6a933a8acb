internal import ChordataModel

// Merging what other contexts saved. Local edits win until they are saved (N4).

extension ManagedObjectContext {
    func mergeInbox() {
        var deletedRows = DeletedRowKeys()
        var withoutValues: Set<Int> = []
        let rows = inbox.drain()
        // What is read from here on must be no older than what was merged; that of an earlier reader may be.
        if !rows.isEmpty { endReading() }
        if !rows.isEmpty, isMergingObserved { recordMerged(rows) }
        for row in rows {
            merge(row, &deletedRows)
            if row.kind != .deleted, row.values == nil, !row.isNullification { withoutValues.insert(row.type.index) }
        }
        settleOneToOnes(of: rows)
        // The owner of these members is unknown; members of a nullified reference have no owner.
        if !withoutValues.isEmpty { invalidateMembers(leadingTo: withoutValues) }
        removeReferences(to: deletedRows)
        awakenObjects()
    }

    func merge(_ row: ChangeSet.Row, _ deletedRows: inout DeletedRowKeys) {
        hasMerged = true
        let known = registered(key: row.key, rootIndex: row.type.rootIndex)
        // Values that were fetched or saved in the meantime are newer than those sent before; a parent may have
        // discarded its values.
        if let known, known.version > row.version, parent == nil {
            if row.kind == .updated {
                willChangeObservedMembers(of: known)
                forgetOwnToMany(of: known)
            }
            return
        }
        // Another program has deleted the row, and given its key to one of another entity.
        if let known, known.entityType !== row.type { return mergeDeletion(row, known, &deletedRows) }
        if row.kind != .deleted, !deferredDeletions.isEmpty {
            deferredDeletions[IdentityMap.Key(rootIndex: row.type.rootIndex, key: row.key)] = nil
        }
        switch row.kind {
        case .deleted: mergeDeletion(row, known, &deletedRows)
        case .inserted, .updated:
            guard let values = row.values else {
                mergeIdentity(of: row, known: known)
                return
            }
            if let known {
                willChangeObservedMembers(of: known)
                if known.isFault {
                    // Its to-ones give the old owners where they were read, and the row gives the new ones.
                    willChangeObservedOwners(of: row.type) { known.toOneReference($0).pointee.key }
                    forgetToMany(around: known)
                    willChangeObservedOwners(of: row.type) { values.key(of: $0) }
                    forgetToMany(of: row.type) { values.key(of: $0) }
                    // It was not reported here yet.
                    if row.kind == .inserted {
                        event.mergedInserted.append(known)
                    } else {
                        recordUnseen(row)
                    }
                }
                if known.state == .deleted {
                    remotelyChangedObjects.insert(known)
                    // If it comes back, it belongs to them.
                    forgetToMany(of: row.type) { values.key(of: $0) }
                }
                guard !known.isFault, known.state == .clean || known.state == .updated else { return }
                let changes = row.changes
                let isCovered = changes.map { $0.baseVersion <= known.version } ?? false
                forgetToMany(around: known)
                assign(values, version: row.version, to: known)
                forgetToMany(around: known)
                forgetOwnToMany(of: known)
                recordRefresh(of: known, fields: isCovered ? changes?.fields : nil)
            } else if row.kind == .inserted {
                let object = row.type.objectClass.init(ObjectInitialization(row.type, in: self))
                object.key = row.key
                assign(values, version: row.version, to: object)
                register(object)
                if row.type.hooks.awakeFromFetch != nil { awakening.append(object) }
                forgetToMany(around: object)
                event.mergedInserted.append(object)
            } else {
                // N4: an update of an unregistered object changes nothing, but an owner's list may have grown.
                willChangeObservedOwners(of: row.type) { values.key(of: $0) }
                forgetToMany(of: row.type) { values.key(of: $0) }
                recordUnseen(row)
            }
        }
    }

    /// Records a changed row that has no registered object, for observers of the store.
    func recordUnseen(_ row: ChangeSet.Row) {
        guard !observers.isEmpty else { return }
        event.unseen.insert(row)
        // A child may have the object.
        forEachChild { $0.passOn([row]) }
    }

    private func mergeDeletion(_ row: ChangeSet.Row, _ known: ManagedObject?, _ deletedRows: inout DeletedRowKeys) {
        if let known, known.state == .updated, known.hasAttributeChanges, known.entityType === row.type {
            // H1: values that were set here win until they are saved, which is a conflict then. Relationship edits may
            // come from the inverse, so they do not keep a deleted row.
            deferredDeletions[IdentityMap.Key(of: known)] = row
            return
        }
        deletedRows.rows.insert(IdentityMap.Key(rootIndex: row.type.rootIndex, key: row.key))
        guard let known else { return recordUnseen(row) }
        deletedRows.objects.insert(known)
        undoManager?.forgetDeletion(of: known)
        willChangeObservedOwners(of: known.entityType) { known.toOneReference($0).pointee.key }
        forgetToMany(around: known)
        known.state = .detached
        known.detachmentReason = .deletion
        dropChanges(of: known)
        event.mergedDeleted.append(known)
    }

    /// Merges the deletions that waited for unsaved changes, which were discarded.
    func mergePostponedDeletions(of keys: [IdentityMap.Key]) {
        guard !deferredDeletions.isEmpty else { return }
        var deletedRows = DeletedRowKeys()
        for key in keys {
            if let row = deferredDeletions.removeValue(forKey: key) { merge(row, &deletedRows) }
        }
        removeReferences(to: deletedRows)
    }

    /// Merges a row whose values were too many to keep: it is read on first access.
    func mergeIdentity(of row: ChangeSet.Row, known: ManagedObject?) {
        guard let known else {
            if row.kind == .inserted {
                event.mergedInserted.append(makeFault(key: row.key, type: row.type))
            } else {
                recordUnseen(row)
            }
            return
        }
        if known.isFault {
            if row.kind == .inserted {
                event.mergedInserted.append(known)
            } else {
                recordUnseen(row)
            }
        }
        if known.state == .deleted || known.state == .updated { remotelyChangedObjects.insert(known) }
        // Local edits stay; saving them over a newer row is a conflict.
        guard known.state == .clean, !known.isFault else { return }
        forgetToMany(around: known)
        turnIntoFault(known)
        event.refreshed.append(known)
    }

    func forgetOwnToMany(of object: ManagedObject) {
        for field in object.entityType.fields where field.kind.base == .toMany {
            invalidateMembers(of: object, field.index)
        }
    }

    func assign(_ values: RowStorage, version: Int64, to object: ManagedObject) {
        willAssignObserved(values, to: object)
        for field in object.entityType.columnFields where object.changes?.changed.contains(field.index) != true {
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
        // What the row has now is there or missing, whatever it was before; what was set here stays set.
        for field in object.entityType.columns where field.isRequired && !changes.changed.contains(field.index) {
            if values.unset.contains(field.index) {
                changes.unset.insert(field.index)
            } else {
                changes.unset.remove(field.index)
            }
        }
    }

    /// Invalidates the inverse to-many relationships of the object's to-ones, unless they have local edits.
    func forgetToMany(around object: ManagedObject) {
        forgetToMany(of: object.entityType) { object.toOneReference($0).pointee.key }
    }

    private func forgetToMany(of type: RuntimeEntity, key keyOf: (Field) -> Int64) {
        for case let relationship? in type.relationships {
            guard !relationship.description.isToMany, relationship.isInverseToMany,
                let inverse = relationship.inverseField
            else { continue }
            guard type.fields[relationship.field].isStored else { continue }
            let key = keyOf(type.fields[relationship.field])
            let destination = schema.entityTypes[relationship.destination]
            guard key != 0, let owner = registered(key: key, rootIndex: destination.rootIndex) else { continue }
            invalidateMembers(of: owner, inverse)
        }
    }
}
