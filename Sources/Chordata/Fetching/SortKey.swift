/// A sort key of a fetch request: a property or path, a direction, and a string comparison.
///
/// Null values are first in ascending order. Strings are compared by Unicode scalars unless another comparison is set
/// (rule Q1 of <doc:Core-Data-Rules>).
public struct SortKey: Sendable {
    /// The direction of a sort.
    public enum Order: Sendable, Hashable {
        case ascending, descending
    }

    /// The keys of the property, separated by dots; `nil` for a key path that is not a property of the model.
    package let path: String?
    /// The property as specified by the caller, for messages.
    let text: String
    /// The direction.
    public let order: Order
    /// The string comparison.
    ///
    /// A fetch throws an error if an attribute that is not a string has a comparison other than `literal`.
    public let comparison: StringComparison

    /// Creates a sort key for a property, or a path over to-one relationships, such as `\.team?.name`.
    /// - Parameters:
    ///   - keyPath: The property. If the model does not have it, the fetch throws an error.
    ///   - order: The direction of the sort.
    ///   - comparison: The string comparison; a fetch throws an error if it is not `literal` and the property is not a
    ///     string.
    public init<Object: ManagedObject, Value>(
        _ keyPath: KeyPath<Object, Value>,
        order: Order = .ascending,
        comparison: StringComparison = .literal
    ) {
        path = keys(of: keyPath)?.joined(separator: ".")
        text = path ?? Chordata.text(of: keyPath)
        self.order = order
        self.comparison = comparison
    }

    /// Creates a sort key for the name of a property, or a path over to-one relationships, such as `"team.name"`.
    /// - Parameters:
    ///   - path: The name or path. If the model does not have the property, the fetch throws an error.
    ///   - order: The direction of the sort.
    ///   - comparison: The string comparison; a fetch throws an error if it is not `literal` and the property is not a
    ///     string.
    public init(_ path: String, order: Order = .ascending, comparison: StringComparison = .literal) {
        self.path = path
        text = path
        self.order = order
        self.comparison = comparison
    }
}
