package import ChordataModel
package import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Functions and types that the module ChordataPostgres needs to copy stores.

/// The rows of a statement, one after the other.
package struct SQLiteCursor {
    private let statement: SQLiteStatement

    package init(_ connection: SQLiteConnection, _ sql: String) throws(StoreError) {
        statement = try connection.prepare(sql)
    }

    /// The values of the next row; `nil` after the last one.
    package func next() throws(StoreError) -> [SQLValue]? {
        guard try statement.step() else { return nil }
        return (0..<statement.columnCount).map { SQLValue(statement.values.argument(at: $0)) }
    }

    /// The integer in the first column of the next row; 0 if there is no row.
    package func integer() throws(StoreError) -> Int64 {
        guard case .integer(let number)? = try next()?.first else { return 0 }
        return number
    }
}

/// Throws if there is no file at a path.
package func requireFile(_ path: String) throws(StoreError) {
    guard FileManager.default.fileExists(atPath: path) else {
        throw StoreError(.cannotOpen, "does not exist; correct the path", path: path)
    }
}

/// Returns the key of a note in `_metadata`.
package func metadataKey(ofNote name: String) -> String { StoreMetadata.key(ofNote: name) }

/// Returns the statement that makes names without a schema refer to the store until the transaction ends.
package func serverSearchPath(_ schemaName: String) -> ServerStatement { ServerEngine.searchPath(schemaName) }

/// Returns the statement that acquires the lock of a store, for which programs that open the store or save to it wait.
package func serverStoreLock(_ schemaName: String) -> ServerStatement {
    ServerStatement("SELECT pg_advisory_xact_lock($1)", [.integer(ServerEngine.lockKey(schemaName))])
}

/// Reads the metadata of a store in a transaction whose search path begins with its schema.
package func readServerMetadata(_ connection: any ServerConnection, place: String) throws -> StoreMetadata {
    try readServerMetadata(.engine(ServerReader(connection, begin: [])), place: place)
}

/// The statements that create a store on a server.
package struct ServerSchema {
    /// The statements that create the schema, its tables and their metadata.
    package let tables: [ServerStatement]
    /// The statements that create the indexes and foreign keys, for which the rows are checked.
    package let constraints: [ServerStatement]
}

/// Returns the statements that create a store on a server.
/// - Parameters:
///   - metadata: The metadata of the store, with its identifier and notes.
///   - nextKey: The row key of the next object.
package func serverSchema(
    of model: ManagedObjectModel,
    _ metadata: StoreMetadata,
    nextKey: Int64 = 1,
    named schemaName: String
) -> ServerSchema {
    var metadata = metadata
    metadata.schema = nil
    var tables = PostgresProfile.postgresql.schemaStatements(named: schemaName).map { ServerStatement($0) }
    let statements = renderPostgresSchema(makePostgresMapping(of: model))
    let isTable = { (sql: String) in sql.hasPrefix("CREATE TABLE ") }
    tables += statements.filter(isTable).map { ServerStatement($0) }
    for (name, next) in [("object", nextKey), ("origin", 1)] {
        tables.append(
            ServerStatement(
                "INSERT INTO \"_sequence\" (\"name\", \"next\") VALUES ($1, $2)",
                [.text(name), .integer(next)]
            )
        )
    }
    tables.append(
        ServerStatement(
            "INSERT INTO \"_sequence\" (\"name\", \"next\") VALUES ('save', pg_current_xact_id()::text::bigint)"
        )
    )
    var values = metadata.values
    for (key, value) in metadata.notes { values[StoreMetadata.key(ofNote: key)] = value }
    for (key, value) in values.orderedByKey {
        tables.append(
            ServerStatement(
                "INSERT INTO \"_metadata\" (\"key\", \"value\") VALUES ($1, $2)",
                [.text(key), .text(value)]
            )
        )
    }
    return ServerSchema(tables: tables, constraints: statements.filter { !isTable($0) }.map { ServerStatement($0) })
}
