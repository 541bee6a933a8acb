internal import ChordataModel

/// Where one property of an object lives in memory.
struct Field: Sendable {
    enum Property: Sendable {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription)
    }

    /// The property's place in ``EntityType/fields``, which is also its bit in change masks.
    let index: Int
    let property: Property
    /// The property's name; for a leaf of a composite the names from the attribute down, with dots.
    let name: String
    let kind: FieldKind
    /// Bytes from ``ManagedObject/fieldBase``.
    let offset: Int
    /// Whether a row has a column for it.
    let isStored: Bool
    /// The column, when the property has one of its own.
    let columnName: String?

    var relationship: RelationshipDescription? {
        if case .relationship(let relationship) = property { relationship } else { nil }
    }

    var attribute: AttributeDescription? {
        if case .attribute(let attribute) = property { attribute } else { nil }
    }

    /// Whether a missing value fails at save (1570).
    var isRequired: Bool {
        switch property {
        case .attribute(let attribute): !attribute.isOptional && !attribute.isTransient
        case .relationship(let relationship): !relationship.isOptional && !relationship.isTransient
        }
    }
}
