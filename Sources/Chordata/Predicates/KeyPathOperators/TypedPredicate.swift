public import ChordataPredicate

/// A condition on the objects of one class, made of key paths, so that the compiler checks the types.
///
/// ```swift
/// let predicate: TypedPredicate<Player> = \.age >= 18 && \.team?.city == "Ulm"
/// ```
public struct TypedPredicate<Object: ManagedObject>: Sendable {
    let node: PredicateNode

    init(_ node: PredicateNode) { self.node = node }

    init(_ left: ExpressionNode, _ operation: ComparisonOperator, _ right: ExpressionNode) {
        node = .comparison(.init(left, operation, right))
    }
}

extension TypedPredicate: Hashable {}

extension FetchPredicate {
    /// Creates a predicate from one made of key paths.
    ///
    /// A key path that is no property of the model is an error when the predicate is used.
    public init<Object: ManagedObject>(_ predicate: TypedPredicate<Object>) { self.init(predicate.node) }
}

// Disfavored, here and in FetchPredicate: else the compiler tries them in every condition of a program, before it is
// content with Bool's, together with each operator that makes a TypedPredicate.
extension TypedPredicate {
    /// The predicate that is met where both are.
    @_disfavoredOverload
    public static func && (left: TypedPredicate, right: TypedPredicate) -> TypedPredicate {
        TypedPredicate(.conjunction([left.node, right.node]))
    }

    /// The predicate that is met where at least one of the two is.
    @_disfavoredOverload
    public static func || (left: TypedPredicate, right: TypedPredicate) -> TypedPredicate {
        TypedPredicate(.disjunction([left.node, right.node]))
    }

    /// The predicate that is met exactly where the other is not.
    @_disfavoredOverload
    public static prefix func ! (predicate: TypedPredicate) -> TypedPredicate { TypedPredicate(.not(predicate.node)) }
}

extension ExpressionNode {
    /// The property, or the path of properties, of a key path.
    ///
    /// For what is no property there is a key that no entity has, so that the fetch says what is wrong.
    init(_ keyPath: AnyKeyPath) { self = .keyPath(keys(of: keyPath) ?? [text(of: keyPath)], offset: 0) }

    init(_ argument: some PredicateArgument) { self = .value(argument.predicateArgumentValue.value) }
}
