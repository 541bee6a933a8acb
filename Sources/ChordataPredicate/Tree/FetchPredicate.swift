/// A condition on objects, in the language of Core Data's predicates.
///
/// A predicate is independent of a model until a fetch, or another operation, resolves its key paths for an entity.
/// This finds misspelt keys and wrong types before the store is read.
///
/// ```swift
/// let adults = try FetchPredicate(format: "age >= %d AND name BEGINSWITH[cd] %@", 18, "an")
/// let other = try !adults || FetchPredicate(format: "list == nil")
/// ```
public struct FetchPredicate: Sendable {
    package let node: PredicateNode
    /// The text to which the positions in the tree refer; `nil` for a predicate that was not parsed, or was composed.
    package let text: String?

    package init(_ node: PredicateNode) {
        self.node = node
        self.text = nil
    }

    package init(_ node: PredicateNode, text: String?) {
        self.node = node
        self.text = text
    }
}

extension FetchPredicate: Hashable {
    /// Returns a Boolean value that indicates whether two predicates are the same condition, regardless of their
    /// formats.
    public static func == (left: FetchPredicate, right: FetchPredicate) -> Bool { left.node == right.node }

    /// Hashes the condition, not the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}
