package import ChordataModel

/// Writes the graph whose positions ``layOut(_:graphvizPlain:)`` reads back from `dot -Tplain`.
///
/// Its nodes have the size of our boxes, and it contains no text of the model: entities are `n` and their number, and
/// links are identified by a label `r` and their number, padded to the width that their real label needs.
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

/// Returns the boxes as they are passed to Graphviz, without positions.
///
/// Graphviz chooses where lines end, so a box is only as large as its texts.
func graphvizBoxes(_ graph: ModelGraph) -> [DiagramLayout.Box] {
    graph.nodes.map { node in
        let size = BoxMetrics.size(of: node)
        return DiagramLayout.Box(node: node, x: 0, y: 0, width: size.width, height: size.height)
    }
}

/// Returns the label of a link: its number, padded to its width in Courier, whose characters are 0.6 em wide.
func graphvizLabel(of link: ModelGraph.Link, at index: Int) -> String {
    let label = "r\(index)"
    // The lines of inheritance have no text, but Graphviz reserves space for every label.
    if link.kind == .inheritance { return label }
    let width = TextMetrics.label.width(of: link.kind.label(\.caption)) + 8
    return label + String(repeating: "_", count: max(0, Int((width / (0.6 * 11)).rounded(.up)) - label.count))
}

/// The number of points per inch, the unit of Graphviz.
let pointsPerInch = 72.0

/// Returns a length in inches with four decimal places.
private func inches(_ points: Double) -> String {
    let digits = String(Int((points / pointsPerInch * 10_000).rounded()))
    let padded = String(repeating: "0", count: max(0, 5 - digits.count)) + digits
    return "\(padded.dropLast(4)).\(padded.suffix(4))"
}
