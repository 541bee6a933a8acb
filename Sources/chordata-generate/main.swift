import ChordataConfiguration
import ChordataDiagnostics
import ChordataFiles
import ChordataGeneration
import ChordataMigrationFiles
import Foundation

// The tool that the build plugin runs: it reads one model and writes Swift files. It has few options and parses them
// itself, because every package that uses Chordata compiles this tool.

let usage = """
    usage: chordata-generate <model.xcdatamodeld> --output <folder> [--shards <n>] [--access internal|public]
           [--strict] [--file-name <name>] [--beside <model.xcdatamodeld>]…

    """

/// Ends the program with the exit code for wrong usage (EX_USAGE).
func failUsage(_ message: String) -> Never {
    FileHandle.standardError.write(Data("error: \(message)\n\(usage)".utf8))
    exit(64)
}

var arguments = CommandLine.arguments.dropFirst()
var modelPath: String?
var outputPath: String?
/// The name of the files instead of the model's, for a build that needs it before the configuration is read.
var fileName: String?
var configuration = GeneratorConfiguration()
/// Other models of the same module, whose types must have other names.
var otherPaths: [String] = []
/// The problems that the build plugin found in a target, reported when the target is built.
var failures: [String] = []
while let argument = arguments.popFirst() {
    switch argument {
    case "--help":
        print(usage, terminator: "")
        exit(0)
    case "--output":
        guard let value = arguments.popFirst() else { failUsage("--output needs a folder") }
        outputPath = value
    case "--shards":
        guard let value = arguments.popFirst().flatMap({ Int($0) }), (1...64).contains(value) else {
            failUsage("--shards needs a number from 1 to 64")
        }
        configuration.shardCount = value
    case "--access":
        guard let value = arguments.popFirst().flatMap({ AccessLevel(rawValue: $0) }) else {
            failUsage("--access needs 'internal' or 'public'")
        }
        configuration.access = value
    case "--file-name":
        guard let value = arguments.popFirst(), !value.isEmpty, !value.contains("/") else {
            failUsage("--file-name needs a name without a folder")
        }
        fileName = value
    case "--beside":
        guard let value = arguments.popFirst() else { failUsage("--beside needs a model") }
        otherPaths.append(value)
    case "--fail":
        guard let value = arguments.popFirst() else { failUsage("--fail needs a message") }
        failures.append(value)
    case "--strict": configuration.isStrict = true
    case let option where option.hasPrefix("-"): failUsage("unknown option '\(option)'")
    case let path:
        guard modelPath == nil else { failUsage("one model at a time") }
        modelPath = path
    }
}
if !failures.isEmpty {
    FileHandle.standardError.write(Data(failures.map { "error: \($0)\n" }.joined().utf8))
    exit(1)
}
guard let modelPath, let outputPath else { failUsage("a model and --output are needed") }

let loaded = loadModel(at: modelPath, configuration: configuration)
var diagnostics = loaded.diagnostics
var files: [GeneratedFile] = []
if let bundle = loaded.bundle {
    let generated = generateFiles(of: bundle, configuration: loaded.configuration)
    files = generated.files
    diagnostics += generated.diagnostics
    // The problems of the other models are reported by their own commands.
    let others = otherPaths.compactMap { path in
        let other = loadModel(at: path, configuration: configuration)
        return other.bundle.map { (path: path, bundle: $0, configuration: other.configuration) }
    }
    diagnostics += checkOtherModels(bundle, path: modelPath, configuration: loaded.configuration, others: others)
}
if let fileName, let own = files.first?.name.dropLast(".swift".count) {
    for index in files.indices { files[index].name = fileName + files[index].name.dropFirst(own.count) }
}
FileHandle.standardError.write(Data(renderText(diagnostics.sortedByLocation()).utf8))
guard !diagnostics.hasErrors else { exit(1) }
do {
    try writeFiles(files, to: outputPath)
} catch {
    FileHandle.standardError.write(Data("error: \(outputPath): \(error.localizedDescription)\n".utf8))
    exit(1)
}
