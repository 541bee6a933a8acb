internal import Chordata
internal import ChordataModel
internal import ChordataSQL
internal import Dispatch

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Migrates a store on a server to the version of the program: in one transaction, plus one for each intermediate
/// version at which a batched stage begins.
///
/// If several programs do so, one migrates the store; the others wait, and find it migrated. Saves of programs with the
/// older model wait too, and then fail, because each of them checks the version.
struct ServerMigration {
    /// The time after which a migration that does not get its locks fails.
    private static let timeout = Duration.seconds(600)

    let definition: ModelDefinition
    let mapping: SchemaMapping
    let schemaName: String
    /// The stages of the program.
    let stages: [MigrationStage]
    let database: any ServerDatabase
    let connection: any ServerConnection
    /// The program's own model, if this is a migration to an intermediate version; otherwise, `nil`.
    var whole: ModelDefinition?

    private var place: String { database.place }
    private var stageStore: ServerStageStore { ServerStageStore(connection, schemaName: schemaName, path: place) }

    /// - Throws: ``StoreError`` if the store cannot be migrated; the store is then unchanged, unless the connection was
    ///   lost during the commit.
    func run() throws(StoreError) {
        // A change of a large table may take longer than any other statement.
        connection.setTimeLimited(false)
        defer { connection.setTimeLimited(true) }
        // The columns change, also while the texts of statements do not.
        connection.setPreparing(false)
        defer { connection.setPreparing(true) }
        let chain = try pendingSteps()
        for step in chain { try definition.requireStage(of: step, stages, path: place) }
        // A batched stage computes its values while the store is at the source version of its step.
        for step in chain where step.hasBatches(stages) {
            if step != chain.first {
                let waypoint = try definition.waypoint(before: step)
                try ServerMigration(
                    definition: waypoint,
                    mapping: makePostgresMapping(of: waypoint.model),
                    schemaName: schemaName,
                    stages: stages,
                    database: database,
                    connection: connection,
                    whole: definition
                ).runTransaction()
            }
            try computeBatches(of: step)
        }
        try runTransaction()
    }

    /// Returns the steps from the version that the store has now.
    private func pendingSteps() throws(StoreError) -> [ModelDefinition.Migration] {
        var chain: [ModelDefinition.Migration] = []
        try repeating({ [] }) {
            try stageStore.readBatch {
                let metadata = try stageStore.metadata()
                try definition.requireOwn(metadata, path: place)
                chain = try definition.migrations(from: metadata, path: place)
            }
        }
        return chain
    }

    private func computeBatches(of step: ModelDefinition.Migration) throws(StoreError) {
        let store = stageStore
        var batches: [StageBatches] = []
        try repeating({ [step] }) { try store.readBatch { batches = try StageBatches.all(of: step, stages, store) } }
        for batches in batches {
            try repeating({ [step] }) { try batches.prepare(in: .transaction) }
            var hasMore = true
            while hasMore {
                try repeating({ [step] }, keepsBatches: true) {
                    hasMore = try batches.computeNext(in: .transaction, nil)
                }
            }
        }
    }

    private func runTransaction() throws(StoreError) {
        var chain: [ModelDefinition.Migration] = []
        try repeating({ chain }) { try migrate(&chain) }
    }

    /// Runs a closure again while other transactions prevent it.
    /// - Parameters:
    ///   - chain: The steps that an error names.
    ///   - keepsBatches: `true` if earlier batches of a stage are committed.
    private func repeating(
        _ chain: () -> [ModelDefinition.Migration],
        keepsBatches: Bool = false,
        _ body: () throws -> Void
    ) throws(StoreError) {
        let deadline = ContinuousClock.now + Self.timeout
        while true {
            do {
                return try body()
            } catch {
                if connection.isInTransaction { _ = try? connection.execute([ServerStatement("ROLLBACK")]) }
                let error = failure(error, chain(), keepsBatches: keepsBatches)
                guard error.code == .busy || error.isOfPreparation, ContinuousClock.now < deadline else { throw error }
            }
            wait()
        }
    }

    private func wait() {
        let time = DispatchTimeInterval.milliseconds(Int.random(in: 50...150))
        whileWaitingForServer { _ = DispatchSemaphore(value: 0).wait(timeout: .now() + time) }
    }

