package import Chordata
package import ChordataModel
internal import ChordataSQL

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
