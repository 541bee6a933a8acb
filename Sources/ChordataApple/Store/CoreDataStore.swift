internal import Chordata
internal import ChordataModel
internal import ChordataSQL
internal import Foundation

/// A store of Core Data that is open for reading.
///
/// Neither the store nor its write-ahead log is changed. Everything is read in one transaction. A store may be damaged
/// or malicious: contents that Core Data would not write cause a ``CoreDataStoreError``, and the memory that such a
/// store can use is limited.
final class CoreDataStore {
    /// The name, number and largest used primary key of an entity, from the table `Z_PRIMARYKEY`.
    struct PrimaryKey: Sendable {
        var number: Int64
        var name: String
        var superentityNumber: Int64
        var maximum: Int64
    }

    let path: String
    let snapshot: Snapshot
    private let fileState: FileState
    let metadata: CoreDataMetadata
    /// The columns of each table, in their order.
    let tables: [String: [CoreDataSchema.Column]]
    /// The entities by number, without those of the history.
    let primaryKeys: [PrimaryKey]
    /// The entities of the history, whose numbers are above 16,000.
    let historyKeys: [PrimaryKey]

    static let systemTables: Set = [
        "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE", "ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING",
    ]
    private static let maximumMetadataSize = 16 << 20
    private static let maximumArchiveSize = 32 << 20
    private static let maximumTableCount = 100_000

    /// Opens a store.
    init(at path: String) throws(CoreDataStoreError) {
        self.path = path
        fileState = FileState(ofStoreAt: path)
        guard FileManager.default.fileExists(atPath: path) else {
            throw CoreDataStoreError(.cannotOpen, "does not exist; correct the path", path: path)
        }
        do {
            snapshot = try openSnapshot(of: path)
            let connection = snapshot.connection
            let names = try connection.rows(
                "SELECT \"name\" FROM sqlite_schema WHERE \"type\" = 'table' LIMIT \(Self.maximumTableCount + 1)"
            )
            .compactMap { $0[0].text }
            guard names.contains("Z_PRIMARYKEY"), names.contains("Z_METADATA") else {
                throw CoreDataStoreError(
                    .notACoreDataStore,
                    "is an SQLite database, but not a store of Core Data: it has no tables Z_PRIMARYKEY and Z_METADATA",
                    path: path
                )
            }
            guard names.count <= Self.maximumTableCount else {
                throw CoreDataStoreError(.damagedStore, "has more than \(Self.maximumTableCount) tables", path: path)
            }
            tables = try readTables(connection)
            let keys = try connection.rows(
                "SELECT \"Z_ENT\", \"Z_NAME\", \"Z_SUPER\", \"Z_MAX\" FROM \"Z_PRIMARYKEY\" ORDER BY \"Z_ENT\" "
                    + "LIMIT \(Self.maximumTableCount)"
            )
            .map { row in
                PrimaryKey(
                    number: row[0].integer ?? 0,
                    name: row[1].text ?? "",
                    superentityNumber: row[2].integer ?? 0,
                    maximum: row[3].integer ?? 0
                )
            }
            primaryKeys = keys.filter { $0.number < 16_000 }
            historyKeys = keys.filter { $0.number >= 16_000 }
            metadata = try readMetadata(connection, path, limit: Self.maximumMetadataSize)
        } catch let error as CoreDataStoreError {
            throw error
        } catch let error as StoreError {
            throw CoreDataStoreError(error, path: path)
        } catch {
            throw CoreDataStoreError(.cannotOpen, "\(error)", path: path)
        }
    }

    // MARK: Queries

    /// Returns the rows of a statement.
    func rows(_ sql: String) throws(CoreDataStoreError) -> [[SQLValue]] {
        do throws(StoreError) { return try snapshot.connection.rows(sql) } catch {
            throw CoreDataStoreError(error, path: path)
        }
    }

    /// Returns the integer that is the only result of a statement.
    func integer(_ sql: String) throws(CoreDataStoreError) -> Int64 { try rows(sql).first?.first?.integer ?? 0 }

    func hasColumn(_ column: String, in table: String) -> Bool {
        tables[table]?.contains { $0.name == column } == true
    }

    /// The tables of the model's entities and relationships.
    var modelTables: Set<String> {
        Set(
            tables.keys.filter {
                !Self.systemTables.contains($0) && !$0.hasPrefix("sqlite_") && !$0.hasPrefix("ANSCK")
            }
        )
    }

    /// Throws an error if another process has changed the store since it was opened.
    ///
    /// SQLite does not detect this when it reads a file without locks.
    func requireUnchanged() throws(CoreDataStoreError) {
        guard FileState(ofStoreAt: path) != fileState else { return }
        throw CoreDataStoreError(
            .cannotOpen,
            "was changed by another process in the meantime; close the programs that use it, and try again",
            path: path
        )
    }

    /// Returns a text that is different after each save of Core Data: the number of rows, the largest used primary key
    /// and the sum of the row versions of each table.
    func state(of schema: CoreDataSchema) throws(CoreDataStoreError) -> String {
        try state(of: schema, in: "main", rows)
    }

