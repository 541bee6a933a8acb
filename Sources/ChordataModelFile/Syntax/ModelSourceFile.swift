/// A file of a model, as bytes; reading it from a disk is the caller's part.
package struct ModelSourceFile: Sendable {
    /// How many bytes a file may have; of a larger one, one more is enough to refuse it.
    package static let maximumSize = SyntaxLimit.bytes

    /// The same for that of a mapping model.
    package static let maximumMappingSize = SyntaxLimit.mappingBytes
    /// What the file in a mapping model is called.
    package static let mappingName = "xcmapping.xml"

    /// A Boolean value that indicates whether it is that of a mapping model.
    var isMapping: Bool { path.hasSuffix("/" + Self.mappingName) }

    /// The path as diagnostics show it.
    package var path: String
    package var contents: [UInt8]

    package init(path: String, contents: [UInt8]) {
        self.path = path
        self.contents = contents
    }
}
