package import ChordataModel

extension ManagedObjectModel {
    /// Returns an entity and its superentities, the topmost first.
    package func lineage(of name: String) -> [EntityDescription] {
        var lineage: [EntityDescription] = []
        var current = entity(named: name)
        while let entity = current {
            lineage.append(entity)
            current = entity.superentityName.flatMap { self.entity(named: $0) }
        }
        return lineage.reversed()
    }

    /// Returns the relationship at the other end, with the entity that declares it.
    ///
    /// Each relationship must name the other, and the destination of the inverse must be in the hierarchy of this
    /// entity; a one-sided inverse is ignored. The destination of the inverse may be another entity of that hierarchy,
    /// because inverses are inherited.
    package func inverse(
        of relationship: RelationshipDescription,
        in entity: EntityDescription
    ) -> DeclaredRelationship? {
        guard let inverseName = relationship.inverseName else { return nil }
        for candidate in lineage(of: relationship.destinationEntityName) {
            for inverse in candidate.declaredRelationships
            where inverse.name == inverseName && inverse.inverseName == relationship.name && !inverse.isTransient
                && self.entity(named: inverse.destinationEntityName)?.rootEntityName == entity.rootEntityName
            {
                return DeclaredRelationship(entity: candidate, relationship: inverse)
            }
        }
        return nil
    }
}

/// A relationship together with the entity that declares it.
package struct DeclaredRelationship: Sendable, Hashable {
    package var entity: EntityDescription
    package var relationship: RelationshipDescription

    package init(entity: EntityDescription, relationship: RelationshipDescription) {
        self.entity = entity
        self.relationship = relationship
    }

    /// The key that identifies the relationship among all properties of a model.
    var key: PropertyKey { PropertyKey(entityName: entity.name, path: [relationship.name]) }
}

/// The declaration of a property: an entity, and the path of names within it.
struct PropertyKey: Hashable, Comparable {
    var entityName: String
    var path: [String]

    static func < (left: PropertyKey, right: PropertyKey) -> Bool {
        left.entityName == right.entityName
            ? left.path.lexicographicallyPrecedes(right.path) : left.entityName < right.entityName
    }
}
