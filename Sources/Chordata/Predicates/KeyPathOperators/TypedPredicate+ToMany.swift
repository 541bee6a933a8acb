public import ChordataPredicate

extension TypedPredicate {
    /// The predicate that is met where some object of a to-many relationship meets another one.
    public static func any<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ predicate: TypedPredicate<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        quantified(PredicateNode.any, keyPath, predicate.node)
    }

    /// The predicate that is met where all objects of a to-many relationship meet another one, or it is empty.
    public static func all<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ predicate: TypedPredicate<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        quantified(PredicateNode.all, keyPath, predicate.node)
    }

    /// The predicate that is met where no object of a to-many relationship meets another one.
    public static func none<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ predicate: TypedPredicate<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        quantified(PredicateNode.none, keyPath, predicate.node)
    }

    /// The predicate that is met where an object is one of a to-many relationship.
    public static func contains<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ object: Objects.Element
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        TypedPredicate(ExpressionNode(object), .in, ExpressionNode(keyPath))
    }

    /// The predicate that is met where a property is one of some values.
    ///
    /// `values ~= keyPath` says the same.
    public static func `in`<Value: PredicateArgument>(
        _ keyPath: KeyPath<Object, Value>,
        _ values: some Sequence<Value>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(Array(values)))
    }

    private static func quantified(
        _ make: (ExpressionNode, String, PredicateNode) -> PredicateNode,
        _ keyPath: AnyKeyPath,
        _ node: PredicateNode
    ) -> TypedPredicate {
        // The subqueries inside have been named already; each is named for how many there are below it.
        let variable = "v\(node.subqueryDepth + 1)"
        return TypedPredicate(make(ExpressionNode(keyPath), variable, node.rebased(onto: variable)))
    }
}
