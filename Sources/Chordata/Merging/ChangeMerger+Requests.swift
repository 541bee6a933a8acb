// Merges of changes that the program passes.

extension ChangeMerger {
    /// Merges changes that are described by object IDs: uses the values in the inbox, and reads all other rows.
    func merge(_ changes: ObjectIDChanges) {
        let given = ownChanges(changes)
        let rows = inbox.take(Set(given.kinds.keys))
        reader.readNewest()  // The saved rows are newer than the state that the event reads.
        var deletedRows = DeletedRowKeys()
        var unread = RowsToRead()
        var hasForeignDeletions = false
        var merged: [(id: ManagedObjectID, kind: ChangeSet.Row.Kind)] = []
        for (key, id, kind) in given.all {
            guard var row = rows[key] else {
                merged.append((id, kind))
                if kind == .deleted {
                    hasForeignDeletions = true
                    let row = ChangeSet.Row(kind: kind, type: id.runtimeEntity, key: id.key, version: .max, values: nil)
                    merge(row, &deletedRows)
                } else {
                    append(id, kind, to: &unread)
                }
                continue
            }
            // The store's current state takes precedence, but an observer that was notified of an insertion gets the
            // object.
            if row.kind == .updated, kind == .inserted { row.kind = kind }
            merged.append((id, row.kind))
            if row.kind == .deleted || row.values != nil {
                merge(row, &deletedRows)
            } else {
                append(ManagedObjectID(runtimeEntity: row.type, key: row.key), row.kind, to: &unread)
            }
        }
        reader.readOrRecord { try merge(unread) }
        editor.settleOneToOnes(of: given.all.compactMap { rows[$0.key] })
        editor.removeReferences(to: deletedRows)
        // No change set contains the rows that referenced rows that another program deleted.
        if hasForeignDeletions { editor.removeSavedReferences(to: deletedRows) }
        reader.awakenObjects()
        if graph.notifier.isMergingObserved {
            // A row that was deleted again was not merged.
            graph.recordMerged(merged.filter { $0.kind != .inserted || isRegistered($0.id) })
        }
    }

    private func isRegistered(_ id: ManagedObjectID) -> Bool {
        reader.runtimeEntityInStore(of: id).map {
            graph.registered(key: id.permanentKey, rootIndex: $0.rootIndex) != nil
        }
            ?? false
    }

    // MARK: Requested rows

    struct RequestedMerge {
        var all: [(key: IdentityMap.Key, id: ManagedObjectID, kind: ChangeSet.Row.Kind)] = []
        var kinds: [IdentityMap.Key: ChangeSet.Row.Kind] = [:]
    }

    /// Returns the changes in this context's store, with each row once: a deletion takes precedence over an insertion,
    /// and an insertion over an update.
    func ownChanges(_ changes: ObjectIDChanges) -> RequestedMerge {
        var given = RequestedMerge()
        func add(_ ids: Set<ManagedObjectID>, _ kind: ChangeSet.Row.Kind) {
            for id in ids {
                guard let type = reader.runtimeEntityInStore(of: id) else { continue }
                let id = id.permanentID
                let key = IdentityMap.Key(rootIndex: type.rootIndex, key: id.key)
                guard given.kinds[key] == nil, id.key > 0, id.key < PersistentStore.firstProvisionalKey else {
                    continue
                }
                given.kinds[key] = kind
                given.all.append((key, ManagedObjectID(runtimeEntity: type, key: id.key), kind))
            }
        }
        add(changes.deleted, .deleted)
        add(changes.inserted, .inserted)
        add(changes.updated, .updated)
        add(changes.refreshed, .updated)
        add(changes.invalidated, .updated)
        return given
    }

    func recordMerged(_ rows: [ChangeSet.Row]) {
        graph.recordMerged(rows.map { (ManagedObjectID(runtimeEntity: $0.type, key: $0.key), $0.kind) })
    }

    // MARK: Rows without values

    /// The rows to read, by the root index of their table.
    private struct RowsToRead {
        var tables: [Int: (type: RuntimeEntity, inserted: [Int64], read: [ManagedObject])] = [:]
        var types: Set<Int> = []

        mutating func append(_ id: ManagedObjectID, _ kind: ChangeSet.Row.Kind, _ known: ManagedObject?) {
            let type = id.runtimeEntity
            types.insert(type.index)
            if let known, !known.isFault {
                guard known.state == .clean || known.state == .updated else { return }
                tables[type.rootIndex, default: (type, [], [])].read.append(known)
            } else if kind == .inserted {
                tables[type.rootIndex, default: (type, [], [])].inserted.append(id.key)
            }
        }
    }

    private func append(_ id: ManagedObjectID, _ kind: ChangeSet.Row.Kind, to unread: inout RowsToRead) {
        let known = graph.registered(key: id.key, rootIndex: id.runtimeEntity.rootIndex)
        // If the deletion is undone, the object is read again.
        if let known, known.state == .deleted { graph.recordChangedRow(of: known) }
        if known?.isFault ?? true, kind == .updated {
            recordUnseen(ChangeSet.Row(kind: kind, type: id.runtimeEntity, key: id.key, version: 0))
        }
        unread.append(id, kind, known)
    }

    private func merge(_ unread: RowsToRead) throws {
        guard !unread.types.isEmpty else { return }
        let withMembers = unread.tables.values.flatMap(\.read).filter(holdsSavedMembers)
        // The old and new owners of these members are unknown.
        editor.invalidateMembers(referencing: unread.types)
        for (rootIndex, table) in unread.tables.orderedByKey {
            try reader.readRows(of: table.inserted.sorted(), type: table.type)
            for key in table.inserted {
                // A row that was deleted again is not reported.
                guard let object = graph.registered(key: key, rootIndex: rootIndex) else { continue }
                editor.forgetToMany(around: object)
                graph.recordMergedInsertion(of: object)
            }
            graph.recordRefresh(
                of: try editor.refreshRows(of: table.read.map(\.key).sorted(), type: table.type)
            )
        }
        // The members may differ when they are read again, which no row version shows.
        graph.recordRefresh(of: withMembers.filter { !holdsSavedMembers($0) })
    }

    /// Returns a Boolean value that indicates whether a to-many relationship without unsaved changes was read.
    private func holdsSavedMembers(_ object: ManagedObject) -> Bool {
        object.runtimeEntity.fields.contains { field in
            field.kind.base == .toMany && object.toManyReference(field).pointee.storage != nil
                && object.changes?.changed.contains(field.index) != true
        }
    }
}
