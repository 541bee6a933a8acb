/// A list of the key paths of a generated class's properties and of their names in the model.
///
/// Swift's key paths do not contain property names, so a class lists its key paths in the order of the names. The list
/// contains only key paths to limit compile time for users of a model. They are appended one by one, because the
/// compiler infers the types of an array literal's elements together, which takes minutes if one type is missing.
@_spi(Generated) public struct PropertyKeyPaths {
    /// One property.
    struct Property {
        /// The keys of the property: one key, or several for an element of a composite.
        let keys: [String]
        let keyPath: AnyKeyPath
        /// The key path from an optional object, with which the rest of a path such as `\.team?.city` begins.
        let chainedKeyPath: AnyKeyPath
        /// The class at the other end of a to-one relationship.
        let destination: ManagedObject.Type?
        /// A Boolean value that indicates whether the property is a Date attribute.
        let isDate: Bool
    }

    private let names: [ValuesLayout.Property]
    private let entityName: String
    private var added: [Property] = []

    /// Creates an empty list for a class.
    /// - Parameter layout: The layout of the class's `Values`, which contains the names.
    public init(_ layout: ValuesLayout) {
        names = layout.properties
        entityName = layout.entityName
        added.reserveCapacity(names.count)
    }

    init() {
        names = []
        entityName = ""
    }

    /// Appends the key path of the next property.
    ///
    /// The order is class by class from the root class: first attributes, each composite attribute followed by its
    /// elements, then relationships.
    /// - Parameters:
    ///   - keyPath: The key path of the property; `\.self` if the class has no such property.
    ///   - chained: The key path of the property from an optional object.
    public mutating func append(_ keyPath: AnyKeyPath, _ chained: AnyKeyPath) {
        precondition(added.count < names.count, mismatch(added.count + 1))
        let name = names[added.count]
        added.append(
            Property(
                keys: name.keys,
                keyPath: keyPath,
                chainedKeyPath: chained,
                destination: name.destination,
                isDate: name.isDate
            )
        )
    }

    /// All properties, after the last one was added.
    var properties: [Property] {
        precondition(added.count == names.count, mismatch(added.count))
        return added
    }

    private func mismatch(_ count: Int) -> String {
        "the class of '\(entityName)' lists \(count) properties instead of \(names.count); "
            + "generate the code again from the current model"
    }
}
