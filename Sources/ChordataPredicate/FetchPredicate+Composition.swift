extension FetchPredicate {
    /// The predicate that is true for every object.
    public static let `true` = FetchPredicate(.constant(true))
    /// The predicate that is true for no object.
    public static let `false` = FetchPredicate(.constant(false))

    // These operators are disfavored, because otherwise the compiler would try them in every condition of a program
    // before it chooses Bool's.

    /// Returns a predicate that is true if both predicates are true.
    @_disfavoredOverload
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.conjunction([left.node, right.node]))
    }

    /// Returns a predicate that is true if at least one of the two predicates is true.
    @_disfavoredOverload
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.disjunction([left.node, right.node]))
    }

    /// Returns a predicate that is true if the given predicate is not true.
    @_disfavoredOverload
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        if case .not(let inner) = predicate.node { return FetchPredicate(inner, text: predicate.text) }
        return FetchPredicate(.not(predicate.node), text: predicate.text)
    }

    /// Returns a predicate that is true if this predicate and the other one are true.
    public func and(_ other: FetchPredicate) -> FetchPredicate { self && other }

    /// Returns a predicate that is true if at least one of this predicate and the other one is true.
    public func or(_ other: FetchPredicate) -> FetchPredicate { self || other }

    /// Returns a predicate that is true if all of the given predicates are true, and always for an empty sequence.
    /// - Complexity: O(n) for n predicates; a chain of `&&` is O(n²).
    public static func all(_ predicates: some Sequence<FetchPredicate>) -> FetchPredicate {
        FetchPredicate(.conjunction(predicates.map(\.node)))
    }

    /// Returns a predicate that is true if at least one of the given predicates is true, and never for an empty
    /// sequence.
    /// - Complexity: O(n) for n predicates; a chain of `||` is O(n²).
    public static func any(_ predicates: some Sequence<FetchPredicate>) -> FetchPredicate {
        FetchPredicate(.disjunction(predicates.map(\.node)))
    }
}
