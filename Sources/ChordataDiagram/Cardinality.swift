internal import ChordataModel

/// The number of objects at one end of a relationship.
struct Cardinality: Sendable, Hashable {
    /// The least number of objects.
    let lower: Int
    /// The greatest number of objects; `nil` when there is no bound.
    let upper: Int?

    /// Reads the bounds of a relationship for its destination's end.
    ///
    /// An optional relationship may be empty whatever its minimum count is: that count holds for a to-many that is not
    /// empty.
    init(of relationship: RelationshipDescription) {
        let isBounded = relationship.isToMany && relationship.maximumCount > 0
        lower = relationship.isOptional ? 0 : relationship.isToMany ? max(1, relationship.minimumCount) : 1
        upper = isBounded ? relationship.maximumCount : relationship.isToMany ? nil : 1
    }

    /// A Boolean value that indicates whether there may be more than one object.
    var isMany: Bool { upper != 1 }

    /// A Boolean value that indicates whether the bounds say more than the marks "none or one", "one", "any number" and
    /// "one or more" can show.
    var hasUnusualBounds: Bool { lower > 1 || (upper ?? 1) > 1 }

    /// The bounds as UML writes them: `1`, `0..1`, `*`, `1..*`, `2..11`.
    var text: String {
        guard let upper else { return lower == 0 ? "*" : "\(lower)..*" }
        return lower == upper ? "\(lower)" : "\(lower)..\(upper)"
    }
}
