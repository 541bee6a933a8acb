internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The migration of a store to the current version of its model.
///
/// It is one transaction, plus one transaction for each intermediate version at which a batched stage begins. If an
/// error is thrown, the store has the version of the last committed transaction.
struct StoreMigration {
    let definition: ModelDefinition
    let mapping: SchemaMapping
    let options: StoreOptions
    let observer: MigrationObserver?
    /// The program's own model, if this is a migration to an intermediate version; otherwise, `nil`.
    private var whole: ModelDefinition?

    init(
        _ definition: ModelDefinition,
        _ mapping: SchemaMapping,
        _ options: StoreOptions,
        _ observer: MigrationObserver?
    ) {
        self.definition = definition
        self.mapping = mapping
        self.options = options
        self.observer = observer
    }

    func run(on connection: SQLiteConnection) throws(StoreError) {
        let metadata = try readMetadata(connection)
        let chain = try definition.migrations(from: metadata, path: connection.path)
        for step in chain { try definition.requireStage(of: step, options.migrationStages, path: connection.path) }
        // The first transaction that changes the version copies the unchanged store.
        var backsUp = options.backsUpBeforeMigration
        // A batched stage computes its values while the store is at the source version of its step.
        for step in chain where step.hasBatches(options.migrationStages) {
            if step != chain.first {
                let waypoint = try definition.waypoint(before: step)
                var migration = StoreMigration(waypoint, makeSchemaMapping(of: waypoint.model), options, observer)
                migration.whole = definition
                try migration.runTransaction(connection, backsUp: backsUp)
                backsUp = false
            }
            try computeBatches(of: step, connection)
        }
        try runTransaction(connection, backsUp: backsUp)
    }

    private func computeBatches(of step: ModelDefinition.Migration, _ connection: SQLiteConnection) throws(StoreError) {
        do throws(StoreError) {
            for batches in try StageBatches.all(of: step, options.migrationStages, SQLiteStageStore(connection)) {
                try batches.prepare(in: .transaction)
                while try batches.computeNext(in: .transaction, observer) {}
            }
        } catch {
            throw failure(error, [step], connection, keepsBatches: true)
        }
    }

    private func runTransaction(_ connection: SQLiteConnection, backsUp: Bool) throws(StoreError) {
        // A table rebuild with foreign keys on would delete the rows that reference it, and the pragma has no effect
        // inside a transaction, https://sqlite.org/lang_altertable.html step 1. So the pragma is set before, and its
        // value is read back.
        try connection.execute("PRAGMA foreign_keys=OFF")
        guard try connection.integer("PRAGMA foreign_keys") == 0 else {
            throw StoreError(
                .migrationFailed,
                "SQLite ignored PRAGMA foreign_keys=OFF, which a migration needs; nothing was changed",
                path: connection.path
            )
        }
        var backup: String?
        var chain: [ModelDefinition.Migration] = []
        do throws(StoreError) {
            try connection.execute("BEGIN EXCLUSIVE")
            // Another process may have migrated the store while this process waited for the lock.
            let metadata = try readMetadata(connection)
            chain = try definition.pendingSteps(metadata, of: whole, path: connection.path)
            // Batches of the version that the store has now can be those of another process.
            if !chain.isEmpty {
                for step in chain {
                    try definition.requireStage(of: step, options.migrationStages, path: connection.path)
                }
                try requireNoDrift(of: metadata, connection)
                let scripts = chain.map { MigrationScript($0.sql) }
                try requireSpace(for: scripts, copies: backsUp, connection)
                if backsUp { backup = try backUp(metadata, connection) }
                let steps = Array(zip(chain, scripts))
                if let observer {
                    try observer.interrupting(connection) { () throws(StoreError) in
                        try migrate(metadata, steps, connection)
                    }
                } else {
                    try migrate(metadata, steps, connection)
                }
                try requireSpaceForCheckpoint(connection)
            }
            try connection.commit()
        } catch {
            connection.rollBack()
            throw failure(error, chain, connection, backup: backup)
        }
        try connection.setDoubleQuotedTexts(false)
        try connection.set("foreign_keys", to: 1)
    }

