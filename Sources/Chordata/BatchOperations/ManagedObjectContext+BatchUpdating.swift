extension ManagedObjectContext {
    /// Updates rows in the store in a separate transaction, without creating objects (rule S23 of
    /// <doc:Core-Data-Rules>).
    ///
    /// No hook is called. Of the model's validation rules, only types, required values and uniqueness are checked.
    /// Objects and results controllers are not notified: to update the objects of a context, call ``mergeChanges(_:)``
    /// on it, in its isolation, with ``BatchUpdateResult/changes``. If the update has written the row of an object
    /// after the context read this row, saving the object is a conflict, unless the context has merged the changes
    /// (rule F18 of <doc:Core-Data-Rules>). Unsaved changes of any context, including this one, are neither saved nor
    /// considered. Derived attributes are updated.
    ///
    /// A batch update cannot set to-many relationships, to-one relationships whose inverse is to-one or ordered, and
    /// attributes that are Transformable, transient, derived or allow external storage. Set these on objects, except
    /// for derived attributes, which are read-only. A computed number is truncated if the attribute is an integer.
    ///
    /// - Returns: The number of rows that matched the predicate, and the object IDs of these rows and of the rows whose
    ///   derived attributes changed.
    /// - Throws: ``BatchUpdateError``, ``FetchError`` or ``FetchPredicateError`` when the request does not match the
    ///   model or a new value is not valid for a row, ``ValidationError`` when the computed value of a derived
    ///   attribute is not valid, ``ChangeLimitExceededError`` when derived attributes depend on each other in an
    ///   endless cycle, ``UnreadableValueError`` when a value to compute from was written by another program with the
    ///   wrong type, ``StoreError`` when the store cannot be written, `CancellationError` when the current task or the
    ///   current `Progress` is cancelled. If an error is thrown, nothing was updated.
    /// - Complexity: O(n) in the number of rows. If SQL can compute the new values, one UPDATE statement writes all
    ///   rows; the [row keys](doc:Glossary#Store) are read by a separate statement only if the request has a limit or
    ///   an offset, the table has rows of several entities, or derived attributes depend on the rows.
    @discardableResult
    public func execute<Object: ManagedObject>(_ request: BatchUpdateRequest<Object>) throws -> BatchUpdateResult {
        let access = beginAccess()
        defer { access.end() }
        let update = try BoundBatchUpdate(request, in: schema)
        reader.readNewest()  // The next reads of the event see the new values.
        return try store.update(update, in: request.affectedStores, saver)
    }
}
