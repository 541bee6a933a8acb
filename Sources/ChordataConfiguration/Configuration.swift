package import ChordataDiagnostics

/// What `chordata.json` beside a model says.
package struct Configuration: Sendable, Hashable {
    /// The levels of diagnostics that shall have another one than their own.
    package var diagnosticLevels: [DiagnosticID: DiagnosticLevel]

    package init(diagnosticLevels: [DiagnosticID: DiagnosticLevel] = [:]) {
        self.diagnosticLevels = diagnosticLevels
    }
}

/// How much a diagnostic shall count.
package enum DiagnosticLevel: String, Sendable, Hashable, CaseIterable {
    case error, warning, remark
    /// It is not shown.
    case ignore

    var severity: Diagnostic.Severity? {
        switch self {
        case .error: .error
        case .warning: .warning
        case .remark: .remark
        case .ignore: nil
        }
    }
}
