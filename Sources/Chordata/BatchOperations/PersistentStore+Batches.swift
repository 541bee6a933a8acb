internal import ChordataSQL

// Batch operations, in each store that has the entity.

extension PersistentStore {
    /// Updates rows; see ``ManagedObjectContext/execute(_:)-(BatchUpdateRequest<Object>)``.
    /// - Parameter affected: The stores whose rows are updated; `nil` for all.
    func update(
        _ update: BoundBatchUpdate,
        in affected: [PersistentStore]?,
        _ origin: SaveOrigin
    ) throws -> BatchUpdateResult {
        let results: [BatchUpdateResult]
        do {
            results = try write(rowsOf: update.type, in: affected) { connection in
                try BatchUpdateWriter(schema: schema, connection: connection).write(update, origin)
            } didCommit: { results in
                for result in results { inboxes.queueOutdatedValues(of: result.rows) }
            }
        } catch let error as StoreError where error.violation?.isOfUniqueness == true {
            throw notUnique(error)
        }
        inboxes.deliver()
        return BatchUpdateResult(
            updatedObjectsCount: results.reduce(0) { $0 + $1.updatedObjectsCount },
            rows: results.flatMap(\.rows)
        )
    }

    private func notUnique(_ error: StoreError) -> any Error {
        guard case .uniqueness(let columns) = error.violation else { return error }
        let constraint = schema.makeUniquenessConstraints().first { constraint in
            constraint.columnNames.map { constraint.tableName + "." + $0 } == columns
        }
        guard let constraint else { return error }
        return BatchUpdateError.notUnique(constraint.propertyNames, entityName: constraint.entityName)
    }

    /// Deletes rows; see ``ManagedObjectContext/execute(_:)-(BatchDeleteRequest<Object>)``.
    /// - Parameter affected: The stores whose rows are deleted; `nil` for all.
    func delete(
        _ bound: BoundFetchRequest,
        in affected: [PersistentStore]?,
        validatesRelationships: Bool,
        _ origin: SaveOrigin
    ) throws -> BatchDeleteResult {
        let results = try write(rowsOf: bound.type, in: affected) { connection in
            let writer = BatchUpdateWriter(schema: schema, connection: connection)
            return try BatchDeleter(writer, validatesRelationships: validatesRelationships, origin).delete(bound)
        } didCommit: { results in
            for result in results {
                inboxes.queueDeletions(of: result.deletedRows)
                inboxes.queueOutdatedValues(of: result.updatedRows)
            }
        }
        inboxes.deliver()
        return BatchDeleteResult(
            deletedRows: results.flatMap(\.deletedRows),
            updatedRows: results.flatMap(\.updatedRows)
        )
    }
}
