internal import CChordataDiagnosticPages

/// The page of the manual that explains a diagnostic.
package struct DiagnosticPage: Sendable {
    package let id: String
    /// A few words, in lower case.
    package let title: String
    /// The contents of the file in the DocC catalogue.
    package let markdown: String

    /// - Parameter markdown: Its first line is `# CD0101: title`.
    private init(_ markdown: Substring) {
        let heading = markdown.prefix { $0 != "\n" }.dropFirst("# ".count)
        id = String(heading.prefix("CD0101".count))
        title = String(heading.dropFirst("CD0101: ".count))
        self.markdown = String(markdown)
    }

    /// The pages of all diagnostics, in the order of their ids.
    package static let all: [DiagnosticPage] = {
        let formFeed: Character = "\u{C}"
        return String(cString: chordata_diagnostic_pages()).split(separator: formFeed).map { DiagnosticPage($0) }
    }()
}
