package import ChordataDiagnostics
internal import ChordataPredicate

extension Configuration {
    /// Checks that the list contains all versions of a model, because the position of a missing version is unknown.
    package func checkVersions(against names: [String]) -> [Diagnostic] {
        guard let versions else { return [] }
        let listed = versions.map(\.name)
        var diagnostics = versions.filter { !names.contains($0.name) }.map { version in
            unknownVersion(version, among: names.filter { !listed.contains($0) }, "remove it, or correct the name")
        }
        let missing = names.filter { !listed.contains($0) }
        if !missing.isEmpty {
            let shown = missing.map { "'\($0)'" }.joined(separator: ", ")
            diagnostics.append(
                Diagnostic(
                    .invalidConfigurationValue,
                    "'versions' must list all versions of the model, oldest first, but \(shown) "
                        + "\(missing.count == 1 ? "is" : "are") missing; add \(missing.count == 1 ? "it" : "them")",
                    at: versionsLocation
                )
            )
        }
        return diagnostics
    }

    /// Checks that the accepted gaps are steps between consecutive versions.
    ///
    /// - Parameter names: The versions of the model, oldest first.
    package func checkMigrationGaps(against names: [String]) -> [Diagnostic] {
        migrationGaps.flatMap { gap -> [Diagnostic] in
            let unknown = [gap.source, gap.destination].filter { !names.contains($0.name) }
            guard unknown.isEmpty else {
                return unknown.map { unknownVersion($0, among: names, "correct the name, or remove the gap") }
            }
            guard let index = names.firstIndex(of: gap.source.name), index + 1 < names.count,
                names[index + 1] == gap.destination.name
            else {
                let next = names.firstIndex(of: gap.source.name).flatMap { $0 + 1 < names.count ? names[$0 + 1] : nil }
                let remedy =
                    next.map { "'\(gap.source.name)' is followed by '\($0)'" }
                    ?? "'\(gap.source.name)' is the last version"
                return [
                    Diagnostic(
                        .invalidConfigurationValue,
                        "a gap must be between two consecutive versions, but \(remedy); correct or remove the gap",
                        at: gap.destination.location
                    )
                ]
            }
            return []
        }
    }

    private func unknownVersion(_ version: VersionSetting, among names: [String], _ remedy: String) -> Diagnostic {
        let near = nearestName(to: version.name, among: names).map { "did you mean '\($0)'?" } ?? remedy
        return Diagnostic(
            .invalidConfigurationValue,
            "the model has no version '\(version.name)'; \(near)",
            at: version.location
        )
    }
}
