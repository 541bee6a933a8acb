internal import CChordataSQLite
internal import ChordataModel
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Takes a store to the current version of its model in one transaction: it ends new, or stays as it was; in one more for each version
/// with which a stage in batches begins.
struct StoreMigration {
    let definition: ModelDefinition
    let mapping: SchemaMapping
    let options: StoreOptions
    let observer: MigrationObserver?

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
        for step in chain { try definition.requireStage(of: step, options, path: connection.path) }
        var needsBackup = options.backsUpBeforeMigration
        /// Right before the version changes, and once.
        func backUpOnce() throws(StoreError) {
            if needsBackup { try backUp(connection) }
            needsBackup = false
        }
        // A long stage waits at the version that it begins with.
        for step in chain where step.hasBatches(options) {
            if step != chain.first {
                try backUpOnce()
                try waypoint(step.source, try step.models().source).runIfNeeded(on: connection)
            }
            try computeBatches(of: step, connection)
        }
        try backUpOnce()
        try runTransaction(chain, connection)
    }

    /// The way to a version on the way.
    private func waypoint(_ versionName: String, _ model: ManagedObjectModel) -> StoreMigration {
        StoreMigration(
            ModelDefinition(
                name: definition.name,
                versionName: versionName,
                model: model,
                migrations: definition.migrations,
                versionNames: definition.versionNames
            ),
            makeSchemaMapping(of: model),
            options,
            observer
        )
    }

    /// The same for a store that another program may have taken further meanwhile.
    private func runIfNeeded(on connection: SQLiteConnection) throws(StoreError) {
        do throws(StoreError) {
            let chain = try definition.migrations(from: try readMetadata(connection), path: connection.path)
            if !chain.isEmpty { try runTransaction(chain, connection) }
        } catch {
            // Whether there is no way at all shows when the way to the current version is looked for again.
            guard error.code == .missingMigration else { throw error }
            try connection.set("foreign_keys", to: 1)
        }
    }

    private func computeBatches(of step: ModelDefinition.Migration, _ connection: SQLiteConnection) throws(StoreError) {
        do throws(StoreError) {
            for batches in try StageBatches.all(of: step, options, connection) {
                try batches.prepare(in: .transaction)
                while try batches.computeNext(in: .transaction, observer) {}
            }
        } catch {
            if error.code == .busy { throw error }
            throw failure(error, [step], connection)
        }
    }

    private func runTransaction(_ chain: [ModelDefinition.Migration], _ connection: SQLiteConnection)
        throws(StoreError)
    {
        // A table rebuild with foreign keys on would delete the rows that refer to it, and the pragma does nothing inside a
        // transaction, https://sqlite.org/lang_altertable.html step 1. So it is set before, and read back.
        try connection.execute("PRAGMA foreign_keys=OFF")
        guard try connection.integer("PRAGMA foreign_keys") == 0 else {
            throw StoreError(
                .migrationFailed,
                "foreign keys cannot be switched off; nothing was changed",
                path: connection.path
            )
        }
        do throws(StoreError) {
            try connection.execute("BEGIN EXCLUSIVE")
            if let observer {
                try observer.interrupting(connection) { () throws(StoreError) in try migrate(connection) }
            } else {
                try migrate(connection)
            }
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            // Nothing of it was wrong: somebody else holds the store, or it is another one than this program's.
            if [.busy, .incompatibleModel, .newerVersion, .missingMigration, .missingStage, .storeDrifted].contains(error.code) {
                throw error
            }
            throw failure(error, chain, connection)
        }
        try connection.set("foreign_keys", to: 1)
    }

    /// The whole within the transaction.
    private func migrate(_ connection: SQLiteConnection) throws(StoreError) {
        // Another process may have migrated the store while this one waited for the lock.
        let metadata = try readMetadata(connection)
        let chain = try definition.migrations(from: metadata, path: connection.path)
        guard !chain.isEmpty else { return try StageBatches.removeAll(connection) }
        for step in chain { try definition.requireStage(of: step, options, path: connection.path) }
        try requireSchema(metadata, connection)
        let scripts = chain.map { MigrationScript($0.sql) }
        if scripts.contains(where: \.copiesRows) { try requireSpace(connection) }
        let touches = try MigrationTouches(connection)
        let foreign = try ForeignSchema(in: connection)
        var progress = MigrationProgress(
            source: metadata.versionName,
            destination: definition.versionName,
            phase: "",
            completedUnitCount: 0,
            totalUnitCount: scripts.reduce(0) { $0 + $1.statements.count }
        )
        for (step, script) in zip(chain, scripts) {
            let started = Date().timeIntervalSinceReferenceDate
            (progress.source, progress.destination) = (step.source, step.destination)
            let place = script.stagePlace ?? script.statements.count
            let stage =
                step.hasStage ? try StageRun(step, options, metadata, connection, touches, observer) : nil
            try stage?.willMigrate()
            try run(script.statements[..<place], connection, touches, &progress)
            try stage?.didMigrate()
            try run(script.statements[place...], connection, touches, &progress)
            try record(step, started: started, connection)
        }
        try StageBatches.removeAll(connection)
        try moveInlineData(connection, mapping)
        // The steps begin with the indexes that their versions ask for now, a store with those that they asked for once.
        try changeIndexes(of: mapping, connection)
        var current = StoreMetadata(definition, storeUUID: metadata.storeUUID)
        if !current.derivedAttributes.isEmpty {
            try MigrationDeriving(definition, mapping, metadata.storeUUID, connection)
                .derive(computed: metadata.derivedAttributes, hasWrittenRows: touches.hasWrittenRows)
        }
        try foreign.restore(in: connection)
        try requireReferences(touches, connection)
        try requireOutcome(chain, connection)
        try moveKeysOn(connection)
        current.schema = PhysicalSchema(mapping).text
        try writeMetadata(current, connection)
        progress.phase = ""
        try observer?.note(progress, path: connection.path)
    }

    private func run(
        _ statements: ArraySlice<MigrationScript.Statement>,
        _ connection: SQLiteConnection,
        _ touches: MigrationTouches,
        _ progress: inout MigrationProgress
    ) throws(StoreError) {
        for statement in statements {
            progress.phase = statement.comment
            try observer?.note(progress, path: connection.path)
            do throws(StoreError) {
                if let column = statement.droppedColumn {
                    try dropIndexes(of: column.table, using: column.name, connection)
                }
                let prepared = try touches.prepare(statement.sql)
                guard prepared.parameterCount == 0 else {
                    throw StoreError(
                        .statementFailed,
                        "a statement of a migration has a parameter, to which nobody gives a value: \(statement.sql)",
                        path: connection.path
                    )
                }
                while try prepared.step() {}
                if statement.changesColumns { touches.noteOtherColumns() }
            } catch {
                var error = error
                if !statement.comment.isEmpty { error.message += ", in: \(statement.comment)" }
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

    // MARK: What must hold before

    /// Refuses a store whose tables are not those that Chordata made: the SQL is for these.
    private func requireSchema(_ metadata: StoreMetadata, _ connection: SQLiteConnection) throws(StoreError) {
        guard let text = metadata.schema else { return }
        let expected = PhysicalSchema(text: text)
        let differences = try PhysicalSchema(of: expected.tables, in: connection).differences(from: expected)
        guard !differences.isEmpty else { return }
        throw StoreError(
            .storeDrifted,
            "belongs to version '\(metadata.versionName)', but somebody has changed its tables: "
                + differences.prefix(5).joined(separator: ", ") + (differences.count > 5 ? " and more" : "")
                + "; undo that ('chordata inspect \(connection.path)' tells all of it), then it can be migrated; nothing was changed",
            path: connection.path
        )
    }

    /// Refuses to begin where there is no room for another copy of what is there.
    private func requireSpace(_ connection: SQLiteConnection) throws(StoreError) {
        guard connection.path != ":memory:" else { return }
        let free = chordata_free_space(connection.path)
        let size = try connection.integer("PRAGMA page_count") * connection.integer("PRAGMA page_size")
        guard free >= 0, free < size else { return }
        throw StoreError(
            .full,
            "is copied as it is migrated, for which \(size) bytes are needed, but \(free) are free; make room, then try again; "
                + "nothing was changed",
            path: connection.path
        )
    }

    /// Copies the store to a file that is named after its version.
    private func backUp(_ connection: SQLiteConnection) throws(StoreError) {
        guard connection.path != ":memory:" else { return }
        // What is copied is of the version that is read here.
        try connection.execute("BEGIN")
        do throws(StoreError) {
            let metadata = try readMetadata(connection)
            // Another process may have been faster.
            if metadata.versionHash != definition.model.versionHash { try backUp(connection, metadata) }
            try connection.execute("COMMIT")
        } catch {
            if connection.isInTransaction { try connection.execute("ROLLBACK") }
            throw error
        }
    }

    private func backUp(_ connection: SQLiteConnection, _ metadata: StoreMetadata) throws(StoreError) {
        let name = String(metadata.versionName.map { $0 == "/" || $0 == "\0" ? "_" : $0 })
        for number in 1... {
            let path = "\(connection.path).\(name).backup" + (number == 1 ? "" : " \(number)")
            do throws(StoreError) {
                return try copyStore(connection, toNewFile: path)
            } catch {
                // Another copy has the name, from before or from this moment.
                guard error.code == .cannotOpen, FileManager.default.fileExists(atPath: path) else { throw error }
            }
        }
    }

    // MARK: What must hold after

    /// Checks the references of rows that were written, and those to rows that may be gone.
    private func requireReferences(_ touches: MigrationTouches, _ connection: SQLiteConnection) throws(StoreError) {
        for table in try touches.tablesToCheck() {
            let statement = try connection.prepare("SELECT \"parent\" FROM pragma_foreign_key_check(?) LIMIT 1")
            statement.bind(table, at: 1)
            guard try statement.step() else { continue }
            throw StoreError(
                .migrationFailed,
                "rows of '\(table)' refer to rows of '\(statement.text(at: 0) ?? "")' that do not exist",
                path: connection.path
            )
        }
    }

    /// Checks that the tables are those of a fresh store, whatever the SQL has done.
    private func requireOutcome(_ chain: [ModelDefinition.Migration], _ connection: SQLiteConnection) throws(StoreError)
    {
        let expected = PhysicalSchema(mapping)
        let differences = try PhysicalSchema(of: expected.tables, in: connection).differences(from: expected)
        guard !differences.isEmpty else { return }
        throw StoreError(
            .migrationFailed,
            "the tables are not those of version '\(definition.versionName)' in the end: "
                + differences.prefix(5).joined(separator: ", ") + "; the SQL of the migration is wrong",
            path: connection.path
        )
    }

    /// Sees to it that no key is given out that a row has: SQL that somebody has written may have made rows.
    private func moveKeysOn(_ connection: SQLiteConnection) throws(StoreError) {
        for table in mapping.tables {
            guard case .entity = table.kind else { continue }
            let last = try connection.integer("SELECT max(\"_id\") FROM \(quoteIdentifier(table.name))")
            guard last < Int64.max else {
                throw StoreError(
                    .migrationFailed,
                    "a row of '\(table.name)' has the _id \(last), the greatest there is, so no object could be inserted any more; give the row a smaller one",
                    path: connection.path
                )
            }
            try connection.execute(
                "UPDATE \"_sequence\" SET \"next\" = \(last) + 1 WHERE \"name\" = 'object' AND \"next\" <= \(last)"
            )
        }
    }

    private func failure(
        _ error: StoreError,
        _ chain: [ModelDefinition.Migration],
        _ connection: SQLiteConnection
    ) -> StoreError {
        let steps = chain.map { "'\($0.source)' to '\($0.destination)'" }.joined(separator: ", ")
        let code: StoreError.Code = error.code == .full || error.code == .cancelled ? error.code : .migrationFailed
        return StoreError(
            code,
            "migration \(steps) \(error.code == .cancelled ? "was cancelled" : "failed") and was undone: "
                + message(of: error) + remedy(for: error),
            sqliteCode: error.sqliteCode,
            path: connection.path
        )
    }

    /// What a check of the SQL says stands in the name of a constraint.
    private func message(of error: StoreError) -> String {
        let prefix = "CHECK constraint failed: "
        return error.message.hasPrefix(prefix) ? String(error.message.dropFirst(prefix.count)) : error.message
    }

    /// What to do about rows that the newer version does not allow for.
    private func remedy(for error: StoreError) -> String {
        // U13: a constraint that is new, or has fewer properties.
        if error.code == .constraintViolated { return " (134111)" }
        if error.sqliteCode == chordata_constraint_unique {
            return "; rows have the same values, of which the newer version wants each once: "
                + "make them differ with the older one (134111)"
        }
        // Rows that have the bytes that their version should have beside them.
        let isForInlineData =
            error.message.contains("no such table: _external_")
            || error.message.contains("cannot store BLOB value in INTEGER column")
        return isForInlineData
            ? "; the store has external data in its rows, so open it once with a program whose current version is that of the store"
            : ""
    }
}

extension ModelDefinition.Migration {
    /// What tells the SQL from any other.
    var checksum: String { sha256(Array(sql.utf8)) }
}
