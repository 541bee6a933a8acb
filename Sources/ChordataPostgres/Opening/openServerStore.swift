package import Chordata
internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL
internal import Synchronization

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Opens the store of a model in a schema of a database server, or creates it.
/// - Throws: ``StoreError`` when the server cannot be reached, or when the schema has other tables or the store of
///   another model or version.
func openServerStore(
    of definition: ModelDefinition,
    in database: any ServerDatabase,
    schemaName: String,
    options: ServerOptions
) throws(StoreError) -> PersistentStore {
    try definition.classCheck.run(on: definition)
    if options.shouldMigrateStoreAutomatically {
        try definition.requireStages(
            options.migrationStages,
            requiresAll: options.requiresAllStages,
            path: database.place
        )
    }
    try requireSchemaName(schemaName, place: database.place)
    let mapping = makePostgresMapping(of: definition.model)
    let opened: OpenedServerStore
    do {
        opened = try ServerStoreOpening(definition, mapping, database, schemaName, options).run()
    } catch let error as StoreError {
        throw error
    } catch let failure as ServerFailure {
        throw failure.error
    } catch {
        preconditionFailure("an unexpected error while a store was opened: \(error)")
    }
    let schema = StoreSchema(
        model: definition.model,
        mapping: mapping,
        classes: definition.classes,
        storeUUID: opened.metadata.storeUUID,
        nonStrictTables: [],
        dialect: PostgresDialect()
    )
    schema.remember()
    let engine = ServerEngine(
        database,
        schemaName: schemaName,
        versionHash: definition.versionHash,
        hasDerivations: schema.hasDerivations,
        origin: opened.origin,
        options: opened.options
    )
    let store = PersistentStore(
        identifier: opened.metadata.storeUUID,
        server: engine,
        path: database.place,
        schema: schema
    )
    let feed = ServerChangeFeed(
        store,
        schemaName: schemaName,
        origin: opened.origin,
        options: opened.options,
        after: opened.lastSave
    )
    engine.feed.withLock { $0 = feed }
    feed.start(database)
    return store
}

/// The results of the opening of a store.
private struct OpenedServerStore {
    let metadata: StoreMetadata
    /// The number of this open store, which no other open store has or had.
    let origin: Int64
    /// The number of the last save that all later reads include.
    let lastSave: Int64
    let options: ServerOptions
}

/// Opens a store in two round trips.
///
/// If there is no store, creates it first in one transaction; if several programs do so, only one creates it.
private struct ServerStoreOpening {
    let definition: ModelDefinition
    let mapping: SchemaMapping
    let database: any ServerDatabase
    let schemaName: String
    let options: ServerOptions

    package init(
        _ definition: ModelDefinition,
        _ mapping: SchemaMapping,
        _ database: any ServerDatabase,
        _ schemaName: String,
        _ options: ServerOptions
    ) {
        (self.definition, self.mapping, self.database, self.schemaName) = (definition, mapping, database, schemaName)
        self.options = options
    }

    func run() throws -> OpenedServerStore {
        let connection = try database.take(for: "the opening of a store")
        defer { database.release(connection) }
        do {
            if try !hasStore(connection) { try createStore(connection) }
            if let opened = try open(connection) { return opened }
            try ServerMigration(
                definition: definition,
                mapping: mapping,
                schemaName: schemaName,
                stages: options.migrationStages,
                database: database,
                connection: connection
            ).run()
            if let opened = try open(connection) { return opened }
            throw StoreError(
                .incompatibleModel,
                "has been migrated to another version of the model by another program while it was opened; open it with "
                    + "a program that has the new version",
                path: database.place
            )
        } catch {
            if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            throw error
        }
    }

    private func hasStore(_ connection: any ServerConnection, after begin: [ServerStatement] = []) throws -> Bool {
        try hasServerStore(connection, schemaName, after: begin, place: database.place)
    }

    private func createStore(_ connection: any ServerConnection) throws {
        let lock = ServerEngine.storeLock(schemaName)
        // Another program may have created it in the meantime.
        if try !hasStore(connection, after: [ServerStatement("BEGIN"), lock]) { try create(connection) }
        try execute([ServerStatement("COMMIT")], connection)
    }

    private static let openingSQL = (
        // If the store is a copy from another server, the transaction numbers of that server have no meaning here.
        deletion: "DELETE FROM \"_save\" WHERE \"id\" >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint",
        reset: "UPDATE \"_sequence\" SET \"next\" = pg_snapshot_xmax(pg_current_snapshot())::text::bigint "
            + "WHERE \"name\" IN ('save', '\(ServerHistory.name)') "
            + "AND \"next\" > pg_snapshot_xmax(pg_current_snapshot())::text::bigint",
        history: "INSERT INTO \"_sequence\" (\"name\", \"next\") "
            + "SELECT '\(ServerHistory.name)', pg_current_xact_id()::text::bigint FROM \"_metadata\" "
            + "WHERE \"key\" = 'versionHash' AND \"value\" = $1 AND $2 ON CONFLICT DO NOTHING",
        origin: "UPDATE \"_sequence\" SET \"next\" = \"next\" + 1 WHERE \"name\" = 'origin' "
            // A transaction that still runs can be older than the store or its restoration. The saves before this
            // number were not deleted while they were unread, so they must not be reported as a gap.
            + "RETURNING \"next\" - 1, "
            + "greatest(\(ServerHistory.horizon), (SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'save')) - 1, "
            + "(SELECT count(*) FROM \"_sequence\" WHERE \"name\" = '\(ServerHistory.name)')"
    )

