internal import ArgumentParser
internal import Chordata
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile
internal import ChordataPostgres
internal import ChordataVerification
internal import Foundation

/// `chordata migrate run`.
struct MigrateRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Migrates a store to the current version of its model.",
        discussion: """
            Examples: chordata migrate run done.sqlite --model Done.xcdatamodeld --backup
                      chordata migrate run postgresql://app@db1/shop --schema done --model Done.xcdatamodeld
            The store is migrated completely or left unchanged. A dry run migrates a copy and prints the result; the \
            exit code is 2 if the store needs a migration. Stores on a server have neither dry runs nor backups by \
            this command.
            """
    )

    @Argument(help: "The store: a path, or a connection string of a PostgreSQL server.") var store: String
    @OptionGroup var server: ServerPlaceOptions
    @Option(help: "The model, an .xcdatamodeld.") var model: String
    @Flag(help: "Migrates a copy, and leaves the store unchanged.") var dryRun = false
    @Flag(
        help:
            "Copies the store to a file beside it before a migration; if the migration fails, the store is unchanged, and the copy is deleted."
    )
    var backup = false
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() async throws {
        let (bundle, configuration) = try load(model)
        let found = checkMigrations(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        try report(found.diagnostics)
        let definition = bundle.makeDefinition(configuration.migrationFiles)
        let pending =
            switch try StorePlace(store, server) {
            case .file(let path): try await migrateFile(path, definition)
            case .server(let server): try migrate(server, definition)
            }
        printSteps(pending)
        if dryRun, !pending.isEmpty { throw ExitCode(2) }
    }

    /// Migrates the store in a file, or a copy of it.
    /// - Returns: The migrations that it needed.
    private func migrateFile(_ path: String, _ definition: ModelDefinition) async throws -> [ModelDefinition.Migration]
    {
        try requireStore(at: path)
        let pending = try orFail { () throws(StoreError) in
            if !dryRun { try undoUnfinishedTransaction(ofStoreAt: path) }
            // A missing file has nothing to migrate, and is an error.
            _ = try PersistentStoreCoordinator.metadata(forStoreAt: path)
            return try MigrationManager(model: definition, path: path).pendingMigrations()
        }
        if !pending.isEmpty {
            if dryRun {
                let folder = try TemporaryFolder()
                defer { folder.remove() }
                let copy = folder.path + "/copy.sqlite"
                try orFail { () throws(StoreError) in
                    try PersistentStoreCoordinator.replacePersistentStore(at: copy, withStoreAt: path)
                }
                try await migrate(copy, definition)
            } else {
                try await migrate(path, definition)
            }
        }
        return pending
    }

    /// Migrates a store on a server.
    /// - Returns: The migrations that it needed.
    private func migrate(_ server: ServerPlace, _ definition: ModelDefinition) throws -> [ModelDefinition.Migration] {
        if dryRun {
            throw misuse(
                "--dry-run migrates a copy, and this command does not copy stores on a server; restore a backup "
                    + "(pg_dump) into another database, and migrate that"
            )
        }
        if backup {
            throw misuse("--backup is for files; before the migration, make a backup with 'pg_dump --schema=…'")
        }
        return try orFail { () throws(StoreError) in
            try migrateStore(of: definition, in: server.database, schemaName: server.schema)
        }
    }

    private func printSteps(_ pending: [ModelDefinition.Migration]) {
        switch format {
        case .text:
            let steps = pending.map { "\($0.source) → \($0.destination)" }
            print(
                steps.isEmpty
                    ? "Nothing to migrate."
                    : steps.map { (dryRun ? "Would migrate " : "Migrated ") + $0 }.joined(separator: "\n")
            )
        case .json:
            let steps = pending.map {
                jsonObject([("from", jsonString($0.source)), ("to", jsonString($0.destination))])
            }
            print(
                jsonObject([
                    ("version", "1"), ("isDryRun", "\(dryRun)"),
                    (dryRun ? "wouldMigrate" : "migrated", jsonArray(steps)),
                ])
            )
        }
    }

    private func migrate(_ path: String, _ definition: ModelDefinition) async throws {
        var options = StoreOptions(backsUpBeforeMigration: backup && !dryRun)
        // Backups of steps that already ran are not needed here.
        options.requiresAllStages = false
        let manager = MigrationManager(model: definition, path: path, options: options)
        let updates = manager.updates
        let bar = Task {
            for await progress in updates {
                showProgress(
                    progress.fractionCompleted,
                    "\(progress.source) → \(progress.destination) \(progress.phase)"
                )
            }
        }
        do throws(StoreError) {
            try await manager.migrateStore()
        } catch {
            var error = error
            // The path of a dry run's copy means nothing to the user.
            error.path = store
            bar.cancel()
            clearProgress()
            printError("error: \(error)\n")
            throw ExitCode(1)
        }
        await bar.value
        clearProgress()
    }
}
