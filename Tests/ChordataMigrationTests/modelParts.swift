import ChordataModel

// Parts of models as most tests need them: optional, and without further settings.

func attribute(
    _ name: String,
    was renamingIdentifier: String? = nil,
    type: AttributeType = .string,
    isOptional: Bool = true,
    isTransient: Bool = false,
    modifier: String? = nil
) -> AttributeDescription {
    AttributeDescription(
        name: name,
        attributeType: type,
        isOptional: isOptional,
        isTransient: isTransient,
        renamingIdentifier: renamingIdentifier,
        versionHashModifier: modifier
    )
}

/// A relationship to an entity.
func to(
    _ destination: String,
    _ name: String,
    inverse: String? = nil,
    isToMany: Bool = false,
    isOrdered: Bool = false,
    isOptional: Bool = true,
    was renamingIdentifier: String? = nil
) -> RelationshipDescription {
    RelationshipDescription(
        name: name,
        destinationEntityName: destination,
        inverseName: inverse,
        isToMany: isToMany,
        isOrdered: isOrdered,
        isOptional: isOptional,
        renamingIdentifier: renamingIdentifier
    )
}

func entity(
    _ name: String,
    _ attributes: [AttributeDescription] = [],
    _ relationships: [RelationshipDescription] = [],
    below superentityName: String? = nil,
    isAbstract: Bool = false,
    unique: [[String]] = [],
    was renamingIdentifier: String? = nil
) -> EntityDescription {
    EntityDescription(
        name: name,
        isAbstract: isAbstract,
        superentityName: superentityName,
        attributes: attributes,
        relationships: relationships,
        uniquenessConstraints: unique,
        renamingIdentifier: renamingIdentifier
    )
}
