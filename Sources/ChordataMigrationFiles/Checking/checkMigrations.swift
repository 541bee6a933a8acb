package import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataModelFile

/// Checks that nothing released was changed and every step has a way, as a build does, and that the files are those of
/// the model.
/// - Returns: also the names of the files that `chordata migrate new` would write; none for a model that has no files
///   at all.
package func checkMigrations(
    of bundle: ModelBundle,
    _ files: MigrationFiles,
    configuration: Configuration,
    isStrict: Bool
) -> (diagnostics: [Diagnostic], fileNames: [String]) {
    let steps = bundle.migrations(from: 0, to: bundle.currentVersionIndex, files)
    let ids: Set<DiagnosticID> = [.migrationNotInferred, .emptyMigration, .unrunnableMigration, .staleMigration]
    let known = checkVersions(of: bundle, files, configuration: configuration, isStrict: isStrict)
    let ways = steps.buildDiagnostics(isHistory: bundle.isHistory)
        .applying(configuration, isStrict: isStrict)
        // What a configuration has made an error stops a build, too.
        .filter { ids.contains($0.id) || $0.severity == .error && !known.contains($0) }
    let diagnostics = known + ways.sortedByLocation()
    let names = files.isEmpty ? [] : MigrationFileChanges(of: bundle, files).files.map(\.name)
    return (diagnostics, names)
}

/// Checks what must hold of versions and files before any step runs or is reported: that no released migration was
/// changed, and that stores of different versions can be distinguished.
package func checkVersions(
    of bundle: ModelBundle,
    _ files: MigrationFiles,
    configuration: Configuration,
    isStrict: Bool
) -> [Diagnostic] {
    let steps = bundle.migrations(from: 0, to: bundle.currentVersionIndex, files)
    let indistinguishableVersions = steps.buildDiagnostics(isHistory: false).filter {
        $0.id == .indistinguishableVersions
    }
    return (bundle.check(files) + indistinguishableVersions)
        .applying(configuration, isStrict: isStrict).sortedByLocation()
}
