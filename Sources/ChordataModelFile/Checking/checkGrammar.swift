internal import CChordataXML
internal import ChordataDiagnostics
internal import ChordataPredicate

extension ModelResolver {
    /// Reports elements and attributes that are not in the grammar, once for each kind.
    ///
    /// They have no meaning to Chordata, and are kept when the file is written.
    mutating func checkGrammar() {
        var attributes = NamePairs(tree)
        var children = NamePairs(tree)
        checkGrammar(root, &attributes, &children)
    }

    private mutating func checkGrammar(
        _ element: ElementSyntax,
        _ attributes: inout NamePairs,
        _ children: inout NamePairs
    ) {
        for index in element.attributeIndices {
            let name = Int(element.tree.pointee.attributes[index].name)
            guard attributes[element.nameNumber, name] == .unseen else { continue }
            let attribute = AttributeSyntax(tree: element.tree, index: index)
            let isKnown = isKnown(attribute.name, in: element.name, \.attributes)
            attributes[element.nameNumber, name] = isKnown ? .known : .unknown
            guard !isKnown else { continue }
            report(
                .unknownAttribute,
                "attribute '\(attribute.nameText)' of element '\(element.nameText)' is unknown and ignored"
                    + suggestion(attribute.nameText, in: element.name, \.attributes),
                at: attribute.location
            )
        }
        for child in element.children {
            if children[element.nameNumber, child.nameNumber] == .unseen {
                let isKnown = isKnown(child.name, in: element.name, \.children)
                children[element.nameNumber, child.nameNumber] = isKnown ? .known : .unknown
                if !isKnown {
                    let suggestion = suggestion(child.nameText, in: element.name, \.children)
                    let isMisplaced = child.name.flatMap { ModelGrammar(of: $0) } != nil
                    report(
                        .unknownElement,
                        "element '\(child.nameText)' \(isMisplaced ? "does not belong in" : "in") '\(element.nameText)' "
                            + "\(isMisplaced ? "and is ignored" : "is unknown and ignored")\(suggestion)",
                        at: child.location,
                        // An element that was probably meant to be part of the model is ignored, so this is a warning.
                        severity: isMisplaced || !suggestion.isEmpty ? .warning : .remark
                    )
                }
            }
            if children[element.nameNumber, child.nameNumber] == .known { checkGrammar(child, &attributes, &children) }
        }
        guard !tree.storage.pointee.trivia.isEmpty, element.trivia.contains(where: { $0.kind == .text }) else {
            return
        }
        report(
            .ignoredText,
            "the text in '\(element.nameText)' is not part of the model and is ignored; remove it, or make it a "
                + "comment",
            at: element.location
        )
    }

    private func suggestion(
        _ name: String,
        in element: ModelName?,
        _ list: KeyPath<ModelGrammar, [ModelName]>
    ) -> String {
        let known = element.flatMap { ModelGrammar(of: $0) }?[keyPath: list] ?? []
        return nearestName(to: name, among: known.map(\.text)).map { "; did you mean '\($0)'?" } ?? ""
    }

    private func isKnown(
        _ name: ModelName?,
        in element: ModelName?,
        _ list: KeyPath<ModelGrammar, [ModelName]>
    ) -> Bool {
        guard let name, let grammar = element.flatMap({ ModelGrammar(of: $0) }) else { return false }
        return grammar[keyPath: list].contains(name)
    }
}

/// The known names in other elements.
private struct NamePairs {
    enum State: UInt8 { case unseen, known, unknown }

    private let count: Int
    private var states: [State]

    init(_ tree: SyntaxTree) {
        count = tree.storage.pointee.nameCount
        states = Array(repeating: .unseen, count: count * count)
    }

    subscript(element: Int, name: Int) -> State {
        get { states[element * count + name] }
        set { states[element * count + name] = newValue }
    }
}
