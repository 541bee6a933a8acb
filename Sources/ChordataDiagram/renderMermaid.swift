package import ChordataModel

/// Writes a model as a Mermaid class diagram, which GitHub draws in a fenced code block.
///
/// It is a class diagram, because an entity-relationship diagram of Mermaid has neither inheritance nor types such as
/// `[String]`. The grammar is that of https://mermaid.js.org/syntax/classDiagram.html.
/// - Complexity: O(n) in the number of entities and properties.
package func renderMermaid(
    _ model: ManagedObjectModel,
    typeName: TransformableTypeName = classOfModel
) -> String {
    let graph = makeModelGraph(model, typeName: typeName)
    let identifiers = identifyNodes(graph.nodes) { name in
        mermaidReservedWords.contains(name) || name.hasSuffix("direction")
    }
    var text = "classDiagram\n"
    text += "    accTitle: \(mermaidText(graph.title))\n"
    for (node, identifier) in zip(graph.nodes, identifiers) {
        text += "    class \(identifier)"
        if identifier != node.name { text += "[\"\(mermaidText(node.name))\"]" }
        var members = node.isAbstract ? ["<<abstract>>"] : []
        members += node.rows.map { row in
            "\(mermaidText(row.name, isMember: true)): \(mermaidText(row.type, isMember: true))"
                + (row.note.map { " «\($0)»" } ?? "")
        }
        if !members.isEmpty {
            // The body of a class may not be empty before Mermaid 11.
            text += " {\n" + members.map { "        \($0)\n" }.joined() + "    }"
        }
        text += "\n"
    }
    for link in graph.links {
        let source = identifiers[link.source]
        let target = identifiers[link.target]
        switch link.kind {
        case .inheritance:
            text += "    \(source) <|-- \(target)\n"
        case .relationship(let forward, let backward):
            let line = backward.map { "\"\($0.cardinality.text)\" --" } ?? "-->"
            let label = link.kind.label { mermaidText($0.name) }
            text += "    \(source) \(line) \"\(forward.cardinality.text)\" \(target) : \(label)\n"
        }
    }
    return text
}

/// Words that Mermaid's lexer does not accept as names of classes, and names that every JavaScript object has.
private let mermaidReservedWords: Set<String> = [
    "accDescr", "accTitle", "call", "callback", "class", "classDef", "classDiagram", "click", "constructor", "cssClass",
    "default", "direction", "end", "href", "link", "namespace", "note", "o", "prototype", "style", "title",
]

/// Writes free text into a Mermaid diagram.
/// - Parameter isMember: Whether the text is in the body of a class. Elsewhere the word `direction` changes the
///   direction of the diagram if `TB` or a similar word follows, even on the next line, so its last letter is escaped.
func mermaidText(_ text: String, isMember: Bool = false) -> String {
    let scalars = Array(text.unicodeScalars)
    let direction = Array("direction".unicodeScalars)
    var written = ""
    for (index, scalar) in scalars.enumerated() {
        let hasMeaningHere =
            switch scalar {
            case "n" where !isMember: scalars[...index].ends(with: direction)
            case "_":
                // Between letters it is an ordinary character; at the end of a word it is Markdown's emphasis.
                !(index > 0 && index + 1 < scalars.count && scalars[index - 1].isAlphanumeric
                    && scalars[index + 1].isAlphanumeric)
            default: false
            }
        written += hasMeaningHere ? EscapeTable.mermaidCode(scalar) : escape(String(scalar), with: .mermaid)
    }
    return written
}

extension ArraySlice<Unicode.Scalar> {
    fileprivate func ends(with other: [Unicode.Scalar]) -> Bool { suffix(other.count).elementsEqual(other) }
}
