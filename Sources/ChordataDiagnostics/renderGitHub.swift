internal import ChordataModel

/// Prints diagnostics as workflow commands of GitHub Actions, which shows them as annotations of the changed lines.
///
/// Notes are part of the message, because an annotation has only one location.
package func renderGitHub(_ diagnostics: [Diagnostic]) -> String {
    diagnostics.map { diagnostic in
        let command =
            switch diagnostic.severity {
            case .error: "error"
            case .warning: "warning"
            case .remark: "notice"
            }
        var properties: [String] = []
        if let location = diagnostic.location {
            properties = [
                "file=\(escape(location.file, with: .gitHubProperty))", "line=\(location.line)",
                "col=\(location.column)",
            ]
        }
        properties.append("title=\(diagnostic.id.rawValue)")
        let notes = diagnostic.notes.map { note in (note.location.map { "\($0): " } ?? "") + note.message }
        let lines = [diagnostic.message] + notes + diagnostic.fixIts.map(\.message)
        return "::\(command) \(properties.joined(separator: ","))::"
            + escape(lines.map { escape($0, with: .message) }.joined(separator: "\n"), with: .gitHubMessage) + "\n"
    }
    .joined()
}

/// Returns the annotation of an error that is not a diagnostic, at a line of a file or at the file as a whole.
package func renderGitHub(file: String, line: Int?, error: String) -> String {
    let place = line.map { ",line=\($0)" } ?? ""
    let message = escape(escape(error, with: .message), with: .gitHubMessage)
    return "::error file=\(escape(file, with: .gitHubProperty))\(place),title=chordata::\(message)\n"
}
