/// What a fetch sorts by: a property, named by a key path or by a dotted name, and a direction.
///
/// Missing values come first in ascending order. Text sorts by Unicode scalars.
public struct SortKey: Sendable {
    /// The direction of a sort.
    public enum Order: Sendable, Hashable {
        case ascending, descending
    }

    enum Property: @unchecked Sendable {  // Generated key paths capture nothing.
        case keyPath(AnyKeyPath)
        case path(String)
    }

    let property: Property
    /// The direction.
    public let order: Order

    /// Sorts by a property of the class.
    public init<Object: ManagedObject, Value>(_ keyPath: KeyPath<Object, Value>, order: Order = .ascending) {
        property = .keyPath(keyPath)
        self.order = order
    }

    /// Sorts by a property, or over to-one relationships: `"team.name"`.
    public init(_ path: String, order: Order = .ascending) {
        property = .path(path)
        self.order = order
    }
}
