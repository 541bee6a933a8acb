/// A file of a model, as bytes; reading it from a disk is the caller's part.
package struct ModelSourceFile: Sendable {
    /// The path as diagnostics show it.
    package var path: String
    package var contents: [UInt8]

    package init(path: String, contents: [UInt8]) {
        self.path = path
        self.contents = contents
    }
}
