public import Foundation

// Merging of changes passed by the caller (5E: N4, H1, H2).

extension ManagedObjectContext {
    /// Merges the changes that a save notification of another context describes.
    ///
    /// Inserted objects are registered. Updated objects that were read get the new values; faults and unregistered
    /// objects do not change. Deleted objects are detached; an object with unsaved changes of attributes remains, and
    /// its save is a conflict. Unsaved changes of updated objects take precedence and are kept. Then
    /// ``processPendingChanges()`` notifies observers. The call is not necessary if
    /// ``automaticallyMergesChangesFromParent`` is `true`; merging the same changes twice has no effect.
    ///
    /// Call this method in the isolation of this context. A notification is not Sendable. To pass the changes from
    /// another context's isolation, create an ``ObjectIDChanges`` value from the notification and pass it to
    /// ``mergeChanges(_:)``.
    ///
    /// Objects of other stores are ignored, and so is a notification of this context itself.
    /// - Precondition: The notification is a ``didSaveObjectsNotification`` or a ``didSaveObjectIDsNotification``.
    public func mergeChanges(fromContextDidSave notification: Notification) {
        if let sender = notification.object as? ManagedObjectContext, sender === self { return }
        mergeChanges(ObjectIDChanges(fromContextDidSave: notification))
    }

    /// Merges changes in the store that are described by object IDs.
    ///
    /// The rules are those of ``mergeChanges(fromContextDidSave:)``. Values that were saved by contexts of the same
    /// container are available in memory; other values are read from the store, in one statement for each entity.
    /// Refreshed and invalidated objects are merged as updated objects. If `invalidatesAll` is `true`, the method calls
    /// ``refreshAllObjects()``.
    /// - Complexity: O(n) in the number of these changes and of other contexts' saved changes that are not merged yet.
    public func mergeChanges(_ changes: ObjectIDChanges) {
        let access = beginAccess()
        defer { access.end() }
        let given = ownChanges(changes)
        let rows = inbox.take(Set(given.kinds.keys))
        endReading()  // What was saved is newer than what the event reads.
        if changes.invalidatesAll { refreshAllObjects() }
        var deletedRows = DeletedRowKeys()
        var unread = RowsToRead()
        var hasForeignDeletions = false
        var merged: [(id: ManagedObjectID, kind: ChangeSet.Row.Kind)] = []
        for (key, id, kind) in given.all {
            guard var row = rows[key] else {
                merged.append((id, kind))
                if kind == .deleted {
                    hasForeignDeletions = true
                    let row = ChangeSet.Row(kind: kind, type: id.entityType, key: id.key, version: .max, values: nil)
                    merge(row, &deletedRows)
                } else {
                    append(id, kind, to: &unread)
                }
                continue
            }
            // The store's current state counts, but an observer that was notified of an insertion gets the object.
            if row.kind == .updated, kind == .inserted { row.kind = kind }
            merged.append((id, row.kind))
            if row.kind == .deleted || row.values != nil {
                merge(row, &deletedRows)
            } else {
                append(ManagedObjectID(entityType: row.type, key: row.key), row.kind, to: &unread)
            }
        }
        readOrRecord { try merge(unread) }
        settleOneToOnes(of: given.all.compactMap { rows[$0.key] })
        removeReferences(to: deletedRows)
        // No report describes rows that referenced the rows that another program deleted.
        if hasForeignDeletions { removeSavedReferences(to: deletedRows) }
        awakenObjects()
        if isMergingObserved {
            // A row that was deleted again was not merged.
            recordMerged(merged.filter { $0.kind != .inserted || registeredObject(for: $0.id) != nil })
        }
        scheduleProcessing?()
        processPendingChanges()
    }

    /// Merges changes of batch operations, other programs or other containers into several contexts (rule H2 of
    /// <doc:Core-Data-Rules>).
    ///
    /// - Parameters:
    ///   - changes: A dictionary whose keys are raw values of ``NotificationKey``, and whose values are collections of
    ///     objects, of object IDs, or of a ``ManagedObjectID/uriRepresentation`` as `String` or `URL`. Other keys and
    ///     objects of other stores are ignored.
    ///   - contexts: The contexts to merge into. Call this method in their isolation.
    /// - Throws: ``RemoteChangesError`` when a value is not a collection, when an element is not an object, an object
    ///   ID or the URI of an object, or when a URI names an entity that the store of a context does not have. If an
    ///   error is thrown, nothing is merged.
    public static func mergeChanges(
        fromRemoteContextSave changes: [AnyHashable: Any],
        into contexts: [ManagedObjectContext]
    ) throws(RemoteChangesError) {
        let remote = try RemoteChanges(changes)
        var resolved: [ObjectIDChanges] = []
        for context in contexts { resolved.append(try remote.changes(in: context.store)) }
        for (context, changes) in zip(contexts, resolved) {
            // What contexts of this container have saved may be older.
            context.inbox.forgetValues(of: Set(context.ownChanges(changes).kinds.keys))
            context.mergeChanges(changes)
        }
    }

