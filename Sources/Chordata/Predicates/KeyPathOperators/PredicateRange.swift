internal import ChordataModel
public import ChordataPredicate

/// A range that can be the left side of `~=`.
public protocol PredicateRange<Bound> {
    /// The kind of bounds.
    associatedtype Bound: PredicateArgument

    /// The bounds as a predicate has them.
    var predicateBounds: PredicateBounds { get }
}

/// The bounds of a ``PredicateRange``; made by Swift's ranges.
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
    /// Both bounds, included.
    public var predicateBounds: PredicateBounds { PredicateBounds(lowerBound, upperBound, includesUpper: true) }
}

extension Range: PredicateRange where Bound: PredicateArgument {
    /// The lower bound, included, and the upper one, excluded.
    public var predicateBounds: PredicateBounds { PredicateBounds(lowerBound, upperBound, includesUpper: false) }
}

extension PartialRangeFrom: PredicateRange where Bound: PredicateArgument {
    /// The lower bound, included.
    public var predicateBounds: PredicateBounds { PredicateBounds(lowerBound, nil, includesUpper: true) }
}

extension PartialRangeUpTo: PredicateRange where Bound: PredicateArgument {
    /// The upper bound, excluded.
    public var predicateBounds: PredicateBounds { PredicateBounds(nil, upperBound, includesUpper: false) }
}

extension PartialRangeThrough: PredicateRange where Bound: PredicateArgument {
    /// The upper bound, included.
    public var predicateBounds: PredicateBounds { PredicateBounds(nil, upperBound, includesUpper: true) }
}
