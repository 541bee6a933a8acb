internal import ChordataModel
public import ChordataPredicate

/// A range that can be the left operand of `~=` in a typed predicate.
public protocol PredicateRange<Bound> {
    /// The type of the bounds.
    associatedtype Bound: PredicateArgument

    /// The bounds of the range for a predicate.
    var predicateBounds: PredicateBounds { get }
}

/// The bounds of a ``PredicateRange``, which Swift's range types provide.
public struct PredicateBounds: Sendable {
    let lower: ExpressionNode?
    let upper: ExpressionNode?
    let includesUpper: Bool

    init(_ lower: (any PredicateArgument)?, _ upper: (any PredicateArgument)?, includesUpper: Bool) {
        self.lower = lower.map { .value($0.predicateArgumentValue.value) }
        self.upper = upper.map { .value($0.predicateArgumentValue.value) }
        self.includesUpper = includesUpper
    }
}

extension PredicateRange {
    func condition(on value: ExpressionNode) -> PredicateNode {
        let bounds = predicateBounds
        return .isBetween(value, bounds.lower, bounds.upper, includesUpper: bounds.includesUpper)
    }
}

extension ClosedRange: PredicateRange where Bound: PredicateArgument {
    /// The bounds of the closed range, both included.
    public var predicateBounds: PredicateBounds { PredicateBounds(lowerBound, upperBound, includesUpper: true) }
}

extension Range: PredicateRange where Bound: PredicateArgument {
    /// The bounds of the range: the lower bound, included, and the upper bound, excluded.
    public var predicateBounds: PredicateBounds { PredicateBounds(lowerBound, upperBound, includesUpper: false) }
}

extension PartialRangeFrom: PredicateRange where Bound: PredicateArgument {
    /// The lower bound of the range, included.
    public var predicateBounds: PredicateBounds { PredicateBounds(lowerBound, nil, includesUpper: true) }
}

extension PartialRangeUpTo: PredicateRange where Bound: PredicateArgument {
    /// The upper bound of the range, excluded.
    public var predicateBounds: PredicateBounds { PredicateBounds(nil, upperBound, includesUpper: false) }
}

extension PartialRangeThrough: PredicateRange where Bound: PredicateArgument {
    /// The upper bound of the range, included.
    public var predicateBounds: PredicateBounds { PredicateBounds(nil, upperBound, includesUpper: true) }
}
