public import ChordataPredicate

// MARK: A property and a value

/// Returns a predicate that is true if a property is equal to a value.
public func == <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is not equal to a value.
public func != <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is less than a value.
public func < <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .less, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is less than or equal to a value.
public func <= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .lessOrEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is greater than a value.
public func > <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greater, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is greater than or equal to a value.
public func >= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greaterOrEqual, ExpressionNode(right))
}

// MARK: Two properties

// The functions are disfavored, because key paths have their own operators: a comparison of two key paths is a Bool.

/// Returns a predicate that is true if a property is equal to another property.
@_disfavoredOverload
public func == <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is not equal to another property.
@_disfavoredOverload
public func != <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is less than another property.
@_disfavoredOverload
public func < <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .less, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is less than or equal to another property.
@_disfavoredOverload
public func <= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .lessOrEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is greater than another property.
@_disfavoredOverload
public func > <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greater, ExpressionNode(right))
}

/// Returns a predicate that is true if a property is greater than or equal to another property.
@_disfavoredOverload
public func >= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greaterOrEqual, ExpressionNode(right))
}

// MARK: A relationship and an object ID

// The functions are disfavored, like the comparisons of two properties, because a program has many `==` operators.

/// Returns a predicate that is true if the object itself has the given object ID.
@_disfavoredOverload
public func == <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination>,
    right: ObjectID<Destination>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// Returns a predicate that is true if a to-one relationship references the object with the given object ID.
@_disfavoredOverload
public func == <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination?>,
    right: ObjectID<Destination>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// Returns a predicate that is true if the object itself has the given object ID.
@_disfavoredOverload
public func == <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination>,
    right: ManagedObjectID
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// Returns a predicate that is true if a to-one relationship references the object with the given object ID.
@_disfavoredOverload
public func == <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination?>,
    right: ManagedObjectID
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// Returns a predicate that is true if the object itself does not have the given object ID.
@_disfavoredOverload
public func != <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination>,
    right: ObjectID<Destination>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if a to-one relationship references no object, or an object that does not have
/// the given object ID.
@_disfavoredOverload
public func != <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination?>,
    right: ObjectID<Destination>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if the object itself does not have the given object ID.
@_disfavoredOverload
public func != <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination>,
    right: ManagedObjectID
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// Returns a predicate that is true if a to-one relationship references no object, or an object that does not have
/// the given object ID.
@_disfavoredOverload
public func != <Object: ManagedObject, Destination: ManagedObject>(
    left: KeyPath<Object, Destination?>,
    right: ManagedObjectID
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

// MARK: Ranges and lists

/// Returns a predicate that is true if a property is in a range.
public func ~= <Object: ManagedObject, Bounds: PredicateRange>(
    range: Bounds,
    keyPath: KeyPath<Object, Bounds.Bound>
) -> TypedPredicate<Object> {
    TypedPredicate(range.condition(on: ExpressionNode(keyPath)))
}

/// Returns a predicate that is true if an optional property has a value in a range.
public func ~= <Object: ManagedObject, Bounds: PredicateRange>(
    range: Bounds,
    keyPath: KeyPath<Object, Bounds.Bound?>
) -> TypedPredicate<Object> {
    TypedPredicate(range.condition(on: ExpressionNode(keyPath)))
}

/// Returns a predicate that is true if a property is equal to one of several values.
public func ~= <Object: ManagedObject, Value: PredicateArgument>(
    values: [Value],
    keyPath: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(values))
}
