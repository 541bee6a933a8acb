/// A failure of the run itself, which proves nothing about the library.
public struct HarnessError: Error, CustomStringConvertible {
    /// The cause.
    public let description: String
    /// Creates an error with a cause.
    public init(_ description: String) { self.description = description }
}
