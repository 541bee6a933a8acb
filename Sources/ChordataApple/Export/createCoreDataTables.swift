internal import Chordata
internal import ChordataModel
internal import ChordataSQL
internal import Foundation

/// Creates the tables of an empty store of Core Data, with its metadata.
/// - Parameter connection: A connection to an empty database.
func createCoreDataTables(
    of schema: CoreDataSchema,
    storeUUID: UUID,
    versionIdentifier: String,
    _ connection: SQLiteConnection
) throws {
    // The settings of all stores that were seen; they must come before the first table.
    try connection.execute("PRAGMA page_size=4096; PRAGMA auto_vacuum=2")
    try connection.execute("BEGIN")
    for table in schema.tables {
        let columns = table.columns.enumerated().map { index, column in
            let key = !table.isJoinTable && index == 0 ? " PRIMARY KEY" : ""
            return "\(identifier(column.name)) \(column.type)\(key)"
        }
        let keys = table.columns.prefix(2).map { identifier($0.name) }.joined(separator: ", ")
        let key = table.isJoinTable ? ", PRIMARY KEY (\(keys))" : ""
        try connection.execute("CREATE TABLE \(identifier(table.name)) ( \(columns.joined(separator: ", "))\(key) )")
    }
    for index in schema.indexes {
        let collates = index.name.hasPrefix("Z_") && !index.name.hasSuffix("_INDEX")
        let columns = index.columns.map { column in
            identifier(column.name) + (collates ? " COLLATE BINARY \(column.isAscending ? "ASC" : "DESC")" : "")
        }
        try connection.execute(
            "CREATE \(index.isUnique ? "UNIQUE " : "")INDEX \(identifier(index.name)) ON \(identifier(index.table)) "
                + "(\(columns.joined(separator: ", ")))"
        )
    }
    try connection.execute(
        """
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)
        """
    )
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

/// A name as Core Data writes it, without quotes where SQLite needs none.
private func identifier(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy {
        (48...57).contains($0) || (65...90).contains($0) || (97...122).contains($0) || $0 == UInt8(ascii: "_")
    }
    return isPlain && name.utf8.first == UInt8(ascii: "Z") ? name : quoteIdentifier(name)
}

/// The metadata that Core Data writes to a new store.
private func metadataList(of model: ManagedObjectModel, _ versionIdentifier: String) -> [UInt8] {
    let hashes = VersionHashes(of: model)
    var entries: [(key: String, value: PropertyListValue)] = [
        ("NSStoreType", .string("SQLite")),
        // The newest version whose stores were examined.
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
