import Foundation

/// A model as the build sees it: which files it is made of, and which files are made of it.
///
/// The names of the outputs must be known before the tool runs, so the entities are counted without reading the XML.
struct Model {
    var url: URL
    /// Every file in it, because a folder alone does not make the build notice a change.
    private var files: [URL] = []

    init(_ url: URL) throws {
        self.url = url
        // Without the link, below which there is nothing.
        let folder = url.resolvingSymlinksInPath()
        guard isFolder(folder) else { return }
        files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
            .map { folder.appending(path: $0) }
            .filter { !isFolder($0) }
    }

    var name: String { url.deletingPathExtension().lastPathComponent }

    /// The model, its files, and the `chordata.json` beside it: a change of that makes other diagnostics.
    var inputs: [URL] {
        let configuration = url.deletingLastPathComponent().appending(path: "chordata.json")
        return [url] + files + (FileManager.default.fileExists(atPath: configuration.path) ? [configuration] : [])
    }

    var outputs: [String] { ["\(name).swift"] + (0..<shardCount).map { "\(name)+Entities\($0).swift" } }

    /// One file per eight entities of the largest version, so that the compiler can work on several at once.
    var shardCount: Int {
        let counts = files.filter { $0.lastPathComponent == "contents" }.map { file in
            let text = FileManager.default.contents(atPath: file.path).map { String(decoding: $0, as: UTF8.self) } ?? ""
            return text.components(separatedBy: "<entity ").count - 1
        }
        return min(32, max(1, ((counts.max() ?? 0) + 7) / 8))
    }
}
