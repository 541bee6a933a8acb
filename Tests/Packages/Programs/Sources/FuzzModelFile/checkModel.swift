import Foundation

@testable import ChordataModel
@testable import ChordataModelFile

/// Checks that each form in which a model is written restores the model, and that its parts find each other.
func checkModel(_ model: ManagedObjectModel, of file: ModelSourceFile) {
    let text = model.serialized()
    let hash = model.versionHash
    func requireSame(_ other: ManagedObjectModel, _ way: String) {
        require(other == model, "another model \(way)\n\(text)", file)
        require(areIdentical(other.serialized(), text), "another text of the model \(way)\n\(text)", file)
        require(other.versionHash == hash, "another hash \(way)\n\(text)", file)
    }
    do throws(ModelSerializationError) {
        requireSame(try ManagedObjectModel(serialized: text), "from its text")
    } catch {
        require(false, "what was written cannot be read: \(error)\n\(text)", file)
    }
    do throws(ManagedObjectModelError) {
        let merged = try ManagedObjectModel(merging: [model, model])
        requireSame(merged, "merged with itself")
    } catch {
        require(false, "not to be merged with itself: \(error)", file)
    }
    do {
        let data = try JSONEncoder().encode(model)
        requireSame(try JSONDecoder().decode(ManagedObjectModel.self, from: data), "from JSON")
    } catch {
        require(false, "not to be written as JSON and read: \(error)", file)
    }
    checkLookups(of: model, in: file)
}

private func checkLookups(of model: ManagedObjectModel, in file: ModelSourceFile) {
    require(model.entitiesByName.count == model.entities.count, "entities of one name", file)
    for entity in model.entities {
        require(model.entity(named: entity.name) == entity, "'\(entity.name)' is not found", file)
        require(model.entity(entity.name, isKindOf: entity.rootEntityName), "'\(entity.name)' has another root", file)
        require(model.subentityClosure(of: entity.rootEntityName).contains(entity.name), "not below its root", file)
        if let superentity = model.superentity(of: entity.name) {
            require(superentity.subentityNames.contains(entity.name), "'\(entity.name)' is not below its parent", file)
        } else {
            require(entity.superentityName == nil, "'\(entity.name)' has no parent", file)
        }
        // `propertyNames` is not used here, because both modules declare it.
        let names =
            entity.attributes.map(\.name) + entity.relationships.map(\.name) + entity.fetchedProperties.map(\.name)
        require(Set(names).count == names.count, "properties of one name", file)
        for attribute in entity.attributes {
            require(entity.attribute(named: attribute.name) == attribute, "'\(attribute.name)' is not found", file)
            require(
                (attribute.attributeType == .composite) == (attribute.compositeName != nil),
                "'\(attribute.name)' is half a composite",
                file
            )
        }
        for property in entity.fetchedProperties {
            require(entity.fetchedProperty(named: property.name) == property, "'\(property.name)' is not found", file)
            let fetched = model.entity(named: property.fetchRequest.entityName)
            require(fetched != nil, "'\(property.name)' fetches nothing", file)
        }
        for relationship in entity.relationships { checkRelationship(relationship, of: entity, model, in: file) }
        for index in entity.indexes {
            require(index.elements.allSatisfy { names.contains($0.propertyName) }, "\(index)", file)
        }
        require(entity.uniquenessConstraints.joined().allSatisfy(names.contains), "a constraint of no property", file)
    }
    for template in model.fetchRequestTemplates {
        require(model.fetchRequestTemplate(named: template.name) == template, "'\(template.name)' is not found", file)
        require(model.entity(named: template.entityName) != nil, "'\(template.name)' fetches nothing", file)
    }
    for configuration in model.configurations {
        require(
            configuration.entityNames.allSatisfy { model.entity(named: $0) != nil },
            "'\(configuration.name)' has no such member",
            file
        )
    }
}

/// Checks that inverses name each other.
private func checkRelationship(
    _ relationship: RelationshipDescription,
    of entity: EntityDescription,
    _ model: ManagedObjectModel,
    in file: ModelSourceFile
) {
    let name = "'\(relationship.name)' of '\(entity.name)'"
    require(entity.relationship(named: relationship.name) == relationship, "\(name) is not found", file)
    guard let destination = model.destinationEntity(of: relationship) else {
        return require(false, "\(name) leads nowhere", file)
    }
    guard let inverseName = relationship.inverseName else { return }
    guard let inverse = destination.relationship(named: inverseName) else {
        return require(false, "\(name) has an inverse that does not exist", file)
    }
    require(inverse.inverseName == relationship.name, "\(name) is not the inverse of its inverse", file)
    require(model.inverseRelationship(of: relationship, in: entity.name) == inverse, "\(name) has no inverse", file)
    let back = model.destinationEntity(of: inverse)?.relationship(named: relationship.name)
    require(back == relationship, "the inverse of \(name) names another one", file)
}
