/// The only writer of text into Swift: a string literal that cannot end early or interpolate.
func swiftLiteral(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": literal += "\\\""
        case "\\": literal += "\\\\"
        case "\n": literal += "\\n"
        case "\r": literal += "\\r"
        case "\t": literal += "\\t"
        default:
            // Everything that is not plain ASCII is written by number: no bidirectional or invisible characters in
            // code.
            if scalar.value >= 0x20, scalar.value < 0x7F {
                literal.unicodeScalars.append(scalar)
            } else {
                literal += "\\u{\(String(scalar.value, radix: 16))}"
            }
        }
    }
    return literal + "\""
}

/// A multi-line string literal, for text that people read in the generated file; its lines are indented as given.
func swiftMultilineLiteral(_ text: String, indentation: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        // Quotes are plain in such a literal, except where three would end it.
        swiftLiteral(String(line)).dropFirst().dropLast().split(
            separator: "\\\"\\\"\\\"",
            omittingEmptySubsequences: false
        )
        .map { $0.split(separator: "\\\"", omittingEmptySubsequences: false).joined(separator: "\"") }
        .joined(separator: "\\\"\\\"\\\"")
    }
    let body = lines.map { $0.isEmpty ? "" : indentation + $0 }.joined(separator: "\n")
    return "\"\"\"\n\(body)\n\(indentation)\"\"\""
}
