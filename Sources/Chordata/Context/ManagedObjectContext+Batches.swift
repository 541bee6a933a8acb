internal import ChordataSQL

/// Rows that a fetch found and did not read: they are read together when somebody looks at one of their objects.
final class FaultBatch {
    let keys: [Int64]
    init(keys: [Int64]) { self.keys = keys }
}

extension ManagedObjectContext {
    /// Finds the objects of a request, and leaves those faults that are not known yet.
    func fetchFaults<Object: ManagedObject>(of bound: BoundFetchRequest, batchSize: Int) throws -> [Object] {
        let projection = schema.projection(of: bound.type)
        let fragment = renderFetch(
            columns: projection.identityColumnNames,
            try storePredicate(of: bound),
            sortedBy: bound.sortTerms,
            limit: bound.limit,
            offset: bound.offset,
            entityName: bound.type.entity.name,
            in: schema.mapping,
            includesSubentities: bound.includesSubentities
        )
        let objects: [Object] = try readStore { connection in
            let statement = try connection.statement(fragment.sql)
            defer { statement.reset() }
            bind(fragment.bindings, to: statement)
            var objects: [Object] = []
            while try statement.step() {
                let type = try projection.member(of: statement).type
                let key = statement.integer(at: 0)
                let known = registered(key: key, rootIndex: type.rootIndex)
                if let known { try checkEntity(of: known, is: type) }
                let object = known ?? makeFault(key: key, type: type)
                objects.append(unsafeDowncast(object, to: Object.self))
            }
            return objects
        }
        for start in stride(from: 0, to: objects.count, by: batchSize) {
            let members = objects[start..<min(start + batchSize, objects.count)].filter(\.isFault)
            let batch = FaultBatch(keys: members.map(\.key))
            for object in members {
                let changes = object.changes ?? ObjectChanges(of: object)
                changes.batch = batch
                object.changes = changes
            }
        }
        return objects
    }

    /// Reads the rows of a batch, except those of objects that are no faults any more.
    func readRows(of batch: FaultBatch, type: EntityType) throws {
        let keys = batch.keys.filter { registered(key: $0, rootIndex: type.rootIndex)?.isFault == true }
        try readRows(of: keys, type: type)
    }
}
