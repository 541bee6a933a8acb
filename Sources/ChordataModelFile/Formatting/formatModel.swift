package import ChordataDiagnostics
internal import ChordataModel

/// Writes a model file in Xcode's order and layout.
///
/// Nothing is lost: unknown attributes keep their values and follow the known ones, unknown elements follow the known
/// ones in the order of the file, comments stay before their elements, and elements of one kind keep their order. A
/// file that Xcode wrote last is unchanged, byte for byte.
/// - Returns: The bytes; `nil` when the file is not well-formed, or not a model.
package func formatModel(_ file: ModelSourceFile) -> (contents: [UInt8]?, diagnostics: [Diagnostic]) {
    switch parseModelSyntax(file) {
    case .failure(let failure): return (nil, [failure.diagnostic])
    case .success(let tree):
        var printer = ModelPrinter()
        printer.printDocument(tree)
        return (Array(printer.text.utf8), [])
    }
}

/// Prints elements as Xcode does: four spaces per level, no line break at the end.
private struct ModelPrinter {
    private(set) var text = ""

    mutating func printDocument(_ tree: SyntaxTree) {
        let root = tree.root
        text = #"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>"#
        let outside = tree.storage.pointee.trivia[SyntaxTree.document] ?? []
        for piece in outside where piece.next == root.index { print(piece, level: 0) }
        print(root, level: 0)
        for piece in outside where piece.next != root.index { print(piece, level: 0) }
    }

    private mutating func startLine(_ level: Int) {
        text += "\n"
        text += String(repeating: "    ", count: level)
    }

    private mutating func print(_ element: ElementSyntax, level: Int) {
        startLine(level)
        text += "<\(element.nameText)"
        for attribute in orderedAttributes(of: element) {
            text += " \(attribute.nameText)=\"\(escape(attribute.value, with: .xmlAttribute))\""
        }
        let children = orderedChildren(of: element)
        let trivia = element.trivia
        guard !children.isEmpty || !trivia.isEmpty else {
            text += "/>"
            return
        }
        text += ">"
        // Contents before a child are moved together with the child.
        var byNext = Dictionary(grouping: trivia, by: \.next)
        for child in children {
            for piece in byNext.removeValue(forKey: child.index) ?? [] { print(piece, level: level + 1) }
            if isKnown(child, in: element) {
                print(child, level: level + 1)
            } else {
                startLine(level + 1)
                // XML normalizes every line break to this one.
                text += child.source.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
            }
        }
        for piece in trivia where byNext[piece.next] != nil { print(piece, level: level + 1) }
        startLine(level)
        text += "</\(element.nameText)>"
    }

    private mutating func print(_ piece: SyntaxTree.Trivia, level: Int) {
        startLine(level)
        switch piece.kind {
        case .comment, .instruction: text += piece.text
        case .text: text += escape(piece.text, with: .xmlText)
        }
    }
}

private func isKnown(_ child: ElementSyntax, in element: ElementSyntax) -> Bool {
    guard let name = child.name, let grammar = element.name.flatMap({ ModelGrammar(of: $0) }) else { return false }
    return grammar.children.contains(name)
}

/// Returns the attributes in Xcode's order, then the unknown attributes in the order of the file.
private func orderedAttributes(of element: ElementSyntax) -> [AttributeSyntax] {
    guard let name = element.name, var order = ModelGrammar(of: name)?.attributes else { return element.attributes }
    // Up to tools version 10174, when there was no source language, Xcode wrote the identifier first.
    if name == .model, element.attribute(.sourceLanguage) == nil {
        order.removeAll { $0 == .userDefinedModelVersionIdentifier }
        order.insert(.userDefinedModelVersionIdentifier, at: 1)
    }
    return stableSorted(element.attributes, by: order) { $0.name }
}

/// Returns the children in Xcode's order of kinds, then the unknown children.
private func orderedChildren(of element: ElementSyntax) -> [ElementSyntax] {
    let order = element.name.flatMap { ModelGrammar(of: $0) }?.children ?? []
    return stableSorted(Array(element.children), by: order) { $0.name }
}

private func stableSorted<Item>(_ items: [Item], by order: [ModelName], name: (Item) -> ModelName?) -> [Item] {
    items.enumerated()
        .map { (rank: name($1).flatMap { order.firstIndex(of: $0) } ?? order.count, offset: $0, item: $1) }
        .sorted { ($0.rank, $0.offset) < ($1.rank, $1.offset) }
        .map(\.item)
}
