/// The data model: entities with their properties, fetch request templates and configurations.
///
/// A model is a value. It is read from a model file, comes with generated code, or is built in code.
public struct ManagedObjectModel: Sendable, Hashable {
    /// A named part of the model.
    public struct Configuration: Sendable, Hashable, Codable {
        /// The name, unique among its kind.
        public var name: String
        /// The names of the entities that belong to it.
        public var entityNames: [String]

        /// Creates a configuration.
        public init(name: String, entityNames: [String]) {
            self.name = name
            self.entityNames = entityNames
        }
    }

    /// What the model calls this version; free text, often empty.
    public let versionIdentifier: String
    /// The entities in the order of the model.
    public let entities: [EntityDescription]
    /// The fetch requests that the model stores.
    public let fetchRequestTemplates: [FetchRequestTemplate]
    /// The named parts of the model.
    public let configurations: [Configuration]

    private let indexByName: [String: Int]

    /// Creates a model and resolves inheritance.
    /// - Throws: ``ManagedObjectModelError`` when two entities share a name, a superentity or a destination is missing,
    ///   or an entity inherits from itself.
    public init(
        versionIdentifier: String = "",
        entities: [EntityDescription],
        fetchRequestTemplates: [FetchRequestTemplate] = [],
        configurations: [Configuration] = []
    ) throws(ManagedObjectModelError) {
        var indexByName: [String: Int] = [:]
        for (index, entity) in entities.enumerated() {
            guard indexByName.updateValue(index, forKey: entity.name) == nil else {
                throw .duplicateEntity(entity.name)
            }
        }
        self.versionIdentifier = versionIdentifier
        self.entities = try Self.resolve(entities, indexByName: indexByName)
        self.fetchRequestTemplates = fetchRequestTemplates
        self.configurations = configurations
        self.indexByName = indexByName
    }

    /// The entity of that name.
    /// - Complexity: O(1).
    public func entity(named name: String) -> EntityDescription? {
        indexByName[name].map { entities[$0] }
    }

    /// The entities by name.
    /// - Complexity: O(n) in the number of entities.
    public var entitiesByName: [String: EntityDescription] {
        indexByName.mapValues { entities[$0] }
    }

    /// The template of that name.
    public func fetchRequestTemplate(named name: String) -> FetchRequestTemplate? {
        fetchRequestTemplates.first { $0.name == name }
    }

    /// The names of an entity and all entities below it, the entity first.
    public func subentityClosure(of name: String) -> [String] {
        guard let entity = entity(named: name) else { return [] }
        return [name] + entity.subentityNames.flatMap { subentityClosure(of: $0) }
    }

    /// Whether an entity is the other one or inherits from it.
    public func entity(_ name: String, isKindOf ancestor: String) -> Bool {
        var current: String? = name
        while let candidate = current {
            if candidate == ancestor { return true }
            current = entity(named: candidate)?.superentityName
        }
        return false
    }

    private static func resolve(
        _ entities: [EntityDescription],
        indexByName: [String: Int]
    ) throws(ManagedObjectModelError) -> [EntityDescription] {
        var resolved = entities
        for index in entities.indices {
            var lineage = [index]
            var current = index
            while let parentName = entities[current].superentityName {
                guard let parent = indexByName[parentName] else {
                    throw .unknownSuperentity(parentName, of: entities[current].name)
                }
                guard !lineage.contains(parent) else { throw .cyclicInheritance(entities[index].name) }
                lineage.append(parent)
                current = parent
            }
            resolved[index].rootEntityName = entities[current].name
            resolved[index].attributes = lineage.reversed().flatMap { entities[$0].declaredAttributes }
            resolved[index].relationships = lineage.reversed().flatMap { entities[$0].declaredRelationships }
            resolved[index].subentityNames = []
            for relationship in entities[index].declaredRelationships
            where indexByName[relationship.destinationEntityName] == nil {
                throw .unknownDestination(
                    relationship.destinationEntityName,
                    of: relationship.name,
                    in: entities[index].name
                )
            }
        }
        for entity in entities {
            if let parent = entity.superentityName.flatMap({ indexByName[$0] }) {
                resolved[parent].subentityNames.append(entity.name)
            }
        }
        return resolved
    }
}

/// Why entities do not make a model.
public enum ManagedObjectModelError: Error, Sendable, Hashable {
    case duplicateEntity(String)
    case unknownSuperentity(String, of: String)
    case cyclicInheritance(String)
    case unknownDestination(String, of: String, in: String)
}

extension ManagedObjectModelError: CustomStringConvertible {
    /// The whole in words.
    public var description: String {
        switch self {
        case .duplicateEntity(let name): "two entities are called '\(name)'"
        case .unknownSuperentity(let parent, let name):
            "entity '\(name)' inherits from '\(parent)', which does not exist"
        case .cyclicInheritance(let name): "entity '\(name)' inherits from itself"
        case .unknownDestination(let destination, let relationship, let entity):
            "relationship '\(relationship)' of '\(entity)' leads to entity '\(destination)', which does not exist"
        }
    }
}
