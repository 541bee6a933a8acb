import Foundation

/// The configurations in a folder of models: `chordata.json`, and `<Model>.chordata.json` for single models.
struct Configurations {
    /// All configurations, including those that belong to no model, because the tool reports these.
    let files: [URL]
    /// The names of the models that do not have a configuration of their own.
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

    /// Returns the text of the configuration that applies only to a model.
    ///
    /// A configuration that several models share cannot name one of them; the tool reports that.
    func settings(ofModel name: String) -> Data? {
        if sharing.contains(name), sharing.count > 1 { return nil }
        let fileName = sharing.contains(name) ? "chordata.json" : "\(name).chordata.json"
        return files.first { $0.lastPathComponent == fileName }
            .flatMap { FileManager.default.contents(atPath: $0.path) }
    }
}
