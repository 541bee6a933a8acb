/// The key paths of one property of a generated class, with what the model calls it.
///
/// Swift's key paths do not tell the names of their steps, so a class lists them.
@_spi(Generated) public struct PropertyKeyPaths {
    let name: String
    let keyPath: AnyKeyPath
    /// From an optional object, as the rest of a path such as `\.team?.city` begins there.
    let chainedKeyPath: AnyKeyPath
    /// The class at the other end of a to-one.
    let destination: ManagedObject.Type?

    /// Creates the entry of one property.
    public init(
        _ name: String,
        _ keyPath: AnyKeyPath,
        _ chainedKeyPath: AnyKeyPath,
        to destination: ManagedObject.Type? = nil
    ) {
        self.name = name
        self.keyPath = keyPath
        self.chainedKeyPath = chainedKeyPath
        self.destination = destination
    }
}
