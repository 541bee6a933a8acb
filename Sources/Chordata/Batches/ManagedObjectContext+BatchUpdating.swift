internal import CChordataSQLite
internal import ChordataSQL

extension ManagedObjectContext {
    /// Updates rows in the store, in one transaction of its own, without objects (S23).
    ///
    /// No hook is called and no rule of the model checked but types, required values, and uniqueness. Nobody is told: objects and lists stay
    /// as they are until contexts merge ``BatchUpdateResult/changes``, by ``mergeChanges(_:)`` where they live, and a save of an object that
    /// was read before is in conflict (F18). Unsaved changes, of this context too, are neither saved nor looked at. Derived attributes
    /// follow.
    ///
    /// Attributes that are Transformable, derived or stored externally, and relationships whose inverse is a to-one or has an order, are set
    /// on objects. A computed number loses its fraction where the attribute has none.
    ///
    /// - Throws: ``BatchUpdateError``, ``FetchError`` or ``FetchPredicateError`` where the request does not fit the model or the rows,
    ///   ``StoreError`` when the store cannot be written. Nothing was updated then.
    /// - Complexity: O(n) in the number of rows; constants take one statement. Where derived attributes go along relationships to the updated
    ///   rows, O(m) in the number of rows that have them.
    @discardableResult
    public func execute<Object: ManagedObject>(_ request: BatchUpdateRequest<Object>) throws -> BatchUpdateResult {
        let access = beginAccess()
        defer { access.end() }
        let update = try BoundBatchUpdate(request, in: schema)
        endReading()  // What the event reads from now on has the new values.
        do {
            return try store.sqlite.write { connection in
                try BatchUpdateWriter(schema: schema, connection: connection).write(update)
            }
        } catch let error as StoreError where error.sqliteCode == chordata_constraint_unique {
            let updated = Set(update.assignments.map(\.columnName))
            let constraints = schema.makeUniquenessConstraints().filter {
                $0.tableName == update.type.mapping.tableName && !updated.isDisjoint(with: $0.columnNames)
            }
            throw BatchUpdateError.notUnique(constraints.map(\.propertyNames), entityName: update.type.entity.name)
        }
    }
}
