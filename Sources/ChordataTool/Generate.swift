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
            files that would change are printed with the first difference, and if there are any, the exit code is 2.
            """
    )

    @Argument(help: "The model, an .xcdatamodeld or .xcdatamodel.") var model: String
    @Option(help: "The folder for the Swift files.") var output: String
    @Option(help: "The version to generate; the current version by default.") var version: String?
    @Option(help: "The number of files for the classes.") var shards = 1
    @Option(help: "The access level of the generated code, internal or public; overrides the configuration file.")
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
        // If the version does not exist, loading has ignored it.
        _ = try loaded.bundle.index(ofVersion: version)
        let generated = generateFiles(of: loaded.bundle, configuration: loaded.configuration)
        try report(generated.diagnostics)
        let changes = try orFail(writing: output) {
            try FolderChanges(writing: generated.files, ofModel: loaded.bundle.name, to: output)
        }
        guard check else {
            try orFail(writing: output) { try changes.apply(to: output) }
            let removed = changes.removed.isEmpty ? "" : ", removed \(changes.removed.count)"
            let files = counted(generated.files.count, "file")
            return summarize(
                changes.names.isEmpty
                    ? "\(files), nothing to change"
                    : "wrote \(counted(changes.written.count, "file"))\(removed); \(files) in all"
            )
        }
        guard !changes.names.isEmpty else {
            return summarize("\(counted(generated.files.count, "file")), nothing to change")
        }
        for name in changes.names { print("\(output)/\(name)") }
        printError(changes.explanation(in: output, repairedBy: command))
        throw ExitCode(2)
    }

    /// The command that writes the files.
    private var command: String {
        var words = ["chordata", "generate", shellWord(model), "--output", shellWord(output)]
        if let version { words += ["--version", shellWord(version)] }
        if shards != 1 { words += ["--shards", "\(shards)"] }
        if let access { words += ["--access", access] }
        return words.joined(separator: " ")
    }
}
