/// A line and column of a file that a user wrote, such as a model or a configuration file.
package struct SourceLocation: Sendable, Hashable, Codable {
    /// The path as the user gave it, so that editors can follow it.
    package var file: String
    /// The line, counted from 1.
    package var line: Int
    /// The column in UTF-8 code units, counted from 1.
    package var column: Int

    package init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }
}

extension SourceLocation: Comparable {
    package static func < (left: SourceLocation, right: SourceLocation) -> Bool {
        (left.file, left.line, left.column) < (right.file, right.line, right.column)
    }
}

extension SourceLocation: CustomStringConvertible {
    package var description: String { "\(file):\(line):\(column)" }
}
