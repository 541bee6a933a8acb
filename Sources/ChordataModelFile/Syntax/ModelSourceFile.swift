/// A file of a model, as bytes, which the caller reads from the disk.
package struct ModelSourceFile: Sendable {
    /// The maximum number of bytes of a file; one more byte is read to detect larger files.
    package static let maximumSize = SyntaxLimit.bytes

    /// The maximum number of bytes of the XML file of a mapping model.
    package static let maximumMappingSize = SyntaxLimit.mappingBytes
    /// The name of the file in a mapping model.
    package static let mappingName = "xcmapping.xml"

    /// A Boolean value that indicates whether the file is the XML file of a mapping model.
    var isMapping: Bool { path.hasSuffix("/" + Self.mappingName) }

    /// The path as diagnostics show it.
    package var path: String
    package var contents: [UInt8]

    package init(path: String, contents: [UInt8]) {
        self.path = path
        self.contents = contents
    }
}
