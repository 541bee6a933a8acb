internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The metadata of a store, in its table `_metadata`.

/// The prefix of the keys of entity hashes; the name of the entity follows.
private let entityHashPrefix = "entityHash."
/// The prefix of the keys of programs' notes.
private let valuePrefix = "note."

/// Reads the metadata; throws if the file is not a store of Chordata.
package func readMetadata(_ connection: SQLiteConnection) throws(StoreError) -> StoreMetadata {
    let own = Table.systemTables.map(\.name)
    if !own.allSatisfy(connection.hasTable) { try requireTables(own, connection) }
    var values: [String: String] = [:]
    let statement = try connection.prepare("SELECT \"key\", \"value\" FROM \"_metadata\"")
    while try statement.step() {
        if let key = statement.text(at: 0), let value = statement.text(at: 1) { values[key] = value }
    }
    if let metadata = StoreMetadata(values: values) { return metadata }
    let missingKeys = StoreMetadata.requiredKeys.filter { values[$0] == nil }
    throw incomplete("entry of _metadata", missingKeys.isEmpty ? ["storeUUID"] : missingKeys, connection)
}

/// Throws if the transaction of the connection does not see all tables of these names.
private func requireTables(_ own: [String], _ connection: SQLiteConnection) throws(StoreError) {
    let tables = try connection.prepare(
        "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" IN (\(own.map { sqlLiteral(text: $0) }.joined(separator: ", ")))"
    )
    var found: Set<String> = []
    while try tables.step() { if let name = tables.text(at: 0) { found.insert(name) } }
    let missing = own.filter { !found.contains($0) }
    guard missing.count < own.count else {
        let isEmpty = try connection.isEmpty
        throw isEmpty ? databaseWithoutTables(connection.path) : foreignDatabase(connection.path)
    }
    guard missing.isEmpty else { throw incomplete("table", missing, connection) }
}

extension StoreMetadata {
    /// The keys of the values that each store has.
    package static let requiredKeys = ["storeUUID", "modelName", "versionName", "versionHash"]

    /// Creates the metadata from the values of `_metadata` by their keys; `nil` if a required one is missing.
    package init?(values: [String: String]) {
        guard let uuid = values["storeUUID"].flatMap({ UUID(uuidString: $0) }), let modelName = values["modelName"],
            let versionName = values["versionName"], let versionHash = values["versionHash"]
        else { return nil }
        self.init(storeUUID: uuid, modelName: modelName, versionName: versionName, versionHash: versionHash)
        schema = values["schema"]
        modelSummary = values["modelSummary"]
        derivedAttributes = Set((values["derivedAttributes"] ?? "").split(separator: "\n").map(String.init))
        for (key, value) in values {
            if key.hasPrefix(entityHashPrefix) { entityHashes[String(key.dropFirst(entityHashPrefix.count))] = value }
            if key.hasPrefix(valuePrefix) { notes[String(key.dropFirst(valuePrefix.count))] = value }
        }
    }

    /// The values of `_metadata` by their keys, without notes.
    package var values: [String: String] {
        var values = [
            "storeUUID": storeUUID.uuidString, "modelName": modelName, "versionName": versionName,
            "versionHash": versionHash,
        ]
        values["schema"] = schema
        values["modelSummary"] = modelSummary
        values["derivedAttributes"] = derivedAttributes.ordered(by: <).joined(separator: "\n")
        for (name, hash) in entityHashes { values[entityHashPrefix + name] = hash }
        return values
    }

    /// The key of a note in `_metadata`.
    package static func key(ofNote name: String) -> String { valuePrefix + name }
}

/// Returns the error for parts that are missing in a store, although Chordata writes them in the transaction that
/// creates the store.
private func incomplete(_ kind: String, _ names: [String], _ connection: SQLiteConnection) -> StoreError {
    StoreError(
        .incompleteStore,
        "is a Chordata store with missing parts: \(kind) \(names.map { "'\($0)'" }.joined(separator: ", ")); restore "
            + "it from a backup; nothing was changed",
        path: connection.path
    )
}

/// Throws if another program has migrated an open store to another version, because names may have other meanings in
/// it.
///
/// Call it within a transaction.
/// - Parameter consequence: The effect on what the program is doing, for the message.
func requireVersion(
    _ versionHash: String,
    _ connection: SQLiteConnection,
    _ consequence: String = "nothing was written"
) throws(StoreError) {
    let statement = try connection.statement("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = 'versionHash'")
    defer { statement.reset() }
    guard try statement.step(), let found = statement.text(at: 0), found != versionHash else { return }
    let name = try readMetadata(connection).versionName
    throw StoreError(
        .incompatibleModel,
        "has been migrated to version '\(name)' by another program while it was open, so \(consequence); open it with a program "
            + "that has that version",
        path: connection.path
    )
}

/// Writes or removes a note.
func writeNote(_ value: String?, forKey key: String, _ connection: SQLiteConnection) throws(StoreError) {
    let statement = try connection.prepare(
        value == nil
            ? "DELETE FROM \"_metadata\" WHERE \"key\" = ?"
            : "INSERT OR REPLACE INTO \"_metadata\" (\"key\", \"value\") VALUES (?, ?)"
    )
    statement.bind(valuePrefix + key, at: 1)
    if let value { statement.bind(value, at: 2) }
    try statement.run()
}

/// Returns the name of the store's contents: a random text, which every transaction that changes objects removes.
///
/// Cached results about a store are valid while the store has the same name; a copy has the name of its original until
/// one of the two is changed. The name is `nil` if none was set since the last change. Programs that write without
/// Chordata do not change the name.
func readContentsName(_ connection: SQLiteConnection) throws(StoreError) -> String? {
    try connection.text("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = 'contents'")
}

/// Gives the store's contents a name if they have none.
///
/// Call it within a transaction.
func nameContents(_ connection: SQLiteConnection) throws(StoreError) {
    let statement = try connection.statement(
        "INSERT OR IGNORE INTO \"_metadata\" (\"key\", \"value\") VALUES ('contents', ?)"
    )
    statement.bind(UUID().uuidString, at: 1)
    try statement.run()
}

func removeContentsName(_ connection: SQLiteConnection) throws(StoreError) {
    try connection.statement("DELETE FROM \"_metadata\" WHERE \"key\" = 'contents'").run()
}

/// Replaces the metadata of the store.
///
/// Call it within a transaction.
func writeMetadata(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StoreError) {
    try connection.execute("DELETE FROM \"_metadata\" WHERE \"key\" LIKE '\(entityHashPrefix)%'")
    try removeContentsName(connection)
    let statement = try connection.prepare("INSERT OR REPLACE INTO \"_metadata\" (\"key\", \"value\") VALUES (?, ?)")
    for (key, value) in metadata.values.orderedByKey {
        statement.bind(key, at: 1)
        statement.bind(value, at: 2)
        try statement.run()
    }
}
