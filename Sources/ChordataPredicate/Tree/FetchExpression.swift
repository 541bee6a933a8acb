/// A value computed from an object, in the language of Core Data's predicates.
///
/// ```swift
/// let total = try FetchExpression(format: "items.@sum.price * 1.19")
/// ```
public struct FetchExpression: Sendable {
    package let node: ExpressionNode
    /// The text to which the positions in the tree refer; `nil` for an expression that was not parsed.
    package let text: String?

    package init(_ node: ExpressionNode, text: String? = nil) {
        self.node = node
        self.text = text
    }

    /// Creates the expression of a constant; `nil` for no value.
    public init(forConstantValue value: (any PredicateArgument)?) {
        self.init(.value(value?.predicateArgumentValue.value ?? .null))
    }
}

extension FetchExpression: Hashable {
    /// Returns a Boolean value that indicates whether two expressions are the same, regardless of the format
    /// strings from which they were parsed.
    public static func == (left: FetchExpression, right: FetchExpression) -> Bool { left.node == right.node }

    /// Hashes the expression, not the text.
    public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}
