import Foundation
import PackagePlugin

/// Generates the Swift of every model in a target.
@main
struct ChordataGenerate: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let models = try findModels(in: target.directoryURL, except: context.package.targets.map(\.directoryURL))
        if models.isEmpty {
            Diagnostics.error(
                "target '\(target.name)' has no '.xcdatamodeld' or '.xcdatamodel' in \(target.directoryURL.path); "
                    + "add one, or remove the plugin from the target"
            )
        }
        return try makeCommands(
            models: models.map(Model.init),
            sources: target.sourceFiles(withSuffix: ".swift").map(\.url),
            target: target.name,
            tool: context.tool(named: "chordata-generate").url,
            folder: context.pluginWorkDirectoryURL
        )
    }

    private func makeCommands(
        models: [Model],
        sources: [URL],
        target: String,
        tool: URL,
        folder: URL
    ) -> [Command] {
        // A module cannot have two files of one name, and where case does not count not two that differ in nothing else.
        var owners: [String: URL] = [:]
        for source in sources { owners[source.lastPathComponent.lowercased()] = source }
        var isAmbiguous = false
        for model in models {
            for output in model.outputs {
                guard let other = owners.updateValue(model.url, forKey: output.lowercased()) else { continue }
                Diagnostics.error(
                    "target '\(target)' cannot have two files '\(output)': \(model.url.path) generates one, and "
                        + (isModel(other) ? "so does \(other.path)" : "\(other.path) is one")
                        + "; rename one of them, or give the model a 'name' in "
                        + "'\(model.url.deletingPathExtension().lastPathComponent).chordata.json' beside it"
                )
                isAmbiguous = true
                break
            }
        }
        guard !isAmbiguous else { return [] }
        return models.map { model in
            let output = folder.appending(path: model.name)
            return .buildCommand(
                displayName: "Generating Swift from \(model.url.lastPathComponent)",
                executable: tool,
                arguments: [
                    model.url.path, "--output", output.path, "--shards", "\(model.shardCount)", "--file-name",
                    model.name,
                ],
                inputFiles: model.inputs,
                outputFiles: model.outputs.map { output.appending(path: $0) }
            )
        }
    }
}

#if canImport(XcodeProjectPlugin)
    import XcodeProjectPlugin

    /// For targets of Xcode projects, which list their models; untested.
    extension ChordataGenerate: XcodeBuildToolPlugin {
        func createBuildCommands(context: XcodePluginContext, target: XcodeTarget) throws -> [Command] {
            let files = target.inputFiles.map(\.url)
            return try makeCommands(
                models: files.filter(isModel).map(Model.init),
                sources: files.filter { $0.pathExtension == "swift" },
                target: target.displayName,
                tool: context.tool(named: "chordata-generate").url,
                folder: context.pluginWorkDirectoryURL
            )
        }
    }
#endif
