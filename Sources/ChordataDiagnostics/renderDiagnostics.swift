internal import ChordataModel

/// Prints diagnostics as clang and swiftc do, so that build systems and editors can follow them.
package func renderText(_ diagnostics: [Diagnostic]) -> String {
    var text = ""
    for diagnostic in diagnostics {
        text += line(
            diagnostic.location,
            diagnostic.severity.rawValue,
            "\(diagnostic.message) [\(diagnostic.id.rawValue)]"
        )
        for note in diagnostic.notes { text += line(note.location, "note", note.message) }
        for fixIt in diagnostic.fixIts { text += line(fixIt.location, "note", fixIt.message) }
    }
    return text
}

private func line(_ location: SourceLocation?, _ kind: String, _ message: String) -> String {
    let place = location.map { "\(escape($0.description, with: .message)): " } ?? ""
    return "\(place)\(kind): \(escape(message, with: .message))\n"
}

/// Prints diagnostics as JSON: `{"version":1,"diagnostics":[…]}`, keys always in the same order.
package func renderJSON(_ diagnostics: [Diagnostic]) -> String {
    jsonObject([("version", "1"), ("diagnostics", jsonDiagnostics(diagnostics))]) + "\n"
}

/// Returns the diagnostics as a JSON array.
package func jsonDiagnostics(_ diagnostics: [Diagnostic]) -> String {
    let items = diagnostics.map { diagnostic in
        let notes = diagnostic.notes.map { note in
            jsonObject([("message", jsonString(note.message)), ("location", note.location.map(json) ?? "null")])
        }
        let fixIts = diagnostic.fixIts.map { fixIt in
            jsonObject([
                ("message", jsonString(fixIt.message)), ("location", json(fixIt.location)),
                ("length", "\(fixIt.length)"),
                ("replacement", jsonString(fixIt.replacement)),
            ])
        }
        return jsonObject([
            ("id", jsonString(diagnostic.id.rawValue)), ("severity", jsonString(diagnostic.severity.rawValue)),
            ("message", jsonString(diagnostic.message)), ("location", diagnostic.location.map(json) ?? "null"),
            ("notes", "[\(notes.joined(separator: ","))]"), ("fixIts", "[\(fixIts.joined(separator: ","))]"),
        ])
    }
    return jsonArray(items)
}

private func json(_ location: SourceLocation) -> String {
    jsonObject([("file", jsonString(location.file)), ("line", "\(location.line)"), ("column", "\(location.column)")])
}
