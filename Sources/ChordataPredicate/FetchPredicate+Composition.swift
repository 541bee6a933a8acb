extension FetchPredicate {
    /// The predicate that every object meets.
    public static let `true` = FetchPredicate(.constant(true))
    /// The predicate that no object meets.
    public static let `false` = FetchPredicate(.constant(false))

    // Disfavored: else the compiler tries these in every condition of a program, before it is content with Bool's.

    /// The predicate that is met where both are.
    @_disfavoredOverload
    public static func && (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.conjunction([left.node, right.node]))
    }

    /// The predicate that is met where at least one of the two is.
    @_disfavoredOverload
    public static func || (left: FetchPredicate, right: FetchPredicate) -> FetchPredicate {
        FetchPredicate(.disjunction([left.node, right.node]))
    }

    /// The predicate that is met exactly where the operand is not.
    @_disfavoredOverload
    public static prefix func ! (predicate: FetchPredicate) -> FetchPredicate {
        if case .not(let inner) = predicate.node { return FetchPredicate(inner, text: predicate.text) }
        return FetchPredicate(.not(predicate.node), text: predicate.text)
    }

    /// The predicate that is met where this one and the other are.
    public func and(_ other: FetchPredicate) -> FetchPredicate { self && other }

    /// The predicate that is met where this one or the other is.
    public func or(_ other: FetchPredicate) -> FetchPredicate { self || other }

    /// The predicate that is met where all of the given ones are; without any, everywhere.
    /// - Complexity: O(n) for n predicates, where a chain of `&&` is O(n²).
    public static func all(_ predicates: some Sequence<FetchPredicate>) -> FetchPredicate {
        FetchPredicate(.conjunction(predicates.map(\.node)))
    }

    /// The predicate that is met where at least one of the given ones is; without any, nowhere.
    /// - Complexity: O(n) for n predicates, where a chain of `||` is O(n²).
    public static func any(_ predicates: some Sequence<FetchPredicate>) -> FetchPredicate {
        FetchPredicate(.disjunction(predicates.map(\.node)))
    }
}
