internal import ChordataPredicate
internal import ChordataSQL

/// Evaluates predicates and expressions in memory, within a write transaction, if the SQL of a server cannot.
package struct RowEvaluator {
    /// The fetcher of the context that writes.
    private let fetcher: ObjectFetcher

    package init(_ fetcher: ObjectFetcher) { self.fetcher = fetcher }

    /// Returns a request for the same rows, with a predicate that the database can evaluate.
    func resolve(_ bound: BoundFetchRequest, _ reader: StoreReader) throws -> BoundFetchRequest {
        guard !fetcher.isRenderable(bound) else { return bound }
        let keys = try fetcher.withPrivateFetcher(on: reader) { fetcher in
            let objects: [ManagedObject] = try fetcher.fetchRows(
                of: bound,
                limit: bound.limit,
                offset: bound.offset
            )
            return objects.map { $0.objectID.predicateArgumentValue.value }
        }
        var resolved = bound
        resolved.predicate = .isObject(of: bound.type.entity.name, among: keys)
        resolved.sortTerms = []
        (resolved.limit, resolved.offset) = (0, 0)
        return resolved
    }

    /// Returns a Boolean value that indicates whether the database cannot compute some of the columns.
    func isNeeded(for columns: [ComputedColumn]) -> Bool {
        columns.contains { !fetcher.schema.dialect.isRenderable($0.expression) }
    }

    /// Computes attributes of all rows that meet a condition; see ``BatchUpdateWriter``.
    func compute(
        _ columns: [ComputedColumn],
        of type: RuntimeEntity,
        where predicate: BoundPredicate?,
        includesSubentities: Bool,
        _ reader: StoreReader
    ) throws -> ComputedUpdates {
        try fetcher.withPrivateFetcher(on: reader) { fetcher in
            var request = FetchRequest<ManagedObject>(entityName: type.entity.name)
            request.includesSubentities = includesSubentities
            var bound = try BoundFetchRequest(request, in: fetcher.schema)
            bound.predicate = predicate
            let objects: [ManagedObject] = try fetcher.fetchRows(of: bound, limit: 0, offset: 0)
            let access = ManagedObjectAccess(schema: fetcher.schema)
            let readers = columns.map { makeReader($0.expression, access: access) }
            var rows = ComputedUpdates(columns: columns)
            for object in objects {
                rows.keys.append(object.key)
                for (column, read) in zip(columns, readers) {
                    let value = column.field.stored(computed: try read(object))
                    guard let value, value != .null || !column.field.isRequired else {
                        throw column.field.error(of: value, for: object.objectID)
                    }
                    rows.values.append(value)
                }
            }
            return rows
        }
    }
}
