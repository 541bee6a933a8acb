public import ChordataModel

/// An entity as the argument of a predicate such as `entity == %@`, which is true for objects of exactly that entity.
extension EntityDescription: PredicateArgument {
    public var predicateArgumentValue: PredicateArgumentValue { name.predicateArgumentValue }
}
