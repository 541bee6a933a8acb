package import ChordataModel

/// Writes the graph whose positions ``layOut(_:graphvizPlain:)`` reads back from `dot -Tplain`.
///
/// Its nodes have the size that our boxes have, and no text of the model is in it: entities are `n` and their number,
/// links are identified by a label `r` and their number, filled up to the width that their real label needs.
/// - Complexity: O(n) in the number of entities and properties.
package func renderDotForLayout(
    _ model: ManagedObjectModel,
    typeName: TransformableTypeName = classOfModel
) -> String {
    let graph = makeModelGraph(model, typeName: typeName)
    var text = """
        digraph model {
            graph [nodesep=0.6, ranksep=0.7];
            node [shape=box, fixedsize=true, label=""];
            edge [dir=none, fontname="Courier", fontsize=11];

        """
    for (index, box) in graphvizBoxes(graph).enumerated() {
        text += "    n\(index) [width=\(inches(box.width)), height=\(inches(box.height))];\n"
    }
    for (index, link) in graph.links.enumerated() {
        let label = graphvizLabel(of: link, at: index)
        text += "    n\(link.source) -> n\(link.target) [label=\"\(label)\"];\n"
    }
    return text + "}\n"
}

/// The boxes as Graphviz gets them, without places.
///
/// Graphviz chooses where lines arrive, so a box is as large as its texts and no larger.
func graphvizBoxes(_ graph: ModelGraph) -> [DiagramLayout.Box] {
    graph.nodes.map { node in
        let size = BoxMetrics.size(of: node)
        return DiagramLayout.Box(node: node, x: 0, y: 0, width: size.width, height: size.height)
    }
}

/// The label of a link: its number, filled up to its width in Courier, whose characters are 0.6 em wide.
func graphvizLabel(of link: ModelGraph.Link, at index: Int) -> String {
    let label = "r\(index)"
    // Nothing is written beside inheritance, but Graphviz makes room for every label.
    if link.kind == .inheritance { return label }
    let width = TextMetrics.label.width(of: link.kind.label(\.caption)) + 8
    return label + String(repeating: "_", count: max(0, Int((width / (0.6 * 11)).rounded(.up)) - label.count))
}

/// The number of points of an inch, the unit of Graphviz.
let pointsPerInch = 72.0

/// A length in inches with four decimals.
private func inches(_ points: Double) -> String {
    let digits = String(Int((points / pointsPerInch * 10_000).rounded()))
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "\(padded.dropLast(4)).\(padded.suffix(4))"
}
