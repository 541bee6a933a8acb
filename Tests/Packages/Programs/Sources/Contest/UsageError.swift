/// The error that is thrown for a command line that is not valid.
public struct UsageError: Error, CustomStringConvertible {
    /// The message.
    public let description: String

    /// Creates an error with a message.
    public init(_ description: String) { self.description = description }
}
