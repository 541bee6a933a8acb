import Foundation
import PackagePlugin

/// `swift package chordata …`: the command line in the version that the package uses, for code that is checked in.
///
/// With `--target X`, the command runs once for each model of target `X`, and the models are not named:
/// `swift package chordata validate --target App`.
@main
struct ChordataCommand: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var extractor = ArgumentExtractor(arguments)
        let names = extractor.extractOption(named: "target")
        let targets = try context.package.targets(named: names)
        let models = try targets.flatMap { target in
            try findModels(in: target.directoryURL, except: context.package.targets.map(\.directoryURL))
        }
        if !names.isEmpty && models.isEmpty {
            Diagnostics.error("no model in target \(names.map { "'\($0)'" }.joined(separator: ", "))")
        }
        try run(
            context.tool(named: "ChordataTool").url,
            names.isEmpty ? [arguments] : extractor.remainingArguments.naming(models)
        )
        if arguments.first == "generate" { explainSources(arguments, targets, in: context.package.directoryURL) }
    }

    /// Prints the consequences of generated files among the sources of a target: a plugin does not know which other
    /// plugins the target uses, and SwiftPM does not show remarks.
    private func explainSources(_ arguments: [String], _ targets: [any Target], in package: URL) {
        var extractor = ArgumentExtractor(arguments)
        guard let output = extractor.extractOption(named: "output").first, !arguments.contains("--check") else {
            return
        }
        let folder = URL(filePath: output, relativeTo: package).standardizedFileURL.path
        for target in targets where (folder + "/").hasPrefix(target.directoryURL.standardizedFileURL.path + "/") {
            print(
                "note: the generated files are sources of target '\(target.name)'; if the target has the build plugin 'ChordataGenerate', "
                    + "remove the plugin from it, because otherwise the target has each class twice"
            )
        }
    }

    /// Runs the tool with each list of arguments, and ends with the worst of their exit codes.
    private func run(_ tool: URL, _ runs: [[String]]) throws {
        var worst: Int32 = 0
        for arguments in runs {
            let process = Process()
            process.executableURL = tool
            process.arguments = arguments
            // SwiftPM passes the output on through a pipe, even if a person reads it.
            process.environment = ProcessInfo.processInfo.environment.merging(["CHORDATA_SUMMARY": "1"]) { $1 }
            try process.run()
            process.waitUntilExit()
            // An error takes precedence over exit code 2, which means that files would change or something is pending.
            let status = process.terminationStatus
            if status != 0, worst == 0 || worst == 2 { worst = status }
        }
        if worst != 0 { exit(worst) }
    }
}

extension [String] {
    /// Returns the arguments once for each model.
    ///
    /// A model follows the command, which can have two words, such as `migrate plan`, or is an option of commands that
    /// take another file. A command without a model runs once.
    fileprivate func naming(_ models: [URL]) -> [[String]] {
        let withOption = [["migrate", "status"], ["migrate", "run"], ["migrate", "mapping"]]
        if ["inspect", "diagnostics", "model"].contains(first) { return [self] }
        if first == "check" { return [self + models.map(\.path)] }
        if withOption.contains(where: { starts(with: $0) }) { return models.map { self + ["--model", $0.path] } }
        let count = first == "migrate" ? 2 : 1
        return models.map { prefix(count) + [$0.path] + dropFirst(count) }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// For Xcode projects; untested. Xcode names the chosen targets with `--target`.
    extension ChordataCommand: XcodeCommandPlugin {
        func performCommand(context: XcodePluginContext, arguments: [String]) throws {
            var extractor = ArgumentExtractor(arguments)
            let names = extractor.extractOption(named: "target")
            let targets = context.xcodeProject.targets.filter { names.contains($0.displayName) }
            let models = targets.flatMap { $0.inputFiles.map(\.url).filter(isModel) }
            try run(
                context.tool(named: "ChordataTool").url,
                names.isEmpty ? [arguments] : extractor.remainingArguments.naming(models)
            )
        }
    }
#endif
