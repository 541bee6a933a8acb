package import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataModelFile

/// Finds what the steps of a model that are not released drop, round, may stop at, and break for others.
///
/// - Parameters:
///   - first: the version to begin with; by default the first one, and without files of migrations the one before the
///     last.
///   - last: the version to end with; by default the current one.
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
    // A gap in history is not what is asked about.
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
    /// Hand-written files: their effect is unknown here.
    package let filesByHand: [String]
    /// Files that are not looked at, because what they do is settled.
    package let releasedFiles: [String]
}
