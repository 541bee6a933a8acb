internal import ArgumentParser
internal import ChordataApple
internal import ChordataDiagnostics
internal import ChordataGeneration
internal import ChordataMigration
internal import ChordataMigrationFiles
internal import ChordataModel
internal import ChordataModelFile

/// `chordata migrate lint`.
struct MigrateLint: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lint",
        abstract:
            "Lists migrations that lose data, convert values to a type of less range or precision, may fail, or break other programs that read the store.",
        discussion: """
            Examples: chordata migrate lint Done.xcdatamodeld
                      chordata migrate lint Done.xcdatamodeld --from 'Done' --to 'Done 3' --format json
            The command checks the steps that are not released. If there are neither migration files nor --from, it checks \
            only the last step, to the current version or to that of --to. To accept an intended change, set the level of \
            its id in 'chordata.json'; 'chordata diagnostics' explains each id. The exit code is 1 if there are errors. A warning without an id names changes that Core Data does \
            not notice, because all version hashes are equal; in this case, an app that uses Core Data does not migrate its stores.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld.") var model: String
    @Option(help: "The version to start from.") var from: String?
    @Option(help: "The version to end with; the current version by default.") var to: String?
    @Option(help: "The output format: text, json, or github for annotations of GitHub Actions.")
    var format = DiagnosticFormat.text
    @Flag(help: "Treats warnings as errors.") var strict = false

    func run() throws {
        let parts = [("filesByHand", "[]"), ("releasedFiles", "[]")]
        let (bundle, configuration, diagnostics) =
            try load(model, format.output, empty: parts, GeneratorConfiguration(isStrict: strict))
        let first = try from.map { try bundle.index(ofVersion: $0) }
        let last = try bundle.index(ofVersion: to)
        guard first.map({ $0 < last }) ?? true else {
            let order = first == last ? "" : ", and \(bundle.orderExplanation)"
            throw misuse("migrations go from a version to a later one\(order)")
        }
        let found = lintMigrations(
            of: bundle,
            configuration.migrationFiles,
            from: first,
            to: last,
            configuration: configuration.configuration,
            isStrict: configuration.isStrict
        )
        let unnoticed = stepsWithEqualHashes(of: bundle, from: first ?? max(0, last - 1), to: last)
        format.print(found.diagnostics)
        for step in unnoticed where format.output == .text {
            let message =
                "Core Data does not migrate stores of '\(step.from)' to '\(step.to)', because all version hashes are equal "
                + "although the models differ; set a hash modifier where the change needs a migration"
            printError("\(strict ? "error" : "warning"): \(escape(message, with: .message))\n")
        }
        switch format.output {
        case .text:
            for name in found.filesByHand {
                print(
                    "'\(name)' was edited; this command checks only the change of the model, not the SQL of the file"
                )
            }
            let released = found.releasedFiles.count
            if released > 0 { print("released steps, which are not checked: \(released)") }
            summarize(found.diagnostics.summary)
        case .json:
            print(
                jsonObject([
                    ("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics + found.diagnostics)),
                    ("filesByHand", jsonArray(found.filesByHand.map(jsonString))),
                    ("releasedFiles", jsonArray(found.releasedFiles.map(jsonString))),
                    (
                        "stepsWithEqualHashes",
                        jsonArray(
                            unnoticed.map { jsonObject([("from", jsonString($0.from)), ("to", jsonString($0.to))]) }
                        )
                    ),
                ])
            )
        }
        if found.diagnostics.hasErrors || strict && !unnoticed.isEmpty { throw ExitCode(1) }
    }

    /// The steps between versions that differ, but whose hashes, by which Core Data distinguishes versions, are equal.
    private func stepsWithEqualHashes(of bundle: ModelBundle, from first: Int, to last: Int) -> [(
        from: String, to: String
    )] {
        (first..<last).compactMap { index in
            let (old, new) = (bundle.versions[index], bundle.versions[index + 1])
            guard !compareModels(old.model, new.model).isEmpty,
                StoreCompatibility(VersionHashes(of: old.model), VersionHashes(of: new.model)) == .compatible
            else { return nil }
            return (old.name, new.name)
        }
    }
}