    /// Reads the metadata, and reserves a number for the open store.
    /// - Returns: `nil` if the store must be migrated.
    private func open(_ connection: any ServerConnection) throws -> OpenedServerStore? {
        var values: [String: String] = [:]
        var opened: (origin: Int64, lastSave: Int64, tracksHistory: Bool)?
        let sql = Self.openingSQL
        let tracks = PredicateValue.attribute(.boolean(options.tracksPersistentHistory))
        _ = try connection.execute([
            ServerStatement("BEGIN"), ServerEngine.searchPath(schemaName),
            ServerStatement("SELECT \"key\", \"value\" FROM \"_metadata\""),
            ServerStatement(sql.deletion), ServerStatement(sql.reset),
            ServerStatement(sql.history, [.text(definition.versionHash), .value(tracks)]),
            ServerStatement(sql.origin), ServerStatement("COMMIT"),
        ]) { index, cells in
            if index == 2, case .text(let key) = cells[0], case .text(let value) = cells[1] {
                values[String(decoding: key, as: UTF8.self)] = String(decoding: value, as: UTF8.self)
            }
            if index == 6, case .integer(let origin) = cells[0], case .integer(let last) = cells[1],
                case .integer(let count) = cells[2]
            {
                opened = (origin, last, count > 0)
            }
        }
        let metadata = try serverMetadata(values, place: database.place)
        try definition.requireOwn(metadata, path: database.place)
        if metadata.versionHash != definition.versionHash {
            let chain = try definition.migrations(from: metadata, path: database.place)
            let isAutomatic = options.shouldMigrateStoreAutomatically
            try requireMigrating(metadata, definition, chain, database.place, isAutomatic)
            return nil
        }
        guard let opened else {
            throw StoreError(
                .incompleteStore,
                "has no row 'origin' in table '_sequence', by which saves are recorded; restore the store from a backup",
                path: database.place
            )
        }
        var options = options
        options.tracksPersistentHistory = opened.tracksHistory
        if opened.tracksHistory { options.recordsChanges = true }
        return OpenedServerStore(
            metadata: metadata,
            origin: opened.origin,
            lastSave: opened.lastSave,
            options: options
        )
    }

    private func create(_ connection: any ServerConnection) throws {
        let metadata = StoreMetadata(definition, storeUUID: UUID())
        let schema = serverSchema(of: definition.model, metadata, named: schemaName)
        try execute(schema.tables + schema.constraints, connection)
    }

    private func execute(_ statements: [ServerStatement], _ connection: any ServerConnection) throws {
        _ = try connection.execute(statements)
    }
}

/// Throws if the server would truncate or reject the name of a schema.
package func requireSchemaName(_ name: String, place: String) throws(StoreError) {
    // The server truncates longer names.
    guard !name.isEmpty, name.utf8.count <= 63, !name.utf8.contains(0) else {
        throw StoreError(
            .cannotOpen,
            "'\(name)' cannot be the name of a schema; use a name of 1 to 63 bytes without U+0000",
            path: place
        )
    }
}

/// Returns a Boolean value that indicates whether a schema has a store.
/// - Parameter begin: Statements that are executed first, in the same round trip.
/// - Throws: ``StoreError`` when it has tables of another program.
package func hasServerStore(
    _ connection: any ServerConnection,
    _ schemaName: String,
    after begin: [ServerStatement] = [],
    place: String
) throws -> Bool {
    var hasMetadata = false
    var tableCount: Int64 = 0
    let statement = ServerStatement(
        "SELECT count(*) FILTER (WHERE c.relname = '_metadata'), count(*) FROM pg_catalog.pg_class c "
            + "JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')",
        [.text(schemaName)]
    )
    _ = try connection.execute(begin + [statement]) { index, cells in
        guard index == begin.count, case .integer(let found) = cells[0], case .integer(let count) = cells[1] else {
            return
        }
        (hasMetadata, tableCount) = (found > 0, count)
    }
    guard hasMetadata || tableCount == 0 else {
        throw StoreError(
            .notAChordataStore,
            "the schema has tables of another program; use another schema",
            path: place
        )
    }
    return hasMetadata
}

/// Reads the metadata of a store on a server.
func readServerMetadata(_ reader: StoreReader, place: String) throws -> StoreMetadata {
    var values: [String: String] = [:]
    try reader.forEachRow(of: StoreQuery("SELECT \"key\", \"value\" FROM \"_metadata\"")) { row in
        if let key = row.text(at: 0), let value = row.text(at: 1) { values[key] = value }
    }
    return try serverMetadata(values, place: place)
}

/// Reads the metadata of a store in a transaction whose search path begins with its schema.
package func readServerMetadata(_ connection: any ServerConnection, place: String) throws -> StoreMetadata {
    try readServerMetadata(.engine(ServerReader(connection, begin: [])), place: place)
}

/// Returns the metadata with the values of `_metadata` by their keys.
private func serverMetadata(_ values: [String: String], place: String) throws(StoreError) -> StoreMetadata {
    if let metadata = StoreMetadata(values: values) { return metadata }
    let missing = StoreMetadata.requiredKeys.filter { values[$0] == nil }
    throw StoreError(
        .incompleteStore,
        "entries of '_metadata' are missing: \(missing.joined(separator: ", ")); restore the store from a backup",
        path: place
    )
}

extension PersistentContainer {
    /// Opens a store on a database server, or creates it.
    package convenience init(
        model: ModelDefinition,
        database: any ServerDatabase,
        schemaName: String,
        options: ServerOptions = ServerOptions()
    ) throws(StoreError) {
        let store = try openServerStore(of: model, in: database, schemaName: schemaName, options: options)
        self.init(PersistentStoreCoordinator(managedObjectModel: model, store: store))
    }
}
