/// Creates the layered graph of a connected part: boxes in their layers, links divided into pieces from layer to layer,
/// and ports, the positions where links meet the boxes.
///
/// No link connects entities of one layer: ``assignLayers(nodes:links:widths:)`` puts linked entities into different
/// layers.
func makeLayeredGraph(_ graph: ModelGraph, nodes: [Int], links: [Int], layers: [Int]) -> LayeredGraph {
    var layered = LayeredGraph()
    layered.layers = Array(repeating: [], count: (layers.max() ?? 0) + 1)
    var vertexOfNode: [Int: Int] = [:]
    for (node, layer) in zip(nodes, layers) {
        vertexOfNode[node] = layered.vertices.count
        var vertex = LayeredGraph.Vertex(node: node, layer: layer)
        (vertex.width, vertex.height) = BoxMetrics.size(of: graph.nodes[node])
        layered.append(vertex)
    }
    // All subentities share one port of their superentity.
    var inheritancePorts: [Int: Int] = [:]
    for link in links {
        guard let source = vertexOfNode[graph.links[link].source], let target = vertexOfNode[graph.links[link].target]
        else {
            continue
        }
        if source == target { continue }
        let isUpward = layered.vertices[source].layer > layered.vertices[target].layer
        let upper = isUpward ? target : source
        let lower = isUpward ? source : target
        var chain = LayeredGraph.Chain(link: link, isUpward: isUpward, pieces: [])
        var current = upper
        for layer in layered.vertices[upper].layer + 1...layered.vertices[lower].layer {
            let isLast = layer == layered.vertices[lower].layer
            let next = isLast ? lower : layered.vertices.count
            if !isLast { layered.append(LayeredGraph.Vertex(node: nil, layer: layer)) }
            let piece = layered.pieces.count
            layered.pieces.append(LayeredGraph.Piece(link: link, upper: current, lower: next))
            layered.vertices[current].lowerPieces.append(piece)
            layered.vertices[next].upperPieces.append(piece)
            chain.pieces.append(piece)
            current = next
        }
        layered.chains.append(chain)
        addPorts(&layered, chain, graph.links[link].kind, upper, lower, &inheritancePorts)
    }
    addSelfRelationships(&layered, graph, vertexOfNode, links)
    widenForPorts(&layered)
    mixCrossingsIn(&layered)
    return layered
}

private func addPorts(
    _ layered: inout LayeredGraph,
    _ chain: LayeredGraph.Chain,
    _ kind: ModelGraph.Link.Kind,
    _ upper: Int,
    _ lower: Int,
    _ inheritancePorts: inout [Int: Int]
) {
    guard let first = chain.pieces.first, let last = chain.pieces.last else { return }
    let forward = kind.ends.first?.caption
    let backward = kind.ends.dropFirst().first?.caption
    let labels = chain.isUpward ? (upper: forward, lower: backward) : (upper: backward, lower: forward)
    if kind == .inheritance, let shared = inheritancePorts[upper] {
        layered.ports[shared].pieces.append(first)
        layered.pieces[first].upperPort = shared
    } else {
        if kind == .inheritance { inheritancePorts[upper] = layered.ports.count }
        layered.pieces[first].upperPort = layered.ports.count
        layered.ports.append(LayeredGraph.Port(vertex: upper, pieces: [first], label: labels.upper))
    }
    layered.pieces[last].lowerPort = layered.ports.count
    layered.ports.append(LayeredGraph.Port(vertex: lower, pieces: [last], label: labels.lower))
}

private func addSelfRelationships(
    _ layered: inout LayeredGraph,
    _ graph: ModelGraph,
    _ vertexOfNode: [Int: Int],
    _ links: [Int]
) {
    var captions: [Int: [[String]]] = [:]
    for link in links where graph.links[link].source == graph.links[link].target {
        guard let vertex = vertexOfNode[graph.links[link].source] else { continue }
        captions[vertex, default: []].append(graph.links[link].kind.ends.map(\.caption))
    }
    for (vertex, names) in captions {
        layered.vertices[vertex].reach = BoxMetrics.reach(ofLoops: names.flatMap { $0 })
        layered.vertices[vertex].height = max(layered.vertices[vertex].height, BoxMetrics.height(forLoops: names.count))
    }
}

/// Makes the top and the bottom of each box wide enough for the names beside the lines that end there.
private func widenForPorts(_ layered: inout LayeredGraph) {
    for vertex in layered.vertices.indices where layered.vertices[vertex].node != nil {
        for side in [layered.upperPorts(of: vertex), layered.lowerPorts(of: vertex)] {
            let width = side.reduce(0) { $0 + layered.ports[$1].leadingWidth + layered.ports[$1].trailingWidth }
            layered.vertices[vertex].width = max(layered.vertices[vertex].width, width)
        }
    }
}

/// Spreads the crossings of each layer among its boxes.
///
/// If many lines of one entity continue to lower layers, only the initial order ensures that they pass between the
/// boxes, and not all on one side of them.
private func mixCrossingsIn(_ layered: inout LayeredGraph) {
    for layer in layered.layers.indices {
        let boxes = layered.layers[layer].filter { layered.vertices[$0].node != nil }
        let crossings = layered.layers[layer].filter { layered.vertices[$0].node == nil }
        var mixed: [Int] = []
        for (index, box) in boxes.enumerated() {
            mixed += crossings[crossings.count * index / boxes.count..<crossings.count * (index + 1) / boxes.count]
            mixed.append(box)
        }
        layered.layers[layer] = mixed
    }
}

extension LayeredGraph {
    fileprivate mutating func append(_ vertex: Vertex) {
        layers[vertex.layer].append(vertices.count)
        vertices.append(vertex)
    }
}
