public import ChordataModel

extension EntityDescription {
    /// The entity of that name in a context's model.
    public static func entity(forEntityName name: String, in context: ManagedObjectContext) -> EntityDescription? {
        context.schema.model.entity(named: name)
    }

    /// Inserts an object, which is of the entity's class if it has one.
    public static func insertNewObject(forEntityName name: String, into context: ManagedObjectContext) -> ManagedObject
    {
        guard let type = context.schema.entityType(named: name) else {
            preconditionFailure("the context's model has no entity '\(name)'")
        }
        return context.insertNewObject(of: type)
    }
}

/// What can be made of an entity alone: `ManagedObject(entity:insertInto:)`.
///
/// A protocol that is not for classes alone, because only in its extension an initializer may choose the class.
public protocol InsertableObject {}

extension ManagedObject: InsertableObject {}

extension InsertableObject {
    /// Inserts an object, which is of the entity's class if it has one.
    public init(entity: EntityDescription, insertInto context: ManagedObjectContext) {
        let object = EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
        guard let object = object as? Self else {
            preconditionFailure("an object of '\(entity.name)' is of class \(type(of: object)), not of \(Self.self)")
        }
        self = object
    }
}
