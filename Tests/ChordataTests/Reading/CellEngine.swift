import ChordataSQL

@testable import Chordata

/// An engine through which contexts read cells and batch operations write, without access to SQLite; SQLite executes
/// the statements and the saves.
final class CellEngine: StoreEngine {
    private let sqlite: SQLiteStore
    /// A Boolean value that indicates whether contexts read cells; otherwise they use SQLite directly.
    private let hasCells: Bool

    init(_ sqlite: SQLiteStore, hasCells: Bool = true) { (self.sqlite, self.hasCells) = (sqlite, hasCells) }

    /// A container that uses the store of another container through cells.
    static func container(_ definition: ModelDefinition, of container: PersistentContainer) throws
        -> PersistentContainer
    {
        let store = container.persistentStoreCoordinator.persistentStores[0]
        return self.container(definition, store, CellEngine(store.sqlite), hasCells: true)
    }

    /// A container that uses a store through an engine.
    static func container(
        _ definition: ModelDefinition,
        _ store: PersistentStore,
        _ engine: any StoreEngine,
        hasCells: Bool
    ) -> PersistentContainer {
        let schema = StoreSchema(
            model: store.schema.model,
            mapping: store.schema.mapping,
            classes: definition.classes,
            storeUUID: store.identifier,
            nonStrictTables: [],
            dialect: hasCells ? CellDialect() : SQLiteDialect()
        )
        let other = PersistentStore(identifier: store.identifier, sqlite: store.sqlite, engine: engine, schema: schema)
        return PersistentContainer(PersistentStoreCoordinator(managedObjectModel: definition, store: other))
    }

    // MARK: Reading

    var commitCount: Int { sqlite.commitCount }
    func beginReading() throws -> StoreReader? { try sqlite.beginTransaction().map(reader) }
    func endReading(_ connection: StoreReader) { sqlite.endReading(.sqlite(Self.sqlite(of: connection))) }

    func checkVersion(of connection: StoreReader, hasFailed: Bool) throws(StoreError) {
        try sqlite.checkVersion(of: Self.sqlite(of: connection), hasFailed: hasFailed)
    }

    func withReader(_ body: (StoreReader) throws -> Void) throws { try sqlite.read { try body(reader($0)) } }

    private func reader(_ connection: SQLiteConnection) -> StoreReader {
        hasCells ? .engine(CellConnection(connection)) : .sqlite(connection)
    }

    /// The connection to SQLite behind a reader.
    private static func sqlite(of reader: StoreReader) -> SQLiteConnection {
        switch reader {
        case .sqlite(let connection): connection
        case .engine(let connection): (connection as! CellConnection).connection
        }
    }

    var counters: StoreCounters { sqlite.counters }
    var saveLogger: SaveLogger? { sqlite.saveLogger }
    func metadata() throws -> StoreMetadata { try sqlite.metadata() }
    var hasSectionCaches: Bool { false }
    func contentsName(_ reader: StoreReader) throws -> String? { nil }

    // MARK: Writing

    func save(_ plan: SavePlan, didCommit: (SaveEffects) -> Void) throws -> SaveEffects {
        try sqlite.save(plan, didCommit: didCommit)
    }

    nonisolated(nonsending) func whenAvailable(_ body: () throws -> Void) async throws {
        try await sqlite.whenAvailable(body)
    }

    func write(at places: [Int], _ body: (StoreTransaction) throws -> Void, didCommit: () -> Void) throws {
        try sqlite.write {
            try body(hasCells ? .engine(CellConnection($0)) : .sqlite($0))
        } didCommit: {
            didCommit()
        }
    }

    func setNote(_ value: String?, forKey key: String) throws { try sqlite.setNote(value, forKey: key) }
    func nameContents() throws {}
    func reserveKeys(_ count: Int64) throws -> Range<Int64> { try sqlite.reserveKeys(count) }
    func reserveKeysIfAvailable(_ count: Int64) throws -> Range<Int64>? { try sqlite.reserveKeysIfAvailable(count) }
}
