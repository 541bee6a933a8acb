/// Aligns the crossings of each longer line vertically, if the space between their neighbours allows it.
/// - Parameter towardsPorts: Whether the crossings move to where the line leaves its boxes, not to their mean position.
func straightenChains(_ graph: inout LayeredGraph, towardsPorts: Bool = false) {
    var places = Array(repeating: 0, count: graph.vertices.count)
    for layer in graph.layers {
        for (place, vertex) in layer.enumerated() { places[vertex] = place }
    }
    func room(_ vertex: Int) -> ClosedRange<Double> {
        let layer = graph.layers[graph.vertices[vertex].layer]
        let place = places[vertex]
        let low = place > 0 ? graph.vertices[layer[place - 1]].x + graph.distance(layer[place - 1], vertex) : -.infinity
        let high =
            place + 1 < layer.count
            ? graph.vertices[layer[place + 1]].x - graph.distance(vertex, layer[place + 1]) : .infinity
        return low...max(low, high)
    }
    for chain in graph.chains where chain.pieces.count > 2 {
        let crossings = chain.pieces.dropLast().map { graph.pieces[$0].lower }
        var start = 0
        while start < crossings.count {
            var common = room(crossings[start])
            var end = start + 1
            while end < crossings.count {
                let next = room(crossings[end])
                let low = max(common.lowerBound, next.lowerBound)
                let high = min(common.upperBound, next.upperBound)
                guard low <= high else { break }
                common = low...high
                end += 1
            }
            var target = crossings[start..<end].reduce(0) { $0 + graph.vertices[$1].x } / Double(end - start)
            if towardsPorts {
                let first = start == 0 ? graph.upperX(graph.pieces[chain.pieces[0]]) : nil
                let last = end == crossings.count ? graph.lowerX(graph.pieces[chain.pieces[end]]) : nil
                target = [first, last].compactMap { $0 }.first { common.contains($0) } ?? target
            }
            for vertex in crossings[start..<end] {
                graph.vertices[vertex].x = min(max(target, common.lowerBound), common.upperBound)
            }
            start = end
        }
    }
}

/// Moves ports by a few points if that removes a jog in a line, which looks like a mistake.
func removeJogs(_ graph: inout LayeredGraph) {
    // The limit is less than the space that a port keeps free beside its marks and its name.
    let limit = 6.0
    func move(_ port: Int, by distance: Double) -> Bool {
        let offset = graph.ports[port].offset + distance
        guard graph.ports[port].pieces.count == 1, offset >= limit,
            offset <= graph.vertices[graph.ports[port].vertex].width - limit
        else { return false }
        graph.ports[port].offset = offset
        return true
    }
    for piece in graph.pieces {
        let distance = graph.upperX(piece) - graph.lowerX(piece)
        guard distance != 0, abs(distance) < limit else { continue }
        if let port = piece.lowerPort, move(port, by: distance) { continue }
        if let port = piece.upperPort { _ = move(port, by: -distance) }
    }
}
