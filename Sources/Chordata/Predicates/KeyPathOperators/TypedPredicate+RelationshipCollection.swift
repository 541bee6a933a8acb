internal import ChordataPredicate

// To-many properties of classes that were generated with the types of Core Data. The other predicate determines the
// class of the objects; if it is not the class of the relationship's destination, the fetch reports unknown properties.

extension TypedPredicate {
    /// Returns a predicate that is true if at least one object of a to-many relationship matches another predicate.
    public static func any<Objects: RelationshipCollection, Member>(
        _ keyPath: KeyPath<Object, Objects?>,
        _ predicate: TypedPredicate<Member>
    ) -> TypedPredicate {
        quantified(PredicateNode.any, keyPath, predicate.node)
    }

    /// Returns a predicate that is true if all objects of a to-many relationship match another predicate, or if the
    /// relationship is empty.
    public static func all<Objects: RelationshipCollection, Member>(
        _ keyPath: KeyPath<Object, Objects?>,
        _ predicate: TypedPredicate<Member>
    ) -> TypedPredicate {
        quantified(PredicateNode.all, keyPath, predicate.node)
    }

    /// Returns a predicate that is true if no object of a to-many relationship matches another predicate.
    public static func none<Objects: RelationshipCollection, Member>(
        _ keyPath: KeyPath<Object, Objects?>,
        _ predicate: TypedPredicate<Member>
    ) -> TypedPredicate {
        quantified(PredicateNode.none, keyPath, predicate.node)
    }

    /// Returns a predicate that is true if a to-many relationship contains an object.
    public static func contains<Objects: RelationshipCollection>(
        _ keyPath: KeyPath<Object, Objects?>,
        _ object: some ManagedObject
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(object), .in, ExpressionNode(keyPath))
    }

    /// Returns a predicate that is true if a to-many relationship contains the object with the given object ID.
    public static func contains<Objects: RelationshipCollection>(
        _ keyPath: KeyPath<Object, Objects?>,
        _ objectID: ObjectID<some ManagedObject>
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(objectID), .in, ExpressionNode(keyPath))
    }

    /// Returns a predicate that is true if a to-many relationship contains the object with the given object ID.
    public static func contains<Objects: RelationshipCollection>(
        _ keyPath: KeyPath<Object, Objects?>,
        _ objectID: ManagedObjectID
    ) -> TypedPredicate {
        TypedPredicate(ExpressionNode(objectID), .in, ExpressionNode(keyPath))
    }
}
