internal import ChordataPredicate
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
        let progress = OperationProgress(expectedCount: nil)
        func write(computesInSQL: Bool) throws -> [BatchUpdateResult] {
            try self.write(rowsOf: update.bound, in: affected) { transaction in
                try transaction.interruptible(progress) {
                    try BatchUpdateWriter(schema: schema, transaction: transaction, progress: progress)
                        .write(update, origin, computesInSQL: computesInSQL)
                }
            } didCommit: { results in
                for result in results { inboxes.queueOutdatedValues(of: result.rows) }
            }
        }
        let results: [BatchUpdateResult]
        do {
            do {
                results = try write(computesInSQL: true)
            } catch is InvalidComputedValue {
                progress?.restart()
                results = try write(computesInSQL: false)
            }
        } catch let error as StoreError where error.violation?.isOfUniqueness == true {
            throw notUnique(error)
        }
        progress?.finish()
        inboxes.deliver()
        return BatchUpdateResult(
            updatedObjectsCount: results.reduce(0) { $0 + $1.updatedObjectsCount },
            rows: results.flatMap(\.rows)
        )
    }

    /// The request without its limit and offset, which apply to the rows of all stores together.
    private func withoutRange(_ bound: BoundFetchRequest) throws -> BoundFetchRequest {
        guard bound.limit > 0 || bound.offset > 0, let partition, partition.places(of: bound.type).count > 1 else {
            return bound
        }
        var keys: [Int: [Int64]] = [:]
        try engine.withReader { keys = try $0.readKeys(of: bound, in: schema) }
        var result = bound
        (result.limit, result.offset) = (0, 0)
        let objects = keys.values.joined().map { key in
            ManagedObjectID(entityType: bound.type, key: key).predicateArgumentValue.value
        }
        let isOne = BoundPredicate.isObject(of: bound.type.entity.name, among: objects)
        result.predicate = .conjunction([bound.predicate, isOne].compactMap(\.self))
        return result
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
        let bound = try withoutRange(bound)
        let progress = OperationProgress(expectedCount: nil)
        let results = try write(rowsOf: bound, in: affected) { transaction in
            let writer = BatchUpdateWriter(schema: schema, transaction: transaction, progress: progress)
            let deleter = BatchDeleter(writer, validatesRelationships: validatesRelationships, origin)
            return try transaction.interruptible(progress) { try deleter.delete(bound) }
        } didCommit: { results in
            for result in results {
                inboxes.queueDeletions(of: result.deletedRows)
                inboxes.queueOutdatedValues(of: result.updatedRows)
            }
        }
        progress?.finish()
        inboxes.deliver()
        return BatchDeleteResult(
            deletedRows: results.flatMap(\.deletedRows),
            updatedRows: results.flatMap(\.updatedRows)
        )
    }
}
