/// The storage of a to-one relationship: the row key and, after the first access, the object.
@_spi(Generated) public struct ToOneSlot {
    /// The destination's key; 0 for none.
    package var key: Int64 = 0
    package var object: ManagedObject?

    /// Creates an empty reference.
    public init() {}
}

/// The storage of a to-many relationship, which is empty until the relationship is loaded.
@_spi(Generated) public struct ToManySlot {
    package var storage: ToManyStorage?

    /// Creates a relationship that is not loaded.
    public init() {}
}
