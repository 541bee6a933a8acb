/// The contents of a picture of a model: entities with their own attributes, and the links between them.
///
/// Every renderer uses this graph, so that Mermaid, Graphviz and SVG show the same contents. It omits inherited
/// properties (the line to the superentity implies them), fetched properties (they are queries, not stored values),
/// user info, indexes and configurations.
struct ModelGraph: Sendable, Hashable {
    /// An entity.
    struct Node: Sendable, Hashable {
        let name: String
        let isAbstract: Bool
        let rows: [Row]
    }

    /// An attribute that the entity itself declares.
    struct Row: Sendable, Hashable {
        let name: String
        /// The type in Swift syntax.
        let type: String
        /// `derived` or `transient`; `nil` for an attribute that is simply stored.
        let note: String?
    }

    /// The properties of a relationship that concern its destination.
    struct End: Sendable, Hashable {
        /// The name of the relationship.
        let name: String
        let cardinality: Cardinality

        /// The name, with the bounds if a mark at the line's end cannot show them.
        var caption: String { cardinality.hasUnusualBounds ? "\(name) \(cardinality.text)" : name }
    }

    /// A line between two entities.
    struct Link: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            /// The source is the superentity.
            case inheritance
            /// A relationship from source to target, with its inverse if there is one.
            ///
            /// `backward` equals `forward` when a relationship is its own inverse.
            case relationship(forward: End, backward: End?)
        }

        /// The index of the entity where the line starts; diagrams place it above the target if possible.
        let source: Int
        let target: Int
        let kind: Kind
    }

    /// The name of the picture.
    let title: String
    /// The entities in the order of the model.
    let nodes: [Node]
    /// The links of inheritance, then those of relationships, both in the order of the model.
    let links: [Link]
}

extension ModelGraph.Link.Kind {
    /// The labels of the relationships at the target and, if there is an inverse, at the source; empty for inheritance.
    var ends: [ModelGraph.End] {
        switch self {
        case .inheritance: []
        case .relationship(let forward, let backward): [forward] + (backward.map { [$0] } ?? [])
        }
    }

    /// A Boolean value that indicates whether both ends are equal.
    var isSymmetric: Bool { ends.count == 2 && ends[0] == ends[1] }

    /// Returns the texts of both ends as one text; a single text if the ends are equal.
    func label(_ text: (ModelGraph.End) -> String) -> String {
        ends.prefix(isSymmetric ? 1 : 2).map(text).joined(separator: " ↔ ")
    }
}
