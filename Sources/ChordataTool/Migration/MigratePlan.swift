internal import ArgumentParser
internal import ChordataConfiguration
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile

/// `chordata migrate plan`.
struct MigratePlan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "plan",
        abstract:
            "Prints the SQL that migrates a store to another version, with the model change for each statement.",
        discussion: """
            Examples: chordata migrate plan Done.xcdatamodeld (from the version before the current one)
                      chordata migrate plan Done.xcdatamodeld --from 'Done' --to 'Done 3' --format json
            Changes that lose data or cannot be inferred are reported on standard error, or in the JSON's diagnostics; \
            the exit code is 1 if a step has no migration, or if there are errors.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "The version to start from; by default the version before the end version.") var from: String?
    @Option(help: "The version to end with; the current version by default.") var to: String?
    @Option(help: "The output format: text or json.") var format = OutputFormat.text

    func run() throws {
        let parts = [("steps", "[]")]
        var (bundle, configuration, loading) = try load(model, format, empty: parts)
        let found = checkVersions(
            of: bundle,
            configuration.migrationFiles,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        loading += try report(found, format, empty: parts)
        let last = try bundle.index(ofVersion: to)
        let first = try from.map { try bundle.index(ofVersion: $0) } ?? last - 1
        guard bundle.versions.count > 1 else {
            printError("remark: '\(bundle.versions[last].name)' has no older version, so there is nothing to plan\n")
            if format == .json { printJSON(loading, []) }
            return
        }
        guard first >= 0 else {
            throw misuse("there is no version before '\(bundle.versions[last].name)'; \(bundle.orderExplanation)")
        }
        guard first < last else {
            throw misuse(
                "there is no migration from '\(bundle.versions[first].name)' to '\(bundle.versions[last].name)': "
                    + "migrations go from a version to a later one, and \(bundle.orderExplanation)"
            )
        }
        let steps = bundle.migrations(from: first, to: last, configuration.migrationFiles)
        let diagnostics = steps.flatMap(\.diagnostics).applying(configuration.configuration, isStrict: false)
        switch format {
        case .text:
            printError(renderText(diagnostics))
            print(steps.map(text).joined(separator: "\n"), terminator: "")
        case .json: printJSON(loading + diagnostics, steps)
        }
        if diagnostics.hasErrors || steps.contains(where: { $0.sql == nil }) { throw ExitCode(1) }
    }

    private func printJSON(_ diagnostics: [Diagnostic], _ steps: [ModelMigration]) {
        print(
            jsonObject([
                ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics)), ("steps", jsonArray(steps.map(json))),
            ])
        )
    }

    private func text(of step: ModelMigration) -> String {
        let names = "'\(step.source.name)' to '\(step.destination.name)'"
        guard let sql = step.sql else { return "-- \(names) cannot be inferred\n" }
        return step.changesStores ? sql : "-- \(names): stores need no migration\n"
    }

    private func json(of step: ModelMigration) -> String {
        jsonObject([
            ("from", jsonString(step.source.name)), ("to", jsonString(step.destination.name)),
            ("fromHash", jsonString(step.source.model.versionHash)),
            ("toHash", jsonString(step.destination.model.versionHash)),
            ("origin", jsonString(step.origin.rawValue)), ("hasStage", "\(step.hasStage)"),
            ("steps", jsonArray((step.changesStores ? step.plan?.allSteps ?? [] : []).map(json))),
            ("sql", step.sql.map(jsonString) ?? "null"),
        ])
    }

    private func json(of step: MigrationStep) -> String {
        jsonObject([
            ("kind", jsonString(step.kind.rawValue)), ("table", jsonString(step.table)),
            ("reasons", jsonArray(step.comments.map(jsonString))), ("losesData", "\(step.losesData)"),
            ("dependsOnData", "\(step.dependsOnData)"), ("statements", jsonArray(step.statements.map(jsonString))),
        ])
    }
}
