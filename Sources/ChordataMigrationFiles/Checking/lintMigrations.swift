package import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataModelFile

/// Returns diagnostics for the steps of a model that are not released: lost data, rounded values, possible failures,
/// and changes that break other programs that read the store.
///
/// - Parameters:
///   - first: The index of the version to begin with; by default the first version or, without migration files, the
///     version before `last`.
///   - last: The index of the version to end with; by default the current version.
package func lintMigrations(
    of bundle: ModelBundle,
    _ files: MigrationFiles,
    from first: Int? = nil,
    to last: Int? = nil,
    configuration: Configuration,
    isStrict: Bool
) -> MigrationFindings {
    let last = last ?? bundle.currentVersionIndex
    let first = first ?? (files.isEmpty ? max(0, last - 1) : 0)
    let steps = bundle.migrations(from: first, to: last, files)
    let open = steps.filter { $0.origin != .released }
    // A gap between older versions is not a lint.
    let found = open.flatMap {
        $0.destination.name == bundle.versions[last].name ? $0.diagnostics : $0.diagnosticsOfHistory
    }
    return MigrationFindings(
        diagnostics: found.applying(configuration, isStrict: isStrict).sortedByLocation(),
        filesByHand: open.filter(\.isByHand).map(\.fileName),
        releasedFiles: steps.filter { $0.origin == .released }.map(\.fileName)
    )
}

/// The result of ``lintMigrations(of:_:from:to:configuration:isStrict:)``.
package struct MigrationFindings {
    package let diagnostics: [Diagnostic]
    /// The names of the hand-written files; their statements are not analyzed.
    package let filesByHand: [String]
    /// The names of the released files, which are not checked because they must not change.
    package let releasedFiles: [String]
}
