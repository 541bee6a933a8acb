import ChordataModel
import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The number of values above which IN binds one list instead of individual values, so that the statement's text stays
/// the same.
let maximumInlineListCount = 500

extension PredicateRenderer {
    /// Renders the condition of a predicate.
    ///
    /// A comparison may be NULL instead of false: WHERE, AND and OR treat both in the same way, and an index can be
    /// used for `a < ?` unchanged. Only NOT distinguishes them, so it is `(…) IS NOT TRUE`, which is never NULL.
    mutating func render(_ predicate: BoundPredicate) -> String {
        switch predicate {
        case .constant(let value): return dialect.condition(value)
        case .and(let parts):
            return parts.isEmpty ? dialect.condition(true) : Self.join(renderConjuncts(parts)[...], by: " AND ")
        case .or(let parts):
            return parts.isEmpty
                ? dialect.condition(false) : Self.join(renderParts(parts, joinedBy: " OR ")[...], by: " OR ")
        case .not(let inner):
            if case .comparison(var comparison) = inner, let opposite = comparison.operator.oppositeOfEquality {
                comparison.operator = opposite
                return render(comparison)
            }
            return "(" + render(inner) + ") IS NOT TRUE"
        case .comparison(let comparison): return renderOnce(predicate) ?? render(comparison)
        case .exists(let collection): return renderOnce(predicate) ?? renderExists(collection)
        case .fullText(let search): return renderFullText(search)
        case .keys(let ranges):
            let conditions = ranges.map { "t0.\"_id\" BETWEEN \($0.lowerBound) AND \($0.upperBound)" }
            return "(" + conditions.joined(separator: " OR ") + ")"
        }
    }

    /// Renders the parts of a conjunction, each of which may rely on the others.
    mutating func renderConjuncts(_ parts: [BoundPredicate]) -> [String] {
        let outer = conjuncts
        conjuncts += parts
        defer { conjuncts = outer }
        return renderParts(parts, joinedBy: " AND ")
    }

    /// Renders the parts of a chain; those that are chains themselves come first.
    ///
    /// SQLite's parser accepts a hundred open parentheses, and each counts as three if a condition precedes it. The
    /// parse tree of a chain is deepest at its first part, so the many other parts after it are grouped next to it.
    mutating func renderParts(_ parts: [BoundPredicate], joinedBy conjunction: String) -> [String] {
        var chains: [String] = []
        for part in parts where part.isChain { chains.append(renderPart(part)) }
        var others: [String] = []
        for part in parts where !part.isChain { others.append(renderPart(part)) }
        if chains.isEmpty { return others }
        if others.count <= 8 { return chains + others }
        return chains + ["(" + Self.join(others[...], by: conjunction) + ")"]
    }

    /// Renders the condition as a part of another one, in parentheses if it needs them.
    mutating func renderPart(_ predicate: BoundPredicate) -> String {
        switch predicate {
        case .and, .or: "(" + render(predicate) + ")"
        case .constant, .not, .comparison, .exists, .fullText, .keys: render(predicate)
        }
    }

    private mutating func render(_ comparison: BoundComparison) -> String {
        let isOfObjects = comparison.left.isObject || comparison.right.isObject
        return switch comparison.operator {
        case .contains, .beginsWith, .endsWith, .like, .matches: renderStringTest(comparison)
        case .in where isOfObjects: renderIn(comparison)
        case _ where isOfObjects: renderObjectComparison(comparison)
        case _ where !comparison.isOfColumns: renderComputedComparison(comparison)
        case .equal, .notEqual: renderEquality(comparison)
        case .less, .lessOrEqual, .greater, .greaterOrEqual: renderOrder(comparison)
        case .between: renderBetween(comparison)
        case .in: renderIn(comparison)
        }
    }

    // MARK: Equality and order

    private mutating func renderEquality(_ comparison: BoundComparison) -> String {
        let isEqual = comparison.operator == .equal
        let left = renderSide(comparison.left, comparison.options)
        if case .value(.null) = comparison.right { return left + (isEqual ? " IS NULL" : " IS NOT NULL") }
        let right = renderSide(comparison.right, comparison.options)
        // With a value on the right, NULL on the left is never equal and, for IS NOT, always different.
        if case .value = comparison.right, isEqual { return "\(left) = \(right)" }
        return isEqual ? dialect.areSame(left, right) : dialect.areDifferent(left, right)
    }

