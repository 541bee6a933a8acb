internal import ArgumentParser
internal import Chordata
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataModelFile

/// `chordata migrate status`.
struct MigrateStatus: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Tells which migrations a store has before it.",
        discussion: """
            Example: chordata migrate status done.sqlite --model Done.xcdatamodeld
            The store is only read. The exit code is 2 if there are migrations to run.
            """
    )

    @Argument(help: "The store.") var store: String
    @Option(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "How to print the state: text or json.") var format = OutputFormat.text

    func run() throws {
        let (bundle, configuration) = try load(model)
        try report(checkVersions(of: bundle, configuration: configuration))
        let manager = MigrationManager(model: bundle.makeDefinition(configuration.migrationFiles), path: store)
        let metadata = try orFail { () throws(StoreError) in
            try PersistentStoreCoordinator.metadata(forStoreAt: store)
        }
        let pending = try orFail { () throws(StoreError) in try manager.pendingMigrations() }
        switch format {
        case .text:
            print("Version: \(metadata.versionName)")
            for step in pending { print("Pending: \(step.source) → \(step.destination)") }
            if pending.isEmpty { print("Nothing to migrate.") }
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("versionName", jsonString(metadata.versionName)),
                    ("currentVersionName", jsonString(bundle.currentVersion.name)),
                    (
                        "pending",
                        jsonArray(
                            pending.map {
                                jsonObject([("from", jsonString($0.source)), ("to", jsonString($0.destination))])
                            }
                        )
                    ),
                ])
            )
        }
        if !pending.isEmpty { throw ExitCode(2) }
    }
}
