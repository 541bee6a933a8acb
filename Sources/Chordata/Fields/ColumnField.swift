/// The data for moving a field between a row and memory: without references, so that a loop over it retains nothing.
package struct ColumnField: Sendable {
    package let kind: FieldKind
    /// A Boolean value that indicates whether a save fails if the value is missing.
    let isRequired: Bool
    /// The index of the field in ``RuntimeEntity/fields``.
    package let index: Int
    /// Bytes from the start of the object.
    package let offset: Int
    /// Bytes from the start of a ``RowStorage``.
    let blockOffset: Int
}

/// A field, and the column of a result from which it is read.
struct MappedColumn: Sendable {
    let field: ColumnField
    let column: Int32
}

/// The data for following and changing a relationship, also without references.
struct RelationshipField: Sendable {
    /// Bytes from the start of the object.
    let offset: Int
    /// The index of the destination in ``StoreSchema/runtimeEntities``.
    let destination: Int
    /// The index of the destination's root entity, which identifies the identity map of its objects.
    let rootIndex: Int
    /// A Boolean value that indicates whether the relationship is an ordered to-many relationship.
    let isOrdered: Bool
    /// A Boolean value that indicates whether the inverse is a to-one relationship.
    let hasToOneInverse: Bool
}
