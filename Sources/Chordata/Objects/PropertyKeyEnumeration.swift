/// An enumeration of the names of a class's properties: the generated `PropertyKey`.
///
/// ```swift
/// Item.PropertyKey.createdAt.name    // "createdAt"
/// ```
///
/// It has no raw values, because everybody who has a model would compile them.
public protocol PropertyKeyEnumeration: CaseIterable, Hashable, Sendable {
    /// The snapshot whose properties are named.
    associatedtype Values: ManagedObjectValues
}

extension PropertyKeyEnumeration {
    /// What the model calls the property.
    /// - Complexity: O(n) in the number of properties.
    public var name: String {
        // The cases are in the order of the model.
        for (name, key) in zip(Values.layout.propertyNames, Self.allCases) where key == self { return name }
        preconditionFailure("'\(Values.layout.entityName)' has no name for '\(self)'; generate the code again")
    }
}
