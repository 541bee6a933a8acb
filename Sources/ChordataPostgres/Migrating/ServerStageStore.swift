internal import Chordata
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
        let pieces = splitStatements(sql).filter { $0.kind == .statement }
        guard let text = pieces.first?.text, pieces.count == 1 else {
            throw error("the SQL of a stage has \(pieces.count) statements instead of one: \(sql)")
        }
        try requireAllowedStatement(text, path: path)
        let parameterCount = countParameters(in: text)
        guard parameterCount == arguments.count else {
            throw error(
                "a statement of a stage has \(parameterCount) parameters, but got \(arguments.count) arguments: \(sql)"
            )
        }
        let statement = ServerStatement(text, StoreQuery(text, arguments).serverStatement.arguments)
        // The statement may set another search path.
        let searchPath = ServerEngine.searchPath(schemaName)
        var names: [String] = []
        let source = RowSource.ofCells()
        try writer.nest(statement, searchPath) { cells in
            guard let address = cells.baseAddress else { return }
            if names.isEmpty { names = connection.columnNames }
            let values = StoreRow(address, of: source)
            var row: [String: any Sendable] = [:]
            for (index, name) in names.enumerated() { row[name] = values.argument(at: Int32(index)).swiftValue }
            onRow(row)
        }
        // References to deleted rows are removed by the foreign keys. Any statement may call a function that writes.
        return true
    }

    func requireTransaction() throws {
        guard connection.isInTransaction else {
            throw error("a stage has ended the transaction of the migration; remove COMMIT and ROLLBACK from its SQL")
        }
        try checkWrittenReferences()
    }

    func lockTables(_ mapping: SchemaMapping) throws {
        let names = mapping.tables.filter { $0.kind != .system }.map { qualifiedTable($0.name) }
        guard !names.isEmpty else { return }
        let sql = "LOCK TABLE \(names.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE"
        try throwingStoreErrors { try connection.execute([ServerStatement(sql)]) }
    }

    /// A table with references that were not checked yet cannot be altered.
    func checkWrittenReferences() throws {
        do {
            try connection.execute([ServerStatement("SET CONSTRAINTS ALL IMMEDIATE")])
            let names = try deferredConstraints()
            guard !names.isEmpty else { return }
            try connection.execute([ServerStatement("SET CONSTRAINTS \(names.joined(separator: ", ")) DEFERRED")])
        } catch let failure as ServerFailure where failure.error.sqlState == "25P02" {
            throw error(
                "a stage has caught an error of the server, after which the transaction of the migration cannot be "
                    + "continued; let the stage throw the error"
            )
        } catch let failure as ServerFailure {
            throw failure.error
        }
    }

    /// The constraints of the store that are checked at the end of a transaction.
    private func deferredConstraints() throws -> [String] {
        let query = StoreQuery(
            "SELECT c.conname::text FROM pg_catalog.pg_constraint c JOIN pg_catalog.pg_namespace n "
                + "ON n.oid = c.connamespace WHERE n.nspname = $1 AND c.condeferred",
            .values([.attribute(.string(schemaName))])
        )
        var names: [String] = []
        try reader.forEachRow(of: query) { if let name = $0.text(at: 0) { names.append(qualifiedTable(name)) } }
        return names
    }

    func endStages(_ source: SchemaMapping, _ destination: SchemaMapping) throws {
        let names = source.tables.map { qualifiedTemporaryTable(asideTableName(of: $0.name)) }
        let sql = "DROP TABLE IF EXISTS \(names.joined(separator: ", "))"
        try throwingStoreErrors { try connection.execute([ServerStatement(sql)]) }
    }

    // MARK: Tables

    func asideTableName(of tableName: String) -> String { postgresAsideTableName(of: tableName) }

    func temporaryColumns(of tableName: String) throws -> Set<String> {
        let query = StoreQuery(
            "SELECT a.attname::text FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_class c ON c.oid = a.attrelid "
                + "WHERE c.relnamespace = pg_catalog.pg_my_temp_schema() AND c.relname = $1 AND a.attnum > 0 "
                + "AND NOT a.attisdropped",
            .values([.attribute(.string(tableName))])
        )
        var names: Set<String> = []
        try reader.forEachRow(of: query) { if let name = $0.text(at: 0) { names.insert(name) } }
        return names
    }

    func sideTableName(_ name: String) -> String { postgresName(name) }
    func qualifiedTable(_ tableName: String) -> String {
        "\(quoteIdentifier(schemaName)).\(quoteIdentifier(tableName))"
    }

    func hasTable(_ tableName: String) throws -> Bool {
        let query = StoreQuery(
            "SELECT count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace "
                + "WHERE n.nspname = $1 AND c.relname = $2 AND c.relkind = 'r'",
            .values([.attribute(.string(schemaName)), .attribute(.string(tableName))])
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
        try transact(ServerEngine.beginOfReading(schemaName) + ServerEngine.migrationSettings, body)
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

/// Throws if a statement of a migration would end its transaction or have an effect after it, or cannot be executed in
/// one round trip with others.
func requireAllowedStatement(_ sql: String, path: String) throws(StoreError) {
    let keyword = splitStatements(sql).first { $0.kind == .statement }?.keyword ?? ""
    switch keyword {
    case "":
        guard sql.first == "(" else {
            throw StoreError(
                .migrationFailed,
                "a statement of a migration does not begin with a keyword: \(sql)",
                path: path
            )
        }
    case "SET":
        // These settings end with the transaction.
        let setting = SQLWord.words(of: sql, count: 3)[...].dropFirst()
        let isRole = setting.dropFirst().begins(with: "ROLE") || setting.dropFirst().begins(with: "SESSION")
        guard setting.begins(with: "CONSTRAINTS") || setting.begins(with: "LOCAL") && !isRole else {
            throw refusedStatement(keyword, path: path)
        }
    case "COPY":
        let words = SQLWord.words(of: sql, count: .max)
        guard !words.contains(where: { $0.isKeyword("STDIN") || $0.isKeyword("STDOUT") }) else {
            throw StoreError(
                .migrationFailed,
                "COPY from STDIN or to STDOUT cannot be executed in a migration; use INSERT or SELECT",
                path: path
            )
        }
    default: if refusedKeywords.contains(keyword) { throw refusedStatement(keyword, path: path) }
    }
}

private let refusedKeywords: Set<String> = [
    "ABORT", "BEGIN", "COMMIT", "DISCARD", "END", "PREPARE", "RELEASE", "RESET", "ROLLBACK", "SAVEPOINT", "START",
]

/// Returns the highest number of a parameter in a statement, such as 2 for `$2`; 0 for a statement without parameters.
func countParameters(in sql: String) -> Int {
    let textOrComment =
        /(?s)[eE]'(?:[^'\\]|\\.)*'|'[^']*'|"[^"]*"|--[^\n]*|\/\*.*?\*\/|\$([A-Za-z_]\w*|)\$.*?\$\1\$/
    let text = sql.replacing(textOrComment, with: " ")
    return text.matches(of: /\$(\d+)/).compactMap { Int($0.1) }.max() ?? 0
}
