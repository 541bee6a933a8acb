/// The positions of all parts of a diagram, in points from the top left corner.
///
/// ``layOut(_:)`` and ``layOut(_:graphvizPlain:)`` compute a layout, ``renderSVG(_:)`` writes it as an SVG image.
package struct DiagramLayout: Sendable, Hashable {
    /// A position in the diagram.
    package struct Point: Sendable, Hashable {
        package var x: Double
        package var y: Double
    }

    /// The box of an entity: a header of ``BoxMetrics/headerHeight`` and a line for each attribute.
    package struct Box: Sendable, Hashable {
        let node: ModelGraph.Node
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double

        /// The name of the entity.
        package var entityName: String { node.name }
    }

    /// The line of a relationship pair, of a relationship without inverse, or of an inheritance.
    package struct Edge: Sendable, Hashable {
        let link: ModelGraph.Link
        package var path: Path
        package var labels: [Label]

        /// The indexes in ``DiagramLayout/boxes`` of the boxes at which the line starts and ends.
        package var ends: (source: Int, target: Int) { (link.source, link.target) }
    }

    /// The path of a line, from the border of its source to the border of its target.
    package enum Path: Sendable, Hashable {
        /// Straight segments, whose corners are rounded.
        case polyline([Point])
        /// Cubic Bézier curves end to end: a first point, then three for each curve.
        case curve([Point])

        /// The points of the path in order, including control points.
        package var points: [Point] {
            switch self {
            case .polyline(let points), .curve(let points): points
            }
        }
    }

    /// A text beside a line.
    package struct Label: Sendable, Hashable {
        package enum Alignment: Sendable, Hashable {
            /// The text starts at the position.
            case leading
            /// The text is centered at the position.
            case center
        }

        package let text: String
        /// The vertical center of the text; also its horizontal center if the text is centered.
        package var position: Point
        package let alignment: Alignment

        /// The estimated width of the text.
        package var width: Double { TextMetrics.label.width(of: text) }
    }

    /// The name of the picture.
    package let title: String
    package var width: Double
    package var height: Double
    /// The entities in the order of the model.
    package var boxes: [Box]
    /// The lines, those of inheritance first.
    package var edges: [Edge]
}
