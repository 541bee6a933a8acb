/// The properties of a generated class, with what the model calls them.
///
/// Swift's key paths do not tell the names of their steps, so a class lists them; lists of key paths alone, because everybody who
/// has a model compiles them.
@_spi(Generated) public struct PropertyKeyPaths {
    /// One property.
    struct Property {
        /// The keys of the property: one, or more for an element of a composite.
        let keys: [String]
        let keyPath: AnyKeyPath
        /// From an optional object, as the rest of a path such as `\.team?.city` begins there.
        let chainedKeyPath: AnyKeyPath
        /// The class at the other end of a to-one.
        let destination: ManagedObject.Type?
    }

    let properties: [Property]

    /// Takes the key paths of a class.
    /// - Parameters:
    ///   - layout: that of the class's `Values`, which knows the names.
    ///   - keyPaths: of all properties, level by level from the root: attributes, the elements of a composite behind it, then
    ///     relationships. `\.self` where the class has no property.
    ///   - chained: the same from an optional object.
    public init(_ layout: ValuesLayout, _ keyPaths: [AnyKeyPath], _ chained: [AnyKeyPath]) {
        precondition(
            layout.properties.count == keyPaths.count && chained.count == keyPaths.count,
            "the class of '\(layout.entityName)' lists \(keyPaths.count) properties instead of \(layout.properties.count); "
                + "generate the code again from this model"
        )
        properties = zip(layout.properties, zip(keyPaths, chained)).map { property, keyPaths in
            Property(
                keys: property.keys,
                keyPath: keyPaths.0,
                chainedKeyPath: keyPaths.1,
                destination: property.destination
            )
        }
    }

    init() { properties = [] }
}
