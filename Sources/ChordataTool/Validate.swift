internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration

/// `chordata validate`.
struct Validate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks models and tells what is wrong with them.",
        discussion: "Example: chordata validate Models/*.xcdatamodeld --format json"
    )

    @Argument(help: "The models.") var models: [String]
    @Option(help: "How to print what was found: text or json.") var format = "text"

    func validate() throws {
        guard format == "text" || format == "json" else { throw ValidationError("--format is 'text' or 'json'") }
    }

    func run() throws {
        var diagnostics: [Diagnostic] = []
        for path in models {
            let loaded = loadModelBundle(at: path)
            diagnostics += loaded.diagnostics
            // Generation finds what reading cannot: predicates and names that do not work.
            if let bundle = loaded.bundle {
                diagnostics += generateFiles(of: bundle, configuration: GeneratorConfiguration()).diagnostics
            }
        }
        diagnostics = diagnostics.sortedByLocation()
        if format == "json" {
            print(renderJSON(diagnostics), terminator: "")
        } else {
            printError(renderText(diagnostics))
        }
        if diagnostics.hasErrors { throw ExitCode(1) }
    }
}
