import Foundation
import Testing

/// A program that uses generated code, with the errors that it must get.
struct Snippet: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Behind a line that gets an error stands `// error:` with words of it, once for each.
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
