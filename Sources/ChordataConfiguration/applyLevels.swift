package import ChordataDiagnostics

extension [Diagnostic] {
    /// The diagnostics with the levels of a configuration; ignored ones are left out.
    ///
    /// - An error stays an error, whatever the configuration says: its pass knows that nothing works here, also where
    ///   the same id is a warning elsewhere. Only the few that are errors by themselves and can be done without are
    ///   lowered.
    /// - In strict mode what is still a warning is an error, also when the configuration says `warning`: strict mode is
    ///   for unattended builds. A diagnostic that must not stop them is set to `remark` or ignored.
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
