package import ChordataConfiguration
package import ChordataDiagnostics
internal import ChordataPredicate
internal import Foundation

/// Reads the configuration of a model: the `<Model>.chordata.json` beside it, or else the `chordata.json` of its
/// folder, if there is one.
package func loadConfiguration(
    besideModelAt path: String
) -> (configuration: Configuration, diagnostics: [Diagnostic]) {
    let place = ModelPlace(path)
    let folder = place.name == nil ? nil : ConfigurationFolder(place.folder)
    var diagnostics = folder?.orphanedConfigurations() ?? []
    let names = [place.name.map(configurationName), sharedConfigurationName].compactMap(\.self)
    let nameOfModel = folder?.configurationName(ofModel: place.name) ?? sharedConfigurationName
    guard let name = names.first(where: { fileExists(place.folder + $0) }) else {
        var configuration = Configuration()
        configuration.fileNameOfModel = nameOfModel
        return (configuration, diagnostics)
    }
    let file = place.folder + name
    guard let contents = readRegularFile(at: file, followsLinks: true, limit: JSONReader.sizeLimit + 1) else {
        let message = "the file cannot be read; check that it exists and is readable"
        diagnostics.append(Diagnostic(.unreadableFile, message, at: SourceLocation(file: file, line: 1, column: 1)))
        return (Configuration(), diagnostics)
    }
    let read = readConfiguration(path: file, contents: Array(contents))
    diagnostics += read.diagnostics
    if name == sharedConfigurationName { diagnostics += folder?.sharedSettings(in: read.configuration) ?? [] }
    var configuration = read.configuration ?? Configuration()
    if name == sharedConfigurationName { configuration.fileNameOfModel = nameOfModel }
    return (configuration, diagnostics)
}

/// Returns a Boolean value that indicates whether a file exists; a dangling link counts too, because it hides settings.
private func fileExists(_ path: String) -> Bool {
    (try? FileManager.default.attributesOfItem(atPath: path)) != nil
}

/// The name of the configuration for all models in a folder that do not have a configuration of their own.
private let sharedConfigurationName = "chordata.json"

/// Returns the name of the configuration for one model.
private func configurationName(ofModel name: String) -> String { "\(name).\(sharedConfigurationName)" }

/// A folder with models and their configurations.
private struct ConfigurationFolder {
    private let path: String
    /// Its visible contents, sorted.
    private let entries: [String]

    /// - Returns: `nil` if the folder cannot be listed. Its problems are reported when the model is read.
    init?(_ path: String) {
        let listed = try? FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? "." : path)
        guard let listed else { return nil }
        self.path = path
        entries = listed.filter { !$0.hasPrefix(".") }.sorted()
    }

    /// The names of the models.
    private var models: [String] { entries.compactMap { modelName(ofFolder: $0) } }

    /// Finds configurations that belong to no model because their names are misspelled.
    ///
    /// Names are case-sensitive on every file system, so that the result is the same on all of them.
    func orphanedConfigurations() -> [Diagnostic] {
        let fitting = [sharedConfigurationName] + models.map(ChordataFiles.configurationName(ofModel:))
        return entries.filter { entry in
            let name = entry.lowercased()
            return (name == sharedConfigurationName || name.hasSuffix(".\(sharedConfigurationName)"))
                && !fitting.contains(entry)
        }.map { entry in
            let place = SourceLocation(file: path + entry, line: 1, column: 1)
            if let name = fitting.first(where: { $0.lowercased() == entry.lowercased() }) {
                let message = "the name of a configuration file is case-sensitive; rename it to '\(name)'"
                return Diagnostic(.orphanedConfiguration, message, at: place)
            }
            let model = String(entry.dropLast(sharedConfigurationName.count + 1))
            let near = nearestName(to: model, among: models).map {
                "did you mean '\(ChordataFiles.configurationName(ofModel: $0))'?"
            }
            let remedy = near ?? "rename it after a model, or remove it"
            let message = "this is the configuration file of a model '\(model)', which is not in the folder; \(remedy)"
            return Diagnostic(.orphanedConfiguration, message, at: place)
        }
    }

    /// The models that do not have a configuration of their own.
    private var sharing: [String] {
        models.filter { !entries.contains(ChordataFiles.configurationName(ofModel: $0)) }
    }

    /// Returns the name of the configuration file for the settings of a single model.
    func configurationName(ofModel name: String?) -> String {
        guard let name, sharing.count > 1 else { return sharedConfigurationName }
        return ChordataFiles.configurationName(ofModel: name)
    }

    /// Finds settings for a single model in a configuration that several models share.
    func sharedSettings(in configuration: Configuration?) -> [Diagnostic] {
        let sharing = sharing
        guard let configuration, sharing.count > 1, let first = sharing.first else { return [] }
        let shown = sharing.prefix(3).map { "'\($0)'" }
        let rest = sharing.count > shown.count ? ["\(sharing.count - shown.count) more"] : []
        let names = (shown + rest).dropLast().joined(separator: ", ") + " and " + (shown + rest).suffix(1).joined()
        let settings = [
            ("a 'name' is", configuration.nameLocation), ("'versions' are", configuration.versionsLocation),
            ("'gaps' are", configuration.migrationGapsLocation),
        ]
        return settings.compactMap { setting, place in
            guard let place else { return nil }
            let message =
                "\(setting) for one model, but this file is for \(names); "
                + "write a separate configuration file for the model that needs the setting, such as '\(configurationName(ofModel: first))'"
            return Diagnostic(.invalidConfigurationValue, message, at: place)
        }
    }
}