    private func migrate(_ chain: inout [ModelDefinition.Migration]) throws {
        let lock = ServerStatement("SELECT pg_advisory_xact_lock($1)", [.integer(ServerEngine.lockKey(schemaName))])
        try connection.execute(
            [ServerStatement("BEGIN"), ServerEngine.searchPath(schemaName)] + ServerEngine.migrationSettings + [lock]
        )
        let metadata = try readServerMetadata(connection, place: place)
        try definition.requireOwn(metadata, path: place)
        // Another program may have migrated the store while this one waited for the lock.
        chain = try definition.pendingSteps(metadata, of: whole, path: place)
        for step in chain { try definition.requireStage(of: step, stages, path: place) }
        // Batches of the version that the store has now can be those of another program.
        if !chain.isEmpty { try migrate(metadata, chain) }
        try connection.execute([ServerStatement("COMMIT")])
    }

    private func migrate(_ metadata: StoreMetadata, _ chain: [ModelDefinition.Migration]) throws {
        var current = StoreMetadata(definition, storeUUID: metadata.storeUUID)
        let kept = try temporaryTables()
        for step in chain {
            let started = Date().timeIntervalSinceReferenceDate
            try run(step, metadata)
            try connection.execute([
                ServerStatement(
                    "INSERT INTO \"_migration\" (\"id\", \"source\", \"destination\", \"checksum\", \"started\", \"finished\") "
                        + "SELECT coalesce(max(\"id\"), 0) + 1, $1, $2, $3, $4, $5 FROM \"_migration\"",
                    [
                        .text(step.source), .text(step.destination), .text(sha256(Array(step.serverSQL.utf8))),
                        .value(.attribute(.double(started))),
                        .value(.attribute(.double(Date().timeIntervalSinceReferenceDate))),
                    ]
                )
            ])
        }
        try StageBatches.removeAll(stageStore)
        try dropTemporaryTables(except: kept)
        try requireOutcome()
        if !current.derivedAttributes.isEmpty { try deriveAttributes(metadata) }
        current.schema = metadata.schema
        try connection.execute(
            [
                ServerStatement("DELETE FROM \"_metadata\" WHERE \"key\" NOT LIKE 'note.%'"),
                // The entities and properties of the recorded transactions are those of the earlier version.
                ServerStatement("DELETE FROM \"_save\""),
                ServerStatement(
                    "UPDATE \"_sequence\" SET \"next\" = pg_current_xact_id()::text::bigint + 1 "
                        + "WHERE \"name\" IN ('save', '\(ServerHistory.name)')"
                ),
            ]
                + current.values.orderedByKey.map { key, value in
                    ServerStatement(
                        "INSERT INTO \"_metadata\" (\"key\", \"value\") VALUES ($1, $2)",
                        [.text(key), .text(value)]
                    )
                }
        )
    }

    /// Computes the derived attributes in the transaction of the migration.
    private func deriveAttributes(_ metadata: StoreMetadata) throws {
        let schema = StoreSchema(
            model: definition.model,
            mapping: mapping,
            classes: definition.classes,
            storeUUID: metadata.storeUUID,
            nonStrictTables: [],
            dialect: PostgresDialect()
        )
        // The metadata are written later.
        let engine = ServerEngine(
            database,
            schemaName: schemaName,
            versionHash: metadata.versionHash,
            hasDerivations: true,
            origin: 0
        )
        let store = PersistentStore(identifier: metadata.storeUUID, server: engine, path: place, schema: schema)
        // The context evaluates what SQL cannot; it reads only through the connection of the migration.
        let context = ManagedObjectContext(PersistentStoreCoordinator(managedObjectModel: definition, store: store))
        let writer = ServerWriter(connection, path: place)
        try withExtendedLifetime(context) {
            // The text of a statement does not show whether it changes values: a column that is renamed can replace one
            // that was dropped. Rows that have the right values are not written.
            try MigrationDeriving(schema, .engine(writer), RowEvaluator(context.fetcher))
                .derive(computed: metadata.derivedAttributes, hasWrittenRows: true)
        }
    }

