public import ChordataPredicate

extension TypedPredicate {
    /// Returns a predicate that is true if at least one object of a to-many relationship matches another predicate.
    public static func any<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ predicate: TypedPredicate<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        quantified(PredicateNode.any, keyPath, predicate.node)
    }

    /// Returns a predicate that is true if all objects of a to-many relationship match another predicate, or if the
    /// relationship is empty.
    public static func all<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ predicate: TypedPredicate<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        quantified(PredicateNode.all, keyPath, predicate.node)
    }

    /// Returns a predicate that is true if no object of a to-many relationship matches another predicate.
    public static func none<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ predicate: TypedPredicate<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        quantified(PredicateNode.none, keyPath, predicate.node)
    }

    /// Returns a predicate that is true if a to-many relationship contains an object.
    public static func contains<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ object: Objects.Element
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        TypedPredicate(ExpressionNode(object), .in, ExpressionNode(keyPath))
    }

    /// Returns a predicate that is true if a to-many relationship contains the object with the given object ID.
    public static func contains<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ objectID: ObjectID<Objects.Element>
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        TypedPredicate(ExpressionNode(objectID), .in, ExpressionNode(keyPath))
    }

    /// Returns a predicate that is true if a to-many relationship contains the object with the given object ID.
    public static func contains<Objects: Sequence>(
        _ keyPath: KeyPath<Object, Objects>,
        _ objectID: ManagedObjectID
    ) -> TypedPredicate where Objects.Element: ManagedObject {
        TypedPredicate(ExpressionNode(objectID), .in, ExpressionNode(keyPath))
    }

    /// Returns a predicate that is true if a to-one relationship references an object with one of several object IDs.
    public static func `in`<Destination: ManagedObject>(
        _ keyPath: KeyPath<Object, Destination?>,
        _ objectIDs: some Sequence<ObjectID<Destination>>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(Array(objectIDs)))
    }

    /// Returns a predicate that is true if a to-one relationship references an object with one of several object IDs.
    public static func `in`<Destination: ManagedObject>(
        _ keyPath: KeyPath<Object, Destination?>,
        _ objectIDs: some Sequence<ManagedObjectID>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(Array(objectIDs)))
    }

    /// Returns a predicate that is true if the object itself has one of several object IDs.
    public static func `in`(
        _ keyPath: KeyPath<Object, Object>,
        _ objectIDs: some Sequence<ObjectID<Object>>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(Array(objectIDs)))
    }

    /// Returns a predicate that is true if the object itself has one of several object IDs.
    public static func `in`(
        _ keyPath: KeyPath<Object, Object>,
        _ objectIDs: some Sequence<ManagedObjectID>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(Array(objectIDs)))
    }

    /// Returns a predicate that is true if a property is equal to one of several values.
    ///
    /// The predicate is equivalent to `values ~= keyPath`.
    public static func `in`<Value: PredicateArgument>(
        _ keyPath: KeyPath<Object, Value>,
        _ values: some Sequence<Value>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(Array(values)))
    }

    static func quantified(
        _ make: (ExpressionNode, String, PredicateNode) -> PredicateNode,
        _ keyPath: AnyKeyPath,
        _ node: PredicateNode
    ) -> TypedPredicate {
        // The subqueries in the condition already have names; the number in a name is the depth of nested subqueries.
        let variable = "v\(node.subqueryDepth + 1)"
        return TypedPredicate(make(ExpressionNode(keyPath), variable, node.rebased(onto: variable)))
    }
}
