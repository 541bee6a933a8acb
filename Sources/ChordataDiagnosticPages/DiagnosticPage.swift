package import ChordataDiagnostics

/// The manual's page of a diagnostic.
///
/// The texts are Markdown of four kinds only: paragraphs between empty lines, items that begin with `- `, `code`, and
/// no markup at all; the terminal shows them too.
package struct DiagnosticPage: Sendable, Hashable {
    package var id: DiagnosticID
    /// A few words, in lower case.
    package var title: String
    /// The problem, as one sentence in the first paragraph, and its consequence.
    package var meaning: String
    /// Its remedy.
    package var remedy: String
    /// Files that give the diagnostic and no other one; none when the id is reserved.
    package var example: [ExampleFile]
    /// The files of the example as they should be; they give no diagnostic at all.
    package var correctedExample: [ExampleFile]
    /// The output for the example; `nil` when this version of Chordata does not report it.
    package var message: String?

    init(
        _ id: DiagnosticID,
        title: String,
        meaning: String,
        remedy: String,
        example: [ExampleFile] = [],
        correctedExample: [ExampleFile] = []
    ) {
        self.id = id
        self.title = title
        self.meaning = meaning
        self.remedy = remedy
        self.example = example
        self.correctedExample = correctedExample
        message = recordedMessages[id]
    }

    /// A Boolean value that indicates whether the id is not reported any more.
    var isReserved: Bool { example.isEmpty }

    /// The level the diagnostic has, and what a configuration can make of it.
    var level: String {
        let severity = id.severity.rawValue
        let article = id.severity == .error ? "an" : "a"
        guard id.canBeLowered else {
            return
                "It is \(article) \(severity). `chordata.json` cannot lower its level, because no valid output is possible."
        }
        let others = ["`error`", "`warning`", "`remark`", "`ignore`"].filter { $0 != "`\(severity)`" }
        return "It is \(article) \(severity), which `chordata.json` can make "
            + others.dropLast().joined(separator: ", ") + " or \(others.last ?? ""):"
    }

    /// The configuration that changes the level; `nil` when nothing can.
    package var levelExample: String? {
        guard id.canBeLowered, !isReserved else { return nil }
        let level = id.severity == .error ? "warning" : "ignore"
        return """
            {
              "diagnostics": {
                "\(id.rawValue)": "\(level)"
              }
            }

            """
    }
}
