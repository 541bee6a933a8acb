// The same as the notifications, as asynchronous sequences.

extension ManagedObjectContext {
    /// An asynchronous sequence of the future changes in the context, with the events of
    /// ``didChangeObjectsNotification``.
    ///
    /// The values are Sendable and are buffered until they are consumed. The sequence finishes when the context is
    /// released. Each access returns a new sequence; use one for each consumer. An inserted object with a temporary ID
    /// has another object ID after its save.
    ///
    /// ```swift
    /// for await change in context.changes { print(change.updated.count) }
    /// ```
    public var changes: AsyncStream<ObjectIDChanges> {
        let broadcast = changeBroadcast ?? Broadcast()
        changeBroadcast = broadcast
        bindToStore()
        return broadcast.makeStream()
    }

    /// The saves of the context from now on: those of ``didSaveObjectIDsNotification``.
    ///
    /// As with ``changes``, each call makes a sequence of its own, which ends with the context.
    public var saves: AsyncStream<ObjectIDChanges> {
        let broadcast = saveBroadcast ?? Broadcast()
        saveBroadcast = broadcast
        return broadcast.makeStream()
    }

    /// The merges of other saves into the context from now on: those of ``didMergeChangesObjectIDsNotification``.
    ///
    /// As with ``changes``, each call makes a sequence of its own, which ends with the context.
    public var merges: AsyncStream<ObjectIDChanges> {
        let broadcast = mergeBroadcast ?? Broadcast()
        mergeBroadcast = broadcast
        bindToStore()
        return broadcast.makeStream()
    }
}

extension PersistentContainer {
    /// The saves of all contexts of the store from now on, including `insertValues(_:)`; saves of other programs are
    /// not included.
    ///
    /// The values have the order in which contexts report their saves, and are buffered until they are consumed. Each
    /// access returns a new sequence, which ends with the store.
    public var saves: AsyncStream<ContextSave> { persistentStoreCoordinator.saves }
}

extension PersistentStoreCoordinator {
    /// The saves of all contexts of the store from now on; see ``PersistentContainer/saves``.
    public var saves: AsyncStream<ContextSave> {
        guard let store = persistentStores.first else {
            preconditionFailure("add a store to the coordinator with addPersistentStore before you use 'saves'")
        }
        return store.saves.makeStream()
    }
}
