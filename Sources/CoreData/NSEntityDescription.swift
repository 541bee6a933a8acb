#if !canImport(Darwin)
    public import Chordata
    public import ChordataModel
    public import Foundation

    /// A description of an entity.
    open class NSEntityDescription: NSObject, NSCopying {
        /// The name of the entity.
        open var name: String?
        // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals
        /// The name of the class of the entity's objects.
        open var managedObjectClassName: String! = "NSManagedObject"
        /// A Boolean value that indicates whether only subentities of the entity have objects.
        open var isAbstract = false
        /// The entities that inherit from this entity directly.
        open var subentities: [NSEntityDescription] = [] {
            didSet { for entity in subentities { entity.superentity = self } }
        }
        /// The entity from which this entity inherits; `nil` if there is none.
        open private(set) weak var superentity: NSEntityDescription?
        /// The properties, including inherited properties.
        open var properties: [NSPropertyDescription] {
            get { (superentity?.properties ?? []) + declaredProperties }
            set {
                let inherited = superentity?.properties ?? []
                declaredProperties = newValue.filter { property in !inherited.contains { $0 === property } }
                for property in declaredProperties { property.entity = self }
            }
        }
        /// The uniqueness constraints; each constraint is an array of property names.
        open var uniquenessConstraints: [[Any]] = []
        /// The indexes.
        open var indexes: [NSFetchIndexDescription] = [] {
            didSet { for index in indexes { index.entity = self } }
        }
        /// The user info that the author of the model has set.
        open var userInfo: [AnyHashable: Any]?
        /// The name that the entity had in an older version.
        open var renamingIdentifier: String?
        /// A text that is part of the version hash; another text makes the hash different.
        open var versionHashModifier: String?

        var declaredProperties: [NSPropertyDescription] = []
        /// The entity of a model that was not built from these classes.
        var source: EntityDescription?
        /// The definition of the model of `source`.
        var definition: ModelDefinition?
        /// The model of the entity, if it was built from these classes.
        weak var owner: NSManagedObjectModel?

        /// Creates an entity without a name and without properties.
        public override init() { super.init() }

        /// Returns the entity itself, not a copy.
        public func copy(with zone: NSZone? = nil) -> Any { self }

        /// The model of the entity; the property traps if the entity is not part of a model.
        open var managedObjectModel: NSManagedObjectModel {
            if let owner { return owner }
            guard let definition else {
                preconditionFailure("the \(self) is not part of a model; add it to the entities of a model")
            }
            return definition.managedObjectModel
        }

        /// The version hash of the entity in its model.
        open var versionHash: Data {
            guard let hash = name.flatMap({ managedObjectModel.entityVersionHashesByName[$0] }) else {
                preconditionFailure("the \(self) has no version hash; set its name, and add it to a model")
            }
            return hash
        }

        /// The properties, keyed by name.
        open var propertiesByName: [String: NSPropertyDescription] {
            Dictionary(properties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// The attributes, keyed by name.
        open var attributesByName: [String: NSAttributeDescription] {
            propertiesByName.compactMapValues { $0 as? NSAttributeDescription }
        }

        /// The relationships, keyed by name.
        open var relationshipsByName: [String: NSRelationshipDescription] {
            propertiesByName.compactMapValues { $0 as? NSRelationshipDescription }
        }

        /// The subentities, keyed by name.
        open var subentitiesByName: [String: NSEntityDescription] {
            Dictionary(subentities.map { ($0.name ?? "", $0) }, uniquingKeysWith: { first, _ in first })
        }

        /// Returns the relationships whose destination is the given entity.
        open func relationships(forDestination entity: NSEntityDescription) -> [NSRelationshipDescription] {
            relationshipsByName.values.filter { $0.destinationEntity === entity }.sorted { $0.name < $1.name }
        }

        /// Returns a Boolean value that indicates whether the given entity is this entity or an entity from which it
        /// inherits.
        open func isKindOf(entity: NSEntityDescription) -> Bool {
            sequence(first: self) { $0.superentity }.contains { $0.name == entity.name }
        }

        open override func isEqual(_ object: Any?) -> Bool {
            guard let other = object as? NSEntityDescription else { return false }
            return self === other || name != nil && name == other.name
        }
        open override var hash: Int { name.hashValue }
        open override var description: String { "entity \(name ?? "without a name")" }

        /// Returns the entity with a name in the model of a context.
        open class func entity(forEntityName entityName: String, in context: NSManagedObjectContext)
            -> NSEntityDescription?
        {
            context.persistentStoreCoordinator?.definition.entity(named: entityName)
        }

        /// Inserts a new object of an entity into a context; an unknown entity traps.
        /// - Returns: The inserted object.
        open class func insertNewObject(
            forEntityName entityName: String,
            into context: NSManagedObjectContext
        ) -> NSManagedObject {
            EntityDescription.insertNewObject(forEntityName: entityName, into: context)
        }
    }

    /// A description of a property.
    open class NSPropertyDescription: NSObject {
        /// The name of the property.
        open var name = ""
        /// A Boolean value that indicates whether the property may have no value.
        open var isOptional = true
        /// A Boolean value that indicates whether the property is not stored.
        open var isTransient = false
        /// A Boolean value that indicates whether the property has an index.
        open var isIndexed = false
        /// The user info that the author of the model has set.
        open var userInfo: [AnyHashable: Any]?
        /// The name that the property had in an older version.
        open var renamingIdentifier: String?
        /// A text that is part of the version hash; another text makes the hash different.
        open var versionHashModifier: String?
        /// The entity that declares the property.
        open internal(set) weak var entity: NSEntityDescription?

        /// Creates a property without a name.
        public override init() { super.init() }

        open override var description: String { "property \(name)" }
    }

    /// A description of an attribute.
    open class NSAttributeDescription: NSPropertyDescription {
        /// The type of the values.
        open var attributeType = NSAttributeType.undefined
        /// The default value.
        open var defaultValue: Any?
        /// The name of the class of a Transformable's values.
        open var attributeValueClassName: String?
        /// The name of the transformer of a Transformable.
        open var valueTransformerName: String?
        /// A Boolean value that indicates whether large values may be stored outside of the row.
        open var allowsExternalBinaryDataStorage = false
        /// A Boolean value that indicates whether the persistent history keeps the value after the deletion of the
        /// object.
        open var preservesValueInHistoryOnDeletion = false

        /// Core Data's newer name of `NSAttributeType`.
        public typealias AttributeType = NSAttributeType
        /// Core Data's newer name of `attributeType`.
        public var type: AttributeType {
            get { attributeType }
            set { attributeType = newValue }
        }
    }

    /// A description of an attribute that is computed from other properties.
    open class NSDerivedAttributeDescription: NSAttributeDescription {
        /// The expression that computes the value.
        open var derivationExpression: NSExpression?
    }

    /// A description of a relationship.
    open class NSRelationshipDescription: NSPropertyDescription {
        /// The entity of the objects at the other end.
        open weak var destinationEntity: NSEntityDescription?
        /// The relationship of the destination entity that references the owner; `nil` if there is none.
        open weak var inverseRelationship: NSRelationshipDescription?
        /// The rule for the destination objects when the owner is deleted.
        open var deleteRule = NSDeleteRule.nullify
        /// The minimum number of objects.
        open var minCount = 0
        /// The maximum number of objects; 0 for any number.
        open var maxCount = 0
        /// A Boolean value that indicates whether the objects have an order.
        open var isOrdered = false
        /// A Boolean value that indicates whether the relationship is to-many.
        open var isToMany: Bool { maxCount != 1 }
    }

    /// A description of a value that an expression computes in the result dictionaries of a fetch.
    open class NSExpressionDescription: NSPropertyDescription {
        /// The expression.
        open var expression: NSExpression?
        /// The type of the value.
        open var expressionResultType = NSAttributeType.undefined
        /// Core Data's newer name of `expressionResultType`.
        open var resultType: NSAttributeType {
            get { expressionResultType }
            set { expressionResultType = newValue }
        }

        func value() throws -> ExpressionDescription {
            guard let expression else {
                throw UnsupportedFeatureError(
                    "the expression description '\(name)' has no expression; set its expression"
                )
            }
            return ExpressionDescription(
                name: name,
                expression: try expression.fetchExpression(),
                expressionResultType: expressionResultType == .undefined ? nil : expressionResultType
            )
        }
    }

    /// A description of an index.
    open class NSFetchIndexDescription: NSObject {
        /// The name of the index.
        open var name: String
        /// The properties of the index, in order.
        open var elements: [NSFetchIndexElementDescription] {
            didSet { for element in elements { element.indexDescription = self } }
        }
        /// The entity of the index.
        open internal(set) weak var entity: NSEntityDescription?

        /// Creates an index.
        public init(name: String, elements: [NSFetchIndexElementDescription]?) {
            (self.name, self.elements) = (name, elements ?? [])
            super.init()
            for element in self.elements { element.indexDescription = self }
        }
    }

    /// A property of an index.
    open class NSFetchIndexElementDescription: NSObject {
        /// The property.
        public let property: NSPropertyDescription?
        /// A Boolean value that indicates whether the order is ascending.
        open var isAscending = true
        /// The kind of the index; an index on ranges is created like a sorted index.
        open var collationType: NSFetchIndexElementType
        /// The index of the element.
        open internal(set) weak var indexDescription: NSFetchIndexDescription?
        /// The name of the property.
        open var propertyName: String? { property?.name }

        /// Creates an element of an index.
        public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
            (self.property, self.collationType) = (property, collationType)
        }
    }

    /// The kind of an index.
    public enum NSFetchIndexElementType: UInt, Sendable {
        /// A sorted index.
        case binary
        /// An index of spatial ranges.
        case rTree
    }
#endif
