/// A block of a page.
///
/// Pages have no other kinds of Markdown, so that a terminal can show them too. The only markup in a text is `code`.
package enum PageBlock: Equatable {
    case heading(String, level: Int)
    case paragraph(String)
    /// A list item, which begins with `- `.
    case item(String)
    /// A paragraph such as `` `chordata.json`: ``, which names the file whose contents follow.
    case fileName(String)
    /// A fenced block whose language is named.
    case code(String)
    /// A fenced block without a language: what the command line prints.
    case output(String)
}

extension DiagnosticPage {
    /// The blocks of the Markdown; texts of several lines keep their line breaks.
    package var blocks: [PageBlock] {
        var blocks: [PageBlock] = []
        var lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            if line.isEmpty { continue }
            if line.hasPrefix("#") {
                let level = line.prefix { $0 == "#" }.count
                blocks.append(.heading(String(line.dropFirst(level + 1)), level: level))
            } else if line.hasPrefix("```") {
                let end = lines.firstIndex(of: "```") ?? lines.endIndex
                let text = lines[..<end].map { $0 + "\n" }.joined()
                blocks.append(line == "```" ? .output(text) : .code(text))
                lines = lines[end...].dropFirst()
            } else if let match = line.wholeMatch(of: /`([^`]+)`:/) {
                blocks.append(.fileName(String(match.1)))
            } else {
                let end = lines.firstIndex { $0.isEmpty || $0.hasPrefix("- ") } ?? lines.endIndex
                let text = ([line] + lines[..<end]).joined(separator: "\n")
                blocks.append(line.hasPrefix("- ") ? .item(text) : .paragraph(text))
                lines = lines[end...]
            }
        }
        return blocks
    }
}
