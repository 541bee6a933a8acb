/// An entity: a kind of object, with its properties.
///
/// The `declared…` lists contain the elements that the entity itself declares; a model is built from them. In the
/// entities of a ``ManagedObjectModel``, the lists without `declared` also contain the inherited elements, those of the
/// root entity first, each level in the order of the model. After a change of a `declared…` list, create a model with
/// the entity; the entity in that model has the changed lists.
public struct EntityDescription: Sendable, Hashable {
    /// The Swift code that the model asks for.
    public enum CodeGeneration: String, Sendable, Hashable, Codable {
        /// The model selects no codegen, or Manual/None; the configuration file then decides, and its default is a
        /// class.
        case unspecified = ""
        case `class`
        case category
    }

    /// The name, unique among the entities of a model.
    public var name: String
    /// The class as the model names it, in any of Xcode's forms (`Foo`, `.Foo`, `Module.Foo`); `nil` if the model does
    /// not name a class.
    public var managedObjectClassName: String?
    /// A Boolean value that indicates whether objects can be created only of its subentities, not of the entity itself.
    public var isAbstract: Bool
    /// The name of the entity from which this entity inherits.
    public var superentityName: String?
    /// The Swift code that the model asks for.
    public var codeGeneration: CodeGeneration
    /// The attributes that the entity itself declares.
    public var declaredAttributes: [AttributeDescription]
    /// The relationships that the entity itself declares.
    public var declaredRelationships: [RelationshipDescription]
    /// The fetched properties that the entity itself declares.
    public var declaredFetchedProperties: [FetchedPropertyDescription]
    /// The indexes that the entity itself declares.
    public var declaredIndexes: [FetchIndexDescription]
    /// Uniqueness constraints: lists of the names of properties whose combined values must be unique.
    public var declaredUniquenessConstraints: [[String]]
    /// The name of this entity in earlier versions; its own name unless the model specifies another one.
    public var renamingIdentifier: String
    /// A text that only serves to make the version hash differ.
    public var versionHashModifier: String?
    /// Notes of the model's author, by key.
    public var userInfo: [String: String]

    /// The attributes of this entity and its superentities.
    public internal(set) var attributes: [AttributeDescription]
    /// The relationships of this entity and its superentities.
    public internal(set) var relationships: [RelationshipDescription]
    /// The fetched properties of this entity and its superentities.
    public internal(set) var fetchedProperties: [FetchedPropertyDescription]
    /// The indexes of this entity and its superentities.
    public internal(set) var indexes: [FetchIndexDescription]
    /// The uniqueness constraints of this entity and its superentities.
    public internal(set) var uniquenessConstraints: [[String]]
    /// The names of the entities directly below this one, in the order of the model.
    public internal(set) var subentityNames: [String]
    /// The name of the topmost superentity, or this entity's own.
    public internal(set) var rootEntityName: String

    /// Creates an entity that does not belong to a model yet.
    public init(
        name: String,
        managedObjectClassName: String? = nil,
        isAbstract: Bool = false,
        superentityName: String? = nil,
        codeGeneration: CodeGeneration = .unspecified,
        attributes: [AttributeDescription] = [],
        relationships: [RelationshipDescription] = [],
        fetchedProperties: [FetchedPropertyDescription] = [],
        indexes: [FetchIndexDescription] = [],
        uniquenessConstraints: [[String]] = [],
        renamingIdentifier: String? = nil,
        versionHashModifier: String? = nil,
        userInfo: [String: String] = [:]
    ) {
        self.name = name
        self.managedObjectClassName = managedObjectClassName
        self.isAbstract = isAbstract
        self.superentityName = superentityName
        self.codeGeneration = codeGeneration
        self.declaredAttributes = attributes
        self.declaredRelationships = relationships
        self.declaredFetchedProperties = fetchedProperties
        self.declaredIndexes = indexes
        self.declaredUniquenessConstraints = uniquenessConstraints
        self.renamingIdentifier = renamingIdentifier ?? name
        self.versionHashModifier = versionHashModifier
        self.userInfo = userInfo
        self.attributes = attributes
        self.relationships = relationships
        self.fetchedProperties = fetchedProperties
        self.indexes = indexes
        self.uniquenessConstraints = uniquenessConstraints
        self.subentityNames = []
        self.rootEntityName = name
    }
}
