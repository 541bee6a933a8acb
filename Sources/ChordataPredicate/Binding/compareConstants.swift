import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PredicateBinder {
    /// Evaluates a comparison of constants while the predicate is bound (P15).
    func compareConstants(
        _ left: PredicateValue,
        _ operation: ComparisonOperator,
        _ options: ComparisonOptions,
        _ right: PredicateValue,
        at offset: Int
    ) throws(FetchPredicateError) -> Bool {
        guard !left.isNotANumber, !right.isNotANumber else {
            throw fail(
                .typeMismatch,
                "a value is NaN, which is not equal to any number; compare with another value",
                at: offset
            )
        }
        for value in [left, right] where !options.isEmpty && ExpressionType(value) != .string && value != .null {
            throw fail(
                .typeMismatch,
                "the options [\(options.letters)] are for strings, found \(value.kindName)",
                at: offset
            )
        }
        let isOrdering = operation != .equal && operation != .notEqual
        if left == .null || right == .null {
            if isOrdering { return false }
            return (left == right) == (operation == .equal)
        }
        let mismatch = fail(
            .typeMismatch,
            "\(left.kindName) cannot be compared with \(right.kindName)",
            at: offset
        )
        guard let type = ExpressionType(left), let other = ExpressionType(right) else { throw mismatch }
        switch (left.folded(options), right.folded(options)) {
        case (.attribute(let leftValue), .attribute(let rightValue)):
            guard type == other else { throw mismatch }
            return compareNumbers((leftValue, true), (rightValue, true)).satisfies(operation)
        case (.object, .object):
            // Objects are equal or not, and have no order.
            guard !isOrdering else { throw mismatch }
            return compareValues(left, right).satisfies(operation)
        default: throw mismatch
        }
    }
}

extension ValueOrder {
    /// Returns a Boolean value that indicates whether values in this order meet an operator that tests order or
    /// equality.
    func satisfies(_ operation: ComparisonOperator) -> Bool {
        switch operation {
        case .equal: self == .same
        case .notEqual: self != .same
        case .less: self == .ascending
        case .lessOrEqual: self != .descending
        case .greater: self == .descending
        case .greaterOrEqual: self != .ascending
        case .between, .in, .contains, .beginsWith, .endsWith, .like, .matches: false
        }
    }
}

/// A value for sets, which equals another one exactly if `==` in a predicate is true for the two.
///
/// Swift's `==` differs: a `String` equals its canonical equivalents, and a number never equals one of another type.
package struct ExactValue: Hashable {
    private enum Key: Hashable {
        case text([UInt8])
        case url([UInt8])
        case other(PredicateValue)
    }

    private let key: Key

    package init(_ value: PredicateValue) {
        switch value {
        case .attribute(.string(let string)): key = .text(Array(string.utf8))
        case .attribute(.url(let url)): key = .url(Array(url.absoluteString.utf8))
        case .attribute(.boolean(let flag)): key = .other(.attribute(.integer(flag ? 1 : 0)))
        case .attribute(.double(let number)):
            key = .other(.attribute(Int64(exactly: number).map { .integer($0) } ?? .double(number)))
        case .attribute(.decimal(let number)):
            let text = decimalText(number)
            // The double of that text, if the two are the same number according to a comparison of decimals.
            let double = Double(text).flatMap { parseDecimal("\($0)").map(decimalText) == text ? $0 : nil }
            let value: AttributeValue =
                Int64(text).map { .integer($0) } ?? double.map { .double($0) } ?? .decimal(number)
            key = .other(.attribute(value))
        case .null, .attribute, .object, .collection: key = .other(value)
        }
    }
}
