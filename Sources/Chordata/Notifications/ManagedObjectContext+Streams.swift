// The notifications as asynchronous sequences.

extension ManagedObjectContext {
    /// An asynchronous sequence of the future changes in the context, one for each ``didChangeObjectsNotification``.
    ///
    /// The values are Sendable and are buffered until they are consumed. The sequence finishes when the context is
    /// released. Each access returns a new sequence; use one for each consumer. An inserted object with a temporary ID
    /// has another object ID after its save.
    ///
    /// ```swift
    /// for await change in context.changes { print(change.updated.count) }
    /// ```
    public var changes: AsyncStream<ObjectIDChanges> {
        bindToStore()
        return notifier.makeStreamOfChanges()
    }

    /// An asynchronous sequence of the future saves of the context, with the changes of
    /// ``didSaveObjectIDsNotification``.
    ///
    /// Calls of `insertValues(_:)` and batch operations are not included. Each access returns a new sequence, which
    /// finishes when the context is released; see ``changes``.
    public var saves: AsyncStream<ObjectIDChanges> { notifier.makeStreamOfSaves() }

    /// An asynchronous sequence of the future merges of other contexts' saves, with the changes of
    /// ``didMergeChangesObjectIDsNotification``.
    ///
    /// Each access returns a new sequence, which finishes when the context is released; see ``changes``.
    public var merges: AsyncStream<ObjectIDChanges> {
        bindToStore()
        return notifier.makeStreamOfMerges()
    }
}

extension PersistentContainer {
    /// An asynchronous sequence of the future saves of all contexts of the store, including `insertValues(_:)` and
    /// batch insertions.
    ///
    /// Saves of child contexts, which do not write to the store, and saves of other programs are not included. The
    /// values are in the order in which contexts report their saves, and are buffered until they are consumed. Each
    /// access returns a new sequence, which finishes when the store is released.
    public var saves: AsyncStream<ContextSave> { persistentStoreCoordinator.saves }
}

extension PersistentStoreCoordinator {
    /// An asynchronous sequence of the future saves of all contexts of the store; see ``PersistentContainer/saves``.
    public var saves: AsyncStream<ContextSave> {
        guard let store = storeOfContexts else {
            preconditionFailure("add a store to the coordinator with addPersistentStore before you use 'saves'")
        }
        return store.saves.makeStream()
    }
}
