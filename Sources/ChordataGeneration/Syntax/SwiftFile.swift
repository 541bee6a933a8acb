/// A file of Swift.
struct SwiftFile: Hashable {
    /// The lines of the comment at the beginning.
    var header: [String] = []
    var imports: [SwiftImport]
    var declarations: [SwiftDeclaration]
}

/// An import of a module.
struct SwiftImport: Hashable {
    var attributes: [SwiftAttribute] = []
    var access = SwiftAccess.internal
    var module: String
}
