/// Orders the ports of each side by the positions to which their lines go, and places them near these positions.
/// - Parameter byOrder: Whether vertices have no coordinates yet, only their order.
func placePorts(_ graph: inout LayeredGraph, byOrder: Bool) {
    var places = graph.vertices.map(\.x)
    if byOrder {
        for layer in graph.layers {
            for (place, vertex) in layer.enumerated() { places[vertex] = Double(place) }
        }
    }
    // Layers are visited from top to bottom, so that the ports at the top of a box follow those at the bottom of the
    // box above.
    for layer in graph.layers {
        for isTop in [false, true] {
            for vertex in layer where graph.vertices[vertex].node != nil {
                placeSide(&graph, vertex, isTop, byOrder ? places : nil)
            }
        }
    }
}

private func placeSide(_ graph: inout LayeredGraph, _ vertex: Int, _ isTop: Bool, _ order: [Double]?) {
    let ports = isTop ? graph.upperPorts(of: vertex) : graph.lowerPorts(of: vertex)
    guard !ports.isEmpty else { return }
    let width = graph.vertices[vertex].width
    let x = graph.vertices[vertex].x
    func target(_ port: Int) -> Double {
        let pieces = graph.ports[port].pieces.map { graph.pieces[$0] }
        let sum = pieces.reduce(0) { sum, piece in
            if let order { return sum + order[isTop ? piece.upper : piece.lower] }
            return sum + (isTop ? graph.upperX(piece) : graph.lowerX(piece)) - x
        }
        return sum / Double(pieces.count)
    }
    let sorted = ports.map { (target: target($0), port: $0) }.sorted { ($0.target, $0.port) < ($1.target, $1.port) }
    let leading = sorted.map { graph.ports[$0.port].leadingWidth }
    let trailing = sorted.map { graph.ports[$0.port].trailingWidth }
    var desired = sorted.map(\.target)
    if order != nil {
        // The ports are spread evenly until there are positions to move to.
        let slack = (width - zip(leading, trailing).reduce(0) { $0 + $1.0 + $1.1 }) / Double(ports.count + 1)
        var offset = 0.0
        for index in sorted.indices {
            desired[index] = offset + slack + leading[index]
            offset = desired[index] + trailing[index]
        }
    }
    let offsets = spread(
        desired,
        weights: Array(repeating: 1, count: ports.count),
        distances: zip(trailing, leading.dropFirst()).map { $0 + $1 },
        within: leading[0]...max(leading[0], width - trailing[ports.count - 1])
    )
    for (item, offset) in zip(sorted, offsets) { graph.ports[item.port].offset = offset }
}
