internal import Synchronization

/// Reads for a child context: the store with the unsaved changes of the contexts above it (N11).
///
/// Rows with unsaved changes are in temporary tables of a private connection, under views with the names of the store's
/// tables. So each statement that reads the store reads the parent's state, and SQLite uses the same indexes.
final class ParentOverlayReader {
    private let parent: ContextSaver
    // Another thread may release the child while the parent notifies it.
    private weak var child: ContextSaver?
    private weak var childContext: AnyObject?
    /// The private connection, which is kept between events.
    private var connection: SQLiteConnection?
    /// The number of transactions that were committed before a store in memory was copied.
    private var copiedCommitCount = 0
    private var rows: ParentOverlay?
    /// The states of the contexts above when the rows of the overlay were written.
    private var versions: [ContextVersion] = []
    /// Objects whose changes are not reported to the child, because the child itself made the changes.
    var pushedObjects: Set<ManagedObject> = []
    /// Objects with references to objects that were deleted in the parent; the child reads these references as nil.
    private var objectsWithDeletedReferences: Set<ManagedObject> = []
    /// The new keys that the parent has assigned to objects and that relationships do not contain yet, by the index of
    /// the root entity and by the old key.
    private var newKeys: [Int: [Int64: Int64]] = [:]

    /// - Parameters:
    ///   - child: The saver of the child context.
    ///   - context: The child context, which owns the saver.
    init(_ parent: ContextSaver, for child: ContextSaver, of context: AnyObject) {
        self.parent = parent
        self.child = child
        childContext = context
        parent.notifier.add(self)
    }

    // Closes the connection before the parent and its store: closing the writer checkpoints and deletes the log, and a
    // reader must not do that.
    deinit { (rows, connection) = (nil, nil) }

    /// The contexts above the child, beginning with the one whose parent is the store.
    private var ancestors: [ContextSaver] {
        Array(sequence(first: parent) { $0.parent }).reversed()
    }

    /// A Boolean value that indicates whether the contexts above have changed since the overlay was written.
    var isOutdated: Bool { versions != ancestors.map(ContextVersion.init) }

    // MARK: Transactions

    /// Begins a read transaction, until ``endReading(_:)``.
    func beginReading() throws -> StoreReader {
        .sqlite(try beginTransaction())
    }

    private func beginTransaction() throws -> SQLiteConnection {
        guard !ancestors.contains(where: \.reader.isPinned) else {
            throw StoreError(
                .unsupportedEnvironment,
                "the parent is pinned to a query generation, but a child context reads the newest state of the store; unpin the "
                    + "parent with setQueryGenerationFrom(nil) before the child context reads",
                path: parent.reader.store.path
            )
        }
        let connection = try currentConnection()
        try connection.run(.begin)
        do {
            try refreshFromStore(connection)
        } catch {
            // After the rollback, the connection has the former rows of the overlay, or none.
            endReading(connection, .rollback)
            throw error
        }
        return connection
    }

    func endReading() {
        if let connection { endReading(connection, .commit) }
    }

    private func endReading(_ connection: SQLiteConnection, _ end: SQLText) {
        do throws(StoreError) {
            try connection.run(end)
        } catch {
            // The rows that were read remain valid; the next event gets another connection.
            (self.connection, rows) = (nil, nil)
        }
    }

    /// Reads in a transaction of its own.
    func read(_ body: (StoreReader) throws -> Void) throws {
        let connection = try beginReading()
        defer { endReading() }
        try parent.store.engine.read(with: connection, body)
    }

    private func currentConnection() throws -> SQLiteConnection {
        let sqlite = try parent.store.requireDatabase(for: "child contexts")
        let commitCount = sqlite.commitCount
        // An in-memory store has no spare connection, so the child reads a copy.
        if let connection, !sqlite.isInMemory || copiedCommitCount == commitCount { return connection }
        let connection = try sqlite.makeOwnReader()
        (self.connection, rows, copiedCommitCount) = (connection, nil, commitCount)
        return connection
    }

    private func refreshFromStore(_ connection: SQLiteConnection) throws {
        guard rows == nil || isOutdated else { return }
        let ancestors = ancestors
        try rows?.remove()
        // If anything fails from here on, the transaction is rolled back: then the former rows are present, and are
        // written again next time.
        rows = try ParentOverlay(of: ancestors, connection)
        versions = ancestors.map(ContextVersion.init)
    }
}

/// Identifies a state of a context's unsaved changes; if the values are equal, the changes are the same.
private struct ContextVersion: Equatable {
    let generation: Int
    /// The number of changes by other contexts since the last event.
    let mergeCount: Int

    init(of context: ContextSaver) {
        generation = context.graph.unsaved.generation
        let event = context.graph.event
        mergeCount = event.refreshed.count + event.refreshedFields.count + event.mergedDeleted.count
    }
}

extension ParentOverlayReader: ContextObserver {
    /// Calls a closure with the child, unless its context was released; the context exists until the closure ends.
    private func withChild(_ body: (ContextSaver) -> Void) {
        guard let childContext, let child else { return }
        withExtendedLifetime(childContext) { body(child) }
    }

    func contextDidChange(_ change: ContextChange) {
        followNewKeys()
        withChild { if $0.processor.mergesAutomatically { report(change, to: $0) } }
    }

