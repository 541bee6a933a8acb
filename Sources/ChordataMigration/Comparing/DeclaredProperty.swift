internal import ChordataModel

/// A property as an entity declares it.
enum DeclaredProperty {
    case attribute(AttributeDescription)
    case relationship(RelationshipDescription)
    case fetchedProperty(FetchedPropertyDescription)

    static func all(of entity: EntityDescription) -> [DeclaredProperty] {
        entity.declaredAttributes.map { .attribute($0) } + entity.declaredRelationships.map { .relationship($0) }
            + entity.declaredFetchedProperties.map { .fetchedProperty($0) }
    }

    var subject: ModelChange.Subject {
        switch self {
        case .attribute: .attribute
        case .relationship: .relationship
        case .fetchedProperty: .fetchedProperty
        }
    }

    var name: String {
        switch self {
        case .attribute(let attribute): attribute.name
        case .relationship(let relationship): relationship.name
        case .fetchedProperty(let property): property.name
        }
    }

    var identity: IdentityPairs.Identity {
        switch self {
        case .attribute(let attribute): .init(attribute.name, attribute.renamingIdentifier)
        case .relationship(let relationship): .init(relationship.name, relationship.renamingIdentifier)
        case .fetchedProperty(let property): .init(property.name, property.name)
        }
    }

    /// A Boolean value that indicates whether rows have values of the property that are not computed from other values.
    var isStored: Bool {
        switch self {
        case .attribute(let attribute): !attribute.isTransient && !attribute.isDerived
        case .relationship(let relationship): !relationship.isTransient
        case .fetchedProperty: false
        }
    }

    func fieldChanges(to new: DeclaredProperty) -> [FieldChange] {
        switch (self, new) {
        case (.attribute(let old), .attribute(let new)): compareFields(old, new)
        case (.relationship(let old), .relationship(let new)): compareFields(old, new)
        case (.fetchedProperty(let old), .fetchedProperty(let new)): compareFields(old, new)
        case (.attribute, _), (.relationship, _), (.fetchedProperty, _):
            // Only properties of the same kind are matched.
            []
        }
    }
}
