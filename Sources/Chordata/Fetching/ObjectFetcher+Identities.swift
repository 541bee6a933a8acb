internal import ChordataSQL

/// Rows that a fetch found and did not read: they are read together on the first access to one of their objects.
final class FaultBatch {
    let keys: [Int64]
    init(keys: [Int64]) { self.keys = keys }
}

extension ObjectFetcher {
    /// The statement that finds which objects a request is for, in its order.
    func identityFragment(of bound: BoundFetchRequest) throws -> SQLFragment {
        renderFetch(
            columns: schema.projection(of: bound.type).identitySelectList,
            try storePredicate(of: bound),
            sortedBy: bound.sortTerms,
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            schema.dialect,
            includesSubentities: bound.includesSubentities
        )
    }

    /// Finds which objects a request is for, in its order.
    func fetchIdentities(of bound: BoundFetchRequest) throws -> [(key: Int64, type: RuntimeEntity)] {
        let projection = schema.projection(of: bound.type)
        let fragment = try identityFragment(of: bound)
        return try reader.readStore { connection in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            statement.bind(fragment.bindings)
            var identities: [(key: Int64, type: RuntimeEntity)] = []
            while try statement.step() {
                identities.append((statement.integer(at: 0), try projection.member(of: statement).type))
            }
            return identities
        }
    }

    /// Finds the objects of a request, and leaves those faults that are not known yet.
    /// - Parameter batchSize: how many of them are read when one is looked at; `nil` for that one alone.
    func fetchFaults<Object: ManagedObject>(of bound: BoundFetchRequest, batchSize: Int?) throws -> [Object] {
        let objects: [Object] = try fetchIdentities(of: bound).map { key, type in
            let known = graph.registered(key: key, rootIndex: type.rootIndex)
            if let known { try reader.checkEntity(of: known, is: type) }
            return unsafeDowncast(known ?? graph.makeFault(key: key, type: type), to: Object.self)
        }
        guard let batchSize else { return objects }
        let size = min(batchSize, max(objects.count, 1))
        for start in stride(from: 0, to: objects.count, by: size) {
            graph.setBatch(of: objects[start..<min(start + size, objects.count)].filter(\.isFault))
        }
        return objects
    }
}
