public import ChordataPredicate

/// A predicate for objects of one class that is made of key paths, so that the compiler checks its types.
///
/// ```swift
/// let predicate: TypedPredicate<Player> = \.age >= 18 && \.team?.city == "Ulm"
/// ```
public struct TypedPredicate<Object: ManagedObject>: Sendable {
    let node: PredicateNode

    init(_ node: PredicateNode) { self.node = node }

    init(_ left: ExpressionNode, _ operation: ComparisonOperator, _ right: ExpressionNode) {
        // Seconds are compared as a date, so that an index of the attribute can be used.
        if case .cast(let date, .number, _) = left,
            case .value(let value) = ExpressionNode.cast(right, to: .date, offset: 0)
        {
            node = .comparison(.init(date, operation, .value(value)))
        } else {
            node = .comparison(.init(left, operation, right))
        }
    }
}

extension TypedPredicate: Hashable {}

extension FetchPredicate {
    /// Creates a predicate from a typed predicate.
    ///
    /// If a key path is not a property of the model, using the predicate throws an error.
    public init<Object: ManagedObject>(_ predicate: TypedPredicate<Object>) { self.init(predicate.node) }
}

// The operators are disfavored, here and in FetchPredicate: otherwise, the compiler would try them in every condition
// of a program, in combination with each operator that creates a TypedPredicate, before it selects the operators of
// Bool.
extension TypedPredicate {
    /// Returns a predicate that is true if both predicates are true.
    @_disfavoredOverload
    public static func && (left: TypedPredicate, right: TypedPredicate) -> TypedPredicate {
        TypedPredicate(.conjunction([left.node, right.node]))
    }

    /// Returns a predicate that is true if at least one of two predicates is true.
    @_disfavoredOverload
    public static func || (left: TypedPredicate, right: TypedPredicate) -> TypedPredicate {
        TypedPredicate(.disjunction([left.node, right.node]))
    }

    /// Returns a predicate that is true if the given predicate is not true.
    @_disfavoredOverload
    public static prefix func ! (predicate: TypedPredicate) -> TypedPredicate { TypedPredicate(.not(predicate.node)) }
}

extension ExpressionNode {
    /// Creates the expression of the property, or of the path of properties, of a key path.
    ///
    /// A key path that is not a property of the model becomes a key that no entity has, so that the fetch throws an
    /// error that names the key path.
    init(_ keyPath: AnyKeyPath) {
        guard !isIdentity(keyPath) else {
            self = .evaluatedObject
            return
        }
        let path = ExpressionNode.keyPath(keys(of: keyPath) ?? [text(of: keyPath)], offset: 0)
        self = givesSeconds(keyPath) ? .cast(path, .number, offset: 0) : path
    }

    init(_ argument: some PredicateArgument) { self = .value(argument.predicateArgumentValue.value) }
}
