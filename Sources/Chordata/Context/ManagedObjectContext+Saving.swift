// Saving: see ``ContextSaver``.

extension ManagedObjectContext {
    /// Writes all unsaved changes in one transaction.
    ///
    /// If a save fails, all unsaved changes are kept; fix the cause and save again. The disk is accessed only if there
    /// are changes. The ``mergePolicy`` resolves conflicts.
    /// - Throws: ``ValidationError`` when objects are not valid, or the error of a validation hook when it is the only
    ///   failure; ``SaveConflictError`` when another context or process changed a row since it was read;
    ///   ``UniquenessConflictError`` when a uniqueness constraint is violated; the error of a subclass of
    ///   ``MergePolicy``; ``ChangeLimitExceededError`` when hooks, observers or derived attributes never stop changing
    ///   objects; ``FetchPredicateError`` when a derived attribute cannot be computed; ``UnreadableValueError`` when a
    ///   row that the save reads has a value of another type than its attribute; ``RecursiveSaveError`` when a hook or
    ///   an observer saves while the context is being saved; ``StoreError`` when the store cannot be read or written,
    ///   and the ``readError`` of an earlier property access; `CancellationError` when the current `Progress` of the
    ///   thread is cancelled before the last row is written.
    ///
    /// If the thread has a current `Progress`, a save of 1,000 objects or more reports the rows that it writes; see
    /// <doc:Background-Work>.
    ///
    /// The method blocks its thread while another save of the same container runs, without a timeout, and up to
    /// ``StoreOptions/busyTimeout`` while another container or process saves. In a background task, it can also wait up
    /// to a millisecond for the saves of other tasks, to share a flush of the disk. If as many saves as
    /// ``StoreOptions/maximumWaitingSaveCount`` are waiting, it throws ``StoreError/Code/waitingSaveLimitExceeded``
    /// immediately. In asynchronous code use the asynchronous method of the same name.
    public func save() throws { try saver.save() }

    /// Writes all unsaved changes in one transaction when other saves of the container have ended.
    ///
    /// The task waits for its turn without blocking a thread. The changes that the context has at that moment are saved
    /// in the same way as by the synchronous method; if the context belongs to an actor, other code of the actor may
    /// change objects while the task waits. If the task is cancelled while it waits, nothing is saved, and the changes
    /// remain unsaved.
    /// - Throws: The errors of the synchronous method, and `CancellationError` if the task is cancelled while it waits.
    nonisolated(nonsending) public func save() async throws { try await saver.saveWhenAvailable() }

    /// Inserts a row for each element of an array of values, in a separate transaction.
    ///
    /// The method runs one INSERT statement for all rows and calls no hooks. It creates no objects, except for
    /// observers and in the cases below. Unsaved changes of this context are neither saved nor changed. The property
    /// `objectID` of each element is ignored, but object IDs of to-one relationships are written. Required to-one
    /// relationships must not be nil. Derived attributes are always computed, and their values in the argument are
    /// ignored. Other contexts receive the new rows as they receive a save. Observers of this context are notified
    /// immediately of the inserted objects, and of refreshed objects: objects at the other end of a relationship,
    /// objects that the merge policy updated, and objects whose derived attributes were computed again.
    ///
    /// ```swift
    /// let values = names.map { Player.Values(objectID: ObjectID(), name: $0, age: 0, team: team) }
    /// let players = try context.insertValues(values)
    /// ```
    ///
    /// The method creates temporary objects in three cases: if the inverse of a to-one relationship is to-one or
    /// ordered, because the destination has to be changed too, if SQL cannot compute a derived attribute of the model,
    /// and if a uniqueness constraint is violated.
    ///
    /// The ``mergePolicy`` resolves violated uniqueness constraints. With ``MergePolicy/error``, nothing is inserted.
    /// With ``MergePolicy/mergeByPropertyObjectTrump`` and ``MergePolicy/overwrite``, the new values replace the values
    /// of the saved object; if elements conflict with each other, the last of them is kept. With
    /// ``MergePolicy/mergeByPropertyStoreTrump`` and ``MergePolicy/rollback``, the new values are dropped, and of
    /// elements that conflict only with each other the first one is kept. In all these cases, the result has the object
    /// ID of the saved or kept object in the place of each conflicting element.
    ///
    /// - Parameter values: The values of the new objects, all of one class.
    /// - Returns: The object IDs of the new objects, or of the existing objects that the merge policy has updated or
    ///   left unchanged, in the order of the values.
    /// - Throws: ``ValidationError`` when a value is invalid or a to-one relationship references a missing object,
    ///   ``UniquenessConflictError`` when a uniqueness constraint is violated, ``StoreError`` when the store cannot be
    ///   written; if objects have to be created, also any error of `save()`. If an error is thrown, nothing was
    ///   inserted; with ``StoreError/Code/outcomeUnknown``, this is unknown.
    /// - Complexity: O(n) in the number of values.
    @discardableResult
    public func insertValues<Values: ManagedObjectValues>(_ values: [Values]) throws -> [ObjectID<Values.Object>] {
        let access = beginAccess()
        defer { access.end() }
        guard !values.isEmpty else { return [] }
        let type = runtimeEntity(for: Values.Object.self)
        type.checkConcrete()
        precondition(
            Values.layout.entityName == type.entity.name,
            "'\(Values.Object.self).Values' was generated for entity '\(Values.layout.entityName)', but class '\(Values.Object.self)' for entity '\(type.entity.name)'; generate the code again"
        )
        let keys = try inserter.insert(values, type) {
            let scratch = ManagedObjectContext(for: merger, readsThrough: false)
            return (scratch, scratch.saver)
        }
        return keys.map { ObjectID(key: $0) }
    }

    /// Replaces the temporary IDs of all inserted objects of the context with permanent IDs before a save, if one of
    /// the passed objects has a temporary ID.
    ///
    /// The store assigns a permanent ID to almost every object when it is inserted (``ManagedObjectID/isTemporaryID``),
    /// so this method usually does nothing. Otherwise it reserves [row keys](doc:Glossary#Store) in the store and
    /// blocks until they are reserved; the objects themselves are not saved.
    /// - Parameter objects: Objects of this context.
    /// - Throws: ``StoreError`` when the store cannot be written; the IDs are then unchanged.
    public func obtainPermanentIDs(for objects: [ManagedObject]) throws {
        let access = beginAccess()
        defer { access.end() }
        for object in objects {
            precondition(
                object.managedObjectContext === self,
                "an object of '\(object.entity.name)' is not registered with this context, so it cannot get a "
                    + "permanent ID here; insert it first"
            )
        }
        guard objects.contains(where: \.objectID.isTemporaryID) else { return }
        try saver.assignPermanentKeys()
    }
}