    /// Returns the state of a store that is attached to another connection.
    /// - Parameters:
    ///   - database: The name under which the store is attached.
    ///   - rows: Returns the rows of a statement.
    func state<Failure>(
        of schema: CoreDataSchema,
        in database: String,
        _ rows: (String) throws(Failure) -> [[SQLValue]]
    ) throws(Failure) -> String {
        var parts = [metadata.storeUUID.uuidString]
        for table in schema.tables where tables[table.name] != nil {
            let values = table.isJoinTable ? "count(*)" : "count(*), max(\"Z_PK\"), sum(\"Z_OPT\")"
            let row = try rows("SELECT \(values) FROM \(database).\(quoteIdentifier(table.name))").first ?? []
            parts.append("\(table.name) " + row.map { "\($0.integer ?? 0)" }.joined(separator: " "))
        }
        return parts.joined(separator: "; ")
    }

    // MARK: The model cache

    /// Reads the model that Core Data keeps in the store; `nil` if the store has none.
    func readCachedModel() throws(CoreDataStoreError) -> ArchivedModel? {
        guard tables["Z_MODELCACHE"] != nil else { return nil }
        let size = try integer("SELECT ifnull(max(length(\"Z_CONTENT\")), 0) FROM \"Z_MODELCACHE\"")
        guard size > 0 else { return nil }
        func damaged(_ problem: String) -> CoreDataStoreError {
            CoreDataStoreError(
                .damagedStore,
                "the model in Z_MODELCACHE \(problem); restore the store from a backup, or use the model of the app that wrote it",
                path: path
            )
        }
        guard size <= Self.maximumArchiveSize else {
            throw damaged("has \(size) bytes, more than \(Self.maximumArchiveSize)")
        }
        guard case .blob(let content)? = try rows("SELECT \"Z_CONTENT\" FROM \"Z_MODELCACHE\" LIMIT 1").first?.first
        else {
            throw damaged("is not binary data")
        }
        let archive: [UInt8]
        do throws(InflateError) {
            archive = try inflate(Array(content), limit: Self.maximumArchiveSize)
        } catch {
            switch error {
            case .truncated: throw damaged("is truncated")
            case .invalid: throw damaged("is not compressed data")
            case .tooLarge: throw damaged("has more than \(Self.maximumArchiveSize) bytes when decompressed")
            }
        }
        do throws(BinaryPropertyList.Failure) {
            return try readModel(archive: archive, hashes: metadata.versionHashes)
        } catch {
            throw damaged(error.message)
        }
    }

    // MARK: External files

    /// The folder of the files with the values of attributes that are stored externally.
    var externalFolder: String {
        let url = URL(fileURLWithPath: path)
        let name = "." + url.deletingPathExtension().lastPathComponent + "_SUPPORT"
        return url.deletingLastPathComponent().appendingPathComponent(name)
            .appendingPathComponent("_EXTERNAL_DATA").path
    }
}

extension CoreDataStoreError {
    /// Creates the error for a failure of SQLite.
    init(_ error: StoreError, path: String) {
        let code: Code =
            switch error.code {
            case .notADatabase: .notACoreDataStore
            case .statementFailed, .storeDrifted, .incompleteStore: .damagedStore
            default: .cannotOpen
            }
        self.init(code, error.message, path: path)
    }
}

extension SQLValue {
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
}

// MARK: Reading

private func readTables(_ connection: SQLiteConnection) throws(StoreError) -> [String: [CoreDataSchema.Column]] {
    var tables: [String: [CoreDataSchema.Column]] = [:]
    let rows = try connection.rows(
        "SELECT t.\"name\", c.\"name\", c.\"type\" FROM sqlite_schema AS t, pragma_table_info(t.\"name\") AS c "
            + "WHERE t.\"type\" = 'table' ORDER BY t.rowid, c.cid"
    )
    for row in rows {
        guard let table = row[0].text, let name = row[1].text else { continue }
        tables[table, default: []].append(.init(name: name, type: row[2].text ?? ""))
    }
    return tables
}

private func readMetadata(_ connection: SQLiteConnection, _ path: String, limit: Int) throws -> CoreDataMetadata {
    func damaged(_ problem: String) -> CoreDataStoreError {
        CoreDataStoreError(
            .damagedStore,
            "the metadata in Z_METADATA \(problem); restore the store from a backup",
            path: path
        )
    }
    let size = try connection.rows("SELECT ifnull(max(length(\"Z_PLIST\")), 0) FROM \"Z_METADATA\"").first?.first?
        .integer
    guard let size, size <= limit else { throw damaged("is larger than \(limit) bytes") }
    guard let row = try connection.rows("SELECT \"Z_UUID\", \"Z_PLIST\" FROM \"Z_METADATA\" LIMIT 1").first else {
        throw damaged("is missing")
    }
    guard let uuid = row[0].text.flatMap({ UUID(uuidString: $0) }) else { throw damaged("has no valid UUID") }
    guard case .blob(let list) = row[1] else { throw damaged("is not a property list") }
    do throws(BinaryPropertyList.Failure) {
        return try CoreDataMetadata(storeUUID: uuid, propertyList: Array(list))
    } catch {
        throw damaged(error.message)
    }
}
