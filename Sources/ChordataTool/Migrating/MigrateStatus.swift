internal import ArgumentParser
internal import Chordata
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile
internal import ChordataVerification

/// `chordata migrate status`.
struct MigrateStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Lists a store's pending migrations.",
        discussion: """
            Example: chordata migrate status done.sqlite --model Done.xcdatamodeld
            The store is only read. The exit code is 2 if there are migrations to run. The command \
            also lists schema drift, which must be reverted before a migration can run, and migration files that were \
            changed after they ran in the store.
            """
    )

    @Argument(help: "The store.") var store: String
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
        try requireStore(at: store)
        let steps = bundle.migrations(from: 0, to: bundle.currentVersionIndex, configuration.migrationFiles)
        let manager = MigrationManager(model: bundle.makeDefinition(configuration.migrationFiles), path: store)
        let inspection = try orFail { () throws(StoreError) in try inspectStore(at: store) }
        let drift = inspection.drift ?? []
        let pending = try orFail { () throws(StoreError) in try manager.pendingMigrations() }
        let changed = inspection.migrations.filter { steps.hasOtherFile(than: $0) }
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
    /// Returns a Boolean value that indicates whether the file of a step has other statements than ran in a store; what
    /// is not in files may be planned otherwise at any time.
    fileprivate func hasOtherFile(than applied: StoreInspection.AppliedMigration) -> Bool {
        contains { step in
            step.origin != .planned && step.source.name == applied.source
                && step.destination.name == applied.destination
                && step.sql.map { sha256([UInt8]($0.utf8)) } != applied.checksum
        }
    }
}
