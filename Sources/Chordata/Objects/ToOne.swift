/// The storage of a to-one relationship in an object's level: the key, and the object after the first access.
@_spi(Generated) public struct ToOne {
    /// The destination's key; 0 for none.
    package var key: Int64 = 0
    package var object: ManagedObject?

    /// Creates an empty reference.
    public init() {}
}

/// The storage of a to-many relationship in an object's level: nothing until it is loaded.
@_spi(Generated) public struct ToMany {
    package var storage: ToManyStorage?

    /// Creates a relationship that is not loaded.
    public init() {}
}