    /// Runs all parts of the migration that belong to the transaction.
    private func migrate(
        _ metadata: StoreMetadata,
        _ steps: [(ModelDefinition.Migration, MigrationScript)],
        _ connection: SQLiteConnection
    ) throws(StoreError) {
        // Tables are rebuilt and renamed without full-text indexes; afterwards, the indexes are created for the new
        // tables.
        try dropFullTextIndexes(connection)
        let writeTracker = try MigrationWriteTracker(connection)
        let foreign = try ThirdPartySchemaObjects(in: connection, ownTables: ownTables(metadata))
        // Tables whose schema objects use double-quoted texts could otherwise not be renamed or rebuilt.
        if !foreign.isEmpty { try connection.setDoubleQuotedTexts(true) }
        var progress = MigrationProgress(
            source: metadata.versionName,
            destination: definition.versionName,
            phase: "",
            completedUnitCount: 0,
            totalUnitCount: steps.reduce(0) { $0 + $1.1.statements.count } + ClosingPart.allCases.count
        )
        for (step, script) in steps {
            let started = Date().timeIntervalSinceReferenceDate
            (progress.source, progress.destination) = (step.source, step.destination)
            let place = script.stagePlace ?? script.statements.count
            let stage =
                step.hasStage
                ? try StageRun(
                    step,
                    options.migrationStages,
                    metadata,
                    SQLiteStageStore(connection, writeTracker),
                    observer
                ) : nil
            try stage?.willMigrate()
            try run(script.statements[..<place], connection, writeTracker, &progress)
            try stage?.didMigrate()
            try run(script.statements[place...], connection, writeTracker, &progress)
            try record(step, started: started, connection)
        }
        try dropTemporaryItems(connection)
        try asStoreError(connection) { try StageBatches.removeAll(SQLiteStageStore(connection)) }
        try moveInlineData(connection, mapping)
        // The steps assume the indexes that their versions define now, but a store has the indexes that its version
        // defined when a program last opened the store.
        try begin(.indexes, &progress, connection)
        try changeIndexes(of: mapping, connection)
        var current = StoreMetadata(definition, storeUUID: metadata.storeUUID)
        try begin(.derivedAttributes, &progress, connection)
        if !current.derivedAttributes.isEmpty {
            try deriveAttributes(metadata, hasWrittenRows: writeTracker.hasWrittenRows, connection)
        }
        try begin(.checks, &progress, connection)
        try foreign.restore(in: connection)
        try requireReferences(writeTracker, foreign, connection)
        try requireOutcome(metadata, writeTracker, connection)
        try moveKeysOn(connection)
        try begin(.fullTextIndexes, &progress, connection)
        try changeFullTextIndexes(of: mapping, connection)
        // The entities and properties in the history are those of the earlier version.
        try clearHistory(connection)
        current.schema = PhysicalSchema(mapping).text
        try writeMetadata(current, connection)
        progress.completedUnitCount = progress.totalUnitCount
        progress.phase = ""
        try observer?.report(progress, path: connection.path)
    }

    private func deriveAttributes(_ metadata: StoreMetadata, hasWrittenRows: Bool, _ connection: SQLiteConnection)
        throws(StoreError)
    {
        let schema = StoreSchema(
            model: definition.model,
            mapping: mapping,
            classes: definition.classes,
            storeUUID: metadata.storeUUID,
            nonStrictTables: []
        )
        try asStoreError(connection) {
            try MigrationDeriving(schema, .sqlite(connection))
                .derive(computed: metadata.derivedAttributes, hasWrittenRows: hasWrittenRows)
        }
    }

    private func asStoreError(_ connection: SQLiteConnection, _ body: () throws -> Void) throws(StoreError) {
        do {
            try body()
        } catch let error as StoreError {
            throw error
        } catch {
            throw StoreError(.migrationFailed, "\(error)", path: connection.path)
        }
    }

