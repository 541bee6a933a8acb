internal import ChordataDiagnostics

extension ModelResolver {
    /// Mentions what the grammar does not have, once for each kind: it means nothing here, and is kept when the file is
    /// written.
    mutating func checkGrammar() {
        let nameCount = root.tree.nameCount
        var seen = [Bool](repeating: false, count: nameCount * nameCount)
        checkGrammar(root, &seen, nameCount)
    }

    private mutating func checkGrammar(_ element: ElementSyntax, _ seen: inout [Bool], _ nameCount: Int) {
        guard let name = element.name, let grammar = ModelGrammar(of: name) else { return }
        for attribute in element.attributes {
            let pair = element.nameNumber * nameCount + attribute.nameNumber
            guard !seen[pair] else { continue }
            seen[pair] = true
            if let known = attribute.name, grammar.attributes.contains(known) { continue }
            report(
                .unknownAttribute,
                "attribute '\(attribute.nameText)' of element '\(element.nameText)' is unknown and ignored",
                at: attribute.location
            )
        }
        for child in element.children {
            if let known = child.name, grammar.children.contains(known) {
                checkGrammar(child, &seen, nameCount)
                continue
            }
            let pair = element.nameNumber * nameCount + child.nameNumber
            guard !seen[pair] else { continue }
            seen[pair] = true
            report(
                .unknownElement,
                "element '\(child.nameText)' in '\(element.nameText)' is unknown and ignored",
                at: child.location
            )
        }
        if element.interludes.contains(where: { $0.kind == .text }) {
            report(
                .ignoredText,
                "the text in '\(element.nameText)' means nothing and is ignored; remove it, or make it a comment",
                at: element.location
            )
        }
    }
}
