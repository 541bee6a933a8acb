import Foundation

/// A model as the build sees it: its input files and its output files.
///
/// The names of the outputs must be known before the tool runs, so as little as possible is read here, and the number
/// and the names of the files are passed to the tool.
struct Model {
    let url: URL
    /// All files of the model, because a folder alone does not make the build notice a change, the files of its
    /// migrations, and the configurations beside it.
    ///
    /// The tool reads one of the configurations; the choice, and the reports about the others, change when files are
    /// added or removed.
    let inputs: [URL]
    /// The name of the files: the one that the configuration gives the model, or its own.
    let name: String
    /// One file per eight entities of the largest version, so that the compiler can work on several in parallel.
    let shardCount: Int

    var outputs: [String] { ["\(name).swift"] + (0..<shardCount).map { "\(name)+Entities\($0).swift" } }

    init(_ url: URL) throws {
        // The link is resolved, because there is nothing below the link itself.
        let folder = url.resolvingSymlinksInPath()
        let paths = isFolder(folder) ? try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() : []
        let files = paths.map { folder.appending(path: $0) }.filter { !isFolder($0) }
        let ownName = url.deletingPathExtension().lastPathComponent
        let configurations = try Configurations(in: url.deletingLastPathComponent())

        self.url = url
        inputs = [url] + files + Self.migrations(beside: url) + configurations.files
        name = configurations.settings(ofModel: ownName).flatMap(Self.name) ?? ownName
        let counts = files.filter { $0.lastPathComponent == "contents" }.map { Self.entityCount(of: $0) }
        shardCount = min(32, max(1, ((counts.max() ?? 0) + 7) / 8))
    }

    /// Returns the files in `Migrations/<Model>`, if that folder exists, and those in folders beside it, because the
    /// tool reports folders that belong to no model.
    private static func migrations(beside model: URL) -> [URL] {
        func entries(of folder: URL) -> [URL] {
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
            return names.sorted().filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }
        }
        return entries(of: model.deletingLastPathComponent())
            .filter { $0.lastPathComponent.lowercased() == "migrations" }
            .flatMap(entries).flatMap(entries)
            .filter { ["sql", "lock"].contains($0.pathExtension) && !isFolder($0) }
    }

    /// Returns the name in a configuration; the tool reports problems of the configuration.
    private static func name(in configuration: Data) -> String? {
        let settings = try? JSONSerialization.jsonObject(with: configuration) as? [String: Any]
        guard let name = settings?["name"] as? String, name.wholeMatch(of: /\w+/) != nil else { return nil }
        return name
    }

    /// Returns the number of tags, without reading the XML.
    private static func entityCount(of file: URL) -> Int {
        let text = FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
        return text.components(separatedBy: "<entity ").count - 1
    }
}
