extension ManagedObjectModel {
    /// Returns the entity from which an entity directly inherits; `nil` for a root entity and for an unknown name.
    /// - Complexity: O(1).
    public func superentity(of name: String) -> EntityDescription? {
        entity(named: name)?.superentityName.flatMap { entity(named: $0) }
    }

    /// Returns the entities directly below an entity, in the order of the model; empty for an unknown name.
    /// - Complexity: O(n) in the number of these entities.
    public func subentities(of name: String) -> [EntityDescription] {
        entity(named: name)?.subentityNames.compactMap { entity(named: $0) } ?? []
    }

    /// Returns the names of an entity and all entities below it, the entity first.
    ///
    /// Each entity comes before its subentities, and its subentities come before the next sibling of the entity.
    /// - Complexity: O(n) in the number of these entities.
    public func subentityClosure(of name: String) -> [String] {
        guard entity(named: name) != nil else { return [] }
        var closure: [String] = []
        var pending = [name]
        while let next = pending.popLast() {
            closure.append(next)
            if let names = entity(named: next)?.subentityNames { pending.append(contentsOf: names.reversed()) }
        }
        return closure
    }

    /// Returns the names of the entities to which objects of an entity can belong: the entity itself and the entities
    /// below it, without the abstract ones.
    package func concreteEntities(of name: String) -> [String] {
        subentityClosure(of: name).filter { entity(named: $0)?.isAbstract == false }
    }

    /// Returns a Boolean value that indicates whether an entity is the other one or inherits from it.
    /// - Complexity: O(n) in the number of superentities.
    public func entity(_ name: String, isKindOf ancestor: String) -> Bool {
        var current: String? = name
        while let candidate = current {
            if candidate == ancestor { return true }
            current = entity(named: candidate)?.superentityName
        }
        return false
    }

    /// Returns the entity of this model with the name of a relationship's destination; `nil` when the model lacks it.
    /// - Complexity: O(1).
    public func destinationEntity(of relationship: RelationshipDescription) -> EntityDescription? {
        entity(named: relationship.destinationEntityName)
    }

    /// Returns the inverse of a relationship, or `nil`.
    ///
    /// Each of the two must name the other, and the destination of the inverse must be in the hierarchy of the entity:
    /// a one-sided inverse returns `nil`, and stores and contexts ignore it too. The destination of the inverse may be
    /// another entity of that hierarchy, as it is when the inverse is inherited.
    /// - Parameters:
    ///   - relationship: The relationship whose inverse is wanted.
    ///   - entityName: The name of the entity that declares or inherits the relationship.
    /// - Complexity: O(n) in the number of the destination's relationships.
    public func inverseRelationship(
        of relationship: RelationshipDescription,
        in entityName: String
    ) -> RelationshipDescription? {
        guard let inverseName = relationship.inverseName, let source = entity(named: entityName),
            let inverse = destinationEntity(of: relationship)?.relationship(named: inverseName),
            inverse.inverseName == relationship.name,
            destinationEntity(of: inverse)?.rootEntityName == source.rootEntityName
        else { return nil }
        return inverse
    }
}
