internal import ChordataModel

/// The memory of one property of an object.
///
/// A reference, because handing one on then costs next to nothing.
final class Field: Sendable {
    enum Property: Sendable {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription)
    }

    /// The property's place in ``RuntimeEntity/fields``, which is also its bit in change masks.
    let index: Int
    let property: Property
    /// The property's name; for a leaf of a composite the names from the attribute down, with dots.
    let name: String
    let kind: FieldKind
    /// Bytes from ``ManagedObject/fieldBase``.
    let offset: Int
    /// A Boolean value that indicates whether a row has a column for it.
    let isStored: Bool
    /// The column, when the property has one of its own.
    let columnName: String?
    /// A Boolean value that indicates whether a missing value fails at save (1570).
    let isRequired: Bool

    init(
        index: Int,
        property: Property,
        name: String,
        kind: FieldKind,
        offset: Int,
        isStored: Bool,
        columnName: String?
    ) {
        self.index = index
        self.property = property
        self.name = name
        self.kind = kind
        self.offset = offset
        self.isStored = isStored
        self.columnName = columnName
        isRequired =
            switch property {
            case .attribute(let attribute): !attribute.isOptional && !attribute.isTransient
            case .relationship(let relationship): !relationship.isOptional && !relationship.isTransient
            }
    }

    /// The type of the value outside of the object, where a to-one is a key.
    var blockKind: FieldKind { kind.base == .toOne ? FieldKind(.int64) : kind }

    var relationship: RelationshipDescription? {
        if case .relationship(let relationship) = property { relationship } else { nil }
    }

    var attribute: AttributeDescription? {
        if case .attribute(let attribute) = property { attribute } else { nil }
    }
}
