internal import ChordataModel

// Short declarations of added or removed elements; settings that are not mentioned have Core Data's defaults.

func declaration(_ entity: EntityDescription) -> String? {
    let words = compareFields(
        EntityDescription(name: entity.name, renamingIdentifier: entity.renamingIdentifier),
        entity
    ).map(phrase)
    return words.isEmpty ? nil : words.joined(separator: ", ")
}

func declaration(_ property: DeclaredProperty) -> String {
    switch property {
    case .attribute(let attribute):
        let plain = AttributeDescription(
            name: attribute.name,
            attributeType: attribute.attributeType,
            renamingIdentifier: attribute.renamingIdentifier
        )
        let words = compareFields(plain, attribute).map(phrase)
        return ([attribute.attributeType.rawValue] + words).joined(separator: ", ")
    case .relationship(let relationship):
        let plain = RelationshipDescription(
            name: relationship.name,
            destinationEntityName: relationship.destinationEntityName,
            isToMany: relationship.isToMany,
            renamingIdentifier: relationship.renamingIdentifier
        )
        let first = "\(relationship.isToMany ? "to-many" : "to-one") \(relationship.destinationEntityName)"
        return ([first] + compareFields(plain, relationship).map(phrase)).joined(separator: ", ")
    case .fetchedProperty(let property):
        let plain = FetchedPropertyDescription(
            name: property.name,
            fetchRequest: FetchRequestTemplate(
                name: property.fetchRequest.name,
                entityName: property.fetchRequest.entityName
            )
        )
        let words = compareFields(plain, property).map(phrase)
        return ([property.fetchRequest.entityName] + words).joined(separator: ", ")
    }
}

func declaration(_ request: FetchRequestTemplate) -> String {
    let plain = FetchRequestTemplate(name: request.name, entityName: request.entityName)
    return ([request.entityName] + compareFields(plain, request).map(phrase)).joined(separator: ", ")
}

/// Returns the new value in words: `optional`, `default 0`.
private func phrase(_ field: FieldChange) -> String {
    let value = field.newValue ?? "none"
    switch field.aspect.wording {
    case .flag(let ifFalse, let ifTrue): return value == "true" ? ifTrue : ifFalse
    case .label(let label): return [label, field.key, value].compactMap(\.self).joined(separator: " ")
    case .value: return value
    }
}
