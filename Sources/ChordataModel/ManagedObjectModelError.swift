/// A contradiction in the entities, fetch request templates or configurations of a model.
public enum ManagedObjectModelError: Error, Sendable, Hashable {
    /// Two entities share a name.
    case duplicateEntity(String)
    /// An entity inherits from an entity that the model does not have.
    case unknownSuperentity(String, of: String)
    /// An entity inherits from itself, directly or indirectly.
    case cyclicInheritance(String)
    /// A relationship has a destination that the model does not contain.
    case unknownDestination(String, of: String, in: String)
    /// An entity declares two attributes, relationships or fetched properties with the same name.
    case duplicateProperty(String, in: String)
    /// An entity declares a property with the name of an inherited property.
    case redeclaredProperty(String, in: String, from: String)
    /// Two fetch request templates share a name.
    case duplicateFetchRequestTemplate(String)
    /// Two configurations share a name.
    case duplicateConfiguration(String)
    /// A configuration names an entity that the model does not have.
    case unknownEntity(String, inConfiguration: String)
    /// Models that are merged have different entities with the same name.
    case conflictingEntity(String)
    /// Models that are merged have different fetch request templates with the same name.
    case conflictingFetchRequestTemplate(String)
}

extension ManagedObjectModelError: CustomStringConvertible {
    /// A textual description of the error.
    public var description: String {
        switch self {
        case .duplicateEntity(let name): "two entities are called '\(name)'"
        case .unknownSuperentity(let parent, let name):
            "entity '\(name)' inherits from '\(parent)', which does not exist"
        case .cyclicInheritance(let name): "entity '\(name)' inherits from itself"
        case .unknownDestination(let destination, let relationship, let entity):
            "relationship '\(relationship)' of '\(entity)' has destination '\(destination)', which does not exist"
        case .duplicateProperty(let property, let entity): "two properties of '\(entity)' are called '\(property)'"
        case .redeclaredProperty(let property, let entity, let ancestor):
            "entity '\(entity)' declares '\(property)', which it inherits from '\(ancestor)'; declare it once"
        case .duplicateFetchRequestTemplate(let name): "two fetch request templates are called '\(name)'"
        case .duplicateConfiguration(let name): "two configurations are called '\(name)'"
        case .unknownEntity(let entity, let configuration):
            "configuration '\(configuration)' names entity '\(entity)', which does not exist"
        case .conflictingEntity(let name): "the models to be merged have different entities called '\(name)'"
        case .conflictingFetchRequestTemplate(let name):
            "the models to be merged have different fetch request templates called '\(name)'"
        }
    }
}
