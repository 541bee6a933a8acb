internal import ChordataDiagnostics

/// An element of a model file.
struct ElementSyntax: Sendable {
    let tree: SyntaxTree
    let index: Int

    private var stored: SyntaxTree.Element { tree.elements[index] }

    /// The name where it is a known one.
    var name: ModelName? { tree.names[stored.name].known }
    var nameText: String { tree.names[stored.name].text }
    /// The number of the name in the tree.
    var nameIndex: Int { stored.name }
    /// Where the `<` stands.
    var location: SourceLocation { tree.location(stored.offset) }

    // MARK: Attributes

    var attributes: [AttributeSyntax] {
        let element = stored
        return (element.firstAttribute..<element.firstAttribute + element.attributeCount).map {
            AttributeSyntax(tree: tree, index: $0)
        }
    }

    func attribute(_ name: ModelName) -> AttributeSyntax? {
        let element = stored
        for index in element.firstAttribute..<element.firstAttribute + element.attributeCount
        where tree.names[tree.attributes[index].name].known == name {
            return AttributeSyntax(tree: tree, index: index)
        }
        return nil
    }

    subscript(name: ModelName) -> String? { attribute(name)?.value }

    /// The place of an attribute's value, or of the element when the attribute is missing.
    func place(_ name: ModelName) -> SourceLocation { attribute(name)?.valueLocation ?? location }

    // MARK: Children

    var children: Children { Children(tree: tree, index: index + 1, end: stored.end) }

    func children(named name: ModelName) -> [ElementSyntax] { children.filter { $0.name == name } }

    /// The comments and the text between the children.
    var interludes: [SyntaxTree.Interlude] { tree.interludes[index] ?? [] }

    /// The text directly inside.
    var text: String { interludes.filter { $0.kind == .text }.map(\.text).joined(separator: " ") }

    struct Children: Sequence, IteratorProtocol {
        let tree: SyntaxTree
        fileprivate(set) var index: Int
        let end: Int

        mutating func next() -> ElementSyntax? {
            guard index < end else { return nil }
            defer { index = tree.elements[index].end }
            return ElementSyntax(tree: tree, index: index)
        }
    }
}

/// An attribute of an element.
struct AttributeSyntax: Sendable {
    let tree: SyntaxTree
    let index: Int

    private var stored: SyntaxTree.Attribute { tree.attributes[index] }

    /// The name where it is a known one.
    var name: ModelName? { tree.names[stored.name].known }
    var nameText: String { tree.names[stored.name].text }
    /// The number of the name in the tree.
    var nameIndex: Int { stored.name }
    var value: String { stored.value }
    /// Where the name begins.
    var location: SourceLocation { tree.location(stored.offset) }
    /// Where the value begins, behind the quote.
    var valueLocation: SourceLocation { tree.location(stored.valueOffset) }
    /// How many bytes the value has in the file, escapes included.
    var valueLength: Int { Int(stored.valueEnd - stored.valueOffset) }

    /// The place in the file of a byte of the value, which escapes before it shift.
    /// - Complexity: O(n) in the length of the value.
    func location(ofByte offset: Int) -> SourceLocation {
        let raw = tree.contents[Int(stored.valueOffset)..<Int(stored.valueEnd)]
        var position = raw.startIndex
        var decoded = 0
        while decoded < offset, position < raw.endIndex {
            guard raw[position] == UInt8(ascii: "&"), let end = raw[position...].firstIndex(of: UInt8(ascii: ";"))
            else {
                // A line break of two bytes is one blank in the value.
                let isPair = raw[position] == 13 && position + 1 < raw.endIndex && raw[position + 1] == 10
                position += isPair ? 2 : 1
                decoded += 1
                continue
            }
            decoded += decodedLength(raw[(position + 1)..<end])
            position = end + 1
        }
        return tree.location(UInt32(position))
    }

    /// How many bytes an escape stands for: `lt`, `#233`, `#xE9`.
    private func decodedLength(_ escape: ArraySlice<UInt8>) -> Int {
        guard escape.first == UInt8(ascii: "#") else { return 1 }
        let digits = String(decoding: escape.dropFirst(), as: UTF8.self)
        let code = digits.first == "x" ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap { Unicode.Scalar($0) }.map { UTF8.width($0) } ?? 1
    }
}
