internal import ChordataSQL

extension ObjectFetcher {
    /// Returns the statement that reads the row keys and entities of the objects that a request selects, in its order.
    func identityFragment(of bound: BoundFetchRequest) throws -> SQLFragment {
        let columns = schema.projection(of: bound.type).identitySelectList
        return bound.fragment(reading: columns, where: try storePredicate(of: bound), in: schema)
    }

    /// Reads the row keys and entities of the objects that a request selects, in its order.
    func fetchIdentities(of bound: BoundFetchRequest) throws -> [(key: Int64, type: RuntimeEntity)] {
        if !schema.hasOrder(of: bound) {
            // The private fetcher sorts by the values of the store, not by unsaved ones.
            let scratch = makePrivateFetcher()
            defer { withExtendedLifetime(scratch.context) {} }
            let objects: [ManagedObject] = try scratch.fetcher.fetchRowsSortedInMemory(
                of: bound,
                limit: bound.limit,
                offset: bound.offset
            )
            return objects.map { ($0.key, $0.runtimeEntity) }
        }
        let projection = schema.projection(of: bound.type)
        let fragment = try identityFragment(of: bound)
        return try reader.readStore { connection in
            var identities: [(key: Int64, type: RuntimeEntity)] = []
            try connection.forEachFetchedRow(of: StoreQuery(fragment)) { row in
                identities.append((row.integer(at: 0), try projection.member(of: row).type))
            }
            return identities
        }
    }

    /// Returns the objects of a request, as faults if they were not registered.
    /// - Parameter batchSize: The number of rows that are read on the first access to one of the faults; `nil` to read
    ///   only the row of that fault.
    func fetchFaults<Object: ManagedObject>(of bound: BoundFetchRequest, batchSize: Int?) throws -> [Object] {
        let objects: [Object] = try fetchIdentities(of: bound).map { key, type in
            let known = graph.registered(key: key, rootIndex: type.rootIndex)
            if let known { try reader.checkEntity(of: known, is: type) }
            return unsafeDowncast(known ?? graph.makeFault(key: key, type: type), to: Object.self)
        }
        guard let batchSize else { return objects }
        var start = 0
        while start < objects.count {
            let range = ObjectBatchLoader.range(containing: start, of: objects.count, batchSize: batchSize)
            graph.setBatch(of: objects[range].filter(\.isFault))
            start = range.upperBound
        }
        return objects
    }

    // MARK: Objects of object IDs

    /// Returns the objects with the given object IDs; objects that are not in memory are read with one statement for
    /// each table.
    ///
    /// The method is for accessors, which cannot throw: if the store cannot be read, the objects are faults.
    func objects(with ids: [ManagedObjectID]) -> [ManagedObject] {
        objects(with: ids) { keys, type in reader.readOrRecord { try reader.readRows(of: keys, type: type) } }
    }

    /// Returns the objects as ``objects(with:)`` does, but throws an error if the store cannot be read.
    func readObjects(with ids: [ManagedObjectID]) throws -> [ManagedObject] {
        try objects(with: ids) { keys, type in try reader.readRows(of: keys, type: type) }
    }

    private func objects(with givenIDs: [ManagedObjectID], read: (_ keys: [Int64], RuntimeEntity) throws -> Void)
        rethrows
        -> [ManagedObject]
    {
        let access = graph.executor.beginAccess()
        defer { access.end() }
        graph.sweepIfDue()
        let ids = givenIDs.map(\.permanentID)
        var missing: [Int: (type: RuntimeEntity, keys: [Int64])] = [:]
        // Retain the registered objects, so that they are not released while other objects are created.
        var held: [ManagedObject] = []
        for id in ids {
            let rootIndex = id.runtimeEntity.rootIndex
            if let known = graph.registered(key: id.key, rootIndex: rootIndex) {
                held.append(known)
                if !known.isFault { continue }
            }
            missing[rootIndex, default: (id.runtimeEntity, [])].keys.append(id.key)
        }
        for (type, keys) in missing.values { try read(keys, type) }
        return withExtendedLifetime(held) {
            ids.map { id in
                graph.registered(key: id.key, rootIndex: id.runtimeEntity.rootIndex)
                    ?? graph.makeFault(key: id.key, type: reader.runtimeEntity(of: id))
            }
        }
    }
}
