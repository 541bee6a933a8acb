extension ManagedObjectContext {
    /// Assigns an inserted object to a store of the context's coordinator; the next save writes the object to this
    /// store.
    ///
    /// Without this method, a new object is written to the first store that has its entity and is not read-only. If the
    /// object belonged to another store, it gets another object ID. Undo and redo of the insertion keep the store.
    ///
    /// ```swift
    /// let note = Note(context: context, text: "from the archive")
    /// try context.assign(note, to: archive)
    /// ```
    /// - Parameters:
    ///   - object: An inserted object of the context that is not saved yet.
    ///   - store: A store of the context's coordinator.
    /// - Throws: ``StoreAssignmentError`` when the object or the store is not as required, ``StoreError`` when the
    ///   store cannot be written. If an error is thrown, the object keeps its store.
    /// - Complexity: O(n) in the number of unsaved objects of the context, if the object does not belong to the store.
    @_disfavoredOverload  // The module `CoreData` has one that traps.
    public func assign(_ object: ManagedObject, to store: PersistentStore) throws {
        try object.assign(to: store, in: self)
    }
}

extension ManagedObject {
    package func assign(to store: PersistentStore, in context: ManagedObjectContext) throws {
        let access = context.beginAccess()
        defer { access.end() }
        try context.saver.assign([self], to: store)
    }
}
