internal import ChordataDiagnostics

/// An element of a model file, with the places of its parts.
struct ElementSyntax {
    struct Attribute {
        var name: String
        var value: String
        /// Where the name begins.
        var location: SourceLocation
        /// Where the value begins, behind the quote.
        var valueLocation: SourceLocation
    }

    var name: String
    /// Where the `<` stands.
    var location: SourceLocation
    var attributes: [Attribute]
    var children: [ElementSyntax] = []
    var text = ""

    func attribute(_ name: String) -> Attribute? { attributes.first { $0.name == name } }
    subscript(name: String) -> String? { attribute(name)?.value }
    /// The place of an attribute's value, or of the element when the attribute is missing.
    func place(_ name: String) -> SourceLocation { attribute(name)?.valueLocation ?? location }
    func children(named name: String) -> [ElementSyntax] { children.filter { $0.name == name } }

    /// Whether an attribute says yes; Xcode writes `YES` and `NO`, in a few places `true` and `false`.
    func flag(_ name: String) -> Bool {
        let value = self[name]
        return value == "YES" || value == "true" || value == "1"
    }
}

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
