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
            What is found in a model's current version is told in full; of its other versions, which are history, only what \
            cannot work. 'chordata diagnostics' explains each id. Levels are set in \
            the 'chordata.json' or '<Model>.chordata.json' beside a model.
            """
    )

    @Argument(help: "The models: .xcdatamodeld, .xcdatamodel, or the 'contents' file of one.") var models: [String]
    @Option(help: "How to print what was found: text or json.") var format = OutputFormat.text
    @Flag(help: "Makes warnings errors.") var strict = false

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
