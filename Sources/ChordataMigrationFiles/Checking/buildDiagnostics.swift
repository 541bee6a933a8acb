package import ChordataDiagnostics
internal import ChordataModelFile

extension [ModelMigration] {
    /// The diagnostics of a build for the steps up to the current version.
    ///
    /// Data that earlier steps dropped is not reported.
    package func buildDiagnostics(isHistory: Bool) -> [Diagnostic] {
        enumerated().flatMap { index, step in
            // Lints about other readers are reported on request only.
            if index == count - 1, !isHistory { return step.diagnostics.filter { $0.id != .migrationBreaksReaders } }
            return step.diagnosticsOfHistory.filter { diagnostic in
                switch diagnostic.id {
                case .migrationNotInferred, .indistinguishableVersions, .emptyMigration, .staleMigration,
                    .unrunnableMigration:
                    true
                default: false  // All other diagnostics are about lost data.
                }
            }
        }
    }
}

extension ModelMigration {
    /// The diagnostics of a step to a version before the current version.
    ///
    /// If such a step has no migration, stores of earlier versions cannot be migrated. This is only a warning, because
    /// the versions may have stores, so the model cannot be changed any more.
    var diagnosticsOfHistory: [Diagnostic] {
        diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if diagnostic.id == .migrationNotInferred || diagnostic.id == .indistinguishableVersions {
                diagnostic.severity = .warning
            }
            if diagnostic.id == .migrationNotInferred {
                diagnostic.notes.append(
                    Diagnostic.Note("if no stores of '\(source.name)' or older versions remain, \(gapRemedy)", at: nil)
                )
            }
            return diagnostic
        }
    }
}
