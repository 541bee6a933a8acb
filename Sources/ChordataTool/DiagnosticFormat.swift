internal import ArgumentParser
internal import ChordataDiagnostics

/// The formats in which a command prints diagnostics.
enum DiagnosticFormat: String, ExpressibleByArgument, CaseIterable {
    case text, json, github

    /// The format of the rest of the output, which is text or JSON.
    ///
    /// With annotations it is text, after the diagnostics.
    var output: OutputFormat { self == .json ? .json : .text }

    /// Prints diagnostics as text on standard error, or as annotations on standard output, where GitHub reads them.
    ///
    /// With JSON, nothing is printed here: the command prints one object with all its output.
    func print(_ diagnostics: [Diagnostic]) {
        switch self {
        case .text: printError(renderText(diagnostics))
        case .github: Swift.print(renderGitHub(diagnostics), terminator: "")
        case .json: break
        }
    }
}
