/// A sort key of a fetch: a property, named by a key path or by a dotted name, a direction, and for text a comparison.
///
/// Missing values come first in ascending order. Text sorts by Unicode scalars unless another comparison is asked for
/// (rule Q1 of <doc:Core-Data-Rules>).
public struct SortKey: Sendable {
    /// The direction of a sort.
    public enum Order: Sendable, Hashable {
        case ascending, descending
    }

    /// The keys of the property, dots between them; `nil` for what is no property of the model.
    let path: String?
    /// The property as it was given, for messages.
    let text: String
    /// The direction.
    public let order: Order
    /// The string comparison.
    ///
    /// A fetch throws an error if an attribute that is not a string has a comparison other than `literal`.
    public let comparison: StringComparison

    /// Creates a sort key for a property of the class, or for one over to-one relationships: `\.team?.name`.
    /// - Parameters:
    ///   - keyPath: The property; one that the model does not have is an error of the fetch.
    ///   - order: The direction of the sort.
    ///   - comparison: The comparison of text; a fetch accepts only `literal` for other types than strings.
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

    /// Creates a sort key for a property, or for one over to-one relationships: `"team.name"`.
    /// - Parameters:
    ///   - path: The name or path; one that the model does not have is an error of the fetch.
    ///   - order: The direction of the sort.
    ///   - comparison: The comparison of text; a fetch accepts only `literal` for other types than strings.
    public init(_ path: String, order: Order = .ascending, comparison: StringComparison = .literal) {
        self.path = path
        text = path
        self.order = order
        self.comparison = comparison
    }
}
