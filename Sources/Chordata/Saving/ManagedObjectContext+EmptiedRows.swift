internal import ChordataModel

extension ManagedObjectContext {
    /// The rows that lead to rows about to be deleted, of which this context does not know or not any more: the store empties their
    /// to-ones, and nobody else could tell other contexts.
    ///
    /// Through relationships that were not read a deletion reads no objects (D9), so it is the store that is asked.
    /// - Parameter changes: What is saved; these rows are told of anyway.
    func rowsEmptied(
        by deletions: [SaveBatches.Batch],
        besides changes: [ManagedObject],
        _ connection: SQLiteConnection
    ) throws -> [ChangeSet.Row] {
        guard !deletions.isEmpty else { return [] }
        var rows: [ChangeSet.Row] = []
        var told = Set(changes.map { IdentityMap.Key(of: $0) })
        for batch in deletions {
            for case let relationship? in batch.type.relationships
            where relationship.description.isToMany && relationship.inverseToOne != nil {
                guard let sql = schema.membersSQL(of: relationship, in: batch.type) else { continue }
                let projection = schema.projection(of: schema.entityTypes[relationship.destination])
                let statement = try connection.statement(sql.ofSome)
                defer { statement.reset() }
                statement.bind(jsonList(batch.objects.map { $0.takeUnretainedValue().key }.sorted()), at: 1)
                try connection.forEachRow(of: statement) {
                    let type = try projection.member(of: statement).type
                    let key = statement.integer(at: 0)
                    guard told.insert(IdentityMap.Key(rootIndex: type.rootIndex, key: key)).inserted else { return }
                    // Newer than whatever is known, although no version tells.
                    rows.append(ChangeSet.Row(kind: .updated, type: type, key: key, version: .max, values: nil))
                }
            }
        }
        return rows
    }
}
