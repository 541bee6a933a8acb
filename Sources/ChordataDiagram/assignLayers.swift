/// Assigns a layer to every entity of a connected part: as far down as the longest path to it.
///
/// First, links are given a common direction. Inheritance always points down; as few relationships as possible point up
/// (P. Eades, X. Lin and W. F. Smyth, "A fast and effective heuristic for the feedback arc set problem", 1993). An
/// entity is placed lower than necessary if its layer is full, so that twenty children of one parent are not in one
/// row.
/// - Parameters:
///   - nodes: The indexes of the part's entities, ascending.
///   - links: The links between different entities of the part.
///   - widths: The width that each entity takes up, in the order of `nodes`.
/// - Returns: The layer of each entity in the order of `nodes`; no layer is empty.
/// - Complexity: O(n² + m) for n entities and m links.
func assignLayers(nodes: [Int], links: [ModelGraph.Link], widths: [Double]) -> [Int] {
    var local: [Int: Int] = [:]
    for (index, node) in nodes.enumerated() { local[node] = index }
    let arcs = links.compactMap { link -> Arc? in
        guard let source = local[link.source], let target = local[link.target] else { return nil }
        return Arc(source: source, target: target, isInheritance: link.kind == .inheritance)
    }
    let order = sequence(count: nodes.count, arcs)
    var rank = Array(repeating: 0, count: nodes.count)
    for (index, node) in order.enumerated() { rank[node] = index }
    var above: [[Int]] = Array(repeating: [], count: nodes.count)
    var below = above
    for arc in arcs {
        let isDownward = rank[arc.source] < rank[arc.target]
        above[isDownward ? arc.target : arc.source].append(isDownward ? arc.source : arc.target)
        below[isDownward ? arc.source : arc.target].append(isDownward ? arc.target : arc.source)
    }

    // The width that a README shows without scaling, or the width that makes a large part about as wide as high.
    let capacity = max(960, widths.reduce(0) { $0 + ($1 + 48) * 220 }.squareRoot() * 1.3)
    var layers = Array(repeating: 0, count: nodes.count)
    var used: [Double] = []
    func hasRoom(_ layer: Int, _ node: Int) -> Bool {
        layer >= used.count || used[layer] == 0 || used[layer] + widths[node] <= capacity
    }
    for node in order {
        var layer = above[node].map { layers[$0] + 1 }.max() ?? 0
        while !hasRoom(layer, node) { layer += 1 }
        while used.count <= layer { used.append(0) }
        used[layer] += widths[node] + 48
        layers[node] = layer
    }
    // An entity with more lines down than up moves as near to the entities below as possible.
    for node in order.reversed() where below[node].count > above[node].count {
        guard let nearest = below[node].map({ layers[$0] - 1 }).min(), nearest > layers[node],
            let layer = (layers[node] + 1...nearest).reversed().first(where: { hasRoom($0, node) })
        else { continue }
        used[layers[node]] -= widths[node] + 48
        used[layer] += widths[node] + 48
        layers[node] = layer
    }
    var isUsed = Array(repeating: false, count: used.count)
    for layer in layers { isUsed[layer] = true }
    var renumbered = Array(repeating: 0, count: used.count)
    var count = 0
    for layer in used.indices {
        renumbered[layer] = count
        if isUsed[layer] { count += 1 }
    }
    return layers.map { renumbered[$0] }
}

/// A link between entities of the part, by their indexes in it.
private struct Arc {
    let source: Int
    let target: Int
    let isInheritance: Bool
}

/// Orders the entities so that superentities come first and few other links point back.
private func sequence(count: Int, _ arcs: [Arc]) -> [Int] {
    var superentities = Array(repeating: 0, count: count)
    var incoming = superentities
    var outgoing = superentities
    var arcsOf: [[Arc]] = Array(repeating: [], count: count)
    for arc in arcs {
        if arc.isInheritance { superentities[arc.target] += 1 }
        incoming[arc.target] += 1
        outgoing[arc.source] += 1
        arcsOf[arc.source].append(arc)
        arcsOf[arc.target].append(arc)
    }
    var remaining = Array(0..<count)
    var order: [Int] = []
    while !remaining.isEmpty {
        var best: Int?
        for (index, node) in remaining.enumerated() where superentities[node] == 0 {
            guard let current = best.map({ remaining[$0] }) else {
                best = index
                continue
            }
            let isSource = incoming[node] == 0
            let currentIsSource = incoming[current] == 0
            if isSource != currentIsSource
                ? isSource : outgoing[node] - incoming[node] > outgoing[current] - incoming[current]
            {
                best = index
            }
        }
        // Inheritance has no cycles, so one of the remaining entities has no superentity among them.
        guard let best else { break }
        let node = remaining.remove(at: best)
        order.append(node)
        for arc in arcsOf[node] {
            if arc.source == node {
                incoming[arc.target] -= 1
                if arc.isInheritance { superentities[arc.target] -= 1 }
            } else {
                outgoing[arc.source] -= 1
            }
        }
    }
    return order
}
