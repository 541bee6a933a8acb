internal import CChordataSQLite
internal import ChordataSQL

extension ManagedObjectContext {
    /// Updates rows in the store, in one transaction of its own, without objects (S23).
    ///
    /// No hook is called. Of the model's validation rules, only types, required values and uniqueness are checked.
    /// Objects and results controllers are not notified: a context sees the changes after it has merged
    /// ``BatchUpdateResult/changes`` with ``mergeChanges(_:)`` in its isolation. Saving an object that was fetched
    /// before the update causes a conflict (F18). Unsaved changes of any context, including this one, are neither saved
    /// nor considered. Derived attributes are computed again.
    ///
    /// A batch update cannot set attributes that are Transformable, derived or stored externally, nor relationships
    /// whose inverse is to-one or ordered; set these on objects. A computed number is truncated if the attribute is an
    /// integer.
    ///
    /// - Returns: The number of rows that meet the condition, and the objects whose rows were written.
    /// - Throws: ``BatchUpdateError``, ``FetchError`` or ``FetchPredicateError`` where the request does not fit the
    ///   model or the rows, ``ValidationError`` where the value of a derived attribute that follows is not valid,
    ///   ``ChangeLimitExceededError`` where derived attributes depend on themselves without end,
    ///   ``UnreadableValueError`` where another program has written what a value is computed of, ``StoreError`` when
    ///   the store cannot be written. Nothing was updated then.
    /// - Complexity: O(n) in the number of rows; an update that sets only constants is a single statement.
    @discardableResult
    public func execute<Object: ManagedObject>(_ request: BatchUpdateRequest<Object>) throws -> BatchUpdateResult {
        let access = beginAccess()
        defer { access.end() }
        let update = try BoundBatchUpdate(request, in: schema)
        endReading()  // What the event reads from now on has the new values.
        do {
            return try store.sqlite.write { connection in
                try BatchUpdateWriter(schema: schema, connection: connection).write(update)
            } didCommit: { result in
                store.forgetValues(of: result.rows)
            }
        } catch let error as StoreError where error.sqliteCode == chordata_constraint_unique {
            // SQLite says of which columns.
            let columns = error.message.split(separator: ": ", maxSplits: 1).last?.split(separator: ", ").map(
                String.init
            )
            let constraint = schema.makeUniquenessConstraints().first { constraint in
                constraint.columnNames.map { constraint.tableName + "." + $0 } == columns
            }
            guard let constraint else { throw error }
            throw BatchUpdateError.notUnique(constraint.propertyNames, entityName: constraint.entityName)
        }
    }
}
