import Foundation

/// The configurations in a folder of models: `chordata.json`, and `<Model>.chordata.json` for single ones.
struct Configurations {
    /// All of them, also those that no model has, because the tool reports these.
    let files: [URL]
    /// The names of the models that have none of their own.
    private let sharing: [String]

    init(in folder: URL) throws {
        let entries = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
            .filter { !$0.hasPrefix(".") }
        files = entries.filter { $0.lowercased() == "chordata.json" || $0.lowercased().hasSuffix(".chordata.json") }
            .map { folder.appending(path: $0) }
            .filter { FileManager.default.fileExists(atPath: $0.path) && !isFolder($0) }
        sharing = entries.map { folder.appending(path: $0) }.filter(isModel)
            .map { $0.deletingPathExtension().lastPathComponent }
            .filter { !entries.contains("\($0).chordata.json") }
    }

    /// The text of the configuration that a model has for itself.
    ///
    /// A configuration that several models share cannot name one of them; the tool reports that.
    func settings(ofModel name: String) -> Data? {
        if sharing.contains(name), sharing.count > 1 { return nil }
        let fileName = sharing.contains(name) ? "chordata.json" : "\(name).chordata.json"
        return files.first { $0.lastPathComponent == fileName }
            .flatMap { FileManager.default.contents(atPath: $0.path) }
    }
}
