internal import ChordataDiagnostics

/// Writes the page of a diagnostic for the documentation, as DocC reads Markdown.
package func renderPage(_ page: DiagnosticPage) -> String {
    let (summary, rest) = splitSummary(page.meaning)
    var text = "# \(page.id.rawValue): \(page.title)\n\n\(summary)\n\n## Overview\n\n\(rest)\n"
    text += "\n### What to do\n\n\(page.remedy)\n"
    if !page.isReserved {
        text += "\n### Example\n" + page.example.map(render).joined()
        if let message = page.message { text += "\nThis gives:\n\n```\n\(message)```\n" }
        text += "\n### Corrected example\n" + page.correctedExample.map(render).joined()
    }
    if !page.isReserved { text += "\n### Level\n\n\(page.level)\n" }
    if let example = page.levelExample { text += "\n```json\n\(example)```\n" }
    return text + "\n" + generatedMark
}

/// It is at the end, because a page begins with its title.
let generatedMark = "<!-- Written by ChordataDiagnosticPagesTests with CHORDATA_RECORD=1. Do not edit. -->\n"

private func render(_ file: ExampleFile) -> String {
    switch file.contents {
    case nil: "\n`\(file.path)` is an empty folder.\n"
    case "": "\n`\(file.path)` is an empty file.\n"
    case let contents?: "\n`\(file.path)`:\n\n```\(file.language)\n\(contents)```\n"
    }
}

/// The first paragraph of a text, which is one line, and the others.
func splitSummary(_ text: String) -> (summary: String, rest: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let end = lines.firstIndex(of: "") ?? lines.endIndex
    return (lines[..<end].joined(separator: " "), lines[end...].dropFirst().joined(separator: "\n"))
}
