package import ChordataModel

/// Lays out a model without another program.
///
/// Each connected part is drawn in layers (``layOutPart(_:nodes:links:)``); the parts are in rows, the largest first
/// and the entities without relationships last. The same model gives the same layout everywhere.
/// - Complexity: O(n²) for n entities in the worst case.
package func layOut(
    _ model: ManagedObjectModel,
    typeName: TransformableTypeName = classOfModel
) -> DiagramLayout {
    let graph = makeModelGraph(model, typeName: typeName)
    let connected = connectedParts(graph)
    let parts = connected.map { layOutPart(graph, nodes: $0.nodes, links: $0.links) }
    let origins = pack(
        parts.map { ($0.width, $0.height) },
        firstOfGrid: connected.firstIndex { $0.nodes.count == 1 }
    )
    var boxes: [(index: Int, box: DiagramLayout.Box)] = []
    var edges: [(index: Int, edge: DiagramLayout.Edge)] = []
    for (part, origin) in zip(parts, origins) {
        boxes += part.boxes.map { ($0.index, $0.box.moved(by: origin)) }
        edges += part.edges.map { ($0.index, $0.edge.moved(by: origin)) }
    }
    var layout = DiagramLayout(
        title: graph.title,
        width: 0,
        height: 0,
        boxes: boxes.sorted { $0.index < $1.index }.map(\.box),
        edges: edges.sorted { $0.index < $1.index }.map(\.edge)
    )
    layout.fitCanvas(margin: 24)
    return layout
}

/// Returns the connected parts of a graph: the part with the most entities first, parts of equal size in the order of
/// the model.
private func connectedParts(_ graph: ModelGraph) -> [(nodes: [Int], links: [Int])] {
    var roots = Array(graph.nodes.indices)
    func root(of node: Int) -> Int {
        var node = node
        while roots[node] != node {
            roots[node] = roots[roots[node]]
            node = roots[node]
        }
        return node
    }
    for link in graph.links {
        let ends = (root(of: link.source), root(of: link.target))
        roots[max(ends.0, ends.1)] = min(ends.0, ends.1)
    }
    var parts: [(nodes: [Int], links: [Int])] = []
    var partOfRoot: [Int: Int] = [:]
    for node in graph.nodes.indices {
        let root = root(of: node)
        if let part = partOfRoot[root] {
            parts[part].nodes.append(node)
        } else {
            partOfRoot[root] = parts.count
            parts.append(([node], []))
        }
    }
    for (index, link) in graph.links.enumerated() {
        if let part = partOfRoot[root(of: link.source)] { parts[part].links.append(index) }
    }
    return parts.enumerated()
        .sorted { ($1.element.nodes.count, $0.offset) < ($0.element.nodes.count, $1.offset) }
        .map(\.element)
}

/// Arranges rectangles in rows of about the width that makes the whole slightly wider than high.
/// - Parameter firstOfGrid: The index of the first entity without relationships; such entities have rows of their own.
private func pack(
    _ sizes: [(width: Double, height: Double)],
    firstOfGrid: Int?
) -> [DiagramLayout.Point] {
    let gap = 48.0
    let area = sizes.reduce(0) { $0 + ($1.width + gap) * ($1.height + gap) }
    let limit = max(sizes.map(\.width).max() ?? 0, (area * 1.5).squareRoot())
    var origins: [DiagramLayout.Point] = []
    var next = DiagramLayout.Point(x: 0, y: 0)
    var rowHeight = 0.0
    for (index, size) in sizes.enumerated() {
        if next.x > 0, next.x + size.width > limit || index == firstOfGrid {
            next = DiagramLayout.Point(x: 0, y: next.y + rowHeight + gap)
            rowHeight = 0
        }
        origins.append(next)
        rowHeight = max(rowHeight, size.height)
        next.x += size.width + gap
    }
    return origins
}
