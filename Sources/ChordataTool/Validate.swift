internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration

/// `chordata validate`.
struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks models and prints their problems.",
        discussion: """
            Example: chordata validate Models/*.xcdatamodeld --format json
            All problems of a model's current version are reported; of its other versions, which are history, only \
            errors that make them unusable. 'chordata diagnostics' explains each id. Levels are set in the \
            'chordata.json' or '<Model>.chordata.json' beside a model.
            """
    )

    @Argument(help: "The models: .xcdatamodeld, .xcdatamodel, or the 'contents' file of one.") var models: [String]
    @Option(help: "The output format: text or json.") var format = OutputFormat.text
    @Flag(help: "Treats warnings as errors.") var strict = false

    func run() throws {
        var diagnostics: [Diagnostic] = []
        for path in models {
            let loaded = loadModel(at: path, configuration: GeneratorConfiguration(isStrict: strict))
            diagnostics += loaded.diagnostics
            if let bundle = loaded.bundle { diagnostics += checkBundle(bundle, configuration: loaded.configuration) }
        }
        // Two models may have one configuration, whose problems are reported once.
        var seen: Set<Diagnostic> = []
        diagnostics = diagnostics.sortedByLocation().filter { seen.insert($0).inserted }
        switch format {
        case .text: printError(renderText(diagnostics))
        case .json: print(renderJSON(diagnostics), terminator: "")
        }
        if diagnostics.hasErrors { throw ExitCode(1) }
    }
}
