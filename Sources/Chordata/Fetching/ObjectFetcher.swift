internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

/// Fetches for a context: runs requests on the store, and adds the unsaved changes.
package final class ObjectFetcher {
    let graph: ObjectGraph
    let reader: RowReader
    let editor: ObjectEditor
    let processor: EventProcessor
    /// A closure that creates a private context without unsaved changes; with `readsThrough`, the private context reads
    /// the same state of the store as this context.
    private let makePrivateContext: (_ readsThrough: Bool) -> (context: AnyObject, fetcher: ObjectFetcher)

    init(
        _ processor: EventProcessor,
        makePrivateContext: @escaping (_ readsThrough: Bool) -> (context: AnyObject, fetcher: ObjectFetcher)
    ) {
        graph = processor.graph
        reader = processor.reader
        editor = processor.editor
        self.processor = processor
        self.makePrivateContext = makePrivateContext
    }

    /// Creates a fetcher without unsaved changes that reads the same state as this fetcher would read now.
    func makePrivateFetcher() -> (context: AnyObject, fetcher: ObjectFetcher) { makePrivateContext(true) }

    /// Runs a closure with a fetcher without unsaved changes that reads through a connection, such as the connection of
    /// a write transaction.
    func withPrivateFetcher<Result>(on connection: StoreReader, _ body: (ObjectFetcher) throws -> Result) throws
        -> Result
    {
        let scratch = makePrivateContext(false)
        defer { withExtendedLifetime(scratch.context) {} }
        let reader = scratch.fetcher.reader
        let result = try reader.read(through: connection) { try body(scratch.fetcher) }
        // Accessors cannot throw; the reader records their errors.
        if let error = reader.error { throw error }
        return result
    }

    var schema: StoreSchema { graph.schema }

    // MARK: Objects

    /// The objects that match a request, in the order of its sort keys.
    func fetch<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [Object] {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        processor.processChanges()
        let bound = try request.bound(in: schema)
        let objects: [Object]
        if request.shouldRefreshRefetchedObjects {
            reader.endReading()  // The newest is wanted, unless the context is pinned.
            objects = try reader.updatingKnownObjects(to: editor.refreshRefetchedObjects) {
                try fetchObjects(of: bound, request)
            }
        } else {
            objects = try fetchObjects(of: bound, request)
        }
        if !bound.prefetchedPaths.isEmpty {
            let areAll = bound.predicate == nil && bound.limit == 0 && bound.offset == 0
            try prefetch(bound.prefetchedPaths, of: objects, areAll: areAll)
        }
        return objects
    }

    private func fetchObjects<Object: ManagedObject>(
        of bound: BoundFetchRequest,
        _ request: FetchRequest<Object>
    ) throws -> [Object] {
        let pending = request.includesPendingChanges ? pendingObjects(of: bound) : []
        if pending.isEmpty {
            if !request.shouldRefreshRefetchedObjects {
                if !request.includesPropertyValues { return try fetchFaults(of: bound, batchSize: nil) }
                if request.returnsObjectsAsFaults { return try fetchFaults(of: bound, batchSize: .max) }
                if request.fetchBatchSize > 0 { return try fetchFaults(of: bound, batchSize: request.fetchBatchSize) }
            }
            return try fetchRows(of: bound, limit: bound.limit, offset: bound.offset, request.prepared)
        }
        // The store cannot evaluate a condition on other objects with unsaved changes: an object may match because of a
        // change of another object.
        var candidates = bound
        if let predicate = bound.predicate, predicate.crossesRelationships {
            candidates.predicate = .and(predicate.conjuncts.filter { !$0.crossesRelationships })
        }
        // A limit applies to the result of the overlay, which removes at most as many objects as have unsaved changes.
        let isLimited =
            (1..<Int(Int32.max)).contains(bound.limit) && bound.offset < Int32.max && !bound.crossesRelationships
        let limit = isLimited ? bound.limit + bound.offset + pending.count : 0
        let stored: [Object] = try fetchRows(of: candidates, limit: limit, offset: 0)
        return try overlay(pending, on: stored, bound)
    }

    /// The object IDs of the objects that match a request, in the order of its sort keys.
    func fetchObjectIDs<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [ManagedObjectID] {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        processor.processChanges()
        let bound = try request.bound(in: schema)
        if request.includesPendingChanges, !pendingObjects(of: bound).isEmpty {
            return try fetch(request).map(\.objectID)
        }
        return try fetchIdentities(of: bound).map { ManagedObjectID(runtimeEntity: $0.type, key: $0.key) }
    }

    /// The number of objects that match a request.
    func count<Object: ManagedObject>(for request: FetchRequest<Object>) throws -> Int {
        processor.processChanges()
        let bound = try request.bound(in: schema)
        if request.includesPendingChanges, !pendingObjects(of: bound).isEmpty { return try fetch(request).count }
        let fragment = renderCount(
            try storePredicate(of: bound),
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            schema.dialect,
            includesSubentities: bound.includesSubentities
        )
        let query = StoreQuery(fragment)
        return try reader.readStore { connection in
            try connection.reportingFetch { try connection.readRow(of: query) { Int($0.integer(at: 0)) } }
        } ?? 0
    }

    // MARK: Rows

    /// Runs a request on the store and creates or finds the objects of its rows.
    /// - Parameter prepared: The cache of the statement, for a request that is run with its own limit and offset.
    func fetchRows<Object: ManagedObject>(
        of bound: BoundFetchRequest,
        limit: Int,
        offset: Int,
        _ prepared: PreparedRequest? = nil
    ) throws -> [Object] {
        let projection = schema.projection(of: bound.type)
        // Rows of a parent are read with another statement.
        let prepared = reader.readsParentOverlay ? nil : prepared
        let fragment: SQLFragment
        if let known = prepared?.fragment(for: bound.type) {
            fragment = known
        } else {
            if !schema.hasOrder(of: bound) {
                if graph.changedObjects.isEmpty {
                    return try fetchRowsSortedInMemory(of: bound, limit: limit, offset: offset)
                }
                var range = bound
                (range.limit, range.offset) = (limit, offset)
                let (unsorted, keys) = try sortedByKeys(range)
                let objects: [Object] = try fetchRows(of: unsorted, limit: 0, offset: 0)
                return objects.sorted { keys[$0.key] ?? 0 < keys[$1.key] ?? 0 }
            }
            fragment = renderFetch(
                columns: projection.selectList,
                try storePredicate(of: bound),
                sortedBy: bound.sortTerms,
                limit: limit,
                offset: offset,
                entityName: bound.type.entity.name,
                in: schema.mapping,
                schema.dialect,
                includesSubentities: bound.includesSubentities,
                // Without a sort order, a view returns its rows in no defined order.
                calling: reader.readsParentOverlay ? nil : projection.rowFunction
            )
            if let prepared, isRenderable(bound) { prepared.keep(fragment, for: bound.type) }
        }
        return try reader.readRows { connection in
            let query = StoreQuery(fragment)
            var objects: [ManagedObject] = []
            if projection.entityColumn == nil, graph.knowsNone(rootIndex: bound.type.rootIndex) {
                let member = projection.concrete[0]
                defer { graph.register(objects, rootIndex: bound.type.rootIndex) }
                try connection.forEachFetchedRow(of: query) { objects.append(try reader.makeObject($0, member)) }
            } else {
                try connection.forEachFetchedRow(of: query) { objects.append(try reader.materialize($0, projection)) }
            }
            // All objects have the class of the request's entity; each cast would look up generic metadata.
            return unsafeBitCast(objects, to: [Object].self)
        }
    }

    /// Returns a Boolean value that indicates whether the database can evaluate a request's predicate and sort order.
    func isRenderable(_ bound: BoundFetchRequest) -> Bool {
        bound.predicate.map { schema.dialect.isRenderable($0) } != false && schema.hasOrder(of: bound)
    }

    /// Runs a request with an order in which the database cannot sort: all rows that match the predicate are read.
    func fetchRowsSortedInMemory<Object: ManagedObject>(
        of bound: BoundFetchRequest,
        limit: Int,
        offset: Int
    ) throws -> [Object] {
        var unsorted = bound
        unsorted.sortTerms = []
        var objects: [Object] = try fetchRows(of: unsorted, limit: 0, offset: 0)
        let precedes = areInOrder(bound.sortTerms)
        objects.sort(by: precedes)
        objects.removeFirst(min(offset, objects.count))
        if limit > 0, objects.count > limit { objects.removeLast(objects.count - limit) }
        return objects
    }

    /// Returns an unsorted request for the rows of a request with an order in which the database cannot sort, and the
    /// positions of the rows by their keys.
    func sortedByKeys(_ bound: BoundFetchRequest) throws -> (unsorted: BoundFetchRequest, places: [Int64: Int]) {
        let identities = try fetchIdentities(of: bound)
        let values = identities.map {
            ManagedObjectID(runtimeEntity: $0.type, key: $0.key).predicateArgumentValue.value
        }
        var unsorted = bound
        unsorted.predicate = .isObject(of: bound.type.entity.name, among: values)
        unsorted.sortTerms = []
        (unsorted.limit, unsorted.offset) = (0, 0)
        let places = identities.enumerated().map { ($0.element.key, $0.offset) }
        return (unsorted, Dictionary(places) { first, _ in first })
    }
}

extension StoreSchema {
    /// Returns a Boolean value that indicates whether the database can sort in the order of a request.
    package func hasOrder(of bound: BoundFetchRequest) -> Bool {
        bound.sortTerms.allSatisfy { dialect.isRenderable($0) }
    }

    /// Throws an error if the database cannot sort in the order of a request whose rows are not fetched as objects.
    func requireOrder(of bound: BoundFetchRequest) throws(StoreError) {
        guard let term = bound.sortTerms.first(where: { !dialect.isRenderable($0) }) else { return }
        throw StoreError(
            .unsupportedEnvironment,
            "PostgreSQL cannot sort by '\(term.keyPath.keyPath)' with the comparison '\(term.comparison)', and this operation "
                + "cannot sort in memory; remove the comparison, or fetch objects, which are sorted in memory"
        )
    }
}
