/// One connected part of a model, for which coordinates are computed.
///
/// `makeLayeredGraph` creates it, `orderLayers` and `placeVertices` change it, and `routeEdges` reads it. The method is
/// that of K. Sugiyama, S. Tagawa and M. Toda, "Methods for Visual Understanding of Hierarchical System Structures",
/// 1981.
struct LayeredGraph {
    /// An entity, or the point where a longer line crosses a layer.
    struct Vertex {
        /// The index of the entity in the model's graph; `nil` for a crossing.
        let node: Int?
        let layer: Int
        /// The size of the box; 0 for a crossing.
        var width = 0.0
        var height = 0.0
        /// The width of self-relationships beyond the right border.
        var reach = 0.0
        /// The left border.
        var x = 0.0
        /// The lines from the layer above, and the lines that continue to the layer below.
        var upperPieces: [Int] = []
        var lowerPieces: [Int] = []
    }

    /// The part of a line between two consecutive layers.
    struct Piece {
        let link: Int
        let upper: Int
        let lower: Int
        /// The indexes in ``LayeredGraph/ports`` of the two ends; `nil` at a crossing.
        var upperPort: Int?
        var lowerPort: Int?
    }

    /// A position where lines leave the top or the bottom of a box.
    ///
    /// Every relationship has its own port; all subentities share the port of their superentity.
    struct Port {
        let vertex: Int
        /// The pieces that start here.
        var pieces: [Int]
        /// The name of the relationship that ends here.
        let label: String?
        /// The distance from the left border.
        var offset = 0.0

        /// The space that the marks need to the left of the line.
        var leadingWidth: Double { 12 }
        /// The space that the marks and the name need to the right of the line.
        var trailingWidth: Double {
            guard let label else { return 12 }
            return BoxMetrics.labelGap + TextMetrics.label.width(of: label) + 6
        }
    }

    /// The path of a link from the upper to the lower entity.
    struct Chain {
        let link: Int
        /// A Boolean value that indicates whether the link's source is the lower entity.
        let isUpward: Bool
        /// The pieces, from the upper to the lower entity.
        var pieces: [Int]
    }

    var vertices: [Vertex] = []
    var pieces: [Piece] = []
    var ports: [Port] = []
    var chains: [Chain] = []
    /// The vertices of each layer from left to right.
    var layers: [[Int]] = []
}

extension LayeredGraph {
    /// Returns the x coordinate of the upper end of a piece.
    func upperX(_ piece: Piece) -> Double { vertices[piece.upper].x + (piece.upperPort.map { ports[$0].offset } ?? 0) }

    /// Returns the x coordinate of the lower end of a piece.
    func lowerX(_ piece: Piece) -> Double { vertices[piece.lower].x + (piece.lowerPort.map { ports[$0].offset } ?? 0) }

    /// The ports at the top of a box, each once, in no particular order.
    func upperPorts(of vertex: Int) -> [Int] { vertices[vertex].upperPieces.compactMap { pieces[$0].lowerPort } }

    /// The ports at the bottom of a box, each once, in no particular order.
    func lowerPorts(of vertex: Int) -> [Int] {
        // All pieces of a shared port reference it; the port is counted for the first piece.
        vertices[vertex].lowerPieces.compactMap { piece in
            pieces[piece].upperPort.flatMap { ports[$0].pieces.first == piece ? $0 : nil }
        }
    }

    /// Returns the minimum distance between the left borders of two neighbours.
    func distance(_ left: Int, _ right: Int) -> Double {
        let gap: Double =
            switch (vertices[left].node, vertices[right].node) {
            case (nil, nil): 16
            case (nil, _?), (_?, nil): 24
            case (_?, _?): 48
            }
        return vertices[left].width + vertices[left].reach + gap
    }
}
