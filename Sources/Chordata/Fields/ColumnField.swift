/// The data for moving a field between a row and memory: plain memory, so that a loop over it retains nothing.
struct ColumnField: Sendable {
    let kind: FieldKind
    /// A Boolean value that indicates whether a missing value fails at save.
    let isRequired: Bool
    /// The field's place in ``RuntimeEntity/fields``.
    let index: Int
    /// Bytes from the start of the object.
    let offset: Int
    /// Bytes from the start of a ``RowStorage``.
    let blockOffset: Int
}

/// A field, and the column of a result that it is read from.
struct MappedColumn: Sendable {
    let field: ColumnField
    let column: Int32
}

/// The data for following and changing a relationship: plain memory too.
struct RelationshipField: Sendable {
    /// Bytes from the start of the object.
    let offset: Int
    /// The destination's place in ``StoreSchema/runtimeEntities``.
    let destination: Int
    /// The identity map of the destination's objects.
    let rootIndex: Int
    /// A Boolean value that indicates whether it is a to-many with an order.
    let isOrdered: Bool
    /// A Boolean value that indicates whether a to-one has an inverse.
    let hasToOneInverse: Bool
}
