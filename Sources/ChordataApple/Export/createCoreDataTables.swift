internal import Chordata
internal import ChordataModel
internal import ChordataSQL
internal import Foundation

/// Creates the tables of an empty store of Core Data, with its metadata and without its indexes.
/// - Parameter connection: A connection to an empty database.
func createCoreDataTables(
    of schema: CoreDataSchema,
    storeUUID: UUID,
    versionIdentifier: String,
    _ connection: SQLiteConnection
) throws {
    // All stores that were examined have these settings, which must be made before the first table is created.
    try connection.execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=2")
    try connection.execute("BEGIN")
    for statement in schema.tableStatements { try connection.execute(statement) }
    for name in schema.entityNames {
        let superentity = schema.model.entity(named: name)?.superentityName.flatMap { schema.entityNumbers[$0] } ?? 0
        try connection.run(
            "INSERT INTO \"Z_PRIMARYKEY\" VALUES (?, ?, ?, 0)",
            [.integer(Int64(schema.entityNumbers[name] ?? 0)), .text(name), .integer(Int64(superentity))]
        )
    }
    try connection.run(
        "INSERT INTO \"Z_METADATA\" VALUES (1, ?, ?)",
        [.text(storeUUID.uuidString), .blob(Data(metadataList(of: schema.model, versionIdentifier)))]
    )
    try connection.run(
        "INSERT INTO \"Z_MODELCACHE\" VALUES (?)",
        [.blob(Data(deflateStored(writeModelArchive(schema.model))))]
    )
    try connection.execute("COMMIT")
}

/// The metadata that Core Data writes to a new store.
private func metadataList(of model: ManagedObjectModel, _ versionIdentifier: String) -> [UInt8] {
    let hashes = VersionHashes(of: model)
    var entries: [(key: String, value: PropertyListValue)] = [
        ("NSStoreType", .string("SQLite")),
        // This is the newest version whose stores were examined.
        ("NSPersistenceFrameworkVersion", .integer(1_345)),
        ("NSStoreModelVersionHashesVersion", .integer(3)),
        (
            "NSStoreModelVersionHashes",
            .dictionary(
                hashes.entityVersionHashesByName.sorted { $0.key < $1.key }.map { ($0.key, .data(Array($0.value))) }
            )
        ),
        ("NSStoreModelVersionIdentifiers", .array([.string(versionIdentifier)])), ("_NSAutoVacuumLevel", .string("2")),
    ]
    if let digest = hashes.digest { entries.append(("NSStoreModelVersionHashesDigest", .string(digest))) }
    if let checksum = hashes.checksum { entries.append(("NSStoreModelVersionChecksumKey", .string(checksum))) }
    return writePropertyList(.dictionary(entries))
}
