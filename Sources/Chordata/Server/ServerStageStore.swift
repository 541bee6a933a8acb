internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The store on a server in which the stages of a migration run.
final class ServerStageStore: StageStore {
    private let writer: ServerWriter
    private let schemaName: String
    private var connection: any ServerConnection { writer.connection }

    /// - Parameter connection: The connection of the migration.
    init(_ connection: any ServerConnection, schemaName: String, path: String) {
        writer = ServerWriter(connection, path: path)
        self.schemaName = schemaName
    }

    var path: String { writer.path }
    var dialect: any SQLDialect { PostgresDialect() }
    var transaction: StoreTransaction { .engine(writer) }
    var temporarySchema: String { "pg_temp" }

    func mapping(of model: ManagedObjectModel) -> SchemaMapping { makePostgresMapping(of: model) }
    func metadata() throws -> StoreMetadata { try readServerMetadata(.engine(writer), place: path) }

    func makeStore(_ schema: StoreSchema, _ identifier: UUID, isReadOnly: Bool)
        -> (store: PersistentStore, engine: any StageEngine)
    {
        let engine = MigratingServerEngine(writer, isReadOnly: isReadOnly)
        return (PersistentStore(identifier: identifier, server: engine, path: path, schema: schema), engine)
    }

    func run(
        _ sql: String,
        _ arguments: StoreQuery.Arguments,
        _ mapping: SchemaMapping,
        _ onRow: ([String: any Sendable]) -> Void
    ) throws -> Bool {
        let keyword = try requireAllowedStatement(sql, path: path)
        // The server reports arguments that are missing, and ignores additional ones.
        if arguments.count > 0, !sql.contains("$\(arguments.count)") {
            throw error(
                "a statement of a stage has no parameter $\(arguments.count), but got \(arguments.count) arguments: \(sql)"
            )
        }
        let statement = ServerStatement(sql, StoreQuery(sql, arguments).serverStatement.arguments)
        var names: [String] = []
        let source = RowSource(hasCells: true)
        do {
            try writer.nest {
                _ = try connection.execute([statement]) { _, cells in
                    guard let address = cells.baseAddress else { return }
                    if names.isEmpty { names = connection.columnNames }
                    let values = StoreRow(address, of: source)
                    var row: [String: any Sendable] = [:]
                    for (index, name) in names.enumerated() {
                        row[name] = values.argument(at: Int32(index)).swiftValue
                    }
                    onRow(row)
                }
            }
        } catch let failure as StoreError where ["42P01", "42703"].contains(failure.sqlState) {
            throw error("a statement of a stage names a table or a column that does not exist: \(sql)")
        }
        // References to deleted rows are removed by the foreign keys.
        return keyword != "SELECT"
    }

    func requireTransaction() throws(StoreError) {
        guard connection.isInTransaction else {
            throw error("a stage has ended the transaction of the migration; remove COMMIT and ROLLBACK from its SQL")
        }
    }

    /// A table with references that were not checked yet cannot be altered.
    func checkWrittenReferences() throws {
        do {
            try connection.execute([
                ServerStatement("SET CONSTRAINTS ALL IMMEDIATE"), ServerStatement("SET CONSTRAINTS ALL DEFERRED"),
            ])
        } catch let failure as ServerFailure where failure.error.sqlState == "25P02" {
            throw error(
                "a stage has caught an error of the server, after which the transaction of the migration cannot be "
                    + "continued; let the stage throw the error"
            )
        } catch let failure as ServerFailure {
            throw failure.error
        }
    }

    func endStages(_ mapping: SchemaMapping) throws {
        let query = StoreQuery(
            "SELECT relname::text FROM pg_class WHERE relnamespace = pg_my_temp_schema() AND relkind = 'r' "
                + "AND relname LIKE '\\_old\\_%'"
        )
        var names: [String] = []
        try reader.forEachRow(of: query) { if let name = $0.text(at: 0) { names.append(name) } }
        for name in names { try transaction.run(StoreQuery("DROP TABLE \(qualifiedTemporaryTable(name))")) }
    }

    // MARK: Tables

    func asideTableName(of tableName: String) -> String { postgresAsideTableName(of: tableName) }

    func temporaryColumns(of tableName: String) throws -> Set<String> {
        let query = StoreQuery(
            "SELECT a.attname::text FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid "
                + "WHERE c.relnamespace = pg_my_temp_schema() AND c.relname = $1 AND a.attnum > 0 AND NOT a.attisdropped",
            .values([.attribute(.string(tableName))])
        )
        var names: Set<String> = []
        try reader.forEachRow(of: query) { if let name = $0.text(at: 0) { names.insert(name) } }
        return names
    }

    func sideTableName(_ name: String) -> String { postgresName(name) }

    func hasTable(_ tableName: String) throws -> Bool {
        let query = StoreQuery(
            "SELECT count(*) FROM pg_class WHERE relnamespace = $1::regnamespace AND relname = $2 AND relkind = 'r'",
            .values([.attribute(.string(quoteIdentifier(schemaName))), .attribute(.string(tableName))])
        )
        return try reader.readRow(of: query) { $0.integer(at: 0) } != 0
    }

    var keyType: String { "bigint" }

    func sideColumnType(of field: Field, _ type: RuntimeEntity, _ mapping: SchemaMapping) -> String {
        guard let table = mapping.table(named: type.mapping.tableName),
            let column = table.columns.first(where: { $0.name == field.columnName })
        else { preconditionFailure("'\(field.name)' has no column") }
        return PostgresColumnTypes(mapping).type(of: column, in: table)
    }

    // MARK: Batches

    func readBatch(_ body: () throws -> Void) throws {
        try transact(ServerEngine.beginOfReading(schemaName), body)
    }

    func writeBatch(_ body: () throws -> Void) throws {
        try transact(ServerEngine.beginOfBatch(schemaName), body)
    }

    private func transact(_ begin: [ServerStatement], _ body: () throws -> Void) throws {
        try throwingStoreErrors {
            do {
                try connection.execute(begin)
                try body()
                try connection.execute([ServerStatement("COMMIT")])
            } catch {
                if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
                throw error
            }
        }
    }
}

/// Throws if a statement would end the transaction of a migration or change its settings, or cannot be executed in one
/// round trip with others.
/// - Returns: The keyword with which the statement begins.
@discardableResult
func requireAllowedStatement(_ sql: String, path: String) throws(StoreError) -> String {
    guard let piece = splitStatements(sql).first(where: { $0.kind == .statement }) else { return "" }
    let words = SQLWord.words(of: piece.text, count: 2)[...]
    let setting = words.dropFirst()
    // These settings end with the transaction.
    let isLocal = words.begins(with: "SET") && (setting.begins(with: "LOCAL") || setting.begins(with: "CONSTRAINTS"))
    guard isLocal || !refusedKeywords.contains(piece.keyword) else {
        throw refusedStatement(piece.keyword, path: path)
    }
    return piece.keyword
}

private let refusedKeywords: Set<String> = [
    "ABORT", "BEGIN", "COMMIT", "COPY", "DISCARD", "END", "PREPARE", "RELEASE", "RESET", "ROLLBACK", "SAVEPOINT", "SET",
    "START",
]
