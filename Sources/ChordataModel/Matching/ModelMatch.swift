/// The matching entities and properties of two versions (R0–R6), as a migration matches them.
///
/// Inherited properties of an entity are matched too, so properties can move along the hierarchy.
package struct ModelMatch {
    package let source: ManagedObjectModel
    package let destination: ManagedObjectModel
    private let entities: EntityPairs
    /// The attributes of the source, by entity and name in the destination.
    private var attributes: [String: [String: AttributeDescription]] = [:]
    private var relationships: [String: [String: RelationshipDescription]] = [:]

    package init(source: ManagedObjectModel, destination: ManagedObjectModel) {
        self.source = source
        self.destination = destination
        entities = EntityPairs(old: source, new: destination)
        for entity in destination.entities {
            guard let old = sourceEntity(of: entity.name) else { continue }
            attributes[entity.name] = Self.pairs(old.attributes, entity.attributes) {
                .init($0.name, $0.renamingIdentifier)
            }
            relationships[entity.name] = Self.pairs(old.relationships, entity.relationships) {
                .init($0.name, $0.renamingIdentifier)
            }
        }
    }

    private static func pairs<Property>(
        _ old: [Property],
        _ new: [Property],
        identity: (Property) -> IdentityPairs.Identity
    ) -> [String: Property] {
        let pairs = IdentityPairs(old: old.map(identity), new: new.map(identity))
        var found: [String: Property] = [:]
        for (index, property) in new.enumerated() where pairs.areCarried[index] {
            found[identity(property).name] = pairs.oldIndexes[index].map { old[$0] }
        }
        return found
    }

    /// Returns the old form of an entity.
    package func sourceEntity(of name: String) -> EntityDescription? {
        entities.isCarried(name) ? entities.old(of: name) : nil
    }

    /// Returns the counterpart of an old entity.
    package func destinationEntity(of name: String) -> EntityDescription? {
        entities.new(of: name).flatMap { entities.isCarried($0.name) ? $0 : nil }
    }

    /// Returns the old form of an entity's attribute, which may be inherited.
    package func sourceAttribute(named name: String, of entityName: String) -> AttributeDescription? {
        attributes[entityName]?[name]
    }

    /// Returns the old form of an entity's relationship, which may be inherited.
    package func sourceRelationship(named name: String, of entityName: String) -> RelationshipDescription? {
        relationships[entityName]?[name]
    }

    /// Returns the path of names of the old attribute, or of the old element of a composite.
    package func sourcePath(of path: [String], in entityName: String) -> [String]? {
        guard let name = path.first, let old = sourceAttribute(named: name, of: entityName),
            let new = destination.entity(named: entityName)?.attribute(named: name)
        else { return nil }
        return Self.path(path.dropFirst(), from: old, to: new).map { [old.name] + $0 }
    }

    private static func path(
        _ path: ArraySlice<String>,
        from old: AttributeDescription,
        to new: AttributeDescription
    ) -> [String]? {
        guard let name = path.first else { return old.elements.isEmpty ? [] : nil }
        let elements = pairs(old.elements, new.elements) { .init($0.name, $0.renamingIdentifier) }
        guard let oldElement = elements[name], let newElement = new.elements.first(where: { $0.name == name }) else {
            return nil
        }
        return Self.path(path.dropFirst(), from: oldElement, to: newElement).map { [oldElement.name] + $0 }
    }
}
