// The same as the notifications, as asynchronous sequences.

extension ManagedObjectContext {
    /// What changes in the context from now on, event by event: what ``didChangeObjectsNotification`` tells.
    ///
    /// The values may be consumed anywhere, and wait until they are; the sequence ends with the context. Each call
    /// makes a sequence of its own: ask for one for each consumer. An inserted object that got no permanent identity
    /// yet has another one after its save.
    ///
    /// ```swift
    /// for await change in context.changes { print(change.updated.count) }
    /// ```
    public var changes: AsyncStream<ObjectIDChanges> {
        let broadcast = changeBroadcast ?? Broadcast()
        changeBroadcast = broadcast
        attachToStore()
        return broadcast.makeStream()
    }

    /// What the context saves from now on: what ``didSaveObjectIDsNotification`` tells.
    ///
    /// As with ``changes``, each call makes a sequence of its own, which ends with the context.
    public var saves: AsyncStream<ObjectIDChanges> {
        let broadcast = saveBroadcast ?? Broadcast()
        saveBroadcast = broadcast
        return broadcast.makeStream()
    }

    /// What the context merges of other saves from now on: what ``didMergeChangesObjectIDsNotification`` tells.
    ///
    /// As with ``changes``, each call makes a sequence of its own, which ends with the context.
    public var merges: AsyncStream<ObjectIDChanges> {
        let broadcast = mergeBroadcast ?? Broadcast()
        mergeBroadcast = broadcast
        attachToStore()
        return broadcast.makeStream()
    }
}

extension PersistentContainer {
    /// What any context of the store saves from now on, `insertValues(_:)` included; not what other programs do.
    ///
    /// The values come in the order in which contexts tell of their saves, and wait until they are consumed. Each call
    /// makes a sequence of its own, which ends with the store.
    public var saves: AsyncStream<ContextSave> { persistentStoreCoordinator.saves }
}

extension PersistentStoreCoordinator {
    /// What any context of the store saves from now on; see ``PersistentContainer/saves``.
    public var saves: AsyncStream<ContextSave> {
        guard let store = persistentStores.first else {
            preconditionFailure("add a store to the coordinator with addPersistentStore before you use 'saves'")
        }
        return store.saves.makeStream()
    }
}
