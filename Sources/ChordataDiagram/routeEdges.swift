/// The lines of a connected part, and the positions of its layers.
struct RoutedPart {
    /// The top of each layer.
    var tops: [Double] = []
    /// The path of each chain, from the upper box to the lower box.
    var ways: [[DiagramLayout.Point]] = []
    var height = 0.0
}

/// Routes the lines through the gaps between the layers, at right angles.
///
/// Every line that does not run straight down has a horizontal track of its own in each gap, like a wire in a channel;
/// it passes through a layer between the boxes. So no line crosses a box, and no two lines share a track. Coinciding
/// vertical segments are avoided unless the order of the wires that this requires is cyclic.
/// - Complexity: O(k²) for the k lines of a gap.
func routeEdges(_ graph: LayeredGraph) -> RoutedPart {
    var part = RoutedPart()
    var tracks: [Double?] = Array(repeating: nil, count: graph.pieces.count)
    var top = 0.0
    for (layer, vertices) in graph.layers.enumerated() {
        part.tops.append(top)
        let bottom = top + (vertices.map { graph.vertices[$0].height }.max() ?? 0)
        guard layer + 1 < graph.layers.count else {
            part.height = bottom
            break
        }
        let wires = makeWires(graph, vertices)
        let levels = assignTracks(wires)
        for (wire, level) in zip(wires, levels) {
            for piece in wire.pieces { tracks[piece] = bottom + trackMargin + Double(level) * trackPitch }
        }
        top = bottom + 2 * trackMargin + Double(max(0, levels.max() ?? 0)) * trackPitch
    }
    part.ways = graph.chains.map { way(graph, $0, tracks, part.tops) }
    return part
}

/// The space between a layer and the next track: it has the marks and names.
private let trackMargin = 32.0
/// The space between two tracks.
private let trackPitch = 14.0
/// Vertical segments that are nearer to each other than this look like one.
private let nearness = 9.0

/// The wires that share one track in a gap: a piece, or all the pieces that start at one port.
private struct Wire {
    var pieces: [Int]
    /// The positions of its upper and lower ends.
    let upperX: Double
    var lowerXs: [Double]

    var range: ClosedRange<Double> {
        let all = lowerXs + [upperX]
        return (all.min() ?? upperX)...(all.max() ?? upperX)
    }
}

/// Returns the wires of the gap below a layer that need a track.
private func makeWires(_ graph: LayeredGraph, _ vertices: [Int]) -> [Wire] {
    var wires: [Wire] = []
    for vertex in vertices {
        var wireOfPort: [Int: Int] = [:]
        for index in graph.vertices[vertex].lowerPieces {
            let piece = graph.pieces[index]
            if let port = piece.upperPort, let wire = wireOfPort[port] {
                wires[wire].pieces.append(index)
                wires[wire].lowerXs.append(graph.lowerX(piece))
            } else {
                if let port = piece.upperPort { wireOfPort[port] = wires.count }
                wires.append(Wire(pieces: [index], upperX: graph.upperX(piece), lowerXs: [graph.lowerX(piece)]))
            }
        }
    }
    return wires.filter { $0.range.upperBound - $0.range.lowerBound > 0.01 }
}

/// Assigns a level to each wire, 0 at the top, so that wires of one level do not meet and few wires cross.
private func assignTracks(_ wires: [Wire]) -> [Int] {
    let ranges = wires.map(\.range)
    let order = wires.indices.sorted { (ranges[$0].lowerBound, $0) < (ranges[$1].lowerBound, $1) }
    var meets: [[Int]] = Array(repeating: [], count: wires.count)
    var isAbove: [[Int]] = meets
    var aboveCount = Array(repeating: 0, count: wires.count)
    for (index, first) in order.enumerated() {
        for second in order[(index + 1)...] {
            guard ranges[second].lowerBound <= ranges[first].upperBound + nearness else { break }
            meets[first].append(second)
            meets[second].append(first)
            let costs = (cost(wires[first], above: wires[second]), cost(wires[second], above: wires[first]))
            if costs.0 < costs.1 {
                isAbove[first].append(second)
                aboveCount[second] += 1
            } else if costs.1 < costs.0 {
                isAbove[second].append(first)
                aboveCount[first] += 1
            }
        }
    }
    var levels = Array(repeating: -1, count: wires.count)
    var remaining = order
    while !remaining.isEmpty {
        // If the wires that should be above each other form a cycle, the wire that the fewest others should be above
        // goes first.
        var best = 0
        for index in remaining.indices where aboveCount[remaining[index]] < aboveCount[remaining[best]] { best = index }
        let wire = remaining.remove(at: best)
        levels[wire] = (meets[wire].map { levels[$0] }.max() ?? -1) + 1
        for other in isAbove[wire] { aboveCount[other] -= 1 }
    }
    return levels
}

/// Returns the cost of placing a wire above another wire that it meets: their crossings, and far more for coinciding
/// pieces.
private func cost(_ upper: Wire, above lower: Wire) -> Int {
    var cost = upper.range.contains(lower.upperX) ? 1 : 0
    for x in upper.lowerXs {
        if lower.range.contains(x) { cost += 1 }
        if abs(x - lower.upperX) < nearness { cost += 100 }
    }
    return cost
}

private func way(
    _ graph: LayeredGraph,
    _ chain: LayeredGraph.Chain,
    _ tracks: [Double?],
    _ tops: [Double]
) -> [DiagramLayout.Point] {
    guard let first = chain.pieces.first, let last = chain.pieces.last else { return [] }
    let upper = graph.vertices[graph.pieces[first].upper]
    let lower = graph.vertices[graph.pieces[last].lower]
    var points = [
        DiagramLayout.Point(x: graph.upperX(graph.pieces[first]), y: tops[upper.layer] + upper.height)
    ]
    for index in chain.pieces {
        guard let y = tracks[index] else { continue }
        let ends = (graph.upperX(graph.pieces[index]), graph.lowerX(graph.pieces[index]))
        if abs(ends.0 - ends.1) < 0.01 { continue }
        points.append(DiagramLayout.Point(x: ends.0, y: y))
        points.append(DiagramLayout.Point(x: ends.1, y: y))
    }
    points.append(DiagramLayout.Point(x: points[points.count - 1].x, y: tops[lower.layer]))
    return points
}
