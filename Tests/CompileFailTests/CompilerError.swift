/// An error or a warning, with its location.
struct CompilerError: Sendable, CustomStringConvertible {
    var file: String
    var line: Int
    var message: String
    var isWarning = false

    var description: String { "\(file):\(line): \(message)" }

    /// Returns whether this is an error at the location of an expected error, with its message.
    func matches(_ expected: CompilerError) -> Bool {
        file == expected.file && line == expected.line && message.contains(expected.message)
    }
}
