internal import ChordataModel

/// The number of objects at one end of a relationship.
struct Cardinality: Sendable, Hashable {
    /// The minimum number of objects.
    let lower: Int
    /// The maximum number of objects; `nil` if there is no bound.
    let upper: Int?

    /// Reads the bounds of a relationship for its destination's end.
    ///
    /// An optional relationship may be empty regardless of its minimum count, which applies to a to-many relationship
    /// that is not empty.
    init(of relationship: RelationshipDescription) {
        let isBounded = relationship.isToMany && relationship.maximumCount > 0
        lower = relationship.isOptional ? 0 : relationship.isToMany ? max(1, relationship.minimumCount) : 1
        upper = isBounded ? relationship.maximumCount : relationship.isToMany ? nil : 1
    }

    /// A Boolean value that indicates whether there may be more than one object.
    var isMany: Bool { upper != 1 }

    /// A Boolean value that indicates whether the marks "none or one", "one", "any number" and "one or more" cannot
    /// represent the bounds.
    var hasUnusualBounds: Bool { lower > 1 || (upper ?? 1) > 1 }

    /// The bounds as UML writes them: `1`, `0..1`, `*`, `1..*`, `2..11`.
    var text: String {
        guard let upper else { return lower == 0 ? "*" : "\(lower)..*" }
        return lower == upper ? "\(lower)" : "\(lower)..\(upper)"
    }
}
