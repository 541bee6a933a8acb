internal import ArgumentParser
internal import ChordataDiagnostics
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataModelFile

/// `chordata generate`.
struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generates the Swift of a model.",
        discussion: "Example: chordata generate Done.xcdatamodeld --output Sources/App/Generated"
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The folder for the Swift files.") var output: String
    @Option(help: "The version to generate; the current one unless said otherwise.") var version: String?
    @Option(help: "Into how many files the classes go.") var shards = 1
    @Option(help: "The access level of the generated code: internal or public.") var access = "internal"

    func validate() throws {
        guard (1...64).contains(shards) else { throw ValidationError("--shards is a number from 1 to 64") }
        guard GeneratorConfiguration.Access(rawValue: access) != nil else {
            throw ValidationError("--access is 'internal' or 'public'")
        }
    }

    func run() throws {
        var bundle = try load(model)
        bundle.currentVersionIndex = try bundle.index(ofVersion: version)
        let configuration = GeneratorConfiguration(
            access: GeneratorConfiguration.Access(rawValue: access) ?? .internal,
            shardCount: shards
        )
        let generated = generateFiles(of: bundle, configuration: configuration)
        try report(generated.diagnostics)
        try writeFiles(generated.files, to: output)
    }
}

/// Reads a model, or ends the command with what is wrong with it.
func load(_ path: String) throws -> ModelBundle {
    let (bundle, diagnostics) = loadModelBundle(at: path)
    try report(diagnostics)
    guard let bundle else { throw ExitCode(1) }
    return bundle
}

/// Prints diagnostics on standard error, and ends the command when there are errors among them.
func report(_ diagnostics: [Diagnostic]) throws {
    printError(renderText(diagnostics))
    if diagnostics.hasErrors { throw ExitCode(1) }
}

extension ModelBundle {
    /// The place of a version by its name, of the current one without a name.
    func index(ofVersion name: String?) throws -> Int {
        guard let name else { return currentVersionIndex }
        guard let index = versions.firstIndex(where: { $0.name == name }) else {
            let names = versions.map { "'\($0.name)'" }.joined(separator: ", ")
            throw ValidationError("there is no version '\(name)'; there are \(names)")
        }
        return index
    }
}
