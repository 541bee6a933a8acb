internal import Foundation

/// The settings of `chordata.json` that decide which classes are generated.
struct ModelConfiguration {
    struct Entity {
        var codegen: String?
        var className: String?
        var module: String?
    }

    /// The path of the file, which need not exist.
    var path: String
    var codegen: String?
    var hasPublicAccess = false
    var entities: [String: Entity] = [:]

    /// Creates the settings of a file that does not exist.
    init(path: String) { self.path = path }

    /// Reads the configuration file of a model: `<Model>.chordata.json` in its folder, otherwise `chordata.json`.
    ///
    /// Other keys are ignored, because `chordata check` reports their mistakes.
    /// - Throws: The error of reading the file, or of text that is not valid JSON.
    init(besideModelAt modelPath: String) throws {
        let model = URL(fileURLWithPath: modelPath).standardizedFileURL
        let folder = model.deletingLastPathComponent().path
        let own = model.deletingPathExtension().lastPathComponent + ".chordata.json"
        // The folder as the user wrote it.
        let prefix = modelPath.split(separator: "/").dropLast().joined(separator: "/")
        let shown = (modelPath.hasPrefix("/") ? "/" : "") + (prefix.isEmpty ? "" : prefix + "/")
        path = shown + "chordata.json"
        guard
            let name = [own, "chordata.json"].first(where: { FileManager.default.fileExists(atPath: "\(folder)/\($0)") }
            )
        else { return }
        path = shown + name
        let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
        guard let object = json as? [String: Any] else { return }
        codegen = object["codegen"] as? String
        hasPublicAccess = object["access"] as? String == "public"
        for case (let entity, let settings as [String: Any]) in object["entities"] as? [String: Any] ?? [:] {
            entities[entity] = Entity(
                codegen: settings["codegen"] as? String,
                className: settings["class"] as? String,
                module: settings["module"] as? String
            )
        }
    }
}
