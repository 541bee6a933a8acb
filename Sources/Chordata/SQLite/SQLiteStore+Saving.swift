internal import ChordataModel
internal import ChordataSQL

// Writing, as the engine of a store.

extension SQLiteStore: StoreEngine {
    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        try withoutActuallyEscaping(didCommit) { didCommit in
            let save = QueuedSave(plan, didCommit: didCommit)
            execute(save)
            return try save.takeResult()
        }
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws {
        // A save in memory takes no time worth waiting for.
        if isInMemory { return try body() }
        // Threads of stores may block, so that their saves share a transaction with other saves; but not all of the
        // threads may block.
        if let threads = StoreThreadPool.current, threads.blockedCount < StoreThreadPool.maximumBlockedCount {
            return try body()
        }
        var call = try await writeQueue.waitForCall()
        while try !writeQueue.withTurn(of: call, body) { call = try await writeQueue.waitForCall(after: call) }
    }

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        try write {
            try body(.sqlite($0))
        } didCommit: {
            didCommit()
        }
    }

    func setNote(_ value: String?, forKey key: String) throws {
        try write(changesContents: false) { try writeNote(value, forKey: key, $0) }
    }

    func nameContents() throws { try writeIfAvailable { try Chordata.nameContents($0) } }

    func reserveKeys(_ count: Int64) throws -> Range<Int64> {
        try write(changesContents: false) { try $0.reserveKeys(count) }
    }

    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? {
        var reserved: Range<Int64>?
        // This does not wait for the disk: a later save waits for this write too, and nothing else depends on it.
        try writeIfAvailable { reserved = try $0.reserveKeys(count) }
        return reserved
    }
}

/// A save that waits for its turn.
///
/// The waiting thread owns all objects that the save references, and blocks until the save has its result; so another
/// thread can execute it. Afterwards, ``takeResult()`` releases these objects on the thread that owns them.
final class QueuedSave: @unchecked Sendable {
    private var plan: SavePlan?
    private var didCommit: ((SaveEffects) -> Void)?
    private var result: Result<SaveEffects, any Error>?

    init(_ plan: SavePlan, didCommit: @escaping (SaveEffects) -> Void) {
        self.plan = plan
        self.didCommit = didCommit
    }

    /// Records that the save has waited in the queue.
    func addWaiting(_ time: Duration) { plan?.report?.addWaiting(time) }

    /// Executes the save in the transaction of a connection.
    func execute(_ connection: SQLiteConnection) throws -> SaveEffects {
        try plan?.execute(connection) ?? SaveEffects()
    }

    /// Records that the save is committed.
    /// - Parameter groupSize: The number of saves in the same transaction.
    func finish(_ effects: SaveEffects, groupSize: Int) {
        plan?.report?.didCommit(groupSize: groupSize)
        didCommit?(effects)
        result = .success(effects)
    }

    /// Records that nothing of the save was written.
    func fail(_ error: any Error) { result = .failure(error) }

    func takeResult() throws -> SaveEffects {
        plan = nil
        didCommit = nil
        guard let result else { preconditionFailure("a save has ended without a result") }
        return try result.get()
    }
}

extension SavePlan {
    /// Executes the plan in the transaction of a connection.
    func execute(_ connection: SQLiteConnection) throws -> SaveEffects {
        // Interrupting a statement would also roll back the other saves of the transaction.
        try connection.reporting(to: progress) { try write(connection) }
    }

    private func write(_ connection: SQLiteConnection) throws -> SaveEffects {
        var effects = SaveEffects()
        var derivations = try derivations.map { try StoredDerivations($0, in: schema, .sqlite(connection)) }
        for row in freedValues { try row.free(connection) }
        for batch in insertions {
            try batch.insert(connection)
            try progress?.checkCancellation()
        }
        for batch in updates {
            try batch.update(connection)
            try progress?.checkCancellation()
        }
        if let values {
            effects.firstKey = try values.insert(connection)
            let keys = effects.firstKey..<effects.firstKey + Int64(values.rows.count)
            derivations?.setInserted(Array(keys), of: values.rows.type)
        }
        try writeBytes(connection)
        try writeMembers(connection)
        if connection.tracksHistory {
            try removeReferences(&effects, connection)
        } else if !nullifications.isEmpty, hasOtherReaders() {
            let deleted = deletedKeys
            for nullification in nullifications {
                effects.nullifiedRows += try nullification.execute(except: deleted, in: schema, connection)
            }
        }
        for batch in deletions { try batch.delete(connection) }
        if let derivations { effects.derivedRows = try derivations.execute() }
        if reservedKeyCount > 0 { effects.reservedKeys = try connection.reserveKeys(reservedKeyCount) }
        if connection.tracksHistory { try recordHistory(effects, connection) }
        return effects
    }

