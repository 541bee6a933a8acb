internal import ChordataModel
internal import ChordataPredicate
internal import ChordataSQL

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
    saveLogger: SaveLogger?
) throws(StoreError) -> PersistentStore {
    try definition.classCheck.run(on: definition)
    // The server shortens longer names.
    guard !schemaName.isEmpty, schemaName.utf8.count <= 63, !schemaName.utf8.contains(0) else {
        throw StoreError(
            .cannotOpen,
            "'\(schemaName)' cannot be the name of a schema; use a name of 1 to 63 bytes without U+0000",
            path: database.place
        )
    }
    let mapping = makePostgresMapping(of: definition.model)
    let opened: (metadata: StoreMetadata, origin: Int64)
    do {
        opened = try ServerStoreOpening(definition, mapping, database, schemaName).run()
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
        saveLogger: saveLogger
    )
    return PersistentStore(identifier: opened.metadata.storeUUID, server: engine, schema: schema)
}

/// Finds or creates the tables of a store in one transaction; of several programs that do so, one creates them.
private struct ServerStoreOpening {
    let definition: ModelDefinition
    let mapping: SchemaMapping
    let database: any ServerDatabase
    let schemaName: String

    init(
        _ definition: ModelDefinition,
        _ mapping: SchemaMapping,
        _ database: any ServerDatabase,
        _ schemaName: String
    ) {
        (self.definition, self.mapping, self.database, self.schemaName) = (definition, mapping, database, schemaName)
    }

    func run() throws -> (metadata: StoreMetadata, origin: Int64) {
        let connection = try database.take(for: "the opening of a store")
        defer { database.release(connection) }
        do {
            return try run(connection)
        } catch {
            if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            throw error
        }
    }

    private func run(_ connection: any ServerConnection) throws -> (metadata: StoreMetadata, origin: Int64) {
        var hasMetadata = false
        var tableCount: Int64 = 0
        let key = ServerEngine.lockKey(schemaName)
        _ = try connection.execute([
            ServerStatement("BEGIN"), ServerStatement("SELECT pg_advisory_xact_lock($1)", [.integer(key)]),
            ServerStatement(
                "SELECT count(*) FILTER (WHERE c.relname = '_metadata'), count(*) FROM pg_class c "
                    + "JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p')",
                [.text(schemaName)]
            ),
        ]) { index, cells in
            guard index == 2, case .integer(let found) = cells[0], case .integer(let count) = cells[1] else { return }
            (hasMetadata, tableCount) = (found > 0, count)
        }
        guard hasMetadata || tableCount == 0 else {
            throw StoreError(
                .notAChordataStore,
                "the schema has tables of another program; use another schema",
                path: database.place
            )
        }
        if !hasMetadata { try create(connection) }
        try execute([ServerEngine.searchPath(schemaName)], connection)
        let reader = StoreReader.engine(ServerReader(connection, begin: []))
        let metadata = try readServerMetadata(reader, place: database.place)
        try check(metadata)
        var origin: Int64?
        _ = try connection.execute([
            ServerStatement(
                "UPDATE \"_sequence\" SET \"next\" = \"next\" + 1 WHERE \"name\" = 'origin' RETURNING \"next\" - 1"
            ), ServerStatement("COMMIT"),
        ]) { _, cells in
            if case .integer(let value) = cells[0] { origin = value }
        }
        guard let origin else {
            throw StoreError(
                .incompleteStore,
                "has no row 'origin' in table '_sequence', by which saves are recorded; restore the store from a backup",
                path: database.place
            )
        }
        return (metadata, origin)
    }

    private func check(_ metadata: StoreMetadata) throws(StoreError) {
        try definition.requireOwn(metadata, path: database.place)
        guard metadata.versionHash != definition.versionHash else { return }
        throw StoreError(
            .missingMigration,
            "is at version '\(metadata.versionName)', and the program has version '\(definition.versionName)'; stores on a "
                + "server cannot be migrated yet",
            path: database.place
        )
    }

    private func create(_ connection: any ServerConnection) throws {
        let metadata = StoreMetadata(definition, storeUUID: UUID())
        var statements = [
            ServerStatement("CREATE SCHEMA IF NOT EXISTS \(quoteIdentifier(schemaName))"),
            ServerEngine.searchPath(schemaName),
        ]
        statements += renderPostgresSchema(mapping).map { ServerStatement($0) }
        for name in ["object", "origin"] {
            statements.append(
                ServerStatement("INSERT INTO \"_sequence\" (\"name\", \"next\") VALUES ($1, 1)", [.text(name)])
            )
        }
        for (key, value) in metadata.values.orderedByKey {
            statements.append(
                ServerStatement(
                    "INSERT INTO \"_metadata\" (\"key\", \"value\") VALUES ($1, $2)",
                    [.text(key), .text(value)]
                )
            )
        }
        try execute(statements, connection)
    }

    private func execute(_ statements: [ServerStatement], _ connection: any ServerConnection) throws {
        _ = try connection.execute(statements)
    }
}

/// Reads the metadata of a store on a server.
func readServerMetadata(_ reader: StoreReader, place: String) throws -> StoreMetadata {
    var values: [String: String] = [:]
    try reader.forEachRow(of: StoreQuery("SELECT \"key\", \"value\" FROM \"_metadata\"")) { row in
        if let key = row.text(at: 0), let value = row.text(at: 1) { values[key] = value }
    }
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
        saveLogger: SaveLogger?
    ) throws(StoreError) {
        let store = try openServerStore(of: model, in: database, schemaName: schemaName, saveLogger: saveLogger)
        self.init(PersistentStoreCoordinator(managedObjectModel: model, store: store))
    }
}
