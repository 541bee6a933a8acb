internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Opens the store of a model: creates it, checks it, migrates it, or says why not and leaves it as it is.
func openStore(of definition: ModelDefinition, path: String, options: StoreOptions) throws(StoreError)
    -> PersistentStoreCoordinator
{
    let isInMemory = path == ":memory:"
    let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
    let mapping = makeSchemaMapping(of: definition.model)
    // Nothing is written before it is known what the file is.
    let storeUUID: UUID
    if try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 {
        try configureWriter(connection, options, isInMemory: isInMemory)
        storeUUID = try createStore(definition, mapping, connection)
    } else {
        let metadata = try readMetadata(connection)
        guard metadata.modelName == definition.name else {
            throw StoreError(
                .incompatibleModel,
                "belongs to model '\(metadata.modelName)', not to '\(definition.name)'; open it with its own model",
                path: path
            )
        }
        storeUUID = metadata.storeUUID
        let isCurrent = metadata.versionHash == definition.model.versionHash
        let chain = isCurrent ? [] : try migrations(from: metadata, to: definition, path: path)
        try configureWriter(connection, options, isInMemory: isInMemory)
        if !isCurrent { try migrate(connection, along: chain, of: definition, mapping) }
    }
    let store = SQLiteStore(writer: connection, path: path, isInMemory: isInMemory)
    let schema = StoreSchema(
        model: definition.model,
        mapping: mapping,
        classes: definition.classes,
        storeUUID: storeUUID
    )
    return PersistentStoreCoordinator(modelName: definition.name, store: store, schema: schema)
}

/// The settings that change the file or the way it is written.
private func configureWriter(_ connection: SQLiteConnection, _ options: StoreOptions, isInMemory: Bool)
    throws(StoreError)
{
    guard !isInMemory else { return }
    guard try connection.text("PRAGMA journal_mode=WAL") == "wal" else {
        throw StoreError(
            .unsupportedEnvironment,
            "cannot be put into write-ahead mode; is it on a network file system?",
            path: connection.path
        )
    }
    switch options.synchronous {
    case .full: try connection.execute("PRAGMA synchronous=FULL")
    case .normal: try connection.execute("PRAGMA synchronous=NORMAL")
    }
}

private func createStore(
    _ definition: ModelDefinition,
    _ mapping: SchemaMapping,
    _ connection: SQLiteConnection
) throws(StoreError) -> UUID {
    let uuid = UUID()
    try connection.execute("BEGIN IMMEDIATE")
    do throws(StoreError) {
        // Another process may have created the store since we looked.
        guard try connection.integer("SELECT count(*) FROM sqlite_schema") == 0 else {
            throw StoreError(.busy, "was created by another process just now; open it again", path: connection.path)
        }
        for statement in renderSchema(mapping) { try connection.execute(statement) }
        try connection.execute("INSERT INTO \"_sequence\" (\"name\", \"next\") VALUES ('object', 1)")
        try writeMetadata(StoreMetadata(definition, storeUUID: uuid), connection)
        try connection.execute("COMMIT")
    } catch {
        if connection.isInTransaction { try connection.execute("ROLLBACK") }
        throw error
    }
    return uuid
}

/// The steps from the store's version to the current one.
private func migrations(
    from metadata: StoreMetadata,
    to definition: ModelDefinition,
    path: String
) throws(StoreError) -> [ModelDefinition.Migration] {
    guard let versionName = definition.versionNames[metadata.versionHash] else {
        throw StoreError(
            .incompatibleModel,
            "belongs to a version of '\(definition.name)' that this program does not know ('\(metadata.versionName)'); "
                + differences(metadata, definition),
            path: path
        )
    }
    var chain: [ModelDefinition.Migration] = []
    var hash = metadata.versionHash
    var seen: Set<String> = [hash]
    let target = definition.model.versionHash
    while hash != target {
        guard let step = definition.migrations.first(where: { $0.sourceHash == hash }),
            seen.insert(step.destinationHash).inserted
        else {
            throw StoreError(
                .missingMigration,
                "belongs to version '\(versionName)', from which no migration leads to '\(definition.versionName)'; "
                    + differences(metadata, definition),
                path: path
            )
        }
        chain.append(step)
        hash = step.destinationHash
    }
    return chain
}

/// Which entities differ between the store and the model, in words.
private func differences(_ metadata: StoreMetadata, _ definition: ModelDefinition) -> String {
    let current = definition.model.versionHashesByEntityName
    let changed = current.keys.filter { metadata.entityHashes[$0] != nil && metadata.entityHashes[$0] != current[$0] }
    let missing = current.keys.filter { metadata.entityHashes[$0] == nil }
    let unknown = metadata.entityHashes.keys.filter { current[$0] == nil }
    let parts = [("changed", changed), ("only in the model", missing), ("only in the store", unknown)]
        .filter { !$0.1.isEmpty }
        .map { "\($0.0): " + $0.1.sorted().map { "'\($0)'" }.joined(separator: ", ") }
    return "entities " + (parts.isEmpty ? "do not differ" : parts.joined(separator: "; "))
}