    private mutating func renderOrder(_ comparison: BoundComparison) -> String {
        let left = renderOrderedSide(comparison.left, comparison.options)
        return "\(left) \(comparison.operator.rawValue) \(renderSide(comparison.right, comparison.options))"
    }

    private mutating func renderBetween(_ comparison: BoundComparison) -> String {
        guard case .value(.collection(let bounds)) = comparison.right, bounds.count == 2 else {
            preconditionFailure("BETWEEN must be bound to two values")
        }
        let left = renderOrderedSide(comparison.left, comparison.options)
        let lower = bind(bounds[0], comparison.options)
        return "\(left) BETWEEN \(lower) AND \(bind(bounds[1], comparison.options))"
    }

    // MARK: Lists

    private mutating func renderIn(_ comparison: BoundComparison) -> String {
        guard case .value(.collection(let values)) = comparison.right else {
            preconditionFailure("IN must be bound to a collection")
        }
        // A NULL in an SQL list makes the result NULL, never true, so nil is tested separately.
        let hasNull = values.contains { if case .null = $0 { true } else { false } }
        var present = hasNull ? values.filter { if case .null = $0 { false } else { true } } : values
        if !comparison.options.isEmpty { present = present.map { $0.folded(comparison.options) } }
        // Among doubles, binding leaves integers that no double is equal to; in a list that SQLite selects, they would
        // become the next double.
        if case .keyPath(let path) = comparison.left, path.attribute?.attributeType == .double {
            present.removeAll { if case .attribute(.integer) = $0 { true } else { false } }
        }
        let left = renderSide(comparison.left, comparison.options)
        if present.isEmpty { return hasNull ? "\(left) IS NULL" : dialect.condition(false) }
        if hasNull, !comparison.left.isColumnOrConstant {
            let list = bind(.attribute(.data(SQLValueList.encode(values.map { SQLValue($0) }))))
            return dialect.call(.member, "'', '\(ValueForm.number.rawValue)', \(left), \(list)")
        }
        if dialect.hasLists {
            let isAmong = "\(left) = ANY(\(bind(.collection(present))))"
            return hasNull ? "(\(left) IS NULL OR \(isAmong))" : isAmong
        }
        if hasNull {
            let again = renderSide(comparison.left, comparison.options)
            return "(\(left) IS NULL OR \(again) IN (\(bindList(present))))"
        }
        return "\(left) IN (\(bindList(present)))"
    }

    /// Binds the contents of IN's parentheses.
    private mutating func bindList(_ values: [PredicateValue]) -> String {
        if values.count <= maximumInlineListCount { return bind(values) }
        let list = SQLValueList.encode(values.map { SQLValue($0) })
        return dialect.elements(values.count, of: list, hasPlaces: false) { bind($0) }
    }

    // MARK: Strings

    private mutating func renderStringTest(_ comparison: BoundComparison) -> String {
        let function: SQLFunction
        switch comparison.operator {
        case .contains: function = .contains
        case .beginsWith: function = .begins
        case .endsWith: function = .ends
        case .like: function = .like
        case .matches: function = .matches
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in:
            preconditionFailure("\(comparison.operator.rawValue) is not a string operator")
        }
        if comparison.options.isEmpty, let plain = renderPlainStringTest(comparison.withoutNeedlessPattern) {
            return plain
        }
        let text = renderSide(comparison.left, [])
        let pattern = renderSide(comparison.right, [])
        return dialect.call(function, "\(text), \(pattern), '\(comparison.options.letters)'")
    }

