package import ChordataModel

/// Writes a model as a graph for Graphviz: a table for each entity, a line for each relationship with its inverse.
///
/// Users can edit the text and draw it with Graphviz. ``renderDotForLayout(_:)`` writes the graph from which
/// ``layOut(_:graphvizPlain:)`` gets the positions.
/// - Complexity: O(n) in the number of entities and properties.
package func renderDot(
    _ model: ManagedObjectModel,
    typeName: TransformableTypeName = classOfModel
) -> String {
    let graph = makeModelGraph(model, typeName: typeName)
    let identifiers = identifyNodes(graph.nodes) { dotReservedWords.contains($0.lowercased()) }
    var text = """
        digraph model {
            graph [label=<\(escape(graph.title, with: .drawing))>, labelloc=t, fontname="Helvetica", nodesep=0.6, ranksep=0.8];
            node [shape=plain, fontname="Helvetica", fontsize=11];
            edge [fontname="Helvetica", fontsize=10, labeldistance=1.6, color="#57606a", fontcolor="#57606a"];

        """
    for (node, identifier) in zip(graph.nodes, identifiers) {
        text += "    \(identifier) [label=<\(dotTable(node))>];\n"
    }
    for link in graph.links {
        text += "    \(identifiers[link.source]) -> \(identifiers[link.target]) [\(dotAttributes(link))];\n"
    }
    return text + "}\n"
}

private func dotTable(_ node: ModelGraph.Node) -> String {
    let name = "<B>\(escape(node.name, with: .drawing))</B>"
    var table = "<TABLE BORDER=\"0\" CELLBORDER=\"1\" CELLSPACING=\"0\" CELLPADDING=\"4\" COLOR=\"#8c959f\">"
    table += "<TR><TD COLSPAN=\"2\" BGCOLOR=\"#eaeef2\">\(node.isAbstract ? "<I>\(name)</I>" : name)</TD></TR>"
    for row in node.rows {
        let note = row.note.map { " <I>\($0)</I>" } ?? ""
        table += "<TR><TD ALIGN=\"LEFT\" SIDES=\"LB\">\(escape(row.name, with: .drawing))\(note)</TD>"
        table += "<TD ALIGN=\"LEFT\" SIDES=\"RB\">\(escape(row.type, with: .drawing))</TD></TR>"
    }
    return table + "</TABLE>"
}

/// The attributes of an edge, which points from the source down to the target.
private func dotAttributes(_ link: ModelGraph.Link) -> String {
    guard case .relationship(let forward, let backward) = link.kind else { return "dir=back, arrowtail=empty" }
    let tail = backward.map { "dir=none, taillabel=<\($0.cardinality.text)>" } ?? "dir=forward, arrowhead=vee"
    let label = link.kind.label { escape($0.name, with: .drawing) }
    return "\(tail), headlabel=<\(forward.cardinality.text)>, label=< \(label) >"
}

/// Graphviz's keywords, which are not case-sensitive.
private let dotReservedWords: Set<String> = ["digraph", "edge", "graph", "node", "strict", "subgraph"]
