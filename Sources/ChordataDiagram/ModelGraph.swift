/// The contents of a picture of a model: entities with their own attributes, and the links between them.
///
/// Every renderer starts here, so that Mermaid, Graphviz and SVG show the same things. Left out are inherited
/// properties (the line to the superentity says so), fetched properties (they are queries, not part of what is stored),
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
        /// The type in Swift's words.
        let type: String
        /// `derived` or `transient`; `nil` for what is simply stored.
        let note: String?
    }

    /// The properties of a relationship that concern its destination.
    struct End: Sendable, Hashable {
        /// The name of the relationship.
        let name: String
        let cardinality: Cardinality

        /// The name, with the bounds where a mark at the line's end cannot show them.
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

        /// The index of the entity where the line starts; pictures have it above the target where they can.
        let source: Int
        let target: Int
        let kind: Kind
    }

    /// The name of the picture.
    let title: String
    /// The entities in the order of the model.
    let nodes: [Node]
    /// First the inheritance, then the relationships, both in the order of the model.
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

    /// A Boolean value that indicates whether both ends say the same.
    var isSymmetric: Bool { ends.count == 2 && ends[0] == ends[1] }

    /// One text for both ends; a single one when both are the same.
    func label(_ text: (ModelGraph.End) -> String) -> String {
        ends.prefix(isSymmetric ? 1 : 2).map(text).joined(separator: " ↔ ")
    }
}
