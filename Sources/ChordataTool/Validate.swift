internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataModelFile

/// `chordata validate`.
struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks models and prints their problems.",
        discussion: """
            Example: chordata validate Models/*.xcdatamodeld --format json
            All problems of a model's current version are reported. Of the other versions, which should not be changed, only errors \
            that make a version unusable are reported. 'chordata diagnostics' explains each id. Levels are set in the \
            'chordata.json' or '<Model>.chordata.json' beside a model.
            """
    )

    @Argument(help: "The models: .xcdatamodeld, .xcdatamodel, or the 'contents' file of a version.") var models:
        [String]
    @Option(help: "The output format: text, json, or github for annotations of GitHub Actions.")
    var format = DiagnosticFormat.text
    @Flag(help: "Treats warnings as errors.") var strict = false

    func run() throws {
        var diagnostics: [Diagnostic] = []
        var versionCount = 0
        for path in models {
            let loaded = loadModel(at: path, configuration: GeneratorConfiguration(isStrict: strict))
            diagnostics += loaded.diagnostics
            guard let bundle = loaded.bundle else { continue }
            diagnostics += checkBundle(bundle, configuration: loaded.configuration)
            versionCount += bundle.versions.count
        }
        // Two models may share a configuration, whose problems are reported only once.
        var seen: Set<Diagnostic> = []
        diagnostics = diagnostics.sortedByLocation().filter { seen.insert($0).inserted }
        format.print(diagnostics)
        if format == .json { print(renderJSON(diagnostics), terminator: "") }
        summarize(
            "\(counted(models.count, "model")), \(counted(versionCount, "version")), \(diagnostics.summary)"
        )
        if diagnostics.hasErrors { throw ExitCode(1) }
    }
}
