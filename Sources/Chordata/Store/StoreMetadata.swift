internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What a store says of itself, in its `_metadata` table.
struct StoreMetadata {
    var storeUUID: UUID
    var modelName: String
    var versionName: String
    var versionHash: String
    var entityHashes: [String: String]

    init(_ definition: ModelDefinition, storeUUID: UUID) {
        self.storeUUID = storeUUID
        modelName = definition.name
        versionName = definition.versionName
        versionHash = definition.model.versionHash
        entityHashes = definition.model.versionHashesByEntityName
    }

    init(storeUUID: UUID, modelName: String, versionName: String, versionHash: String, entityHashes: [String: String]) {
        self.storeUUID = storeUUID
        self.modelName = modelName
        self.versionName = versionName
        self.versionHash = versionHash
        self.entityHashes = entityHashes
    }
}

/// Before the name of each entity whose hash is kept.
private let entityHashPrefix = "entityHash."

/// Reads the metadata, or says that the file is not a store of ours.
func readMetadata(_ connection: SQLiteConnection) throws(StoreError) -> StoreMetadata {
    let tables = try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name IN ('_metadata', '_sequence', '_migration')"
    )
    guard tables == 3 else {
        throw StoreError(
            .notAChordataStore,
            "is an SQLite database, but not a store of Chordata; nothing was changed",
            path: connection.path
        )
    }
    var values: [String: String] = [:]
    let statement = try connection.prepare("SELECT \"key\", \"value\" FROM \"_metadata\"")
    while try statement.step() {
        if let key = statement.text(at: 0), let value = statement.text(at: 1) { values[key] = value }
    }
    guard let uuid = values["storeUUID"].flatMap({ UUID(uuidString: $0) }), let modelName = values["modelName"],
        let versionName = values["versionName"], let versionHash = values["versionHash"]
    else {
        throw StoreError(.notAChordataStore, "has no complete metadata; nothing was changed", path: connection.path)
    }
    var entityHashes: [String: String] = [:]
    for (key, value) in values where key.hasPrefix(entityHashPrefix) {
        entityHashes[String(key.dropFirst(entityHashPrefix.count))] = value
    }
    return StoreMetadata(
        storeUUID: uuid,
        modelName: modelName,
        versionName: versionName,
        versionHash: versionHash,
        entityHashes: entityHashes
    )
}

/// Writes the metadata in place of what is there.
///
/// Call it within a transaction.
func writeMetadata(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StoreError) {
    try connection.execute("DELETE FROM \"_metadata\" WHERE \"key\" LIKE '\(entityHashPrefix)%'")
    let statement = try connection.prepare("INSERT OR REPLACE INTO \"_metadata\" (\"key\", \"value\") VALUES (?, ?)")
    var values = [
        "storeUUID": metadata.storeUUID.uuidString, "modelName": metadata.modelName,
        "versionName": metadata.versionName, "versionHash": metadata.versionHash,
    ]
    for (name, hash) in metadata.entityHashes { values[entityHashPrefix + name] = hash }
    for (key, value) in values.sorted(by: { $0.key < $1.key }) {
        statement.bind(key, at: 1)
        statement.bind(value, at: 2)
        try statement.run()
    }
}
