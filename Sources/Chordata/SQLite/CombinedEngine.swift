/// The engine of a coordinator that has several stores: it reads them together, and writes each of them.
///
/// All saves and batch operations of the coordinator's contexts wait in one queue. The transactions of the stores are
/// nested, in the order of the stores' identifiers, so that two coordinators do not wait for each other. An error in
/// any of them rolls all of them back. If a commit fails after another one, the error names the store without the
/// changes.
final class CombinedEngine: StoreEngine {
    private let reader: SQLiteStore
    private let partition: StorePartition

    init(_ reader: SQLiteStore, _ partition: StorePartition) {
        self.reader = reader
        self.partition = partition
    }

    // MARK: Reading

    var commitCount: Int { partition.stores.reduce(0) { $0 + $1.engine.commitCount } }

    func beginReading() throws -> StoreReader? { try reader.beginReading() }

    func endReading(_ connection: StoreReader) { reader.endReading(connection) }

    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError) {
        try reader.checkVersion(of: connection, hasFailed: hasFailed)
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws { try reader.withReader(body) }

    // MARK: Writing

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        try reader.writeQueue.withTurn {
            let plans = plan.parts.isEmpty ? [plan] : plan.parts
            // The report describes the whole save.
            let report = plan.report
            for plan in plans { plan.report = nil }
            var effects = SaveEffects()
            for part in try save(plans.sorted { partition.isLocked($0.place, before: $1.place) }[...]) {
                effects.nullifiedRows += part.nullifiedRows
                effects.derivedRows += part.derivedRows
                effects.firstKey = max(effects.firstKey, part.firstKey)
            }
            reader.counters.countTransaction(of: 1)
            report?.didCommit(groupSize: 1)
            didCommit(effects)
            return effects
        }
    }

    private func save(_ plans: ArraySlice<SavePlan>) throws -> [SaveEffects] {
        guard let plan = plans.first else { return [] }
        let store = partition.stores[plan.place]
        plan.reservedKeyCount = store.neededKeyCount
        let effects: [SaveEffects]
        if plans.count == 1 {
            effects = [try store.engine.save(plan) { _ in }]
        } else {
            effects = try write(store) { connection in
                let own = try plan.execute(connection)
                // SQLite would check this only at the commit, after the other stores have committed.
                try connection.requireNoDanglingReferences()
                return [own] + (try save(plans.dropFirst()))
            }
        }
        if let keys = effects[0].reservedKeys { store.useKeys(keys) }
        return effects
    }

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        try reader.writeQueue.withTurn {
            _ = try write(places.sorted { partition.isLocked($0, before: $1) }[...]) { try body(.sqlite($0)) }
            didCommit()
        }
    }

    var counters: StoreCounters { reader.counters }
    var saveLogger: SaveLogger? { reader.saveLogger }

    func metadata() throws -> StoreMetadata {
        preconditionFailure(
            "the metadata of several stores cannot be read together; read the metadata of one of the stores"
        )
    }

    func setNote(_ value: String?, forKey key: String) throws {
        preconditionFailure(
            "the metadata of several stores cannot be set together; set the metadata of one of the stores"
        )
    }

    // Section caches would need one name for the contents of all stores together.
    var hasSectionCaches: Bool { false }
    func contentsName(_ reader: StoreReader) throws -> String? { nil }
    func nameContents() throws {}

    private func write<Result>(_ places: ArraySlice<Int>, _ body: (SQLiteConnection) throws -> Result) throws
        -> [Result]
    {
        guard let place = places.first else { return [] }
        return try write(partition.stores[place]) { connection in
            let own = try body(connection)
            try connection.requireNoDanglingReferences()
            return [own] + (try write(places.dropFirst(), body))
        }
    }

    /// Runs a transaction on a store; the transactions of the other stores are committed within it.
    private func write<Result>(_ store: PersistentStore, _ body: (SQLiteConnection) throws -> [Result]) throws
        -> [Result]
    {
        var othersCount = 0
        do {
            return try store.sqlite.write { connection in
                let results = try body(connection)
                othersCount = results.count - 1
                return results
            }
        } catch let error as StoreError where othersCount > 0 {
            throw StoreError(
                .outcomeUnknown,
                "the changes of another store of the coordinator were saved, but not those of this store: \(error.message)",
                sqliteCode: error.sqliteCode,
                path: store.path
            )
        }
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws {
        try await reader.whenAvailable(body)
    }

    func reserveKeys(_ count: Int64) throws -> Range<Int64> {
        preconditionFailure("row keys must be reserved in the store of an object")
    }

    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? {
        preconditionFailure("row keys must be reserved in the store of an object")
    }
}
