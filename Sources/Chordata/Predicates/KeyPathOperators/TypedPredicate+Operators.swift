public import ChordataPredicate

// MARK: A property and a value

/// The predicate that is met where a property is equal to a value.
public func == <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// The predicate that is met where a property differs from a value.
public func != <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// The predicate that is met where a property is less than a value.
public func < <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .less, ExpressionNode(right))
}

/// The predicate that is met where a property is at most a value.
public func <= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .lessOrEqual, ExpressionNode(right))
}

/// The predicate that is met where a property is greater than a value.
public func > <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greater, ExpressionNode(right))
}

/// The predicate that is met where a property is at least a value.
public func >= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: Value
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greaterOrEqual, ExpressionNode(right))
}

// MARK: Two properties

// Disfavored, because key paths have operators of their own: whether two are the same one is a Bool.

/// The predicate that is met where a property is equal to another one.
@_disfavoredOverload
public func == <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .equal, ExpressionNode(right))
}

/// The predicate that is met where a property differs from another one.
@_disfavoredOverload
public func != <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .notEqual, ExpressionNode(right))
}

/// The predicate that is met where a property is less than another one.
@_disfavoredOverload
public func < <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .less, ExpressionNode(right))
}

/// The predicate that is met where a property is at most another one.
@_disfavoredOverload
public func <= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .lessOrEqual, ExpressionNode(right))
}

/// The predicate that is met where a property is greater than another one.
@_disfavoredOverload
public func > <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greater, ExpressionNode(right))
}

/// The predicate that is met where a property is at least another one.
@_disfavoredOverload
public func >= <Object: ManagedObject, Value: PredicateArgument>(
    left: KeyPath<Object, Value>,
    right: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(left), .greaterOrEqual, ExpressionNode(right))
}

// MARK: Ranges and lists

/// The predicate that is met where a property is in a range.
public func ~= <Object: ManagedObject, Bounds: PredicateRange>(
    range: Bounds,
    keyPath: KeyPath<Object, Bounds.Bound>
) -> TypedPredicate<Object> {
    TypedPredicate(range.condition(on: ExpressionNode(keyPath)))
}

/// The predicate that is met where a property is there and in a range.
public func ~= <Object: ManagedObject, Bounds: PredicateRange>(
    range: Bounds,
    keyPath: KeyPath<Object, Bounds.Bound?>
) -> TypedPredicate<Object> {
    TypedPredicate(range.condition(on: ExpressionNode(keyPath)))
}

/// The predicate that is met where a property is one of some values.
public func ~= <Object: ManagedObject, Value: PredicateArgument>(
    values: [Value],
    keyPath: KeyPath<Object, Value>
) -> TypedPredicate<Object> {
    TypedPredicate(ExpressionNode(keyPath), .in, ExpressionNode(values))
}