    /// Renders a test with operators of the database; `nil` for other tests.
    private mutating func renderPlainStringTest(_ comparison: BoundComparison) -> String? {
        if comparison.operator == .contains {
            let text = renderSide(comparison.left, [])
            return dialect.contains(text, renderSide(comparison.right, []))
        }
        guard case .keyPath(let path) = comparison.left,
            case .value(.attribute(.string(let pattern))) = comparison.right
        else { return nil }
        switch comparison.operator {
        case .equal: return renderEquality(comparison)
        case .beginsWith:
            let column = column(path)
            if pattern.isEmpty { return "\(column) IS NOT NULL" }
            // A range is used, so that an index can be used and nothing in the prefix is a wildcard (Q19): from the
            // prefix up to the smallest string that is greater than all strings with the prefix.
            let lower = "\(column) >= \(bind(.attribute(.string(pattern))))"
            guard let upper = stringAfterAll(withPrefix: pattern) else { return lower }
            return "(\(lower) AND \(column) < \(bind(.attribute(.string(upper)))))"
        case .endsWith:
            let column = column(path)
            if pattern.isEmpty { return "\(column) IS NOT NULL" }
            return dialect.ends(column, with: pattern) { bind($0) }
        case .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .contains, .like, .matches:
            return nil
        }
    }

    // MARK: Sides

    private mutating func renderSide(_ expression: BoundExpression, _ options: ComparisonOptions) -> String {
        switch expression {
        case .value(let value): return bind(value, options)
        case .keyPath(let path):
            let column = column(path)
            return options.isEmpty ? column : dialect.call(.fold, "\(column), '\(options.letters)'")
        case .variable, .function, .cast, .conditional, .aggregate, .element:
            if expression.isObject { return renderKey(expression) }
            // A string is the same in every form.
            let side = renderOperand(expression).sql
            return options.isEmpty ? side : dialect.call(.fold, "\(side), '\(options.letters)'")
        }
    }

    /// Renders the side with the collation by which its values are ordered.
    private mutating func renderOrderedSide(_ expression: BoundExpression, _ options: ComparisonOptions) -> String {
        switch expression {
        case .keyPath(let path) where path.isDecimal: orderedColumn(path)
        case .function(.noIndex, let arguments): dialect.withoutIndex(renderOrderedSide(arguments[0], options))
        default: renderSide(expression, options)
        }
    }

    private mutating func bind(_ value: PredicateValue, _ options: ComparisonOptions) -> String {
        bind(value.folded(options))
    }
}

/// Returns the smallest string that is greater than all strings with the prefix, by Unicode scalars, or `nil`.
func stringAfterAll(withPrefix prefix: String) -> String? {
    var scalars = Array(prefix.unicodeScalars)
    while let last = scalars.popLast() {
        // The surrogates between U+D7FF and U+E000 are not scalars.
        let next = last.value == 0xD7FF ? 0xE000 : last.value + 1
        guard let scalar = Unicode.Scalar(next) else { continue }
        scalars.append(scalar)
        var result = String.UnicodeScalarView()
        result.append(contentsOf: scalars)
        return String(result)
    }
    return nil
}

extension BoundComparison {
    /// The simpler test that is equivalent to a test with LIKE, if its pattern has wildcards at most at its ends.
    fileprivate var withoutNeedlessPattern: BoundComparison {
        guard self.operator == .like, case .value(.attribute(.string(let pattern))) = right,
            let plain = PlainLikePattern(pattern)
        else { return self }
        var comparison = self
        let text: String
        switch plain {
        case .equal(let string): (comparison.operator, text) = (.equal, string)
        case .beginsWith(let string): (comparison.operator, text) = (.beginsWith, string)
        case .endsWith(let string): (comparison.operator, text) = (.endsWith, string)
        case .contains(let string): (comparison.operator, text) = (.contains, string)
        }
        comparison.right = .value(.attribute(.string(text)))
        return comparison
    }
}

extension BoundPredicate {
    fileprivate var isChain: Bool {
        switch self {
        case .and, .or: true
        case .not(let inner): inner.isChain
        case .constant, .comparison, .exists, .fullText, .keys: false
        }
    }
}

extension ComparisonOperator {
    /// The opposite of `==` or `!=`; `nil` for other operators.
    fileprivate var oppositeOfEquality: ComparisonOperator? {
        switch self {
        case .equal: .notEqual
        case .notEqual: .equal
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .in, .contains, .beginsWith, .endsWith, .like,
            .matches:
            nil
        }
    }
}
