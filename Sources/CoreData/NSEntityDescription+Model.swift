#if !canImport(Darwin)
    public import Chordata
    internal import ChordataModel
    internal import Foundation

    // Conversions between Chordata's models and entity descriptions.

    extension ModelDefinition {
        func entity(named name: String) -> NSEntityDescription? { entities.first { $0.name == name } }

        /// The entities of the model; always the same instances for a version.
        var entities: [NSEntityDescription] { EntityCache.shared.entities(of: self) }
    }

    extension ModelDefinition {
        /// The model of the entities; always the same for a version.
        var managedObjectModel: NSManagedObjectModel { EntityCache.shared.managedObjectModel(of: self) }
    }

    /// The entity descriptions of the models that the program has used; they refer to each other weakly.
    private final class EntityCache: @unchecked Sendable {
        static let shared = EntityCache()
        private let lock = NSLock()
        /// The entity descriptions, by the address of the entities of their model; retaining the model keeps the
        /// address valid.
        private var entities: [UnsafeRawPointer: (model: ManagedObjectModel, entities: [NSEntityDescription])] = [:]

        private var models: [UnsafeRawPointer: NSManagedObjectModel] = [:]

        func managedObjectModel(of definition: ModelDefinition) -> NSManagedObjectModel {
            let made = NSManagedObjectModel(definition)
            guard let place = definition.model.entities.withUnsafeBytes({ $0.baseAddress }) else { return made }
            return lock.withLock {
                if let known = models[place] { return known }
                models[place] = made
                return made
            }
        }

        func entities(of definition: ModelDefinition) -> [NSEntityDescription] {
            let model = definition.model
            return lock.withLock {
                let place = model.entities.withUnsafeBytes { $0.baseAddress }
                if let place, let known = entities[place] { return known.entities }
                let made = NSEntityDescription.entities(of: model)
                for entity in made { entity.definition = definition }
                if let place { entities[place] = (model, made) }
                return made
            }
        }
    }

    extension ManagedObject {
        /// The entity of the object.
        public var entity: NSEntityDescription {
            let name = objectID.entityName
            if let entity = managedObjectContext?.persistentStoreCoordinator?.definition.entity(named: name)
                ?? NSManagedObjectModel.generatedEntity(named: name)
            {
                return entity
            }
            let entity = NSEntityDescription()
            entity.name = name
            return entity
        }

        /// Returns the entity of the class, from the generated models of the program; if none of them has it, a
        /// description that has only the names of the entity and the class.
        public static func entity() -> NSEntityDescription {
            if let entity = NSManagedObjectModel.generatedEntity(named: entityName) { return entity }
            let entity = NSEntityDescription()
            entity.name = entityName
            entity.managedObjectClassName = "\(self)"
            return entity
        }
    }

    extension ManagedObjectID {
        /// The entity of the object with this ID, from the generated models of the program; if none of them has it, a
        /// description that has only the name.
        public var entity: NSEntityDescription {
            if let entity = NSManagedObjectModel.generatedEntity(named: entityName) { return entity }
            let entity = NSEntityDescription()
            entity.name = entityName
            return entity
        }
    }

    extension InsertableObject {
        /// Creates an object of an entity and inserts it into a context, if there is one.
        public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
            guard let name = entity.name else { preconditionFailure("the entity has no name") }
            self.init(entity: entity.source ?? EntityDescription(name: name), insertInto: context)
        }
    }

    extension NSEntityDescription {
        /// The entities of a model, connected with each other.
        static func entities(of model: ManagedObjectModel) -> [NSEntityDescription] {
            let entities = model.entities.map { NSEntityDescription($0) }
            let byName = Dictionary(uniqueKeysWithValues: zip(model.entities.map(\.name), entities))
            for (value, entity) in zip(model.entities, entities) {
                entity.subentities = value.subentityNames.compactMap { byName[$0] }
                for relationship in value.declaredRelationships {
                    guard let description = entity.declared(relationship.name) else { continue }
                    description.destinationEntity = byName[relationship.destinationEntityName]
                }
            }
            for (value, entity) in zip(model.entities, entities) {
                for relationship in value.declaredRelationships {
                    guard let inverse = relationship.inverseName, let description = entity.declared(relationship.name)
                    else { continue }
                    description.inverseRelationship = description.destinationEntity?.relationshipsByName[inverse]
                }
            }
            return entities
        }

        private func declared(_ name: String) -> NSRelationshipDescription? {
            declaredProperties.lazy.compactMap { $0 as? NSRelationshipDescription }.first { $0.name == name }
        }

        private convenience init(_ entity: EntityDescription) {
            self.init()
            source = entity
            name = entity.name
            managedObjectClassName = entity.managedObjectClassName ?? "NSManagedObject"
            isAbstract = entity.isAbstract
            uniquenessConstraints = entity.uniquenessConstraints
            userInfo = entity.userInfo
            renamingIdentifier = entity.renamingIdentifier
            versionHashModifier = entity.versionHashModifier
            properties =
                entity.declaredAttributes.map { attribute in
                    guard let expression = attribute.derivationExpression else {
                        return NSAttributeDescription(attribute)
                    }
                    let derived = NSDerivedAttributeDescription(attribute)
                    derived.derivationExpression = NSExpression(format: expression, argumentArray: [])
                    return derived
                }
                + entity.declaredRelationships.map { NSRelationshipDescription($0) }
        }

        func value() throws -> EntityDescription {
            guard let name else { throw UnsupportedFeatureError("an entity of the model has no name; set its name") }
            return EntityDescription(
                name: name,
                managedObjectClassName: managedObjectClassName == "NSManagedObject" ? nil : managedObjectClassName,
                isAbstract: isAbstract,
                superentityName: superentity?.name,
                attributes: try declaredProperties.compactMap { try ($0 as? NSAttributeDescription)?.value() },
                relationships: try declaredProperties.compactMap {
                    try ($0 as? NSRelationshipDescription)?.value()
                },
                indexes: try indexes.map { index in
                    FetchIndexDescription(
                        name: index.name,
                        elements: try index.elements.map { element in
                            guard let property = element.property else {
                                throw UnsupportedFeatureError(
                                    "an element of the index '\(index.name)' has no property; set its property"
                                )
                            }
                            return FetchIndexDescription.Element(
                                propertyName: property.name,
                                isAscending: element.isAscending,
                                collationType: element.collationType == .binary ? .binary : .rTree
                            )
                        }
                    )
                },
                uniquenessConstraints: try uniquenessConstraints.map { constraint in
                    try constraint.map { element in
                        if let name = element as? String { return name }
                        if let property = element as? NSPropertyDescription { return property.name }
                        throw UnsupportedFeatureError(
                            "a uniqueness constraint of '\(name)' has a value of type \(type(of: element)); use names"
                        )
                    }
                },
                renamingIdentifier: renamingIdentifier,
                versionHashModifier: versionHashModifier,
                userInfo: texts(userInfo)
            )
        }
    }

    private func texts(_ userInfo: [AnyHashable: Any]?) -> [String: String] {
        Dictionary((userInfo ?? [:]).map { ("\($0)", "\($1)") }, uniquingKeysWith: { first, _ in first })
    }

    extension NSAttributeDescription {
        fileprivate convenience init(_ attribute: AttributeDescription) {
            self.init()
            name = attribute.name
            isOptional = attribute.isOptional
            isTransient = attribute.isTransient
            isIndexed = attribute.isIndexed
            attributeType = attribute.attributeType
            defaultValue = attribute.defaultValue.map(\.foundationValue)
            attributeValueClassName = attribute.attributeValueClassName
            valueTransformerName = attribute.valueTransformerName
            allowsExternalBinaryDataStorage = attribute.allowsExternalBinaryDataStorage
            preservesValueInHistoryOnDeletion = attribute.preservesValueInHistoryOnDeletion
            userInfo = attribute.userInfo
            renamingIdentifier = attribute.renamingIdentifier
            versionHashModifier = attribute.versionHashModifier
        }

        fileprivate func value() throws -> AttributeDescription {
            AttributeDescription(
                name: name,
                attributeType: attributeType,
                isOptional: isOptional,
                isTransient: isTransient,
                defaultValue: try defaultAttributeValue(),
                allowsExternalBinaryDataStorage: allowsExternalBinaryDataStorage,
                valueTransformerName: valueTransformerName,
                attributeValueClassName: attributeValueClassName,
                derivationExpression: try (self as? NSDerivedAttributeDescription)?.derivationExpression?
                    .fetchExpression().description,
                isIndexed: isIndexed,
                preservesValueInHistoryOnDeletion: preservesValueInHistoryOnDeletion,
                renamingIdentifier: renamingIdentifier,
                versionHashModifier: versionHashModifier,
                userInfo: texts(userInfo)
            )
        }

        private func defaultAttributeValue() throws -> AttributeValue? {
            guard let defaultValue else { return nil }
            let integer = (defaultValue as? any BinaryInteger).flatMap { Int64(exactly: $0) }
            let number = defaultValue as? NSNumber
            let value: AttributeValue? =
                switch attributeType {
                case .integer16, .integer32, .integer64: (integer ?? number?.int64Value).map { .integer($0) }
                case .double, .float:
                    (defaultValue as? Double ?? (defaultValue as? Float).map { Double($0) } ?? integer.map {
                        Double($0)
                    }
                        ?? number?.doubleValue).map { .double($0) }
                case .boolean: (defaultValue as? Bool ?? number?.boolValue).map { .boolean($0) }
                case .decimal:
                    (defaultValue as? Decimal ?? number?.decimalValue ?? integer.map { Decimal($0) }).map {
                        .decimal($0)
                    }
                case .string: (defaultValue as? String).map { .string($0) }
                case .date: (defaultValue as? Date).map { .date($0) }
                case .binaryData: (defaultValue as? Data).map { .data($0) }
                case .uuid: (defaultValue as? UUID).map { .uuid($0) }
                case .uri: (defaultValue as? URL).map { .url($0) }
                case .transformable, .composite, .undefined, .objectID: nil
                }
            if let value { return value }
            throw UnsupportedFeatureError(
                "the default value of '\(name)' has type \(Swift.type(of: defaultValue)), which does not match "
                    + "the attribute type \(attributeType.rawValue); set a value of that type"
            )
        }
    }

    extension AttributeValue {
        var foundationValue: Any {
            switch self {
            case .integer(let value): NSNumber(value: value)
            case .double(let value): NSNumber(value: value)
            case .boolean(let value): NSNumber(value: value)
            case .decimal(let value): NSDecimalNumber(decimal: value)
            case .string(let value): value
            case .date(let value): value
            case .data(let value): value
            case .uuid(let value): value
            case .url(let value): value
            }
        }
    }

    extension NSRelationshipDescription {
        fileprivate convenience init(_ relationship: RelationshipDescription) {
            self.init()
            name = relationship.name
            isOptional = relationship.isOptional
            isTransient = relationship.isTransient
            deleteRule = relationship.deleteRule
            minCount = relationship.minimumCount
            maxCount = relationship.maximumCount
            isOrdered = relationship.isOrdered
            userInfo = relationship.userInfo
            renamingIdentifier = relationship.renamingIdentifier
            versionHashModifier = relationship.versionHashModifier
        }

        fileprivate func value() throws -> RelationshipDescription {
            guard let destination = destinationEntity?.name else {
                throw UnsupportedFeatureError(
                    "the relationship '\(name)' has no destinationEntity; set its destinationEntity"
                )
            }
            return RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverseRelationship?.name,
                isToMany: isToMany,
                isOrdered: isOrdered,
                isOptional: isOptional,
                isTransient: isTransient,
                minimumCount: minCount,
                maximumCount: maxCount,
                deleteRule: deleteRule,
                renamingIdentifier: renamingIdentifier,
                versionHashModifier: versionHashModifier,
                userInfo: texts(userInfo)
            )
        }
    }
#endif
