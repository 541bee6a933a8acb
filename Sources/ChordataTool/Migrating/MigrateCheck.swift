internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataModelFile

/// `chordata migrate check`.
struct MigrateCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that the files of migrations are those of the model, and that nothing released was changed.",
        discussion: """
            Example: chordata migrate check Done.xcdatamodeld
            Nothing is written. The exit code is 1 where something released was changed or a step has no way, and 2 where \
            'chordata migrate new' would write files.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "How to print what was found: text or json.") var format = OutputFormat.text

    func run() throws {
        let (bundle, configuration) = try load(model)
        let files = configuration.migrationFiles
        let steps = bundle.migrations(from: 0, to: bundle.currentVersionIndex, files)
        let diagnostics =
            bundle.check(files)
            + steps.flatMap(\.diagnostics).filter { [.migrationNotInferred, .emptyMigration].contains($0.id) }
        // Whoever has no files at all has none to write.
        let changes = files.isEmpty ? [] : MigrationFileChanges(of: bundle, files, isRelease: false).files.map(\.name)
        switch format {
        case .text:
            printError(renderText(diagnostics.sortedByLocation()))
            for name in changes { print("\(files.folder)\(name)") }
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics.sortedByLocation())),
                    ("changes", jsonArray(changes.map { jsonString(files.folder + $0) })),
                ])
            )
        }
        if diagnostics.hasErrors { throw ExitCode(1) }
        if !changes.isEmpty { throw ExitCode(2) }
    }
}
