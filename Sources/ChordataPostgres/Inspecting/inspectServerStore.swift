package import Chordata
package import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// Functions of the command line for stores on a server. No function creates a schema or a store.

/// Reads the contents of a store on a database server; the store is not changed.
/// - Parameter models: The known versions of the model. If the store has one of them, its columns are compared with
///   those of a new store.
/// - Throws: ``StoreError`` when the server cannot be reached, or when the schema has no store.
package func inspectStore(
    in database: any ServerDatabase,
    schemaName: String,
    models: [ManagedObjectModel] = []
) throws(StoreError) -> StoreInspection {
    try withServerStore(database, schemaName, for: "the inspection of a store") { connection, metadata in
        let model = models.first { $0.versionHash == metadata.versionHash }
        return StoreInspection(
            metadata,
            entities: try countRows(connection, schemaName, of: metadata.entityHashes.keys.ordered(by: <)),
            fullTextIndexes: [],
            migrations: try appliedMigrations(connection),
            drift: try model.map { try serverDrift(from: makePostgresMapping(of: $0), connection) }
        )
    }
}

/// Returns the migrations that a store on a database server needs.
/// - Throws: ``StoreError`` when the schema has no store, or the store of another model or an unknown version.
package func pendingMigrations(
    of definition: ModelDefinition,
    in database: any ServerDatabase,
    schemaName: String
) throws(StoreError) -> [ModelDefinition.Migration] {
    try withServerStore(database, schemaName, for: "the inspection of a store") { _, metadata in
        try definition.requireOwn(metadata, path: database.place)
        return try definition.migrations(from: metadata, path: database.place)
    }
}

/// Migrates a store on a database server to the current version, if necessary.
/// - Returns: The migrations that the store needed.
/// - Throws: ``StoreError`` when ``pendingMigrations(of:in:schemaName:)`` throws it, or when the migration fails; the
///   store is then unchanged, unless the connection was lost during the commit.
package func migrateStore(
    of definition: ModelDefinition,
    in database: any ServerDatabase,
    schemaName: String
) throws(StoreError) -> [ModelDefinition.Migration] {
    let pending = try pendingMigrations(of: definition, in: database, schemaName: schemaName)
    guard !pending.isEmpty else { return [] }
    let connection = try database.take(for: "a migration")
    defer { database.release(connection) }
    try ServerMigration(
        definition: definition,
        mapping: makePostgresMapping(of: definition.model),
        schemaName: schemaName,
        stages: [],
        database: database,
        connection: connection
    ).run()
    return pending
}

/// Drops the schema of a store with all tables, if it exists.
/// - Throws: ``StoreError`` when the server cannot be reached, or when the schema cannot be dropped.
package func dropSchema(named schemaName: String, in database: any ServerDatabase) throws(StoreError) {
    let connection = try database.take(for: "the removal of a schema")
    defer { database.release(connection) }
    do {
        try connection.execute([ServerStatement("DROP SCHEMA IF EXISTS \(quoteIdentifier(schemaName)) CASCADE")])
    } catch {
        throw storeError(error)
    }
}

/// Runs a closure in a transaction that reads one state of a store.
/// - Parameter purpose: The use of the connection, which an error names when none is free.
/// - Throws: ``StoreError`` if the schema has no store, and any error that the closure throws.
package func withServerStore<Value>(
    _ database: any ServerDatabase,
    _ schemaName: String,
    for purpose: String,
    _ body: (any ServerConnection, StoreMetadata) throws -> Value
) throws(StoreError) -> Value {
    try requireSchemaName(schemaName, place: database.place)
    let connection = try database.take(for: purpose)
    defer { database.release(connection) }
    do {
        let begin = ServerEngine.beginOfReading(schemaName)
        guard try hasServerStore(connection, schemaName, after: begin, place: database.place) else {
            throw StoreError(
                .cannotOpen,
                "the schema '\(schemaName)' does not exist or has no tables; correct the name of the schema or of the "
                    + "database",
                path: database.place
            )
        }
        let reader = ServerReader(connection, begin: [])
        let value = try body(connection, readServerMetadata(.engine(reader), place: database.place))
        connection.endReading()
        return value
    } catch {
        if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
        throw storeError(error)
    }
}

/// Returns the store error for an error of statements.
func storeError(_ error: any Error) -> StoreError {
    switch error {
    case let failure as ServerFailure: failure.error
    case let error as StoreError: error
    default: preconditionFailure("an unexpected error of a statement: \(error)")
    }
}

/// Returns the number of rows of each entity, without those of its subentities, in the order of their names.
private func countRows(
    _ connection: any ServerConnection,
    _ schemaName: String,
    of entityNames: [String]
) throws -> [StoreInspection.Count] {
    // Tables have the names of their root entities, except names that PostgreSQL truncates or reserves.
    let names = Dictionary(
        entityNames.flatMap { [(postgresName($0), $0), (postgresName("entity_" + $0), $0)] },
        uniquingKeysWith: { first, _ in first }
    )
    var tables: [(name: String, isOfHierarchy: Bool)] = []
    let statement = ServerStatement(
        "SELECT c.relname::text, bool_or(a.attname = '_entity') FROM pg_catalog.pg_class c "
            + "JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind IN ('r', 'p') "
            + "AND a.attnum > 0 AND NOT a.attisdropped GROUP BY c.relname HAVING bool_or(a.attname = '_version')",
        [.text(schemaName)]
    )
    _ = try connection.execute([statement]) { _, cells in
        guard case .text(let name) = cells[0], case .integer(let flag) = cells[1] else { return }
        tables.append((String(decoding: name, as: UTF8.self), flag != 0))
    }
    var counts: [String: Int64] = [:]
    for name in entityNames { counts[name] = 0 }
    let statements = tables.map { table in
        ServerStatement(
            "SELECT \(table.isOfHierarchy ? "\"_entity\"" : "NULL::text"), count(*) FROM \(quoteIdentifier(table.name)) "
                + "GROUP BY 1"
        )
    }
    _ = try connection.execute(statements) { index, cells in
        guard case .integer(let count) = cells[1] else { return }
        var name = names[tables[index].name] ?? tables[index].name
        if case .text(let entity) = cells[0] { name = String(decoding: entity, as: UTF8.self) }
        counts[name] = count
    }
    return counts.map { StoreInspection.Count(entityName: $0.key, count: $0.value) }
        .ordered { $0.entityName < $1.entityName }
}

private func appliedMigrations(_ connection: any ServerConnection) throws -> [StoreInspection.AppliedMigration] {
    var migrations: [StoreInspection.AppliedMigration] = []
    let statement = ServerStatement(
        "SELECT \"source\", \"destination\", \"checksum\", \"finished\" FROM \"_migration\" ORDER BY \"id\""
    )
    _ = try connection.execute([statement]) { _, cells in
        func text(_ cell: StoreCell) -> String {
            if case .text(let bytes) = cell { String(decoding: bytes, as: UTF8.self) } else { "" }
        }
        var finished = 0.0
        if case .real(let seconds) = cells[3] { finished = seconds }
        migrations.append(
            .init(
                source: text(cells[0]),
                destination: text(cells[1]),
                checksum: text(cells[2]),
                finished: Date(timeIntervalSinceReferenceDate: finished)
            )
        )
    }
    return migrations
}
