import ChordataDiagnosticPages
import ChordataDiagnostics
import Testing

/// Returns the page of a diagnostic.
func page(of id: DiagnosticID) throws -> DiagnosticPage {
    try #require(DiagnosticPage.all.first { $0.id == id.rawValue })
}

/// An example of a page.
struct Example {
    var files: [ExampleFile] = []
    /// The output for the files; `nil` if the page shows none.
    var output: String?
}

/// A file of an example.
struct ExampleFile {
    /// The path within the folder of the example, with `/` between its parts.
    var path: String
    /// `nil` for an empty folder.
    var contents: String?
}

extension DiagnosticPage {
    /// Returns the blocks between the heading of a section and the next heading.
    func section(_ title: String) throws -> ArraySlice<PageBlock> {
        let start = try #require(blocks.firstIndex(of: .heading(title, level: 3)), "section '\(title)'")
        return blocks[(start + 1)...].prefix { if case .heading = $0 { false } else { true } }
    }

    /// Returns the example in a section.
    ///
    /// A file is a paragraph with its name and a fenced block with its contents, or the sentence that it is empty.
    func example(in title: String) throws -> Example {
        var example = Example()
        var blocks = try section(title)
        while let block = blocks.popFirst() {
            switch (block, blocks.first) {
            case (.fileName(let path), .code(let contents)):
                example.files.append(ExampleFile(path: path, contents: contents))
                blocks.removeFirst()
            case (.paragraph("This gives:"), .output(let output)):
                example.output = output
                blocks.removeFirst()
            case (.paragraph(let text), _):
                let file = try #require(text.wholeMatch(of: /`([^`]+)` is an empty (file|folder)\./), "\(text)")
                example.files.append(ExampleFile(path: String(file.1), contents: file.2 == "file" ? "" : nil))
            default: Issue.record("the example has a block that is not part of a file: \(block)")
            }
        }
        return example
    }
}
