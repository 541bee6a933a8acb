public import ChordataModel
internal import ChordataPredicate

extension EntityDescription {
    /// Returns the entity with a name from the model of a context.
    /// - Returns: The entity; `nil` when the model has no entity with that name.
    public static func entity(forEntityName name: String, in context: ManagedObjectContext) -> EntityDescription? {
        context.schema.model.entity(named: name)
    }

    /// Inserts a new object of an entity into a context.
    /// - Parameters:
    ///   - name: The name of an entity that is not abstract. Any other name traps.
    ///   - context: The context that the object is inserted into.
    /// - Returns: The object, whose class is the entity's class, or ``ManagedObject`` if the entity has no class.
    public static func insertNewObject(forEntityName name: String, into context: ManagedObjectContext) -> ManagedObject
    {
        guard let type = context.schema.runtimeEntity(named: name) else {
            let names = context.schema.model.entities.map(\.name)
            let suggestion = nearestName(to: name, among: names).map { "; did you mean '\($0)'?" }
            preconditionFailure("the context's model has no entity '\(name)'\(suggestion ?? "")")
        }
        return context.editor.insertNewObject(of: type)
    }
}

/// A type whose objects can be created from an entity description, with `ManagedObject(entity:insertInto:)`.
///
/// The protocol is not class-constrained, because only an initializer in an extension of a protocol without this
/// constraint can choose the class of the object.
public protocol InsertableObject {}

extension ManagedObject: InsertableObject {}

extension InsertableObject {
    /// Creates an object of a class that is a generic parameter or `Self`, and inserts it into a context.
    ///
    /// The class is known only when the program runs; otherwise, see ``ManagedObject/init(context:)``.
    /// - Parameter context: The context that the object is inserted into.
    public init(context: ManagedObjectContext) {
        guard let objectClass = Self.self as? ManagedObject.Type,
            let object = context.editor.insertNewObject(of: context.runtimeEntity(for: objectClass)) as? Self
        else { preconditionFailure("\(Self.self) is not a class of managed objects") }
        self = object
    }

    /// Creates an object of an entity and inserts it into a context, if there is one.
    ///
    /// The class of the object is the entity's class, or ``ManagedObject`` if the entity has no class.
    ///
    /// An object without a context has the default attribute values of the model, and its attributes can be set. Its
    /// relationships can be set after ``ManagedObjectContext/insert(_:)`` has inserted it, which also calls the hook
    /// `awakeFromInsert`. Creating an object without a context requires generated code or an open container of the
    /// entity's model, because these define the storage of the properties.
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
