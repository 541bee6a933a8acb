internal import ChordataModel

/// The location of one property in the memory of an object.
///
/// The type is a class, because passing a reference costs almost nothing.
package final class Field: Sendable {
    enum Property: Sendable {
        case attribute(AttributeDescription)
        case relationship(RelationshipDescription)
    }

    /// The property's index in ``RuntimeEntity/fields``, which is also its bit in change masks.
    package let index: Int
    let property: Property
    /// The property's name; for a leaf of a composite, the names from the attribute to the leaf, separated by dots.
    package let name: String
    let kind: FieldKind
    /// Bytes from ``ManagedObject/fieldBase``.
    let offset: Int
    /// A Boolean value that indicates whether a row has a column for the property.
    let isStored: Bool
    /// The name of the column, if the property has its own column.
    package let columnName: String?
    /// A Boolean value that indicates whether a save fails if the value is missing (1570).
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

    /// The kind of the value outside of the object, where a to-one relationship is a key.
    var blockKind: FieldKind { kind.base == .toOne ? FieldKind(.int64) : kind }

    var relationship: RelationshipDescription? {
        if case .relationship(let relationship) = property { relationship } else { nil }
    }

    var attribute: AttributeDescription? {
        if case .attribute(let attribute) = property { attribute } else { nil }
    }
}
