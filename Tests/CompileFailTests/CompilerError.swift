/// An error, or a warning, with its place.
struct CompilerError: Sendable, CustomStringConvertible {
    var file: String
    var line: Int
    var message: String
    var isWarning = false

    var description: String { "\(file):\(line): \(message)" }

    /// Whether this is an error at the place of another one, with its words.
    func matches(_ expected: CompilerError) -> Bool {
        file == expected.file && line == expected.line && message.contains(expected.message)
    }
}
