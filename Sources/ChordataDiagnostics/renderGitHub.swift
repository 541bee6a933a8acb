/// Prints diagnostics as workflow commands of GitHub Actions, which shows them as annotations of the changed lines.
///
/// Notes are part of the message, because an annotation has only one place.
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
                "file=\(escapedProperty(location.file))", "line=\(location.line)", "col=\(location.column)",
            ]
        }
        properties.append("title=\(diagnostic.id.rawValue)")
        let notes = diagnostic.notes.map { note in (note.location.map { "\($0): " } ?? "") + note.message }
        let lines = [diagnostic.message] + notes + diagnostic.fixIts.map(\.message)
        return "::\(command) \(properties.joined(separator: ","))::"
            + escapedMessage(lines.map(printable).joined(separator: "\n")) + "\n"
    }
    .joined()
}

/// The annotation of a file as a whole, which no diagnostic is about.
package func renderGitHub(file: String, line: Int?, error: String) -> String {
    let place = line.map { ",line=\($0)" } ?? ""
    return "::error file=\(escapedProperty(file))\(place),title=chordata::\(escapedMessage(printable(error)))\n"
}

private func escapedMessage(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "%": result += "%25"
        case "\r": result += "%0D"
        case "\n": result += "%0A"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}

private func escapedProperty(_ text: String) -> String {
    var result = ""
    for scalar in escapedMessage(text).unicodeScalars {
        switch scalar {
        case ":": result += "%3A"
        case ",": result += "%2C"
        default: result.unicodeScalars.append(scalar)
        }
    }
    return result
}
