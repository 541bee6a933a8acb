internal import ChordataDiagnostics

/// The width of a terminal that no line of a page exceeds.
package let terminalWidth = 80

/// Writes the page of a diagnostic for a terminal: plain text in lines of at most ``terminalWidth`` columns.
package func renderTerminal(_ page: DiagnosticPage) -> String {
    var text = "\(page.id.rawValue): \(page.title)\n\n\(wrapped(page.meaning))"
    text += "\nWhat to do\n\n\(wrapped(page.remedy, indentation: "  "))"
    if !page.isReserved {
        text += "\nExample\n" + page.example.map(render).joined()
        if let message = page.message {
            text += "\n  This gives:\n\n"
            for line in message.split(separator: "\n") {
                text += wrappedParagraph(line, first: "    ", others: "      ")
            }
        }
        text += "\nCorrected example\n" + page.correctedExample.map(render).joined()
    }
    if !page.isReserved { text += "\nLevel\n\n\(wrapped(page.level, indentation: "  "))" }
    if let example = page.levelExample { text += "\n" + indented(example) }
    return text
}

private func render(_ file: ExampleFile) -> String {
    switch file.contents {
    case nil: "\n" + wrapped("`\(file.path)` is an empty folder.", indentation: "  ")
    case "": "\n" + wrapped("`\(file.path)` is an empty file.", indentation: "  ")
    case let contents?: "\n  \(file.path):\n\n" + indented(contents)
    }
}

private func indented(_ text: String) -> String {
    text.split(separator: "\n").map { "    \($0)\n" }.joined()
}

/// Wraps the paragraphs and items of a text again.
private func wrapped(_ text: String, indentation: String = "") -> String {
    var blocks: [[Substring]] = [[]]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.isEmpty || line.hasPrefix("- ") { blocks.append([]) }
        blocks[blocks.count - 1].append(line)
    }
    return blocks.filter { !$0.isEmpty }.map { lines in
        let isItem = lines[0].hasPrefix("- ")
        // An empty line before a paragraph is a part of it.
        let space = lines[0].isEmpty ? "\n" : ""
        let paragraph = lines.joined(separator: " ").replacing("`", with: "'")
        guard paragraph != "" else { return space }
        return space + wrappedParagraph(paragraph[...], first: indentation, others: indentation + (isItem ? "  " : ""))
    }.joined()
}

private func wrappedParagraph(_ text: Substring, first: String, others: String) -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(separator: " ") {
        if !isEmpty, line.count + 1 + word.count > terminalWidth {
            lines.append(line)
            line = others
            isEmpty = true
        }
        line += (isEmpty ? "" : " ") + word
        isEmpty = false
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
}
