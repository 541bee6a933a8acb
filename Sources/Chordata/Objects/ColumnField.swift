/// What moving a field between a row and memory needs: plain data, so that a loop over it retains nothing.
struct ColumnField: Sendable {
    let kind: FieldKind
    /// Whether a missing value fails at save.
    let isRequired: Bool
    /// The field's place in ``EntityType/fields``.
    let index: Int
    /// Bytes from the start of the object.
    let offset: Int
    /// Bytes from the start of a ``FieldBlock``.
    let blockOffset: Int
}
