/// The properties of a generated class, with what the model calls them.
///
/// Swift's key paths do not contain the names of their steps, so a class lists them; key paths alone, because every
/// user of a model compiles them. They are added one by one, because the compiler infers the elements of an array
/// literal together, and needs minutes where the type of one is missing.
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

    private let names: [ValuesLayout.Property]
    private let entityName: String
    private var added: [Property] = []

    /// Begins the list of a class.
    /// - Parameter layout: that of the class's `Values`, which knows the names.
    public init(_ layout: ValuesLayout) {
        names = layout.properties
        entityName = layout.entityName
        added.reserveCapacity(names.count)
    }

    init() {
        names = []
        entityName = ""
    }

    /// Adds the next property: level by level from the root the attributes, the elements of a composite behind it, then
    /// the relationships.
    /// - Parameters:
    ///   - keyPath: that of the property; `\.self` where the class has no property.
    ///   - chained: the same from an optional object.
    public mutating func append(_ keyPath: AnyKeyPath, _ chained: AnyKeyPath) {
        precondition(added.count < names.count, mismatch(added.count + 1))
        let name = names[added.count]
        added.append(
            Property(keys: name.keys, keyPath: keyPath, chainedKeyPath: chained, destination: name.destination)
        )
    }

    /// All properties, after the last one was added.
    var properties: [Property] {
        precondition(added.count == names.count, mismatch(added.count))
        return added
    }

    private func mismatch(_ count: Int) -> String {
        "the class of '\(entityName)' lists \(count) properties instead of \(names.count); "
            + "generate the code again from this model"
    }
}
