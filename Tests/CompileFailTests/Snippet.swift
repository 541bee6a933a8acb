import Foundation
import Testing

/// A program that uses generated code, with the errors that it must get.
struct Snippet: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// A line with an error ends with `// error:` and words of it, one for each error.
    var source: String

    init(_ testDescription: String, _ source: String) {
        self.testDescription = testDescription
        self.source = source
    }

    static let fileName = "Snippet.swift"

    var expectedErrors: [CompilerError] {
        source.components(separatedBy: "\n").enumerated().flatMap { index, line in
            line.components(separatedBy: "  // error: ").dropFirst().map {
                CompilerError(file: Self.fileName, line: index + 1, message: $0)
            }
        }
    }
}
