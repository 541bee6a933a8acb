package import ChordataModel

// Tests of values, which both the evaluator in memory and the functions of the SQL connection use, so that they cannot
// differ.

/// Returns a Boolean value that indicates whether an equality or ordering operator is true for two values, neither of
/// which is an object.
///
/// Nil equals nil and differs from everything else, and has no order.
package func holds(
    _ left: FunctionArgument?,
    _ operation: ComparisonOperator,
    _ right: FunctionArgument?
) -> Bool {
    guard let left, let right else {
        switch operation {
        case .equal: return left == nil && right == nil
        case .notEqual: return left != nil || right != nil
        default: return false
        }
    }
    return compareNumbers(left, right).satisfies(operation)
}

/// Returns a Boolean value that indicates whether a value lies between two constants, or is one of them.
package func isBetween(_ value: AttributeValue, _ lower: AttributeValue, _ upper: AttributeValue) -> Bool {
    compareNumbers((value, false), (lower, true)) != .ascending
        && compareNumbers((value, false), (upper, true)) != .descending
}

/// The constants on the right of IN.
package struct ConstantList {
    private let sorted: [AttributeValue]
    private let hasNumbers: Bool
    private let hasDecimals: Bool
    /// A Boolean value that indicates whether nil is one of the constants.
    package let hasNull: Bool

    /// - Parameter constants: The constants; `nil` is the nil of a predicate.
    /// - Complexity: O(n log n).
    package init(_ constants: [AttributeValue?]) {
        let present = constants.compactMap(\.self)
        hasNull = present.count < constants.count
        sorted = present.sorted { compareValues($0, $1) == .ascending }
        hasNumbers = present.contains { ExpressionType(.attribute($0)) == .number }
        hasDecimals = present.contains(where: \.isDecimal)
    }

    /// Returns a Boolean value that indicates whether a value is one of the constants.
    /// - Complexity: O(log n); O(n) if decimals are compared with other numbers, because these have no common order.
    package func contains(_ value: AttributeValue?) -> Bool {
        guard let value else { return hasNull }
        if hasNumbers, hasDecimals || value.isDecimal {
            return sorted.contains { compareNumbers((value, false), ($0, true)) == .same }
        }
        var range = 0..<sorted.count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            switch compareValues(value, sorted[middle]) {
            case .same: return true
            case .ascending: range = range.lowerBound..<middle
            case .descending: range = (middle + 1)..<range.upperBound
            }
        }
        return false
    }
}

extension AttributeValue {
    /// Returns the value without the differences that the options ignore; only strings change.
    package func folded(_ options: ComparisonOptions) -> AttributeValue {
        guard !options.isEmpty, case .string(let string) = self else { return self }
        return .string(foldedForComparison(string, options: options))
    }
}
