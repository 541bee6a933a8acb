public import ChordataModel

extension EntityDescription {
    /// Returns the entity with a name in a context's model.
    /// - Returns: The entity; `nil` when the model has none of that name.
    public static func entity(forEntityName name: String, in context: ManagedObjectContext) -> EntityDescription? {
        context.schema.model.entity(named: name)
    }

    /// Inserts a new object of an entity.
    /// - Parameters:
    ///   - name: The name of an entity that is not abstract; any other name traps.
    ///   - context: The context that the object is inserted into.
    /// - Returns: The object, which is of the entity's class if it has one.
    public static func insertNewObject(forEntityName name: String, into context: ManagedObjectContext) -> ManagedObject
    {
        guard let type = context.schema.entityType(named: name) else {
            preconditionFailure("the context's model has no entity '\(name)'")
        }
        return context.insertNewObject(of: type)
    }
}

/// A type with objects that can be created from an entity description: `ManagedObject(entity:insertInto:)`.
///
/// The protocol is not class-constrained, because only an initializer in an extension of such a protocol can choose the
/// class of the object.
public protocol InsertableObject {}

extension ManagedObject: InsertableObject {}

extension InsertableObject {
    /// Makes an object, which is of the entity's class if it has one, and inserts it into a context.
    ///
    /// Without a context its attributes can be set, beginning with the defaults of the model; relationships can be set,
    /// and the hook `awakeFromInsert` is called, when ``ManagedObjectContext/insert(_:)`` has inserted it. That needs
    /// generated code, or an open container of the entity's model, which define where objects keep their properties.
    /// - Parameters:
    ///   - entity: An entity that is not abstract.
    ///   - context: The context that the object is inserted into; `nil` for none.
    public init(entity: EntityDescription, insertInto context: ManagedObjectContext?) {
        let object =
            context.map { EntityDescription.insertNewObject(forEntityName: entity.name, into: $0) }
            ?? makeUnattachedObject(of: entity) { $0 is Self.Type }
        guard let object = object as? Self else {
            preconditionFailure("an object of '\(entity.name)' has class \(type(of: object)), not \(Self.self)")
        }
        self = object
    }
}
