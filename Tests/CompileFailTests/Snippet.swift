import Foundation
import Testing

/// A program that uses generated code, with its expected errors.
struct Snippet: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// The code.
    ///
    /// A line with errors ends with `// error:` and a part of the message, once for each error.
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
