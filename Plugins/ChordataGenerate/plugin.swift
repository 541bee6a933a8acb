import Foundation
import PackagePlugin

/// Generates the Swift of every model in a target.
///
/// The folder of the target is searched, because a model should stand under `exclude:` and is then not among the target's
/// files. Inputs are the bundle *and* every file in it: a folder alone does not make the build notice a change.
@main
struct ChordataGenerate: BuildToolPlugin {
    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? SourceModuleTarget else { return [] }
        let tool = try context.tool(named: "chordata-generate").url
        let models = findModels(in: target.directoryURL)
        if models.isEmpty {
            Diagnostics.error(
                "target '\(target.name)' has no '.xcdatamodeld' or '.xcdatamodel' in \(target.directoryURL.path); "
                    + "add one, or remove the plugin from the target"
            )
        }
        return try models.map { model in
            let name = model.deletingPathExtension().lastPathComponent
            let files = try regularFiles(in: model)
            let shards = shardCount(files)
            let output = context.pluginWorkDirectoryURL.appending(path: name)
            let outputs = ["\(name).swift"] + (0..<shards).map { "\(name)+Entities\($0).swift" }
            return .buildCommand(
                displayName: "Generating Swift from \(model.lastPathComponent)",
                executable: tool,
                arguments: [model.path, "--output", output.path, "--shards", "\(shards)"],
                inputFiles: [model] + files + configuration(beside: model),
                outputFiles: outputs.map { output.appending(path: $0) }
            )
        }
    }

    private func findModels(in folder: URL) -> [URL] {
        guard let contents = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else {
            return []
        }
        var models: [URL] = []
        for case let url as URL in contents where ["xcdatamodeld", "xcdatamodel"].contains(url.pathExtension) {
            // A link is followed, so that the files below it are found.
            models.append(url.resolvingSymlinksInPath())
            contents.skipDescendants()
        }
        return models.sorted { $0.path < $1.path }
    }

    /// The `chordata.json` beside a model, where there is one: a change of it makes other diagnostics.
    private func configuration(beside model: URL) -> [URL] {
        let file = model.deletingLastPathComponent().appending(path: "chordata.json")
        return FileManager.default.fileExists(atPath: file.path) ? [file] : []
    }

    private func regularFiles(in folder: URL) throws -> [URL] {
        try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .map { folder.appending(path: $0) }
            .filter { url in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) && !isFolder.boolValue
            }
    }

    /// One file per eight entities of the largest version, so that the compiler can work on several at once.
    ///
    /// The names of the outputs must be known before the tool runs, so the entities are counted without reading the XML.
    private func shardCount(_ files: [URL]) -> Int {
        let counts = files.filter { $0.lastPathComponent == "contents" }.map { file in
            let text = FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.components(separatedBy: "<entity ").count - 1
        }
        return min(32, max(1, ((counts.max() ?? 0) + 7) / 8))
    }
}
