/// The maximum number of columns in a line of a page on a terminal.
package let terminalWidth = 80

/// Writes the page of a diagnostic for a terminal: plain text in lines of at most ``terminalWidth`` columns.
package func renderTerminal(_ page: DiagnosticPage) -> String {
    var text = ""
    var indentation = ""
    var isAfterItem = false
    // DocC requires this heading, but the text after it is part of the description.
    for block in page.blocks where block != .heading("Overview", level: 2) {
        let isItem = if case .item = block { true } else { false }
        if !text.isEmpty, !(isItem && isAfterItem) { text += "\n" }
        isAfterItem = isItem
        switch block {
        case .heading(let title, let level):
            text += title + "\n"
            if level > 1 { indentation = "  " }
        case .paragraph(let paragraph): text += wrapped(quoted(paragraph), first: indentation, others: indentation)
        case .item(let item): text += wrapped(quoted(item), first: indentation, others: indentation + "  ")
        case .fileName(let path): text += "\(indentation)\(path):\n"
        case .code(let code): text += code.split(separator: "\n").map { "    \($0)\n" }.joined()
        case .output(let output):
            text += output.split(separator: "\n").map { wrapped($0, first: "    ", others: "      ") }.joined()
        }
    }
    return text
}

private func quoted(_ text: String) -> String { text.replacing("`", with: "'") }

private func wrapped(_ text: some StringProtocol, first: String, others: String) -> String {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in text.split(whereSeparator: { $0 == " " || $0 == "\n" }) {
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