    // MARK: Which rows

    private struct RequestedMerge {
        var all: [(key: IdentityMap.Key, id: ManagedObjectID, kind: ChangeSet.Row.Kind)] = []
        var kinds: [IdentityMap.Key: ChangeSet.Row.Kind] = [:]
    }

    /// The changes in this context's store, each row once: a deletion counts before an insertion, that before an
    /// update.
    private func ownChanges(_ changes: ObjectIDChanges) -> RequestedMerge {
        var given = RequestedMerge()
        func add(_ ids: Set<ManagedObjectID>, _ kind: ChangeSet.Row.Kind) {
            for id in ids {
                guard let type = ownEntityType(of: id) else { continue }
                let id = id.permanentID
                let key = IdentityMap.Key(rootIndex: type.rootIndex, key: id.key)
                guard given.kinds[key] == nil, id.key > 0, id.key < PersistentStore.firstProvisionalKey else {
                    continue
                }
                given.kinds[key] = kind
                given.all.append((key, ManagedObjectID(entityType: type, key: id.key), kind))
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
        recordMerged(rows.map { (ManagedObjectID(entityType: $0.type, key: $0.key), $0.kind) })
    }

    private func recordMerged(_ rows: [(id: ManagedObjectID, kind: ChangeSet.Row.Kind)]) {
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

    // MARK: Rows whose values are not here

    /// Rows that have to be read, by the place of their table.
    private struct RowsToRead {
        var tables: [Int: (type: RuntimeEntity, inserted: [Int64], read: [ManagedObject])] = [:]
        var types: Set<Int> = []

        mutating func append(_ id: ManagedObjectID, _ kind: ChangeSet.Row.Kind, _ known: ManagedObject?) {
            let type = id.entityType
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
        let known = registered(key: id.key, rootIndex: id.entityType.rootIndex)
        // If the deletion is undone, the object is read again.
        if let known, known.state == .deleted { remotelyChangedObjects.insert(known) }
        if known?.isFault ?? true, kind == .updated {
            recordUnseen(ChangeSet.Row(kind: kind, type: id.entityType, key: id.key, version: 0))
        }
        unread.append(id, kind, known)
    }

    private func merge(_ unread: RowsToRead) throws {
        guard !unread.types.isEmpty else { return }
        let withMembers = unread.tables.values.flatMap(\.read).filter(holdsSavedMembers)
        // The old and new owners of these members are unknown.
        invalidateMembers(leadingTo: unread.types)
        for (rootIndex, table) in unread.tables.orderedByKey {
            try readRows(of: table.inserted.sorted(), type: table.type)
            for key in table.inserted {
                // A row that was deleted again is not reported.
                guard let object = registered(key: key, rootIndex: rootIndex) else { continue }
                forgetToMany(around: object)
                event.mergedInserted.append(object)
            }
            event.refreshed += try refreshRows(of: table.read.map(\.key).sorted(), type: table.type)
        }
        // The members read again may differ, which no row version shows.
        event.refreshed += withMembers.filter { !holdsSavedMembers($0) }
    }

    /// Returns a Boolean value that indicates whether a to-many relationship without unsaved changes was read.
    private func holdsSavedMembers(_ object: ManagedObject) -> Bool {
        object.entityType.fields.contains { field in
            field.kind.base == .toMany && object.toManyReference(field).pointee.storage != nil
                && object.changes?.changed.contains(field.index) != true
        }
    }
}

extension ObjectIDChanges {
    /// Creates a value with the changes in a save notification, to pass them to another context's isolation.
    /// - Precondition: The notification is a ``ManagedObjectContext/didSaveObjectsNotification`` or a
    ///   ``ManagedObjectContext/didSaveObjectIDsNotification``.
    public init(fromContextDidSave notification: Notification) {
        let names = [ContextNotification.didSaveObjects.name, ContextNotification.didSaveObjectIDs.name]
        precondition(
            names.contains(notification.name),
            "'\(notification.name.rawValue)' does not contain the saved objects; "
                + "merge didSaveObjectsNotification or didSaveObjectIDsNotification"
        )
        func ids(_ objects: ManagedObjectContext.NotificationKey, _ ids: ManagedObjectContext.NotificationKey)
            -> Set<ManagedObjectID>
        {
            let objects = notification.userInfo?[objects.rawValue] as? Set<ManagedObject> ?? []
            let ids = notification.userInfo?[ids.rawValue] as? Set<ManagedObjectID> ?? []
            return objects.isEmpty ? ids : ids.union(objects.map(\.objectID))
        }
        self.init(
            inserted: ids(.insertedObjects, .insertedObjectIDs),
            updated: ids(.updatedObjects, .updatedObjectIDs),
            deleted: ids(.deletedObjects, .deletedObjectIDs)
        )
    }
}
