/// The output of `dot -Tplain`, in inches and with the origin at the bottom left.
struct PlainGraph {
    struct Node {
        let center: DiagramLayout.Point
        let width: Double
        let height: Double
    }

    struct Edge {
        let source: Int
        let target: Int
        /// A first point and then three for each curve.
        let points: [DiagramLayout.Point]
        let label: DiagramLayout.Point
    }

    /// The height of the drawing, from which the y coordinates are subtracted to reverse their direction.
    let height: Double
    /// The nodes by the number in their names.
    let nodes: [Node]
    /// The edges by the number in their labels.
    let edges: [Edge]

    /// Reads the text.
    ///
    /// Names and labels are those of ``renderDotForLayout(_:)``, which never need quotes, so a line consists of words
    /// that are separated by spaces.
    /// - Returns: `nil` unless each node and each edge occurs once, with finite numbers, and the text is complete.
    init?(_ text: String, nodeCount: Int, linkCount: Int) {
        var height: Double?
        var nodes: [Node?] = Array(repeating: nil, count: nodeCount)
        var edges: [Edge?] = Array(repeating: nil, count: linkCount)
        var isComplete = false
        for line in text.split(whereSeparator: \.isNewline) where !isComplete {
            var words = Words(line)
            switch words.next() {
            case "graph":
                // The scale is 1 because the graph does not specify a size.
                guard words.number() != nil, words.number() != nil, let number = words.number() else { return nil }
                height = number
            case "node":
                guard let index = words.index(after: "n"), nodes.indices.contains(index), nodes[index] == nil,
                    let center = words.point(), let width = words.number(), let height = words.number()
                else { return nil }
                nodes[index] = Node(center: center, width: width, height: height)
            case "edge":
                guard let (index, edge) = words.edge(), edges.indices.contains(index), edges[index] == nil else {
                    return nil
                }
                edges[index] = edge
            case "stop": isComplete = true
            default: return nil
            }
        }
        let foundNodes = nodes.compactMap { $0 }
        let foundEdges = edges.compactMap { $0 }
        guard isComplete, let height, foundNodes.count == nodeCount, foundEdges.count == linkCount else { return nil }
        self.height = height
        self.nodes = foundNodes
        self.edges = foundEdges
    }
}

/// An iterator over the words of a line.
private struct Words {
    private var rest: ArraySlice<Substring>

    init(_ line: Substring) { rest = line.split(separator: " ")[...] }

    mutating func next() -> Substring? { rest.popFirst() }

    /// Returns a length; a length of about a mile is not accepted.
    mutating func number() -> Double? {
        next().flatMap { Double($0) }.flatMap { abs($0) < 60_000 ? $0 : nil }
    }

    mutating func point() -> DiagramLayout.Point? {
        guard let x = number(), let y = number() else { return nil }
        return DiagramLayout.Point(x: x, y: y)
    }

    /// Returns the number in a name or a label, which may be padded.
    mutating func index(after prefix: Character) -> Int? {
        guard let word = next(), word.first == prefix else { return nil }
        return Int(word.dropFirst().prefix { $0 != "_" })
    }

    /// Reads the rest of an `edge` line: tail, head, the number of points, the points, the label and its position.
    mutating func edge() -> (index: Int, edge: PlainGraph.Edge)? {
        guard let source = index(after: "n"), let target = index(after: "n"),
            let count = next().flatMap({ Int($0) }), count >= 4, count % 3 == 1, count <= rest.count / 2
        else { return nil }
        var points: [DiagramLayout.Point] = []
        for _ in 0..<count {
            guard let point = point() else { return nil }
            points.append(point)
        }
        guard let index = index(after: "r"), let label = point() else { return nil }
        return (index, PlainGraph.Edge(source: source, target: target, points: points, label: label))
    }
}
