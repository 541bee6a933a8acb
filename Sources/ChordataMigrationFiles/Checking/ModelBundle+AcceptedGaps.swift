internal import ChordataDiagnostics
internal import ChordataModelFile

extension ModelBundle {
    /// Returns a Boolean value that indicates whether the configuration file accepts that a step has no migration.
    func acceptsGap(from source: String, to destination: String) -> Bool {
        acceptedGaps.contains { $0.source == source && $0.destination == destination }
    }

    /// Finds accepted gaps that are not gaps, because their step can be inferred or has a file.
    func checkAcceptedGaps(_ files: MigrationFiles) -> [Diagnostic] {
        acceptedGaps.compactMap { gap in
            guard let index = versions.firstIndex(where: { $0.name == gap.destination }), index > 0,
                versions[index - 1].name == gap.source,
                let step = migrations(from: index - 1, to: index, files).first, !step.isAcceptedGap,
                !step.lacksStatements
            else { return nil }
            return Diagnostic(
                .invalidConfigurationValue,
                "the step from '\(gap.source)' to '\(gap.destination)' has a migration, so it is not a gap; remove the step from 'gaps'",
                at: gap.location,
                // Only the entry of 'gaps' is wrong; the migration works.
                severity: .warning
            )
        }
    }
}
