internal import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataGeneration
internal import ChordataMigrationFiles
package import ChordataModelFile

/// The result of reading a model for a command or the build plugin.
package struct LoadedModel: Sendable {
    /// The model; `nil` when there are errors.
    package var bundle: ModelBundle?
    /// The options of the command line, completed with the model's configuration.
    package var configuration: GeneratorConfiguration
    /// The diagnostics, with the levels of the configuration.
    package var diagnostics: [Diagnostic]
}

/// Reads a model, and its configuration, from the disk.
/// - Parameter version: The name of the version to use as the current one, instead of the one that the bundle names.
package func loadModel(
    at path: String,
    version: String? = nil,
    configuration: GeneratorConfiguration
) -> LoadedModel {
    var configuration = configuration
    let found = loadConfiguration(besideModelAt: path)
    configuration.configuration = found.configuration
    let migrations = loadMigrationFiles(besideModelAt: path)
    configuration.migrationFiles = migrations.files
    configuration.migrationFiles.hasPostgresStores = found.configuration.stores.contains(.postgresql)
    let loaded = loadModelBundle(at: path, version: version, configuration: configuration.configuration)
    let diagnostics =
        found.diagnostics + migrations.diagnostics
        + loaded.diagnostics.applying(configuration.configuration, isStrict: configuration.isStrict)
    return LoadedModel(
        bundle: diagnostics.hasErrors ? nil : loaded.bundle,
        configuration: configuration,
        diagnostics: diagnostics.sortedByLocation()
    )
}
