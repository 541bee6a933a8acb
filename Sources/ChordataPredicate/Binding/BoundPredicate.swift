/// A predicate whose key paths are resolved against an entity, whose types fit, and whose variables have values.
///
/// What binding leaves of a comparison is one of these, and the back ends need not handle more:
/// - a key path and a value, the key path on the left, unless a string operator has it as its pattern;
/// - two key paths of one kind;
/// - BETWEEN with a key path and a collection of two values, neither nil;
/// - IN with a key path and a collection that is not empty, without doublets; it may hold nil.
package indirect enum BoundPredicate: Sendable, Hashable {
    case constant(Bool)
    case and([BoundPredicate])
    case or([BoundPredicate])
    case not(BoundPredicate)
    case comparison(BoundComparison)
}

/// A comparison whose sides fit each other.
package struct BoundComparison: Sendable, Hashable {
    package var left: BoundExpression
    package var `operator`: ComparisonOperator
    /// `c` and `d` only, and only where strings are compared.
    package var options: ComparisonOptions
    package var right: BoundExpression

    package init(
        left: BoundExpression,
        operator: ComparisonOperator,
        options: ComparisonOptions,
        right: BoundExpression
    ) {
        self.left = left
        self.operator = `operator`
        self.options = options
        self.right = right
    }
}

/// One side of a bound comparison.
package indirect enum BoundExpression: Sendable, Hashable {
    /// A constant, already of the type it is compared with.
    case value(PredicateValue)
    case keyPath(BoundKeyPath)
    /// A list with key paths in it; binding opens these up, so that no comparison holds one yet.
    case aggregate([BoundExpression])
}

extension BoundPredicate {
    /// The predicates joined by AND, without constants and nesting that say nothing.
    static func conjunction(_ predicates: [BoundPredicate]) -> BoundPredicate {
        var parts: [BoundPredicate] = []
        for predicate in predicates {
            switch predicate {
            case .constant(true): continue
            case .constant(false): return predicate
            case .and(let inner): parts += inner
            case .or, .not, .comparison: parts.append(predicate)
            }
        }
        if parts.isEmpty { return .constant(true) }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    /// The predicates joined by OR, without constants and nesting that say nothing.
    static func disjunction(_ predicates: [BoundPredicate]) -> BoundPredicate {
        var parts: [BoundPredicate] = []
        for predicate in predicates {
            switch predicate {
            case .constant(false): continue
            case .constant(true): return predicate
            case .or(let inner): parts += inner
            case .and, .not, .comparison: parts.append(predicate)
            }
        }
        if parts.isEmpty { return .constant(false) }
        return parts.count == 1 ? parts[0] : .or(parts)
    }

    /// The predicate that is met exactly where the other is not.
    static func negation(_ predicate: BoundPredicate) -> BoundPredicate {
        switch predicate {
        case .constant(let value): .constant(!value)
        case .not(let inner): inner
        case .and, .or, .comparison: .not(predicate)
        }
    }
}
