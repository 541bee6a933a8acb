package import ChordataModel

/// Lays out a model with the positions that Graphviz has computed.
///
/// The format is https://graphviz.org/docs/outputs/plain/: lines `graph`, `node`, `edge` and `stop`, lengths in inches,
/// the origin at the bottom left.
///
/// - Parameter text: The output of `dot -Tplain` for ``renderDotForLayout(_:)`` of the same model.
/// - Returns: `nil` if the text is not complete, or belongs to another model.
package func layOut(
    _ model: ManagedObjectModel,
    graphvizPlain text: String,
    typeName: TransformableTypeName = classOfModel
) -> DiagramLayout? {
    let graph = makeModelGraph(model, typeName: typeName)
    guard let plain = PlainGraph(text, nodeCount: graph.nodes.count, linkCount: graph.links.count) else { return nil }
    let margin = 24.0
    func place(_ point: DiagramLayout.Point) -> DiagramLayout.Point {
        DiagramLayout.Point(
            x: point.x * pointsPerInch,
            y: (plain.height - point.y) * pointsPerInch
        )
    }
    var boxes = graphvizBoxes(graph)
    for index in boxes.indices {
        let center = place(plain.nodes[index].center)
        // A size that differs from ours means that the text belongs to another model.
        guard abs(plain.nodes[index].width * pointsPerInch - boxes[index].width) < 1,
            abs(plain.nodes[index].height * pointsPerInch - boxes[index].height) < 1
        else { return nil }
        boxes[index].x = center.x - boxes[index].width / 2
        boxes[index].y = center.y - boxes[index].height / 2
    }
    var edges: [DiagramLayout.Edge] = []
    for (link, edge) in zip(graph.links, plain.edges) {
        guard edge.source == link.source, edge.target == link.target else { return nil }
        var points = edge.points.map(place)
        // Graphviz's curves end within a hundredth of an inch of the border.
        points[0] = boxes[link.source].nearestBorder(to: points[0])
        points[points.count - 1] = boxes[link.target].nearestBorder(to: points[points.count - 1])
        let label = DiagramLayout.Label(
            text: link.kind.label(\.caption),
            position: place(edge.label),
            alignment: .center
        )
        edges.append(
            DiagramLayout.Edge(link: link, path: .curve(points), labels: link.kind == .inheritance ? [] : [label])
        )
    }
    // Curves and labels may extend beyond the size of the drawing that Graphviz reports.
    var layout = DiagramLayout(title: graph.title, width: 0, height: 0, boxes: boxes, edges: edges)
    layout.fitCanvas(margin: margin)
    return layout
}

extension DiagramLayout.Box {
    /// Returns the point on the border that is nearest to a point.
    fileprivate func nearestBorder(to point: DiagramLayout.Point) -> DiagramLayout.Point {
        var border = DiagramLayout.Point(x: min(max(point.x, x), x + width), y: min(max(point.y, y), y + height))
        let distances = [border.x - x, x + width - border.x, border.y - y, y + height - border.y]
        let least = distances.min() ?? 0
        if distances[0] == least {
            border.x = x
        } else if distances[1] == least {
            border.x = x + width
        } else if distances[2] == least {
            border.y = y
        } else {
            border.y = y + height
        }
        return border
    }
}
