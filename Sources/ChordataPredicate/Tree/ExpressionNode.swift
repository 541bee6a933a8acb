/// One side of a comparison.
package indirect enum ExpressionNode: Sendable, Hashable {
    case value(PredicateValue)
    /// A path of property names, and where it stands in the text.
    case keyPath([String], offset: TextOffset)
    /// `$name`, and where it stands in the text.
    case variable(String, offset: TextOffset)
    /// `SELF`.
    case evaluatedObject
    /// `{a, b, …}` with at least one part that is not a value; values alone are a ``PredicateValue/collection(_:)``.
    case aggregate([ExpressionNode])

    /// `{a, b, …}`: a collection value when all parts are values.
    package static func list(_ parts: [ExpressionNode]) -> ExpressionNode {
        var values: [PredicateValue] = []
        for part in parts {
            guard case .value(let value) = part else { return .aggregate(parts) }
            values.append(value)
        }
        return .value(.collection(values))
    }
}
