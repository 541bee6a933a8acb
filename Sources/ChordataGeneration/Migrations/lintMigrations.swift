internal import ChordataConfiguration
package import ChordataDiagnostics
package import ChordataModelFile

/// Finds what the steps of a model that are not released drop, round, may stop at, and break for others.
///
/// - Parameters:
///   - first: the version to begin with; by default the first one, and without files of migrations the one before the last.
///   - last: the version to end with; by default the current one.
/// - Returns: also the names of files that somebody has written, of which nobody else knows what they do.
package func lintMigrations(
    of bundle: ModelBundle,
    from first: Int? = nil,
    to last: Int? = nil,
    configuration: GeneratorConfiguration
) -> (diagnostics: [Diagnostic], filesByHand: [String]) {
    let files = configuration.migrationFiles
    let last = last ?? bundle.currentVersionIndex
    let first = first ?? (files.isEmpty ? max(0, last - 1) : 0)
    let steps = bundle.migrations(from: first, to: last, files).filter { $0.origin != .released }
    let diagnostics = steps.flatMap(\.diagnostics)
        .applying(configuration.configuration, isStrict: configuration.isStrict).sortedByLocation()
    return (diagnostics, steps.filter(\.isByHand).map(\.fileName))
}
