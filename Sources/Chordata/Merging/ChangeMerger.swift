internal import ChordataModel

/// Merges changes that other contexts and processes have saved into the objects of a context.
///
/// Unsaved changes take precedence until they are saved (N4).
final class ChangeMerger {
    let inbox: ContextInbox
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor

    init(_ inbox: ContextInbox, _ graph: ObjectGraph, _ reader: RowReader, _ editor: ObjectEditor) {
        self.inbox = inbox
        self.graph = graph
        self.reader = reader
        self.editor = editor
    }

    /// Merges the saves of other contexts that are in the inbox.
    func mergeInbox() {
        var deletedRows = DeletedRowKeys()
        var withoutValues: Set<Int> = []
        let rows = inbox.drain()
        // From here on, reads must not see a state older than the merged saves; an open read transaction may see one.
        if !rows.isEmpty { reader.readNewest() }
        if !rows.isEmpty, graph.notifier.isMergingObserved { recordMerged(rows) }
        for row in rows {
            merge(row, &deletedRows)
            if row.kind != .deleted, row.values == nil, !row.isNullification { withoutValues.insert(row.type.index) }
        }
        editor.settleOneToOnes(of: rows)
        // The owner of these members is unknown; members of a nullified reference have no owner.
        if !withoutValues.isEmpty { editor.invalidateMembers(referencing: withoutValues) }
        editor.removeReferences(to: deletedRows)
        reader.awakenObjects()
    }

    func merge(_ row: ChangeSet.Row, _ deletedRows: inout DeletedRowKeys) {
        graph.recordMerge()
        let known = graph.registered(key: row.key, rootIndex: row.type.rootIndex)
        // Values that were fetched or saved in the meantime are newer than these values. With a parent this is
        // uncertain, because a parent may have discarded its values.
        if let known, known.version > row.version, reader.parentOverlay == nil {
            // An insertion may contain later changes of the row.
            if row.kind != .deleted {
                graph.willChangeObservedMembers(of: known)
                editor.forgetOwnToMany(of: known)
            }
            return
        }
        // Another program deleted the row and reused its key for a row of another entity.
        if let known, known.runtimeEntity !== row.type { return mergeDeletion(row, known, &deletedRows) }
        if row.kind != .deleted,
            graph.takeDeferredDeletion(of: IdentityMap.Key(rootIndex: row.type.rootIndex, key: row.key)) != nil,
            let known
        {
            // The row exists again, so its join rows are read again.
            editor.forgetOwnToMany(of: known)
        }
        switch row.kind {
        case .deleted: mergeDeletion(row, known, &deletedRows)
        case .inserted, .updated:
            guard let values = row.values else {
                mergeIdentity(of: row, known: known)
                return
            }
            if let known {
                graph.willChangeObservedMembers(of: known)
                if known.isFault {
                    // The object's to-one relationships have the old owners if they were read, and the row has the new
                    // owners.
                    graph.willChangeObservedOwners(of: row.type) { known.toOneReference($0).pointee.key }
                    editor.forgetToMany(around: known)
                    graph.willChangeObservedOwners(of: row.type) { values.key(of: $0) }
                    editor.forgetToMany(of: row.type) { values.key(of: $0) }
                    // The insertion has not been reported in this context yet.
                    if row.kind == .inserted {
                        graph.recordMergedInsertion(of: known)
                    } else {
                        recordUnseen(row)
                    }
                }
                if known.state == .deleted {
                    graph.recordChangedRow(of: known)
                    // If the deletion is undone, the object is a member of the row's current owners.
                    editor.forgetToMany(of: row.type) { values.key(of: $0) }
                }
                guard !known.isFault, known.state == .clean || known.state == .updated else { return }
                let changes = row.changes
                let isCovered = changes.map { $0.baseVersion <= known.version } ?? false
                editor.forgetToMany(around: known)
                graph.assign(values, version: row.version, to: known)
                editor.forgetToMany(around: known)
                editor.forgetOwnToMany(of: known)
                graph.recordRefresh(of: known, fields: isCovered ? changes?.fields : nil)
            } else if row.kind == .inserted {
                let object = graph.makeObject(of: row, values)
                if row.type.hooks.awakeFromFetch != nil { reader.awakenLater(object) }
                editor.forgetToMany(around: object)
                graph.recordMergedInsertion(of: object)
            } else {
                // N4: an update of an unregistered object does not change anything, but an owner may have a new member.
                graph.willChangeObservedOwners(of: row.type) { values.key(of: $0) }
                editor.forgetToMany(of: row.type) { values.key(of: $0) }
                recordUnseen(row)
            }
        }
    }

    /// Records a changed row that has no registered object, for observers of the store.
    func recordUnseen(_ row: ChangeSet.Row) {
        guard graph.notifier.hasObservers else { return }
        graph.recordUnseen(row)
        // A child context may have registered the object.
        graph.notifier.forEachChild { $0.passOn([row]) }
    }

    private func mergeDeletion(_ row: ChangeSet.Row, _ known: ManagedObject?, _ deletedRows: inout DeletedRowKeys) {
        if let known, known.state == .updated, known.hasAttributeChanges, known.runtimeEntity === row.type {
            // H1: values that were set here take precedence until they are saved, and this save is then a conflict.
            // Relationship edits may come from the inverse, so they do not keep a deleted row.
            graph.deferDeletion(row, of: IdentityMap.Key(of: known))
            return
        }
        deletedRows.rows.insert(IdentityMap.Key(rootIndex: row.type.rootIndex, key: row.key))
        guard let known else { return recordUnseen(row) }
        deletedRows.objects.insert(known)
        editor.undoManager?.forgetDeletion(of: known)
        graph.willChangeObservedOwners(of: known.runtimeEntity) { known.toOneReference($0).pointee.key }
        editor.forgetToMany(around: known)
        graph.detach(known)
        graph.recordMergedDeletion(of: known)
    }

    /// Merges the deletions that were deferred because of unsaved changes, after these changes were discarded.
    func mergePostponedDeletions(of keys: [IdentityMap.Key]) {
        guard !graph.remote.deferredDeletions.isEmpty else { return }
        var deletedRows = DeletedRowKeys()
        for key in keys {
            if let row = graph.takeDeferredDeletion(of: key) { merge(row, &deletedRows) }
        }
        editor.removeReferences(to: deletedRows)
    }

    /// Merges a row whose values were not kept because there were too many rows; the row is read on first access.
    func mergeIdentity(of row: ChangeSet.Row, known: ManagedObject?) {
        guard let known else {
            if row.kind == .inserted {
                graph.recordMergedInsertion(of: graph.makeFault(key: row.key, type: row.type))
            } else {
                recordUnseen(row)
            }
            return
        }
        if known.isFault {
            if row.kind == .inserted {
                graph.recordMergedInsertion(of: known)
            } else {
                recordUnseen(row)
            }
        }
        if known.state == .deleted || known.state == .updated { graph.recordChangedRow(of: known) }
        if known.state == .updated {
            graph.willChangeObservedMembers(of: known)
            editor.forgetOwnToMany(of: known)
        }
        // Local edits stay; saving them over a newer row is a conflict.
        guard known.state == .clean, !known.isFault else { return }
        readLater(known)
    }

    /// Makes an object without unsaved changes read its row again on the next access, because the row has changed.
    func readLater(_ object: ManagedObject) {
        editor.forgetToMany(around: object)
        graph.turnIntoFault(object)
        graph.recordRefresh(of: object)
    }
}
