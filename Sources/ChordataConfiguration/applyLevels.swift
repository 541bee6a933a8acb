package import ChordataDiagnostics

extension [Diagnostic] {
    /// Returns the diagnostics with the levels of a configuration; ignored diagnostics are left out.
    ///
    /// - An error remains an error, whatever the configuration says, because no correct code can be generated. This
    ///   also applies if the same id is a warning in other cases. Only an error whose ``DiagnosticID/canBeLowered`` is
    ///   `true` is lowered.
    /// - In strict mode, the remaining warnings become errors, even if the configuration says `warning`, because strict
    ///   mode is for unattended builds. A diagnostic that must not stop them is set to `remark` or `ignore`.
    package func applying(_ configuration: Configuration, isStrict: Bool) -> [Diagnostic] {
        compactMap { diagnostic in
            var diagnostic = diagnostic
            let isFixed =
                diagnostic.severity == .error && !(diagnostic.id.severity == .error && diagnostic.id.canBeLowered)
            if !isFixed, let level = configuration.diagnosticLevels[diagnostic.id] {
                guard let severity = level.severity else { return nil }
                diagnostic.severity = severity
            }
            if isStrict, diagnostic.severity == .warning { diagnostic.severity = .error }
            return diagnostic
        }
    }
}
