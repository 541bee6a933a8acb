/// The data model: entities with their properties, fetch request templates and configurations.
///
/// A model is a value. It is read from a model file, contained in generated code, built in code, merged from other
/// models, or decoded. However it was made, the names of entities, of an entity's properties, of templates and of
/// configurations are unique, and the model contains all entities that it names as superentities, destinations or
/// members of configurations. Other names are not checked: for example, an inverse that does not name the relationship
/// in return is ignored, see ``inverseRelationship(of:in:)``.
///
/// Two models are equal if they declare the same in the same order. They can open the same stores if their
/// ``versionHash`` is equal.
public struct ManagedObjectModel: Sendable, Hashable {
    /// The model's own name for this version; free text, often empty.
    public let versionIdentifier: String
    /// The entities in the order of the model.
    public let entities: [EntityDescription]
    /// The fetch requests that the model stores.
    public let fetchRequestTemplates: [FetchRequestTemplate]
    /// The configurations of the model, which are named sets of entities.
    public let configurations: [Configuration]

    private let indexByName: [String: Int]

    /// Creates a model and resolves inheritance.
    ///
    /// Only the elements that the entities declare are used; elements that they inherited in another model are ignored.
    /// - Throws: ``ManagedObjectModelError`` when two entities, two properties of an entity and its superentities, two
    ///   templates or two configurations share a name; when a superentity, a destination or a member of a configuration
    ///   is missing; or when an entity inherits from itself.
    /// - Complexity: O(n) in the number of entities and of properties. An inherited property counts once more for each
    ///   subentity that declares further properties of the same kind.
    public init(
        versionIdentifier: String = "",
        entities: [EntityDescription],
        fetchRequestTemplates: [FetchRequestTemplate] = [],
        configurations: [Configuration] = []
    ) throws(ManagedObjectModelError) {
        var indexByName: [String: Int] = [:]
        indexByName.reserveCapacity(entities.count)
        for index in entities.indices {
            guard indexByName.updateValue(index, forKey: entities[index].name) == nil else {
                throw .duplicateEntity(entities[index].name)
            }
        }
        var templateNames: Set<String> = []
        for template in fetchRequestTemplates where !templateNames.insert(template.name).inserted {
            throw .duplicateFetchRequestTemplate(template.name)
        }
        var configurationNames: Set<String> = []
        for configuration in configurations {
            guard configurationNames.insert(configuration.name).inserted else {
                throw .duplicateConfiguration(configuration.name)
            }
            for name in configuration.entityNames where indexByName[name] == nil {
                throw .unknownEntity(name, inConfiguration: configuration.name)
            }
        }
        self.versionIdentifier = versionIdentifier
        self.entities = try resolveEntities(entities, indexByName: indexByName)
        self.fetchRequestTemplates = fetchRequestTemplates
        self.configurations = configurations
        self.indexByName = indexByName
    }

    /// Returns the entity with a name, or `nil`.
    /// - Complexity: O(1).
    public func entity(named name: String) -> EntityDescription? {
        indexByName[name].map { entities[$0] }
    }

    /// The entities by name.
    /// - Complexity: O(n) in the number of entities.
    public var entitiesByName: [String: EntityDescription] {
        indexByName.mapValues { entities[$0] }
    }

    /// Returns the template with a name, or `nil`.
    /// - Complexity: O(n) in the number of templates.
    public func fetchRequestTemplate(named name: String) -> FetchRequestTemplate? {
        fetchRequestTemplates.first { $0.name == name }
    }

    /// The templates by name.
    /// - Complexity: O(n) in the number of templates.
    public var fetchRequestTemplatesByName: [String: FetchRequestTemplate] {
        Dictionary(uniqueKeysWithValues: fetchRequestTemplates.map { ($0.name, $0) })
    }
}
