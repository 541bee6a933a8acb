/// Computes the left border of every vertex and the position of every port on its box.
///
/// The vertices of a layer keep their order and distances, and are placed as near as possible to the lines above and
/// below. Longer lines have more weight, so that they become straight. Finally, the ports move along their boxes
/// towards their lines, the longer lines move towards the ports, and small deviations are straightened.
func placeVertices(_ graph: inout LayeredGraph) {
    placePorts(&graph, byOrder: true)
    for layer in graph.layers {
        var x = 0.0
        for (index, vertex) in layer.enumerated() {
            if index > 0 { x += graph.distance(layer[index - 1], vertex) }
            graph.vertices[vertex].x = x
        }
    }
    let sweeps = graph.vertices.count > 2_000 ? 6 : 16
    for sweep in 0..<sweeps {
        // The last sweeps consider both sides, because otherwise the side that was considered last would decide alone.
        let isLooking = (up: sweep % 2 == 0 || sweep >= sweeps - 4, down: sweep % 2 == 1 || sweep >= sweeps - 4)
        let order = sweep % 2 == 0 ? Array(graph.layers.indices) : graph.layers.indices.reversed()
        for layer in order { place(&graph, layer, up: isLooking.up, down: isLooking.down) }
    }
    straightenChains(&graph)
    placePorts(&graph, byOrder: false)
    straightenChains(&graph, towardsPorts: true)
    removeJogs(&graph)
    let left = graph.vertices.map(\.x).min() ?? 0
    for vertex in graph.vertices.indices { graph.vertices[vertex].x -= left }
}

private func place(_ graph: inout LayeredGraph, _ layer: Int, up: Bool, down: Bool) {
    let vertices = graph.layers[layer]
    var desired: [Double] = []
    var weights: [Double] = []
    for vertex in vertices {
        let x = graph.vertices[vertex].x
        var sum = 0.0
        var weight = 0.0
        func pull(to target: Double, by piece: LayeredGraph.Piece) {
            let isCrossing = (graph.vertices[piece.upper].node == nil, graph.vertices[piece.lower].node == nil)
            // A superentity is above the middle of all its subentities, regardless of their distance.
            let isShared = piece.upperPort.map { graph.ports[$0].pieces.count > 1 } ?? false
            let force: Double = isShared || isCrossing == (false, false) ? 1 : isCrossing == (true, true) ? 8 : 2
            sum += target * force
            weight += force
        }
        if up {
            for piece in graph.vertices[vertex].upperPieces.map({ graph.pieces[$0] }) {
                pull(to: x + graph.upperX(piece) - graph.lowerX(piece), by: piece)
            }
        }
        if down {
            for piece in graph.vertices[vertex].lowerPieces.map({ graph.pieces[$0] }) {
                pull(to: x + graph.lowerX(piece) - graph.upperX(piece), by: piece)
            }
        }
        // A vertex without a desired position gives way to the others, but does not drift.
        desired.append(weight > 0 ? sum / weight : x)
        weights.append(weight > 0 ? weight : 0.05)
    }
    let distances = zip(vertices, vertices.dropFirst()).map { graph.distance($0, $1) }
    for (vertex, x) in zip(vertices, spread(desired, weights: weights, distances: distances)) {
        graph.vertices[vertex].x = x
    }
}
