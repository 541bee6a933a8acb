internal import ChordataDiagnostics
internal import ChordataModelFile

extension [ModelMigration] {
    /// What a build has to say of the steps up to the current version.
    ///
    /// What earlier steps dropped is history.
    func buildDiagnostics(isHistory: Bool) -> [Diagnostic] {
        enumerated().flatMap { index, step in
            // What others read is for whoever asks.
            if index == count - 1, !isHistory { return step.diagnostics.filter { $0.id != .migrationBreaksReaders } }
            return step.diagnosticsOfHistory.filter { diagnostic in
                switch diagnostic.id {
                case .migrationNotInferred, .indistinguishableVersions, .emptyMigration, .staleMigration,
                    .unrunnableMigration:
                    true
                default: false  // All others are about what is lost.
                }
            }
        }
    }
}

extension ModelMigration {
    /// What there is to say of a step that does not lead to the current version.
    ///
    /// Where it has no way there is none for stores of before it, which nobody can help any more by changing the model:
    /// a warning.
    var diagnosticsOfHistory: [Diagnostic] {
        diagnostics.map { diagnostic in
            var diagnostic = diagnostic
            if diagnostic.id == .migrationNotInferred || diagnostic.id == .indistinguishableVersions {
                diagnostic.severity = .warning
            }
            if diagnostic.id == .migrationNotInferred {
                diagnostic.notes.append(
                    Diagnostic.Note("if no store of '\(source.name)' or before is left, \(gapRemedy)", at: nil)
                )
            }
            return diagnostic
        }
    }
}