    private func report(_ change: ContextChange, to child: ContextSaver) {
        parent.fillFaults(among: change.updated.union(change.refreshed), knownTo: child)
        // Their destinations may have been restored.
        let referencing = objectsWithDeletedReferences.filter {
            parent.graph.isOwner(of: $0) && $0.state != .deleted
        }
        objectsWithDeletedReferences = []
        var rows: [ChangeSet.Row] = []
        func add(_ objects: Set<ManagedObject>, _ kind: ChangeSet.Row.Kind) {
            for object in objects where !pushedObjects.contains(object) {
                // The child reads nil where an object references an object that the parent has deleted.
                let referencesDeletedObject = !object.isFault && parent.referencesDeletedObject(object)
                if referencesDeletedObject { objectsWithDeletedReferences.insert(object) }
                let hasValues = !object.isFault && !referencesDeletedObject
                var row = parent.row(for: object, withValues: hasValues && rows.count < ContextInbox.valueLimit)
                row.kind = kind
                // The child has the values that the parent had before the event, or newer ones.
                if !referencesDeletedObject, !referencing.contains(object) {
                    row.changes = change.changedFields(of: object).map { FieldChanges(fields: $0, baseVersion: .min) }
                }
                rows.append(row)
            }
        }
        add(change.inserted, .inserted)
        add(referencing.subtracting(change.inserted), .updated)
        add(change.updated, .updated)
        add(change.refreshed, .updated)
        for object in change.deleted where !pushedObjects.contains(object) {
            // An object that was replaced by another one already has the key of that object.
            let key = change.keys.replaced[object] ?? object.key
            rows.append(ChangeSet.Row(kind: .deleted, type: object.runtimeEntity, key: key, version: object.version))
        }
        passOn(rows)
    }

    /// Follows a save of the parent that has assigned another row key to an object.
    func contextDidChangeKey(_ old: Int64, of object: ManagedObject) {
        withChild { child in
            // The changes in the inbox have the old keys.
            if child.processor.mergesAutomatically { child.merger.mergeInbox() }
            newKeys[object.runtimeEntity.rootIndex, default: [:]][old] = object.key
            child.follow(object, from: old)
        }
    }

    /// Updates relationships to the new keys of objects, in one pass for all keys that a save has changed.
    func followNewKeys() {
        guard !newKeys.isEmpty else { return }
        withChild { $0.changeKeysInRelationships(newKeys) }
        newKeys = [:]
    }

    /// Passes changed rows to the child, if it merges automatically.
    func passOn(_ rows: [ChangeSet.Row]) {
        guard !rows.isEmpty else { return }
        withChild { if $0.processor.mergesAutomatically { $0.merger.inbox.post(ChangeSet(rows: rows)) } }
    }

    /// Reports the objects whose unsaved changes the parent is about to discard.
    func parentWillReset() {
        passOn(
            parent.graph.changedObjects.map { object in
                ChangeSet.Row(
                    kind: object.state == .inserted ? .deleted : .updated,
                    type: object.runtimeEntity,
                    key: object.key,
                    version: object.version
                )
            }
        )
    }
}

extension ContextNotifier {
    /// Calls a closure with the readers of the child contexts.
    func forEachChild(_ body: (ParentOverlayReader) -> Void) {
        forEachObserver { if let child = $0 as? ParentOverlayReader { body(child) } }
    }
}

extension ContextSaver {
    /// Reads the rows of faults whose values a child has in memory, because the child needs the new values.
    fileprivate func fillFaults(among objects: Set<ManagedObject>, knownTo child: ContextSaver) {
        var faults: [Int: (type: RuntimeEntity, keys: [Int64])] = [:]
        for object in objects where object.isFault {
            let type = object.runtimeEntity
            guard child.graph.registered(key: object.key, rootIndex: type.rootIndex)?.isFault == false else { continue }
            faults[type.rootIndex, default: (type, [])].keys.append(object.key)
        }
        for (type, keys) in faults.values { reader.readOrRecord { try reader.readRows(of: keys.sorted(), type: type) } }
    }

    fileprivate func referencesDeletedObject(_ object: ManagedObject) -> Bool {
        object.runtimeEntity.relationships.contains { relationship in
            guard let relationship, !relationship.description.isToMany else { return false }
            let key = object.toOneReference(at: relationship.field).pointee.key
            return key != 0
                && graph.registered(key: key, rootIndex: relationship.destinationRootIndex)?.isDeleted == true
        }
    }

    /// Changes the key of an object, and the references to it, to the new key of its counterpart in the parent.
    fileprivate func follow(_ counterpart: ManagedObject, from old: Int64) {
        // A context that has not been used yet has no objects, and its maps are created at its first use.
        guard reader.boundStore != nil else { return }
        let rootIndex = counterpart.runtimeEntity.rootIndex
        // An object that was replaced by a row with a registered object is detached.
        if let object = graph.registered(key: old, rootIndex: rootIndex),
            graph.registered(key: counterpart.key, rootIndex: rootIndex) == nil
        {
            graph.changeKey(of: object, to: counterpart.key)
        }
        // Child contexts of this context may have registered the object, although this context has not.
        notifier.forEachChild { $0.contextDidChangeKey(old, of: counterpart) }
    }

    fileprivate func changeKeysInRelationships(_ newKeys: [Int: [Int64: Int64]]) {
        graph.changeKeysInRelationships(newKeys)
        notifier.forEachChild { $0.followNewKeys() }
    }
}
