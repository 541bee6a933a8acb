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
            The store is only read. The exit code is 2 if there are migrations to run. What somebody has changed of its tables is told as well, \
            because no migration runs before that is undone.
            """
    )

    @Argument(help: "The store.") var store: String
    @Option(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "How to print the state: text or json.") var format = OutputFormat.text

    func run() throws {
        let (bundle, configuration) = try load(model)
        try report(checkVersions(of: bundle, configuration: configuration))
        let manager = MigrationManager(model: bundle.makeDefinition(configuration.migrationFiles), path: store)
        let inspection = try orFail { () throws(StoreError) in try inspectStore(at: store) }
        let drift = inspection.drift ?? []
        let pending = try orFail { () throws(StoreError) in try manager.pendingMigrations() }
        switch format {
        case .text:
            print("Version: \(inspection.versionName)")
            for change in drift { print("Changed by somebody: \(change)") }
            for step in pending { print("Pending: \(step.source) → \(step.destination)") }
            if pending.isEmpty { print("Nothing to migrate.") }
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("versionName", jsonString(inspection.versionName)),
                    ("currentVersionName", jsonString(bundle.currentVersion.name)),
                    (
                        "pending",
                        jsonArray(
                            pending.map {
                                jsonObject([("from", jsonString($0.source)), ("to", jsonString($0.destination))])
                            }
                        )
                    ), ("drift", jsonArray(drift.map(jsonString))),
                ])
            )
        }
        if !pending.isEmpty { throw ExitCode(2) }
    }
}
