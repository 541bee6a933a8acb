/// A value that a predicate compares or a derived attribute computes.
package indirect enum ExpressionNode: Sendable, Hashable {
    case value(PredicateValue)
    /// `SELF`.
    case evaluatedObject
    /// A path of keys from the object, and its position in the text; a key that begins with `@` is an operator.
    case keyPath([String], offset: TextOffset)
    /// A path of keys from something else: `$item.name`, `SUBQUERY(…).@count`; and the position of its first key in
    /// the text.
    case path(ExpressionNode, [String], offset: TextOffset)
    /// `$name`, and its position in the text.
    case variable(String, offset: TextOffset)
    /// `{a, b, …}` with at least one part that is not a value; values alone are a ``PredicateValue/collection(_:)``.
    case aggregate([ExpressionNode])
    /// A function with its arguments; arithmetic signs are functions too.
    case function(PredicateFunction, [ExpressionNode], offset: TextOffset)
    /// A function of a collection, such as `sum:`.
    case collectionFunction(CollectionFunction, ExpressionNode, offset: TextOffset)
    /// `CAST(expression, "type")`.
    case cast(ExpressionNode, CastType, offset: TextOffset)
    /// `TERNARY(condition, a, b)`.
    case conditional(PredicateNode, ExpressionNode, ExpressionNode, offset: TextOffset)
    /// `SUBQUERY(collection, $variable, condition)`.
    case subquery(ExpressionNode, variable: String, PredicateNode, offset: TextOffset)
    /// `collection[FIRST]`, `collection[LAST]`, `collection[n]`.
    case element(ExpressionNode, CollectionIndex, offset: TextOffset)
    /// `$name := expression`: the expression, which has this name from here on.
    case assignment(String, ExpressionNode, offset: TextOffset)

    /// `{a, b, …}`: a collection value when all parts are values.
    package static func list(_ parts: [ExpressionNode]) -> ExpressionNode {
        var values: [PredicateValue] = []
        for part in parts {
            guard case .value(let value) = part else { return .aggregate(parts) }
            values.append(value)
        }
        return .value(.collection(values))
    }

    /// `CAST(expression, "type")`: a constant if the language writes the constant as this cast.
    package static func cast(_ operand: ExpressionNode, to type: CastType, offset: TextOffset) -> ExpressionNode {
        if case .value(let value) = operand, let constant = PredicateLiteral.cast(value, to: type) {
            return .value(constant)
        }
        return .cast(operand, type, offset: offset)
    }

    /// Returns keys after a value, in one path with the keys at the end of the value.
    ///
    /// After an operator such as `@unionOfObjects`, separate keys have another meaning than further keys of its path.
    package static func path(
        behind root: ExpressionNode,
        _ keys: [String],
        offset: TextOffset = 0
    ) -> ExpressionNode {
        switch root {
        case .evaluatedObject where !keys[0].hasPrefix("@"): .keyPath(keys, offset: offset)
        case .keyPath(let first, let start) where !root.endsWithOperator: .keyPath(first + keys, offset: start)
        case .path(let root, let first, let start) where !first.contains(where: { $0.hasPrefix("@") }):
            .path(root, first + keys, offset: start)
        default: .path(root, keys, offset: offset)
        }
    }

    /// A Boolean value that indicates whether the expression is a path with an operator among its keys.
    var endsWithOperator: Bool {
        switch self {
        case .keyPath(let keys, _), .path(_, let keys, _): keys.contains { $0.hasPrefix("@") }
        default: false
        }
    }

    /// The place of the expression in the text; `nil` for expressions without a place.
    var offset: TextOffset? {
        switch self {
        case .value, .evaluatedObject, .aggregate: nil
        case .keyPath(_, let offset), .path(_, _, let offset), .variable(_, let offset), .function(_, _, let offset),
            .collectionFunction(_, _, let offset), .cast(_, _, let offset), .conditional(_, _, _, let offset),
            .subquery(_, _, _, let offset), .element(_, _, let offset), .assignment(_, _, let offset):
            offset
        }
    }
}

/// The selected element of a collection.
package indirect enum CollectionIndex: Sendable, Hashable {
    case first, last
    /// The element at a position, counted from 0.
    case at(ExpressionNode)
}