    /// Removes all references to the deleted rows, so that the referencing rows get new versions and are recorded.
    ///
    /// Rows whose to-many relationships contain deleted rows are recorded too, although they may not be registered in
    /// the context.
    private func removeReferences(_ effects: inout SaveEffects, _ connection: SQLiteConnection) throws {
        if deletions.isEmpty { return }
        var rows: [Int: [Int64]] = [:]
        for batch in deletions {
            rows[batch.type.index, default: []] += batch.objects.map { $0.takeUnretainedValue().key }
        }
        let finder = ReferenceFinder(BatchUpdateWriter(schema: schema, transaction: .sqlite(connection)))
        effects.shortenedLists = try finder.findLists(of: rows)
        for references in try finder.find(to: rows, except: deletedKeys) {
            try finder.remove(references)
            var fields = PropertyMask()
            fields.insert(references.field.index)
            for (index, keys) in references.owners.orderedByKey {
                let type = schema.runtimeEntities[index]
                try StoreReader.sqlite(connection).forEachVersion(of: keys, type, schema.dialect) { key, version, _ in
                    var row = ChangeSet.Row(kind: .updated, type: type, key: key, version: version, values: nil)
                    row.isNullification = true
                    row.changes = FieldChanges(fields: fields, baseVersion: version - 1)
                    effects.nullifiedRows.append(row)
                }
            }
        }
    }

    private func recordHistory(_ effects: SaveEffects, _ connection: SQLiteConnection) throws {
        try connection.recordHistory(HistoryChanges(of: self, effects, .sqlite(connection)), origin)
    }

    /// Writes external data to the side tables.
    func writeBytes(_ connection: SQLiteConnection) throws {
        for change in externalData {
            if let bytes = change.bytes {
                try change.attribute.write(bytes, change.objectID, connection)
            } else {
                try change.attribute.remove(change.objectID.key, connection)
            }
        }
    }

    /// Writes the join rows and the positions of members.
    func writeMembers(_ connection: SQLiteConnection) throws {
        for change in joinRows { try change.execute(connection) }
        for change in orders { try change.execute(connection) }
    }

    private var deletedKeys: Set<IdentityMap.Key> {
        Set(deletions.flatMap { $0.objects.map { IdentityMap.Key(of: $0.takeUnretainedValue()) } })
    }
}

extension SavePlan.FreedValues {
    fileprivate func free(_ connection: SQLiteConnection) throws(StoreError) {
        let assignments = columns.map { quoteIdentifier($0) + " = NULL" }.joined(separator: ", ")
        // The version does not change: the later statement checks whether the row is unchanged.
        let statement = try connection.statement(
            "UPDATE \(quoteIdentifier(type.mapping.tableName)) SET \(assignments) WHERE \"_id\" = ? AND \"_version\" = ?"
        )
        statement.bind(key, at: 1)
        statement.bind(version, at: 2)
        try statement.run()
    }
}

extension SavePlan.InsertedValues {
    /// - Returns: The key of the first row.
    fileprivate func insert(_ connection: SQLiteConnection) throws -> Int64 {
        let first = try firstKey ?? connection.reserveKeys(Int64(rows.count)).lowerBound
        try connection.insert(rows.count, of: rows.type) { source, run in
            try source.provide(rows, firstKey: first, run)
        }
        guard !rows.type.externalFields.isEmpty else { return first }
        for index in 0..<rows.count { try writeBytes(of: index, key: first + Int64(index), connection) }
        return first
    }

