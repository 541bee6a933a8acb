internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The store in an SQLite file in which the stages of a migration run.
final class SQLiteStageStore: StageStore {
    private let connection: SQLiteConnection
    /// Records the written tables, in the transaction of the migration; `nil` before it.
    private let writeTracker: MigrationWriteTracker?

    init(_ connection: SQLiteConnection, _ writeTracker: MigrationWriteTracker? = nil) {
        (self.connection, self.writeTracker) = (connection, writeTracker)
    }

    var path: String { connection.path }
    var dialect: any SQLDialect { SQLiteDialect() }
    var transaction: StoreTransaction { .sqlite(connection) }
    var temporarySchema: String { "temp" }

    func mapping(of model: ManagedObjectModel) -> SchemaMapping { makeSchemaMapping(of: model) }
    func metadata() throws -> StoreMetadata { try readMetadata(connection) }

    func makeStore(_ schema: StoreSchema, _ identifier: UUID, isReadOnly: Bool)
        -> (store: PersistentStore, engine: any StageEngine)
    {
        let engine = SQLiteStore(migrating: connection, schema.mapping, isReadOnly: isReadOnly)
        return (PersistentStore(identifier: identifier, sqlite: engine, schema: schema), engine)
    }

    func run(
        _ sql: String,
        _ arguments: StoreQuery.Arguments,
        _ mapping: SchemaMapping,
        _ onRow: ([String: any Sendable]) -> Void
    ) throws -> Bool {
        guard let writeTracker else { preconditionFailure("the SQL of a stage runs in the migration's transaction") }
        let statement = try writeTracker.prepare(sql)
        guard statement.parameterCount == arguments.count else {
            throw error(
                "a statement of a stage has \(statement.parameterCount) parameters, but got \(arguments.count) arguments: "
                    + sql
            )
        }
        statement.bind(arguments)
        let (writes, removes) = (writeTracker.writesRows, writeTracker.removesRows)
        while try statement.step() {
            var row: [String: any Sendable] = [:]
            for column in 0..<statement.columnCount {
                row[statement.columnName(at: column)] = statement.values.argument(at: column).swiftValue
            }
            onRow(row)
        }
        if removes { try connection.clearBrokenReferences(of: mapping) }
        return writes || removes
    }

    func requireTransaction() throws { try connection.requireTransaction() }
    /// The transaction of the migration has locked the whole store.
    func lockTables(_ mapping: SchemaMapping) {}
    /// The whole migration checks the references at its end.
    func checkWrittenReferences() {}

    func endStages(_ source: SchemaMapping, _ destination: SchemaMapping) throws {
        try writeTracker?.recordEverything(of: Set(destination.tables.map(\.name)))
        for table in source.tables {
            let name = qualifiedTemporaryTable(asideTableName(of: table.name))
            try connection.execute("DROP TABLE IF EXISTS \(name)")
        }
        // The statements that were prepared for objects of the two versions are no longer needed.
        connection.forgetStatements()
    }

    // MARK: Tables

    func asideTableName(of tableName: String) -> String { ChordataSQL.asideTableName(of: tableName) }

    func temporaryColumns(of tableName: String) throws -> Set<String> {
        let rows = try connection.rows("SELECT \"name\" FROM pragma_table_info(?, 'temp')", [.text(tableName)])
        return Set(rows.compactMap { if case .text(let name)? = $0.first { name } else { nil } })
    }

    func sideTableName(_ name: String) -> String { name }
    func qualifiedTable(_ tableName: String) -> String { "main.\(quoteIdentifier(tableName))" }

    func hasTable(_ tableName: String) throws -> Bool {
        let rows = try connection.rows(
            "SELECT 1 FROM sqlite_schema WHERE \"type\" = 'table' AND \"name\" = ?",
            [.text(tableName)]
        )
        return !rows.isEmpty
    }

    var keyType: String { "INTEGER" }
    /// A side table is not `STRICT`.
    func sideColumnType(of field: Field, _ type: RuntimeEntity, _ mapping: SchemaMapping) -> String { "BLOB" }

    // MARK: Batches

    func readBatch(_ body: () throws -> Void) throws { try body() }

    func writeBatch(_ body: () throws -> Void) throws {
        try connection.execute("BEGIN IMMEDIATE")
        do {
            try body()
            try connection.commit()
        } catch {
            connection.rollBack()
            throw error
        }
    }
}
