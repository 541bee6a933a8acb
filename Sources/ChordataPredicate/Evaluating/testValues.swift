package import ChordataModel

// Tests of values, of which the evaluator in memory and the functions of the SQL connection both consist, so that they cannot differ.

/// Whether two values, neither of which is an object, are in the relation of an operator: an equality or an order.
///
/// Nil equals nil and differs from everything else, and has no order.
package func areRelated(
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

/// Whether a value lies between two constants, or is one of them.
package func isBetween(_ value: AttributeValue, _ lower: AttributeValue, _ upper: AttributeValue) -> Bool {
    compareNumbers((value, false), (lower, true)) != .ascending
        && compareNumbers((value, false), (upper, true)) != .descending
}

/// Whether a value is one of some constants.
/// - Complexity: O(n) in the number of constants.
package func isMember(_ value: AttributeValue, of constants: [AttributeValue]) -> Bool {
    constants.contains { compareNumbers((value, false), ($0, true)) == .same }
}

extension AttributeValue {
    /// The value without what the options pass over; only strings change.
    package func folded(_ options: ComparisonOptions) -> AttributeValue {
        guard !options.isEmpty, case .string(let string) = self else { return self }
        return .string(foldedForComparison(string, options: options))
    }
}
