import Foundation
import PackagePlugin

/// `swift package chordata-check …`: the commands that only read, for which SwiftPM asks for no permission.
///
/// Without a command it is `check`. Without `--target` the command runs on the models of all targets.
@main
struct ChordataCheck: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        var arguments = extractor.remainingArguments
        if arguments.first.map({ $0.hasPrefix("-") && $0 != "--help" }) ?? true { arguments.insert("check", at: 0) }
        try requireReading(arguments)
        let targets = names.isEmpty ? context.package.targets : try context.package.targets(named: names)
        let folder = context.package.directoryURL.path + "/"
        let models = try targets.flatMap { target in
            try findModels(in: target.directoryURL, except: context.package.targets.map(\.directoryURL))
        }
        .map { $0.path.hasPrefix(folder) ? String($0.path.dropFirst(folder.count)) : $0.path }
        if models.isEmpty {
            let place = names.isEmpty ? "the package" : "target " + names.map { "'\($0)'" }.joined(separator: ", ")
            Diagnostics.error("there is no model in \(place)")
            return
        }
        var worst: Int32 = 0
        for arguments in runs(of: arguments, on: models) {
            let process = Process()
            process.executableURL = try context.tool(named: "ChordataTool").url
            process.arguments = arguments
            // SwiftPM passes the output on through a pipe, even if a person reads it.
            process.environment = ProcessInfo.processInfo.environment.merging(["CHORDATA_SUMMARY": "1"]) { $1 }
            process.currentDirectoryURL = context.package.directoryURL
            try process.run()
            process.waitUntilExit()
            // An error takes precedence over exit code 2, which means that files would change or something is pending.
            let status = process.terminationStatus
            if status != 0, worst == 0 || worst == 2 { worst = status }
        }
        if worst != 0 { exit(worst) }
    }

    /// Rejects commands that write into the package.
    private func requireReading(_ arguments: [String]) throws {
        let writes =
            ["generate", "model"].contains(arguments.first) || ["new", "run"].contains(arguments.dropFirst().first)
            || arguments.contains("--output")
        let checks = arguments.contains("--check")
        guard writes || arguments.first == "format", !checks else { return }
        throw WritingCommand(command: arguments.prefix { !$0.hasPrefix("-") }.joined(separator: " "))
    }

    /// Returns the arguments of each run: one run on all models if the command takes several, or one run for each
    /// model.
    private func runs(of arguments: [String], on models: [String]) -> [[String]] {
        switch arguments.first {
        case "check", "validate", "format": [arguments + models]
        case "diagnostics", "inspect", "--help", "help": [arguments]
        case "migrate":
            ["status", "mapping"].contains(arguments.dropFirst().first)
                ? models.map { arguments + ["--model", $0] }
                : models.map { arguments.prefix(2) + [$0] + arguments.dropFirst(2) }
        default: models.map { arguments.prefix(1) + [$0] + arguments.dropFirst(1) }
        }
    }
}

private struct WritingCommand: Error, CustomStringConvertible {
    var command: String

    var description: String {
        "'\(command)' writes files, which 'chordata-check' cannot do; run 'swift package chordata \(command)' with your options and with --target or the path of a model"
    }
}
