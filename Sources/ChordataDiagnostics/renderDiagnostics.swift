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
    let place = location.map { "\($0): " } ?? ""
    // A message is one line, whatever the names in it are.
    let safe = message.map { $0.isNewline ? " " : String($0) }.joined()
    return "\(place)\(kind): \(safe)\n"
}

/// Prints diagnostics as JSON: `{"version":1,"diagnostics":[…]}`, keys always in the same order.
package func renderJSON(_ diagnostics: [Diagnostic]) -> String {
    let items = diagnostics.map { diagnostic in
        let notes = diagnostic.notes.map { note in
            object([("message", quoted(note.message)), ("location", note.location.map(json) ?? "null")])
        }
        let fixIts = diagnostic.fixIts.map { fixIt in
            object([
                ("message", quoted(fixIt.message)), ("location", json(fixIt.location)), ("length", "\(fixIt.length)"),
                ("replacement", quoted(fixIt.replacement)),
            ])
        }
        return object([
            ("id", quoted(diagnostic.id.rawValue)), ("severity", quoted(diagnostic.severity.rawValue)),
            ("message", quoted(diagnostic.message)), ("location", diagnostic.location.map(json) ?? "null"),
            ("notes", "[\(notes.joined(separator: ","))]"), ("fixIts", "[\(fixIts.joined(separator: ","))]"),
        ])
    }
    return object([("version", "1"), ("diagnostics", "[\(items.joined(separator: ","))]")]) + "\n"
}

private func json(_ location: SourceLocation) -> String {
    object([("file", quoted(location.file)), ("line", "\(location.line)"), ("column", "\(location.column)")])
}

private func object(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(quoted($0.0)):\($0.1)" }.joined(separator: ",") + "}"
}

private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if scalar.value < 0x20 {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result + "\""
}
