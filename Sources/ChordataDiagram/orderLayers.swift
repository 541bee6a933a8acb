/// Puts the vertices of each layer in an order in which few lines cross.
///
/// Downward and upward sweeps sort each layer by the mean position of the neighbours (the barycentre); then neighbours
/// are swapped as long as that reduces the number of crossings. The best order of all is kept.
/// - Complexity: O(s · m log m) for s sweeps over m pieces.
func orderLayers(_ graph: inout LayeredGraph) {
    guard graph.layers.count > 1 else { return }
    var positions = Array(repeating: 0.0, count: graph.vertices.count)
    for layer in graph.layers {
        for (position, vertex) in layer.enumerated() { positions[vertex] = Double(position) }
    }
    var best = graph.layers
    var fewest = countCrossings(graph, positions)
    let isLarge = graph.vertices.count > 2_000
    for sweep in 0..<(isLarge ? 6 : 24) {
        if fewest == 0 { break }
        let isDownward = sweep % 2 == 0
        let layers = isDownward ? Array(graph.layers.indices.dropFirst()) : graph.layers.indices.dropLast().reversed()
        for layer in layers {
            sortByBarycentre(&graph, layer, isDownward, &positions)
        }
        if !isLarge { exchangeNeighbours(&graph, &positions) }
        let crossings = countCrossings(graph, positions)
        if crossings < fewest {
            fewest = crossings
            best = graph.layers
        }
    }
    graph.layers = best
}

private func sortByBarycentre(
    _ graph: inout LayeredGraph,
    _ layer: Int,
    _ isDownward: Bool,
    _ positions: inout [Double]
) {
    let count = Double(graph.layers[layer].count)
    let neighbourCount = Double(graph.layers[isDownward ? layer - 1 : layer + 1].count)
    let keyed = graph.layers[layer].enumerated().map { index, vertex in
        let neighbours = isDownward ? graph.neighboursAbove(vertex) : graph.neighboursBelow(vertex)
        // A vertex without neighbours approximately keeps its position.
        let key =
            neighbours.isEmpty
            ? (Double(index) + 0.5) / count * neighbourCount - 0.5
            : neighbours.reduce(0) { $0 + positions[$1] } / Double(neighbours.count)
        return (key: key, index: index, vertex: vertex)
    }
    graph.layers[layer] = keyed.sorted { ($0.key, $0.index) < ($1.key, $1.index) }.map(\.vertex)
    for (position, vertex) in graph.layers[layer].enumerated() { positions[vertex] = Double(position) }
}

/// Swaps neighbours if that reduces the number of crossings of their lines.
private func exchangeNeighbours(_ graph: inout LayeredGraph, _ positions: inout [Double]) {
    for _ in 0..<4 {
        var hasChanged = false
        for layer in graph.layers.indices {
            for index in graph.layers[layer].indices.dropLast() {
                let left = graph.layers[layer][index]
                let right = graph.layers[layer][index + 1]
                var saved = 0
                for (first, second) in [
                    (graph.neighboursAbove(left), graph.neighboursAbove(right)),
                    (graph.neighboursBelow(left), graph.neighboursBelow(right)),
                ] {
                    for a in first {
                        for b in second where positions[a] != positions[b] {
                            saved += positions[a] > positions[b] ? 1 : -1
                        }
                    }
                }
                guard saved > 0 else { continue }
                graph.layers[layer].swapAt(index, index + 1)
                positions[left] += 1
                positions[right] -= 1
                hasChanged = true
            }
        }
        if !hasChanged { break }
    }
}

/// Counts the crossings of straight lines between consecutive layers.
///
/// W. Barth, P. Mutzel and M. Jünger, "Simple and Efficient Bilayer Cross Counting", 2004: the crossings are the
/// inversions of the lower positions when the lines are sorted by their upper positions.
private func countCrossings(_ graph: LayeredGraph, _ positions: [Double]) -> Int {
    var crossings = 0
    for layer in graph.layers.indices.dropLast() {
        // A binary indexed tree over the lower layer: the number of lines at each position so far.
        var tree = Array(repeating: 0, count: graph.layers[layer + 1].count + 1)
        var arrived = 0
        for vertex in graph.layers[layer] {
            let targets = graph.neighboursBelow(vertex).map { Int(positions[$0]) }
            for target in targets {
                var index = target + 1
                var notRightOf = 0
                while index > 0 {
                    notRightOf += tree[index]
                    index &= index - 1
                }
                crossings += arrived - notRightOf
            }
            for target in targets {
                var index = target + 1
                while index < tree.count {
                    tree[index] += 1
                    index += index & -index
                }
                arrived += 1
            }
        }
    }
    return crossings
}

extension LayeredGraph {
    fileprivate func neighboursAbove(_ vertex: Int) -> [Int] { vertices[vertex].upperPieces.map { pieces[$0].upper } }

    fileprivate func neighboursBelow(_ vertex: Int) -> [Int] { vertices[vertex].lowerPieces.map { pieces[$0].lower } }
}
