internal import ArgumentParser
internal import ChordataDiagnostics

/// The forms in which a command prints diagnostics.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github

    /// The format of commands that have only these two; annotations are printed like text, after the diagnostics.
    var output: OutputFormat { self == .json ? .json : .text }

    /// Prints diagnostics as text on standard error, or as annotations on standard output, where GitHub reads them.
    ///
    /// A command that prints JSON prints one object with everything it has.
    func print(_ diagnostics: [Diagnostic]) {
        switch self {
        case .text: printError(renderText(diagnostics))
        case .github: Swift.print(renderGitHub(diagnostics), terminator: "")
        case .json: break
        }
    }
}
