internal import ChordataPredicate
internal import ChordataSQL

// Batch operations, in each store that has the entity.

extension PersistentStore {
    /// Updates rows; see ``ManagedObjectContext/execute(_:)-(BatchUpdateRequest<Object>)``.
    /// - Parameter affected: The stores whose rows are updated; `nil` for all.
    func update(
        _ update: BoundBatchUpdate,
        in affected: [PersistentStore]?,
        _ saver: ContextSaver
    ) throws -> BatchUpdateResult {
        let evaluator = database == nil ? RowEvaluator(saver.fetcher) : nil
        let progress = OperationProgress(expectedCount: nil)
        func write(computesInSQL: Bool) throws -> [BatchUpdateResult] {
            try self.write(rowsOf: update.bound, in: affected) { transaction in
                try transaction.interruptible(progress) {
                    var update = update
                    if let evaluator {
                        update.bound = try evaluator.resolve(update.bound, transaction.reader)
                    }
                    return try BatchUpdateWriter(
                        schema: schema,
                        transaction: transaction,
                        progress: progress,
                        evaluator: evaluator
                    )
                    .write(update, saver.origin, computesInSQL: computesInSQL)
                }
            } didCommit: { results in
                for result in results { inboxes.queueOutdatedValues(of: result.rows) }
            }
        }
        let results: [BatchUpdateResult]
        do {
            do {
                results = try write(computesInSQL: evaluator == nil)
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

    /// Replaces the limit and offset of a request, which apply to all stores together, with the selected objects.
    private func withoutRange(_ bound: BoundFetchRequest) throws -> BoundFetchRequest {
        guard bound.limit > 0 || bound.offset > 0, let partition, partition.places(of: bound.type).count > 1 else {
            return bound
        }
        var keys: [Int: [Int64]] = [:]
        try engine.withReader { keys = try $0.readKeys(of: bound, in: schema) }
        var result = bound
        (result.limit, result.offset) = (0, 0)
        let objects = keys.values.joined().map { key in
            ManagedObjectID(runtimeEntity: bound.type, key: key).predicateArgumentValue.value
        }
        let isOne = BoundPredicate.isObject(of: bound.type.entity.name, among: objects)
        result.predicate = .conjunction([bound.predicate, isOne].compactMap(\.self))
        return result
    }

    private func notUnique(_ error: StoreError) -> any Error {
        guard case .uniqueness(let columns) = schema.mapping.withColumns(error).violation else {
            return error
        }
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
        _ saver: ContextSaver
    ) throws -> BatchDeleteResult {
        let evaluator = database == nil ? RowEvaluator(saver.fetcher) : nil
        let bound = try withoutRange(bound)
        let progress = OperationProgress(expectedCount: nil)
        let results = try write(rowsOf: bound, in: affected) { transaction in
            let writer = BatchUpdateWriter(
                schema: schema,
                transaction: transaction,
                progress: progress,
                evaluator: evaluator
            )
            let deleter = BatchDeleter(writer, validatesRelationships: validatesRelationships, saver.origin)
            return try transaction.interruptible(progress) {
                try deleter.delete(evaluator?.resolve(bound, transaction.reader) ?? bound)
            }
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