    /// The work after the statements of all steps, each part of which is one unit of the progress.
    private enum ClosingPart: String, CaseIterable {
        case indexes = "creating the indexes"
        case derivedAttributes = "computing the derived attributes"
        case checks = "checking the references"
        case fullTextIndexes = "creating the full-text indexes"
    }

    private func begin(_ part: ClosingPart, _ progress: inout MigrationProgress, _ connection: SQLiteConnection)
        throws(StoreError)
    {
        let remaining = ClosingPart.allCases.drop { $0 != part }.count
        progress.completedUnitCount = progress.totalUnitCount - remaining
        progress.phase = part.rawValue
        try observer?.report(progress, path: connection.path)
    }

    /// Returns the tables in a store that Chordata created; `nil` for a store without this information.
    private func ownTables(_ metadata: StoreMetadata) -> Set<String>? {
        metadata.schema.map { PhysicalSchema(text: $0).tables }
    }

    /// Drops the temporary items that the SQL has created and not dropped, because they would disturb the program's own
    /// statements.
    private func dropTemporaryItems(_ connection: SQLiteConnection) throws(StoreError) {
        let items = try connection.rows(
            "SELECT \"type\", \"name\" FROM sqlite_temp_schema WHERE \"type\" IN ('table', 'view', 'trigger') ORDER BY \"type\" <> 'trigger'"
        )
        for item in items {
            guard case (.text(let type), .text(let name)) = (item[0], item[1]), !name.hasPrefix("sqlite_") else {
                continue
            }
            try connection.execute("DROP \(type.uppercased()) IF EXISTS temp.\(quoteIdentifier(name))")
        }
    }

    private func run(
        _ statements: ArraySlice<MigrationScript.Statement>,
        _ connection: SQLiteConnection,
        _ writeTracker: MigrationWriteTracker,
        _ progress: inout MigrationProgress
    ) throws(StoreError) {
        for (index, statement) in zip(statements.indices, statements) {
            progress.phase = statement.comment
            try observer?.report(progress, path: connection.path)
            do throws(StoreError) {
                if let column = statement.droppedColumn {
                    try dropIndexes(of: column.table, using: column.name, connection)
                }
                let prepared = try writeTracker.prepare(statement.sql)
                guard prepared.parameterCount == 0 else {
                    throw StoreError(
                        .statementFailed,
                        "statements of a migration cannot have parameters, such as ? or :name; write the values in the SQL: \(statement.sql)",
                        path: connection.path
                    )
                }
                while try prepared.step() {}
                if statement.changesColumns { writeTracker.recordOtherColumns() }
            } catch {
                var error = error
                if let duplicates = try statement.duplicates(after: error, connection) { error.message = duplicates }
                if !statement.comment.isEmpty { error.message += ", in: \(statement.comment)" }
                error.migrationCause = .init(message: error.message, statementIndex: index)
                throw error
            }
            progress.completedUnitCount += 1
        }
    }

    private func record(
        _ step: ModelDefinition.Migration,
        started: Double,
        _ connection: SQLiteConnection
    ) throws(StoreError) {
        let statement = try connection.prepare(
            """
            INSERT INTO "_migration" ("source", "destination", "checksum", "started", "finished") VALUES (?, ?, ?, ?, ?)
            """
        )
        statement.bind(step.source, at: 1)
        statement.bind(step.destination, at: 2)
        statement.bind(step.checksum, at: 3)
        statement.bind(started, at: 4)
        statement.bind(Date().timeIntervalSinceReferenceDate, at: 5)
        try statement.run()
    }

    // MARK: Failing

