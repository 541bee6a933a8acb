internal import ArgumentParser
internal import Chordata
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataPostgres
internal import ChordataVerification

/// `chordata migrate status`.
struct MigrateStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Lists a store's pending migrations.",
        discussion: """
            Examples: chordata migrate status done.sqlite --model Done.xcdatamodeld
                      chordata migrate status postgresql://app@db1/shop --schema done --model Done.xcdatamodeld
            The store is only read. The exit code is 2 if there are migrations to run. The command \
            also lists schema drift, which must be reverted before a migration can run, and migration files that were \
            changed after they ran in the store.
            """
    )

    @Argument(help: "The store: a path, or a connection string of a PostgreSQL server.") var store: String
    @OptionGroup var server: ServerPlaceOptions
    @Option(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let (bundle, configuration) = try load(model)
        let found = checkVersions(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        try report(found)
        let place = try StorePlace(store, server)
        let steps = bundle.migrations(from: 0, to: bundle.currentVersionIndex, configuration.migrationFiles)
        let definition = bundle.makeDefinition(configuration.migrationFiles)
        let inspection: StoreInspection
        let pending: [ModelDefinition.Migration]
        let changed: [StoreInspection.AppliedMigration]
        switch place {
        case .file(let path):
            try requireStore(at: path)
            let manager = MigrationManager(model: definition, path: path)
            inspection = try orFail { () throws(StoreError) in try inspectStore(at: path) }
            pending = try orFail { () throws(StoreError) in try manager.pendingMigrations() }
            changed = inspection.migrations.filter { steps.hasOtherFile(than: $0) }
        case .server(let server):
            inspection = try orFail { () throws(StoreError) in
                try inspectStore(
                    in: server.database,
                    schemaName: server.schema,
                    models: bundle.versions.map(\.model)
                )
            }
            pending = try orFail { () throws(StoreError) in
                try pendingMigrations(of: definition, in: server.database, schemaName: server.schema)
            }
            // A copied store has the migration records of its source, which can be a file.
            changed = inspection.migrations.filter {
                steps.hasOtherFile(than: $0, sql: \.postgresSQL) && steps.hasOtherFile(than: $0)
            }
        }
        let drift = inspection.drift ?? []
        func hasStage(_ step: ModelDefinition.Migration) -> Bool {
            steps.contains { $0.hasStage && $0.source.name == step.source && $0.destination.name == step.destination }
        }
        switch format {
        case .text:
            print("Version: \(inspection.versionName)")
            for change in drift { print("Schema drift: \(change)") }
            for step in changed {
                print("Migration file changed since it ran: \(step.source) → \(step.destination)")
            }
            for step in pending {
                let stage =
                    hasStage(step) ? ", has a Swift stage, so only your app can run it, not 'chordata migrate run'" : ""
                print("Pending: \(step.source) → \(step.destination)\(stage)")
            }
            if pending.isEmpty { print("Nothing to migrate.") }
        case .json:
            let pending = pending.map { step in
                jsonObject([
                    ("from", jsonString(step.source)), ("to", jsonString(step.destination)),
                    ("hasStage", "\(hasStage(step))"),
                ])
            }
            let changed = changed.map { step in
                jsonObject([("from", jsonString(step.source)), ("to", jsonString(step.destination))])
            }
            print(
                jsonObject([
                    ("version", "1"), ("versionName", jsonString(inspection.versionName)),
                    ("currentVersionName", jsonString(bundle.currentVersion.name)), ("pending", jsonArray(pending)),
                    ("changedSinceRun", jsonArray(changed)), ("drift", jsonArray(drift.map(jsonString))),
                ])
            )
        }
        if !pending.isEmpty { throw ExitCode(2) }
    }
}

extension [ModelMigration] {
    /// Returns a Boolean value that indicates whether the file of a step has other statements than those that ran in a
    /// store.
    ///
    /// Steps without a file are ignored, because their plan may change at any time.
    /// - Parameter sql: Returns the statements of a step for the engine of the store.
    fileprivate func hasOtherFile(
        than applied: StoreInspection.AppliedMigration,
        sql: (ModelMigration) -> String? = { $0.sql }
    ) -> Bool {
        contains { step in
            step.origin != .planned && step.source.name == applied.source
                && step.destination.name == applied.destination
                && sql(step).map { sha256([UInt8]($0.utf8)) } != applied.checksum
        }
    }
}
