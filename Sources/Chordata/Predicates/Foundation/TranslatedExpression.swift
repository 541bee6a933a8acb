internal import ChordataModel
internal import ChordataPredicate

/// The translation of a part of a `#Predicate`.
enum TranslatedExpression {
    case condition(PredicateNode)
    /// A `Bool?`: `nil` unless `present` is met; otherwise, the result of the condition.
    case optionalCondition(present: PredicateNode, PredicateNode)
    case value(ExpressionNode)
    /// A captured value in its Swift type, to which a key path may still be applied.
    case constant(Any)
    /// A range; a missing bound is `nil`.
    case range(lower: ExpressionNode?, upper: ExpressionNode?, includesUpper: Bool)
    /// A comparison of two strings, ignoring case.
    case ordering(ExpressionNode, ExpressionNode)
}

extension TranslatedExpression {
    /// Returns the part as a condition, which is false for a missing value.
    func condition() throws(FetchPredicateError) -> PredicateNode {
        switch self {
        case .condition(let node): return node
        case .optionalCondition(let present, let node): return .both(present, node)
        case .constant(let constant as Bool): return .constant(constant)
        case .value, .constant, .range, .ordering:
            return .comparison(.init(try value(), .equal, .boolean(true)))
        }
    }

    /// Returns the part as a value; a condition becomes YES or NO.
    func value() throws(FetchPredicateError) -> ExpressionNode {
        switch self {
        case .condition(let node): return .conditional(node, .boolean(true), .boolean(false), offset: 0)
        case .optionalCondition(let present, let node):
            return .conditional(present, try TranslatedExpression.condition(node).value(), .null, offset: 0)
        case .value(let node): return node
        case .constant(let constant): return .value(try constantValue(of: constant))
        case .range:
            throw .unsupported("a range is supported only in 'contains'; use 'contains', or compare with both bounds")
        case .ordering:
            throw .unsupported(
                "the result of comparing two strings can only be compared with a constant ComparisonResult, such as .orderedSame"
            )
        }
    }

    /// A Boolean value that indicates whether the part is a captured nil.
    var isNil: Bool {
        guard case .constant(let constant) = self, case .some(.null) = try? constantValue(of: constant) else {
            return false
        }
        return true
    }
}

extension ExpressionNode {
    static let null = ExpressionNode.value(.null)
    static func boolean(_ value: Bool) -> ExpressionNode { .value(.attribute(.boolean(value))) }

    /// Returns the path that continues from this value with more keys.
    func appending(_ keys: [String]) -> ExpressionNode { .path(behind: self, keys) }

    /// Returns a Boolean value that indicates whether this expression is always nil if another expression is nil,
    /// because it continues from the other expression.
    func isMissing(with other: ExpressionNode) -> Bool {
        if self == other { return true }
        switch self {
        case .keyPath(let keys, _):
            guard case .keyPath(let start, _) = other else { return false }
            // A collection operator has a value even for an empty collection.
            return keys.starts(with: start) && !keys.contains { $0.hasPrefix("@") }
        case .path(let base, let keys, _):
            if keys.contains(where: { $0.hasPrefix("@") }) { return false }
            if case .path(base, let start, _) = other { return keys.starts(with: start) }
            return base.isMissing(with: other)
        case .function(_, let arguments, _): return arguments.contains { $0.isMissing(with: other) }
        case .element(let collection, _, _): return collection.isMissing(with: other)
        case .value, .evaluatedObject, .variable, .aggregate, .collectionFunction, .cast, .conditional, .subquery,
            .assignment:
            return false
        }
    }
}

extension PredicateNode {
    /// Returns the condition that a value is not nil.
    static func present(_ value: ExpressionNode) -> PredicateNode { .comparison(.init(value, .notEqual, .null)) }

    /// Returns the condition that the value that the first condition tests is present and the second condition is met,
    /// without tests that the second condition implies.
    static func both(_ present: PredicateNode, _ condition: PredicateNode) -> PredicateNode {
        let missing = PredicateNode.conjunction([present]).parts.filter { part in
            guard case .comparison(let comparison) = part else { return true }
            return !condition.parts.contains { $0.implies(presenceOf: comparison.left) }
        }
        return .conjunction(missing + [condition])
    }

    private var parts: [PredicateNode] {
        if case .and(let parts) = self { parts } else { [self] }
    }

    /// Returns a Boolean value that indicates whether the condition is never met when a value is missing.
    private func implies(presenceOf value: ExpressionNode) -> Bool {
        guard case .comparison(let comparison) = self, comparison.left.isMissing(with: value) else { return false }
        switch comparison.modifier {
        case .any: return true
        case .all, .none: return false
        case .direct: break
        }
        switch comparison.operator {
        case .equal, .in:
            // Nil equals nil, and any right side except a constant can be nil.
            guard case .value(let constant) = comparison.right else { return false }
            if case .collection(let values) = constant { return !values.contains(.null) }
            return constant != .null
        case .notEqual: return comparison.right == .null
        case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .contains, .beginsWith, .endsWith, .like,
            .matches:
            return true
        }
    }
}

extension FetchPredicateError {
    /// Returns the error for a Swift expression that a predicate cannot express.
    static func unsupported(_ message: String) -> FetchPredicateError {
        FetchPredicateError(.unsupported, message, at: 0, in: "")
    }

    /// Returns the error for a Swift expression that has no counterpart in a predicate.
    /// - Parameter expression: The expression, with quotation marks.
    static func unsupported(expression: String) -> FetchPredicateError {
        unsupported(
            "\(expression) is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
    }
}
