internal import Chordata
internal import ChordataSQL

/// Copies the store in a file to a schema of a server, in one transaction of the server.
struct CopyToServer {
    /// The maximum number of rows, and the approximate maximum number of bytes, that one statement copies.
    private static let batchLimits = (rowCount: 10_000, byteCount: 4_000_000)

    let definition: ModelDefinition
    let path: String
    let configuration: PostgresConfiguration
    let progress: CopyProgress
    private let tables: [CopiedTable]

    package init(
        _ definition: ModelDefinition,
        _ path: String,
        _ configuration: PostgresConfiguration,
        _ progress: CopyProgress
    ) {
        (self.definition, self.path, self.configuration) = (definition, path, configuration)
        self.progress = progress
        tables = CopiedTable.all(of: definition.model)
    }

    func run() throws(StoreError) -> StoreCopier.Outcome {
        try requireFile(path)
        try undoUnfinishedTransaction(ofStoreAt: path)
        let file = try openReadOnly(path)
        // All rows are read from one state of the store.
        try file.execute("BEGIN")
        let metadata = try readMetadata(file)
        try definition.requireCurrentVersion(metadata, path: path)
        let pool = PostgresPool(configuration)
        try requireSchemaName(configuration.schema, place: pool.place)
        let connection = try pool.takeConnection(for: "a copy")
        defer { pool.release(connection) }
        connection.setTimeLimited(false)
        do {
            for table in tables { progress.total += try Int(SQLiteCursor(file, table.countInFile).integer()) }
            return try copy(file, metadata, connection)
        } catch {
            if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
            throw copyError(error, path: connection.place)
        }
    }

    private func copy(_ file: SQLiteConnection, _ metadata: StoreMetadata, _ connection: PostgresConnection) throws
        -> StoreCopier.Outcome
    {
        // A program that opens the store waits until the copy is complete.
        let begin = [
            ServerStatement("BEGIN ISOLATION LEVEL REPEATABLE READ"), ServerEngine.searchPath(configuration.schema),
            ServerEngine.storeLock(configuration.schema),
        ]
        try connection.execute(begin)
        if try hasServerStore(connection, configuration.schema, place: connection.place) {
            return try compare(file, metadata, connection)
        }
        let nextKey = try SQLiteCursor(file, Self.nextKeySQL).integer()
        let schema = serverSchema(of: definition.model, metadata, nextKey: nextKey, named: configuration.schema)
        try connection.execute(schema.tables)
        progress.begin(.copying)
        for table in tables { try copy(table, file, connection) }
        for statement in schema.constraints {
            do {
                try connection.execute([statement])
            } catch let failure as ServerFailure {
                throw rejected(failure.error, statement)
            }
        }
        let counts = try compareStores(file, connection, tables, progress)
        do {
            try connection.execute([ServerStatement("COMMIT")])
        } catch let failure as ServerFailure where failure.error.code == .connectionLost {
            throw StoreError(
                .outcomeUnknown,
                "the connection to the server was lost at the end of the copy, so it is unknown whether the store is "
                    + "there; start the copy again, which finds it out",
                sqlState: failure.error.sqlState,
                path: connection.place
            )
        }
        return StoreCopier.Outcome(wasComplete: false, tables: counts)
    }

    private static let nextKeySQL = "SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'object'"

    private func copy(_ table: CopiedTable, _ file: SQLiteConnection, _ connection: PostgresConnection) throws {
        let cursor = try SQLiteCursor(file, table.selectFromFile)
        var rows: [[SQLValue]] = []
        var size = 0
        func insert() throws {
            try connection.execute([try table.copy(of: rows, path: path)])
            progress.add(rows.count, in: table.name)
            (rows, size) = ([], 0)
        }
        while let row = try cursor.next() {
            rows.append(row)
            size += row.reduce(0) { $0 + $1.size }
            if rows.count >= Self.batchLimits.rowCount || size >= Self.batchLimits.byteCount { try insert() }
        }
        if !rows.isEmpty { try insert() }
    }

    /// Compares the source with the store in the schema, which may be an earlier copy.
    private func compare(_ file: SQLiteConnection, _ metadata: StoreMetadata, _ connection: PostgresConnection) throws
        -> StoreCopier.Outcome
    {
        let other = try readServerMetadata(connection, place: connection.place)
        guard other.storeUUID == metadata.storeUUID, other.versionHash == metadata.versionHash else {
            throw occupied("the schema has another store", path: connection.place)
        }
        do {
            let counts = try compareStores(file, connection, tables, progress)
            try connection.execute([ServerStatement("COMMIT")])
            return StoreCopier.Outcome(wasComplete: true, tables: counts)
        } catch let difference as RowDifference {
            throw occupied(
                "the schema has an earlier copy of this store, with other rows: \(difference.description)",
                path: connection.place
            )
        }
    }

    private func rejected(_ error: StoreError, _ statement: ServerStatement) -> StoreError {
        let words = statement.sql.split(separator: "\"")
        let name = words.count > 1 ? "'\(words[1])'" : "the tables"
        var remedy = ""
        if error.violation == .reference {
            remedy =
                "; rows of the store in the file reference rows that do not exist: remove these references with SQL, or restore a backup of the store"
        } else if error.violation?.isOfUniqueness == true {
            remedy =
                "; the store in the file has duplicates of values that must be unique: change them with a program that uses the store"
        }
        var error = error
        error.message =
            "\(error.message), while the index or constraint of \(name) was created\(remedy); nothing was copied"
        return error
    }
}