    private func writeBytes(of index: Int, key: Int64, _ connection: SQLiteConnection) throws {
        let objectID = ManagedObjectID(runtimeEntity: rows.type, key: key)
        for column in rows.columns where column.kind.base == .external {
            guard let attribute = rows.external(column),
                let bytes = attribute.value(at: rows.address(of: column, index))?.data
            else { continue }
            try attribute.write(bytes, objectID, connection)
        }
    }
}

extension SavePlan.JoinRowChange {
    fileprivate func execute(_ connection: SQLiteConnection) throws(StoreError) {
        let name = quoteIdentifier(table.name)
        let (owner, member) = (quoteIdentifier(table.owner), quoteIdentifier(table.member))
        let delete = try connection.statement("DELETE FROM \(name) WHERE \(owner) = ? AND \(member) = ?")
        for key in removed {
            delete.bind(self.owner, at: 1)
            delete.bind(key, at: 2)
            try delete.run()
        }
        let insert = try connection.statement(
            "INSERT INTO \(name) (\(owner), \(member)) VALUES (?, ?) ON CONFLICT DO NOTHING"
        )
        for key in added {
            insert.bind(self.owner, at: 1)
            insert.bind(key, at: 2)
            try insert.run()
        }
    }
}

extension SavePlan.OrderChange {
    fileprivate func execute(_ connection: SQLiteConnection) throws {
        let writer = try OrderWriter(columns, owner: owner, members: members, connection)
        switch changed {
        case .all: try writer.writeAll()
        case .inserted(let inserted): try writer.write(inserted)
        case .differences: try writer.writeDifferences()
        }
    }
}

extension SavePlan.Nullification {
    /// Removes the references.
    /// - Parameter deleted: The rows that the save deletes.
    /// - Returns: The changes to report to other contexts.
    fileprivate func execute(
        except deleted: Set<IdentityMap.Key>,
        in schema: StoreSchema,
        _ connection: SQLiteConnection
    ) throws -> [ChangeSet.Row] {
        guard case .inverseColumn(let table, let column, _) = relationship.storage,
            let sql = schema.membersSQL(of: relationship, in: deletions.type)
        else { return [] }
        let projection = schema.projection(of: schema.runtimeEntities[relationship.destination])
        var emptied: [ChangeSet.Row] = []
        let selection = try connection.statement(sql.ofSome)
        defer { selection.reset() }
        selection.bind(jsonList(owners), at: 1)
        try connection.forEachRow(of: selection) { stored in
            let type = try projection.member(of: stored).type
            let key = stored.integer(at: 0)
            guard !deleted.contains(IdentityMap.Key(rootIndex: type.rootIndex, key: key)) else { return }
            let version = stored.integer(at: 1) + 1
            var row = ChangeSet.Row(kind: .updated, type: type, key: key, version: version, values: nil)
            row.isNullification = true
            if let field = relationship.inverseToOne {
                var fields = PropertyMask()
                fields.insert(field)
                row.changes = FieldChanges(fields: fields, baseVersion: version - 1)
            }
            emptied.append(row)
        }
        guard !emptied.isEmpty else { return [] }
        let update = try connection.statement(
            renderReferenceCleanup(
                .nullifiesInNewVersion(column: column),
                of: table,
                where: schema.dialect.isAmongKeys("\"_id\"", at: 1)
            )
        )
        update.bind(jsonList(emptied.map(\.key)), at: 1)
        try update.run()
        return emptied
    }
}

extension SQLiteConnection {
    /// Reserves consecutive row keys within a transaction.
    fileprivate func reserveKeys(_ count: Int64) throws(StoreError) -> Range<Int64> {
        let statement = try statement(
            "UPDATE \"_sequence\" SET \"next\" = \"next\" + ? WHERE \"name\" = 'object' RETURNING \"next\""
        )
        defer { statement.reset() }
        statement.bind(count, at: 1)
        guard try statement.step() else {
            throw StoreError(
                .notAChordataStore,
                "has no row 'object' in table '_sequence', from which new objects get their row keys; restore the store from a backup",
                path: path
            )
        }
        let end = statement.integer(at: 0)
        return end - count..<end
    }
}