    /// Runs the statements of a step and its stages.
    func run(_ step: ModelDefinition.Migration, _ metadata: StoreMetadata) throws {
        guard let sql = step.postgresSQL else {
            throw StoreError(
                .missingMigration,
                "the step from '\(step.source)' to '\(step.destination)' has no SQL for PostgreSQL; add \"postgresql\" to "
                    + "the stores in chordata.json, and build the program again",
                path: place
            )
        }
        let script = MigrationScript(sql)
        for statement in script.statements { try requireAllowedStatement(statement.sql, path: place) }
        let stagePlace = script.stagePlace ?? script.statements.count
        let stage = step.hasStage ? try StageRun(step, stages, metadata, stageStore, nil) : nil
        try stage?.willMigrate()
        try run(script.statements[..<stagePlace])
        try stage?.didMigrate()
        try run(script.statements[stagePlace...])
    }

    /// Runs statements in one round trip.
    private func run(_ statements: ArraySlice<MigrationScript.Statement>) throws {
        do {
            // A statement may have set another search path.
            let searchPath = ServerEngine.searchPath(schemaName)
            try connection.execute(statements.map { ServerStatement($0.sql) } + [searchPath])
        } catch let failure as ServerFailure {
            guard let index = failure.index.map({ statements.startIndex + $0 }), statements.indices.contains(index)
            else { throw failure }
            var error = failure.error
            let comment = statements[index].comment
            if !comment.isEmpty { error.message += ", in: \(comment)" }
            error.migrationCause = .init(message: error.message, statementIndex: index)
            throw error
        }
    }

    /// The temporary tables of the connection, with their schema.
    private func temporaryTables() throws -> Set<String> {
        let query = StoreQuery(
            "SELECT relname::text FROM pg_catalog.pg_class WHERE relnamespace = pg_catalog.pg_my_temp_schema() "
                + "AND relkind = 'r'"
        )
        let store = stageStore
        var names: Set<String> = []
        try store.reader.forEachRow(of: query) { row in
            if let name = row.text(at: 0) { names.insert(store.qualifiedTemporaryTable(name)) }
        }
        return names
    }

    /// Drops the temporary tables that the migration has created and not dropped, because the connection has other
    /// users later.
    private func dropTemporaryTables(except kept: Set<String>) throws {
        let names = try temporaryTables().subtracting(kept)
        guard !names.isEmpty else { return }
        try connection.execute([ServerStatement("DROP TABLE \(names.sorted().joined(separator: ", "))")])
    }

    /// Throws if the tables are not those of the version, because a step was written by hand.
    private func requireOutcome() throws {
        let drift = try serverDrift(from: mapping, connection)
        guard !drift.isEmpty else { return }
        throw StoreError(
            .migrationFailed,
            "the tables are not those of version '\(definition.versionName)': "
                + drift.joined(separator: ", "),
            path: place
        )
    }

    /// - Parameter keepsBatches: `true` if earlier batches of a stage are committed.
    private func failure(_ error: any Error, _ chain: [ModelDefinition.Migration], keepsBatches: Bool = false)
        -> StoreError
    {
        let error: StoreError =
            switch error {
            case let failure as ServerFailure: failure.error
            case let error as StoreError: error
            // A derived attribute cannot be computed; the description has its name.
            default: StoreError(.migrationFailed, "\(error)")
            }
        if chain.isEmpty { return error }
        switch error.code {
        case .busy, .connectionLost, .timedOut, .incompatibleModel, .newerVersion, .incompleteStore, .missingMigration,
            .missingStage, .unsupportedEnvironment:
            return error
        default: break  // All other errors are caused by the migration.
        }
        let steps = chain.map { "'\($0.source)' to '\($0.destination)'" }.joined(separator: ", ")
        let code: StoreError.Code = error.code == .full || error.code == .cancelled ? error.code : .migrationFailed
        let remedy =
            error.violation?.isOfUniqueness == true
            ? "; these values must be unique in the newer version: make them unique with a program that has the older "
                + "version of the model, then migrate again" : ""
        var result = error.reworded(
            code,
            "migration \(steps) failed and was undone\(keepsBatches ? ", except for the complete batches of its stage" : ""): "
                + "\(error.message)\(remedy)",
            path: place
        )
        result.migrationCause = error.migrationCause ?? .init(message: error.message)
        return result
    }
}

extension ModelDefinition.Migration {
    /// The SQL that is executed on a server.
    fileprivate var serverSQL: String { postgresSQL ?? "" }
}
