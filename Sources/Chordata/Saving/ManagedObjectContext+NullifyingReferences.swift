internal import ChordataModel
internal import ChordataSQL

extension ManagedObjectContext {
    /// Nullifies the to-ones of unregistered rows that reference rows about to be deleted.
    ///
    /// They got the reference after the deletion was made. The store would nullify them by itself, but without a new
    /// row version, so that other contexts could save their outdated references.
    /// - Returns: The changes to report to other contexts.
    func emptyRows(leadingTo deletions: [SaveBatches.Batch], _ connection: SQLiteConnection) throws -> [ChangeSet.Row] {
        guard !deletions.isEmpty else { return [] }
        lazy var deleted = Set(deletions.flatMap { $0.objects.map { IdentityMap.Key(of: $0.takeUnretainedValue()) } })
        var rows: [ChangeSet.Row] = []
        for batch in deletions {
            for case let relationship? in batch.type.relationships {
                guard relationship.description.isToMany, relationship.inverseToOne != nil,
                    case .inverseColumn(let table, let column, _) = relationship.storage,
                    let sql = schema.membersSQL(of: relationship, in: batch.type)
                else { continue }
                let projection = schema.projection(of: schema.entityTypes[relationship.destination])
                let owners = batch.objects.map { $0.takeUnretainedValue().key }.sorted()
                var emptied: [ChangeSet.Row] = []
                let selection = try connection.statement(sql.ofSome)
                defer { selection.reset() }
                selection.bind(jsonList(owners), at: 1)
                try connection.forEachRow(of: selection) {
                    let type = try projection.member(of: selection).type
                    let key = selection.integer(at: 0)
                    guard !deleted.contains(IdentityMap.Key(rootIndex: type.rootIndex, key: key)) else { return }
                    let version = selection.integer(at: 1) + 1
                    var row = ChangeSet.Row(kind: .updated, type: type, key: key, version: version, values: nil)
                    row.isNullification = true
                    emptied.append(row)
                }
                guard !emptied.isEmpty else { continue }
                let update = try connection.statement(
                    renderReferenceCleanup(
                        .nullifiesInNewVersion(column: column),
                        of: table,
                        where: "\"_id\" IN (SELECT value FROM json_each(?))"
                    )
                )
                update.bind(jsonList(emptied.map(\.key)), at: 1)
                try update.run()
                rows += emptied
            }
        }
        return rows
    }
}
