package import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataModelFile

extension [Diagnostic] {
    /// A Boolean value that indicates whether a released version or file was changed, so that other findings about
    /// migrations follow from this change.
    package var haveModifiedReleases: Bool { contains { $0.id == .modifiedReleasedMigration } }
}

/// Checks, as a build does, that released versions and files are unchanged and that every step has a migration, and
/// that the files are up to date.
///
/// If a released version or file was changed, only this is reported: the steps from and to the changed version differ
/// from those that were released.
/// - Returns: The diagnostics, and the names of the files that `chordata migrate new` would write; no names for a model
///   without migration files.
package func checkMigrations(
    of bundle: ModelBundle,
    _ files: MigrationFiles,
    configuration: Configuration,
    isStrict: Bool
) -> (diagnostics: [Diagnostic], fileNames: [String]) {
    let steps = bundle.migrations(from: 0, to: bundle.currentVersionIndex, files)
    let ids: Set<DiagnosticID> = [.migrationNotInferred, .emptyMigration, .unrunnableMigration, .staleMigration]
    let known = checkVersions(of: bundle, files, configuration: configuration, isStrict: isStrict)
    if known.haveModifiedReleases { return (known, []) }
    let ways = steps.buildDiagnostics(isHistory: bundle.isHistory)
        .applying(configuration, isStrict: isStrict)
        // A diagnostic that the configuration file makes an error stops a build, too.
        .filter { ids.contains($0.id) || $0.severity == .error && !known.contains($0) }
    let diagnostics = known + ways.sortedByLocation()
    let names = files.isEmpty ? [] : MigrationFileChanges(of: bundle, files).files.map(\.name)
    return (diagnostics, names)
}

/// Checks that no released migration was changed, and that stores of different versions can be distinguished.
///
/// These are the conditions for running or reporting any step.
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
