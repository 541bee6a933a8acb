internal import CChordataXML
internal import ChordataDiagnostics

/// An element of a model file, valid as long as its tree exists.
struct ElementSyntax {
    let tree: UnsafePointer<SyntaxTree.Storage>
    let index: Int

    private var stored: chordata_xml_element { tree.pointee.elements[index] }

    /// The number of the name in the tree.
    var nameNumber: Int { Int(stored.name) }
    /// The name if it is known.
    var name: ModelName? { ModelName(rawValue: UInt16(stored.name)) }
    var nameText: String { tree.pointee.nameText(nameNumber) }
    /// The location of the `<`.
    var location: SourceLocation { tree.pointee.location(stored.offset) }

    /// The text of the element in the file, from its `<` to its last `>`.
    var source: String {
        let stored = stored
        return String(decoding: tree.pointee.contents[Int(stored.offset)..<Int(stored.end_offset)], as: UTF8.self)
    }

    // MARK: Attributes

    var attributes: [AttributeSyntax] {
        attributeIndices.map { AttributeSyntax(tree: tree, index: $0) }
    }

    /// The indexes of the attributes in the tree.
    var attributeIndices: Range<Int> {
        let first = Int(stored.first_attribute)
        return first..<first + Int(stored.attribute_count)
    }

    @inline(__always)
    func attribute(_ name: ModelName) -> AttributeSyntax? {
        // Most requested attributes are missing.
        let present = tree.pointee.elements[index].present
        let bits = name.rawValue < 64 ? present.0 : present.1
        return bits & (1 << UInt64(name.rawValue % 64)) == 0 ? nil : findAttribute(name)
    }

    private func findAttribute(_ name: ModelName) -> AttributeSyntax? {
        for index in attributeIndices where tree.pointee.attributes[index].name == name.rawValue {
            return AttributeSyntax(tree: tree, index: index)
        }
        return nil
    }

    subscript(name: ModelName) -> String? { attribute(name)?.value }

    /// Returns the location of an attribute's value, or of the element if the attribute is missing.
    func place(_ name: ModelName) -> SourceLocation { attribute(name)?.valueLocation ?? location }

    // MARK: Children

    var children: Children { Children(tree: tree, index: index + 1, end: Int(stored.end)) }

    /// The number of descendants of the element.
    var descendantCount: Int { Int(stored.end) - index - 1 }

    func children(named name: ModelName) -> [ElementSyntax] { children.filter { $0.name == name } }

    /// The comments and the text between the children.
    var trivia: [SyntaxTree.Trivia] { tree.pointee.trivia[index] ?? [] }

    /// The text between the element's tags, without that of its children.
    var text: String { trivia.filter { $0.kind == .text }.map(\.text).joined() }

    struct Children: Sequence, IteratorProtocol {
        let tree: UnsafePointer<SyntaxTree.Storage>
        fileprivate(set) var index: Int
        let end: Int

        mutating func next() -> ElementSyntax? {
            guard index < end else { return nil }
            defer { index = Int(tree.pointee.elements[index].end) }
            return ElementSyntax(tree: tree, index: index)
        }
    }
}
