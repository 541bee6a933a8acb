internal import ChordataModel

/// Returns a string literal that cannot end early or interpolate.
///
/// Text is written into Swift code only by this function.
func swiftLiteral(_ text: String) -> String { "\"\(escape(text, with: .swift))\"" }

/// Returns a multi-line string literal, for text that people read in the generated file; its lines are indented as
/// given.
func swiftMultilineLiteral(_ text: String, indentation: String) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
        // Quotes are not escaped in such a literal, unless three of them would end it.
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
