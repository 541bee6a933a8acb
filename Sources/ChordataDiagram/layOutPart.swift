/// Lays out one connected part of a model with its top left corner at the origin.
/// - Returns: Its boxes and edges, each with its index in the model's graph, and its size.
func layOutPart(_ graph: ModelGraph, nodes: [Int], links: [Int]) -> LaidOutPart {
    let widths = nodes.map { BoxMetrics.size(of: graph.nodes[$0]).width }
    let layers = assignLayers(nodes: nodes, links: links.map { graph.links[$0] }, widths: widths)
    var layered = makeLayeredGraph(graph, nodes: nodes, links: links, layers: layers)
    orderLayers(&layered)
    placeVertices(&layered)
    let routed = routeEdges(layered)

    var part = LaidOutPart()
    var boxes: [Int: DiagramLayout.Box] = [:]
    for vertex in layered.vertices {
        guard let node = vertex.node else { continue }
        let box = DiagramLayout.Box(
            node: graph.nodes[node],
            x: vertex.x,
            y: routed.tops[vertex.layer],
            width: vertex.width,
            height: vertex.height
        )
        boxes[node] = box
        part.boxes.append((node, box))
        part.width = max(part.width, vertex.x + vertex.width + vertex.reach)
    }
    part.height = routed.height
    for (chain, way) in zip(layered.chains, routed.ways) {
        part.edges.append((chain.link, makeEdge(graph.links[chain.link], way, isUpward: chain.isUpward)))
        for point in way { part.width = max(part.width, point.x) }
    }
    var loops: [Int: Int] = [:]
    for link in links where graph.links[link].source == graph.links[link].target {
        guard let box = boxes[graph.links[link].source] else { continue }
        let count = loops[graph.links[link].source, default: 0]
        loops[graph.links[link].source] = count + 1
        part.edges.append((link, makeLoop(graph.links[link], box, at: count)))
    }
    return part
}

/// The result of ``layOutPart(_:nodes:links:)``.
struct LaidOutPart {
    var boxes: [(index: Int, box: DiagramLayout.Box)] = []
    var edges: [(index: Int, edge: DiagramLayout.Edge)] = []
    var width = 0.0
    var height = 0.0
}

private func makeEdge(_ link: ModelGraph.Link, _ way: [DiagramLayout.Point], isUpward: Bool) -> DiagramLayout.Edge {
    let path = DiagramLayout.Path.polyline(isUpward ? way.reversed() : way)
    guard case .relationship(let forward, let backward) = link.kind, let upper = way.first, let lower = way.last else {
        return DiagramLayout.Edge(link: link, path: path, labels: [])
    }
    func label(_ end: ModelGraph.End, at point: DiagramLayout.Point, down: Bool) -> DiagramLayout.Label {
        let distance = BoxMetrics.markLength / 2 + 3
        return DiagramLayout.Label(
            text: end.caption,
            position: DiagramLayout.Point(x: point.x + BoxMetrics.labelGap, y: point.y + (down ? distance : -distance)),
            alignment: .leading
        )
    }
    // A name is at the end that it references.
    var labels = [label(forward, at: isUpward ? upper : lower, down: isUpward)]
    if let backward { labels.append(label(backward, at: isUpward ? lower : upper, down: !isUpward)) }
    return DiagramLayout.Edge(link: link, path: path, labels: labels)
}

/// The line of a self-relationship at the right side of its box.
private func makeLoop(_ link: ModelGraph.Link, _ box: DiagramLayout.Box, at index: Int) -> DiagramLayout.Edge {
    let x = box.x + box.width
    let start = box.y + BoxMetrics.loopTop + Double(index) * BoxMetrics.loopPitch
    let end = start + BoxMetrics.loopHeight
    let out = x + BoxMetrics.loopReach
    let ends = link.kind.ends
    let heights = ends.count == 1 || link.kind.isSymmetric ? [(start + end) / 2] : [end, start]
    return DiagramLayout.Edge(
        link: link,
        path: .polyline([
            DiagramLayout.Point(x: x, y: start), DiagramLayout.Point(x: out, y: start),
            DiagramLayout.Point(x: out, y: end), DiagramLayout.Point(x: x, y: end),
        ]),
        labels: zip(ends, heights).map { end, height in
            DiagramLayout.Label(
                text: end.caption,
                position: DiagramLayout.Point(x: out + BoxMetrics.labelGap, y: height),
                alignment: .leading
            )
        }
    )
}
