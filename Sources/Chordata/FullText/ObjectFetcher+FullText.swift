internal import ChordataPredicate
internal import ChordataSQL

extension ObjectFetcher {
    /// The objects that match a request with a full-text query, the best first unless the request has sort keys.
    func fetchMatches<Object: ManagedObject>(_ request: FetchRequest<Object>) throws -> [FullTextMatch<Object>] {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        // The rank decides which objects are within the limit.
        var unlimited = request
        if request.sortKeys.isEmpty { (unlimited.fetchLimit, unlimited.fetchOffset) = (0, 0) }
        let bound = try unlimited.bound(in: schema)
        guard let search = bound.predicate?.fullText else {
            throw FetchError.noFullTextQuery(entityName: bound.type.entity.name)
        }
        var objectIDs = try fetchObjectIDs(unlimited)
        let ranks = try readRanks(of: search)
        if request.sortKeys.isEmpty {
            let ranked = objectIDs.filter { ranks[$0.key] != nil }
            let order = ranked.map { (id: $0, rank: ranks[$0.key] ?? 0) }
                .sorted { ($0.rank, $0.id.key) < ($1.rank, $1.id.key) }
            objectIDs = order.map(\.id) + objectIDs.filter { ranks[$0.key] == nil }
            objectIDs.removeFirst(min(max(request.fetchOffset, 0), objectIDs.count))
            if request.fetchLimit > 0 { objectIDs = Array(objectIDs.prefix(request.fetchLimit)) }
        }
        let objects = try readObjects(with: objectIDs)
        if !bound.prefetchedPaths.isEmpty { try prefetch(bound.prefetchedPaths, of: objects, areAll: false) }
        let shared = FullTextSearch(search, in: schema)
        return zip(objectIDs, objects).map { id, object in
            FullTextMatch(object: unsafeDowncast(object, to: Object.self), rank: ranks[id.key], search: shared)
        }
    }

    /// The ranks of all rows that an index finds, by row key.
    private func readRanks(of search: BoundFullText) throws -> [Int64: Double] {
        guard search.isIndexed, let fragment = renderRanks(search, in: schema.mapping) else { return [:] }
        return try reader.readStore { connection in
            var ranks: [Int64: Double] = [:]
            try connection.forEachFetchedRow(of: StoreQuery(fragment)) { ranks[$0.integer(at: 0)] = $0.double(at: 1) }
            return ranks
        }
    }
}
