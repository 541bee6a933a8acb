internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigrationFiles
internal import ChordataModelFile

/// `chordata migrate check`.
struct MigrateCheck: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Checks that the migration files match the model, and that no released version or file was changed.",
        discussion: """
            Example: chordata migrate check Done.xcdatamodeld
            Nothing is written. The SQL of edited files is tested on a store without objects. The exit code is 1 if \
            a released version or file was changed, if the step to the current version cannot be migrated, or if an edited \
            file fails; otherwise 2 if 'chordata migrate new' would write files.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "The output format: text, json, or github for annotations of GitHub Actions.")
    var format = DiagnosticFormat.text

    func run() throws {
        let (bundle, configuration, diagnostics) = try load(model, format.output, empty: [("changes", "[]")])
        let files = configuration.migrationFiles
        var found = checkMigrations(
            of: bundle,
            files,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        found.diagnostics += try tryStatements(
            of: bundle.migrations(from: 0, to: bundle.currentVersionIndex, files),
            in: bundle,
            files
        )
        let changes = found.fileNames.map { FileChange(migrationFile: $0, files, ofModel: model) }
        format.print(found.diagnostics)
        switch format.output {
        case .text:
            for change in changes {
                if format == .github {
                    print(change.annotation, terminator: "")
                } else {
                    print(change.path)
                    // Explanations are printed only if there are no errors, because errors must be fixed first.
                    if !found.diagnostics.hasErrors { printError(change.explanation) }
                }
            }
            summarize(
                "\(counted(bundle.versions.count, "version")), \(found.diagnostics.summary)"
                    + (changes.isEmpty
                        ? "" : "; 'chordata migrate new' would write \(counted(changes.count, "file"))")
            )
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics + found.diagnostics)),
                    ("changes", jsonArray(changes.map { jsonString($0.path) })),
                ])
            )
        }
        if found.diagnostics.hasErrors { throw ExitCode(1) }
        if !changes.isEmpty { throw ExitCode(2) }
    }
}
