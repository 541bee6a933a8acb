public import ChordataModel

/// An entity as the argument of a predicate such as `entity == %@`, which is true for objects of exactly that entity.
extension EntityDescription: PredicateArgument {
    /// The name of the entity.
    public var predicateArgumentValue: PredicateArgumentValue { name.predicateArgumentValue }
}
