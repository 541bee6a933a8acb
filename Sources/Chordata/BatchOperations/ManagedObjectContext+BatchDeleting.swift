extension ManagedObjectContext {
    /// Deletes rows in the store in a separate transaction, without creating objects (rule D10 of
    /// <doc:Core-Data-Rules>).
    ///
    /// The delete rules of the model are applied: Cascade deletes further rows, Nullify and No Action empty the to-one
    /// relationships of other rows, and Deny is an error unless the request also deletes all rows that the relationship
    /// references. Rows of join tables and externally stored data are deleted with the rows that they belong to.
    /// Derived attributes of other rows are computed again. No hook is called, and the relationships of the rows that
    /// remain are validated only with ``BatchDeleteRequest/validatesRelationships``.
    ///
    /// Objects and results controllers are not notified: to update the objects of a context, call ``mergeChanges(_:)``
    /// on it, in its isolation, with ``BatchDeleteResult/changes``. Saving an object whose row was deleted or written
    /// is a conflict, unless the context has merged the changes. Unsaved changes of any context, including this one,
    /// are neither saved nor considered.
    ///
    /// - Returns: The object IDs of the deleted rows and of the rows that were written, and their number.
    /// - Throws: ``FetchError`` or ``FetchPredicateError`` when the request does not match the model, when SQL cannot
    ///   evaluate its predicate, or when SQL cannot compute a derived attribute that depends on the rows;
    ///   ``ValidationError`` when a relationship with the rule Deny references a row that remains, when the computed
    ///   value of a derived attribute is not valid, or when the validation of relationships fails;
    ///   ``ChangeLimitExceededError`` when derived attributes depend on each other in an endless cycle; ``StoreError``
    ///   when the store cannot be written; `CancellationError` when the current task or the current `Progress` is
    ///   cancelled. If an error is thrown, nothing was deleted.
    /// - Complexity: O(n) in the number of rows; the rows of a table are deleted with one DELETE statement.
    @discardableResult
    public func execute<Object: ManagedObject>(_ request: BatchDeleteRequest<Object>) throws -> BatchDeleteResult {
        let access = beginAccess()
        defer { access.end() }
        let bound = try request.bind(in: schema)
        reader.readNewest()  // The next reads of the event do not see the deleted rows.
        let affected = request.fetchRequest.affectedStores
        let validates = request.validatesRelationships
        return try store.delete(bound, in: affected, validatesRelationships: validates, saver)
    }
}