    /// Returns the error to report when the transaction was rolled back or may have been rolled back.
    /// - Parameter keepsBatches: `true` if earlier batches of a stage are committed.
    private func failure(
        _ error: StoreError,
        _ chain: [ModelDefinition.Migration],
        _ connection: SQLiteConnection,
        backup: String? = nil,
        keepsBatches: Bool = false
    ) -> StoreError {
        if error.code == .outcomeUnknown { return error }
        var error = error
        do throws(StoreError) {
            error.message += try brokenBefore(error, connection)
            // The store is unchanged, so the copy is not needed.
            if let backup { try removeStore(at: backup) }
        } catch let other {
            // The message begins with the first error.
            error.message += "; \(other)"
        }
        // The migration did not cause these errors: another process has locked the store, or the store is not this
        // program's.
        let isOfTheStore =
            switch error.code {
            case .busy, .incompatibleModel, .newerVersion, .incompleteStore, .missingMigration, .missingStage,
                .storeDrifted:
                true
            default: false  // The migration caused all others.
            }
        if isOfTheStore { return error }
        let steps = chain.map { "'\($0.source)' to '\($0.destination)'" }.joined(separator: ", ")
        let code: StoreError.Code = error.code == .full || error.code == .cancelled ? error.code : .migrationFailed
        var result = error.reworded(
            code,
            "migration \(steps) \(error.code == .cancelled ? "was cancelled" : "failed") and was undone"
                + (keepsBatches ? ", except for the complete batches of its stage: " : ": ") + message(of: error)
                + remedy(for: error),
            path: connection.path
        )
        result.migrationCause = error.migrationCause ?? .init(message: message(of: error))
        return result
    }

    /// Returns the message of an error; the message of a check in the SQL is the name of a constraint.
    private func message(of error: StoreError) -> String {
        let prefix = "CHECK constraint failed: "
        return error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : error.message
    }

    /// Returns advice for rows that the newer version does not allow.
    private func remedy(for error: StoreError) -> String {
        // U13: a constraint that is new, or has fewer properties.
        if error.code == .constraintViolated { return " (cause: NSMigrationConstraintViolationError, 134111)" }
        if error.violation?.isOfUniqueness == true {
            return "; these values must be unique in the newer version: make them unique with a program that has the "
                + "older version of the model, then migrate again (cause: NSMigrationConstraintViolationError, 134111)"
        }
        // The rows contain the bytes that their version should have in a side table.
        let isForInlineData =
            error.message.contains("no such table: _external_")
            || error.message.contains("cannot store BLOB value in INTEGER column")
        return isForInlineData
            ? "; the store has external data in rows instead of in a side table; open it once with a program whose current version is the version of the store, which moves the data, then migrate"
            : ""
    }
}

extension MigrationScript.Statement {
    /// Returns a description of the rows that prevented the statement from creating a unique index; `nil` for other
    /// failures.
    fileprivate func duplicates(after error: StoreError, _ connection: SQLiteConnection) throws(StoreError) -> String? {
        guard error.violation?.isOfUniqueness == true,
            let match = sql.prefixMatch(
                of: /CREATE UNIQUE INDEX (?:IF NOT EXISTS )?"(?:[^"]|"")+" ON "((?:[^"]|"")+)" \(([^()]*)\)/
            )
        else { return nil }
        let columns = match.2.matches(of: /"((?:[^"]|"")+)"/).map { String($0.1).replacing("\"\"", with: "\"") }
        guard !columns.isEmpty else { return nil }
        return try describeDuplicates(columns, of: String(match.1).replacing("\"\"", with: "\""), connection)
    }
}

extension ModelDefinition {
    /// Returns the definition of the version before a step, to which a store is migrated first.
    package func waypoint(before step: Migration) throws(StoreError) -> ModelDefinition {
        ModelDefinition(
            name: name,
            versionName: step.source,
            model: try step.models().source,
            migrations: migrations,
            versionNames: versionNames,
            versionOrder: versionOrder
        )
    }

    /// Returns the steps from the version of a store to this version; empty if another program has migrated the store
    /// that far.
    /// - Parameter whole: The program's own model if this is a waypoint; otherwise, `nil`.
    package func pendingSteps(_ metadata: StoreMetadata, of whole: ModelDefinition?, path: String) throws(StoreError)
        -> [Migration]
    {
        guard let whole else { return try migrations(from: metadata, path: path) }
        let chain = try whole.migrations(from: metadata, path: path)
        return chain.firstIndex { $0.sourceHash == versionHash }.map { Array(chain[..<$0]) } ?? []
    }
}

extension ModelDefinition.Migration {
    /// The checksum that identifies the SQL.
    var checksum: String { sha256(Array(sql.utf8)) }
}
