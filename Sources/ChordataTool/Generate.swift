internal import ArgumentParser
internal import ChordataConfiguration
internal import ChordataFiles
internal import ChordataGeneration
internal import ChordataModelFile

/// `chordata generate`.
struct Generate: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Generates Swift code for a model.",
        discussion: """
            Example: chordata generate Done.xcdatamodeld --output Sources/App/Generated
            Files of an earlier run that are no longer generated are removed. With --check nothing is written: the \
            files that would change are printed, and if there are any, the exit code is 2.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The folder for the Swift files.") var output: String
    @Option(help: "The version to generate; the current version by default.") var version: String?
    @Option(help: "The number of files for the classes.") var shards = 1
    @Option(help: "The access level of the generated code, internal or public; overrides the model's configuration.")
    var access: String?
    @Flag(help: "Treats warnings as errors.") var strict = false
    @Flag(help: "Lists the files that would change, and writes nothing.") var check = false

    func validate() throws {
        guard (1...64).contains(shards) else { throw ValidationError("--shards must be a number from 1 to 64") }
        guard access.map({ AccessLevel(rawValue: $0) != nil }) ?? true else {
            throw ValidationError("--access must be 'internal' or 'public'")
        }
    }

    func run() throws {
        let loaded = try load(
            model,
            version: version,
            GeneratorConfiguration(
                access: access.flatMap { AccessLevel(rawValue: $0) },
                shardCount: shards,
                isStrict: strict
            ),
            isBuild: true
        )
        // A version that there is not was not taken.
        _ = try loaded.bundle.index(ofVersion: version)
        let generated = generateFiles(of: loaded.bundle, configuration: loaded.configuration)
        try report(generated.diagnostics)
        let changes = try orFail(writing: output) {
            try FolderChanges(writing: generated.files, ofModel: loaded.bundle.name, to: output)
        }
        guard check else { return try orFail(writing: output) { try changes.apply(to: output) } }
        for name in changes.names { print("\(output)/\(name)") }
        if !changes.names.isEmpty { throw ExitCode(2) }
    }
}
