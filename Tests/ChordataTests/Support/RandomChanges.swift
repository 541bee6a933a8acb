import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation
import OrderedCollections

@testable import Chordata

/// Random changes of the objects of a store: by a context, and by batch operations.
struct RandomChanges {
    enum Operation: CaseIterable { case save, insertValues, insertDictionaries, insertObjects, update, delete }

    /// The entities of the objects.
    let entities: [EntityDescription]
    /// Attributes that are not set, because not all values of their types are valid.
    var ignoredAttributes: Set<String> = []
    /// Inserts an array of `Values`, whose classes only the test knows.
    var insertValues: ((ManagedObjectContext, inout SeededGenerator) throws -> Void)?
    var random: SeededGenerator

    // MARK: Operations

    mutating func nextOperation() -> Operation {
        let operation = pick([.save, .save, .save] + Operation.allCases)
        return operation == .insertValues && insertValues == nil ? .save : operation
    }

    /// Performs an operation.
    /// - Returns: Whether the operation succeeded; otherwise the model or the store refused the changes.
    mutating func perform(_ operation: Operation, in context: ManagedObjectContext) throws -> Bool {
        do {
            switch operation {
            case .save:
                for _ in 0..<number(1...4) { try changeObject(context) }
                try context.save()
            case .insertValues: try insertValues?(context, &random)
            case .insertDictionaries: try context.execute(try nextDictionaries(context))
            case .insertObjects: try insertByHandler(context)
            case .update: try context.execute(try nextUpdate(context).request)
            case .delete: try context.execute(try nextDeletion())
            }
            return true
        } catch let error
            where error is ValidationError || error is SaveConflictError || error is UniquenessConflictError
            || error is BatchUpdateError || error is MissingObjectError
        {
            context.rollback()
            return false
        }
    }

    mutating func changeObject(_ context: ManagedObjectContext) throws {
        let entity = pick(entities)
        let choice = number(0...9)
        guard choice > 3, let object = try object(of: entity.name, context) else {
            let object = EntityDescription.insertNewObject(forEntityName: entity.name, into: context)
            for attribute in settableAttributes(entity) where !attribute.isOptional || isLikely(50) {
                object.setValue(value(of: attribute), forKey: attribute.name)
            }
            for relationship in entity.relationshipsByName.orderedByKey.map(\.value) where isLikely(35) {
                try set(relationship, of: object)
            }
            return
        }
        switch choice {
        case 9: context.delete(object)
        case 4, 5:
            let attribute = pick(settableAttributes(object.entity))
            object.setValue(value(of: attribute), forKey: attribute.name)
        default:
            let relationships = object.entity.relationshipsByName.orderedByKey.map(\.value)
            if !relationships.isEmpty { try set(pick(relationships), of: object) }
        }
    }

    private mutating func set(_ relationship: RelationshipDescription, of object: ManagedObject) throws {
        guard let context = object.managedObjectContext else { return }
        let all = try context.fetch(FetchRequest<ManagedObject>(entityName: relationship.destinationEntityName))
        guard relationship.isToMany else {
            let isEmpty = relationship.isOptional && isLikely(25)
            return object.setValue(isEmpty ? nil : all.randomElement(using: &random), forKey: relationship.name)
        }
        let members = (0..<number(0...3)).compactMap { _ in all.randomElement(using: &random) }
        guard relationship.isOrdered else { return object.setValue(Set(members), forKey: relationship.name) }
        var ordered = OrderedSet(members)
        if isLikely(50), let old = object.value(forKey: relationship.name) as? OrderedSet<ManagedObject> {
            ordered = OrderedSet((old.elements + members).shuffled(using: &random))
        }
        object.setValue(ordered, forKey: relationship.name)
    }

    // MARK: Batch operations

    /// Values of attributes and to-one relationships.
    mutating func nextDictionary(_ entity: EntityDescription, _ context: ManagedObjectContext) throws -> [String: Any?]
    {
        var dictionary: [String: Any?] = [:]
        for attribute in settableAttributes(entity) where !attribute.isOptional || isLikely(60) {
            dictionary[attribute.name] = .some(value(of: attribute))
        }
        for relationship in entity.relationshipsByName.orderedByKey.map(\.value)
        where !relationship.isToMany && (!relationship.isOptional || isLikely(50)) {
            let destination = try object(of: relationship.destinationEntityName, context)
            dictionary[relationship.name] = .some(destination?.objectID)
        }
        return dictionary
    }

    mutating func nextDictionaries(_ context: ManagedObjectContext) throws -> BatchInsertRequest<ManagedObject> {
        let entity = pick(entities)
        let dictionaries = try (0..<number(1...3)).map { _ in try nextDictionary(entity, context) }
        return BatchInsertRequest(entityName: entity.name, objects: dictionaries)
    }

    private mutating func insertByHandler(_ context: ManagedObjectContext) throws {
        let entity = pick(entities)
        var dictionaries = try (0..<number(1...3)).map { _ in try nextDictionary(entity, context) }
        try context.execute(
            BatchInsertRequest<ManagedObject>(entityName: entity.name) { object in
                guard let dictionary = dictionaries.popLast() else { return true }
                try object.setValues(dictionary)
                return false
            }
        )
    }

    /// A batch update, and the values that it sets.
    mutating func nextUpdate(_ context: ManagedObjectContext) throws
        -> (request: BatchUpdateRequest<ManagedObject>, values: [String: Any?])
    {
        let entity = pick(entities)
        var request = BatchUpdateRequest<ManagedObject>(entityName: entity.name)
        request.predicate = isLikely(20) ? nil : try nextPredicate(entity)
        var values: [String: Any?] = [:]
        for attribute in settableAttributes(entity)
        where !attribute.allowsExternalBinaryDataStorage && isLikely(25) {
            values[attribute.name] = .some(value(of: attribute))
        }
        for relationship in entity.relationshipsByName.orderedByKey.map(\.value)
        where isUpdatable(relationship) && (isLikely(50) || values.isEmpty) {
            let destination = isLikely(20) ? nil : try object(of: relationship.destinationEntityName, context)
            values[relationship.name] = .some(destination?.objectID)
        }
        if values.isEmpty {
            let attribute = pick(settableAttributes(entity).filter { !$0.allowsExternalBinaryDataStorage })
            values[attribute.name] = .some(value(of: attribute))
        }
        for (name, value) in values { request = request.setting(name, to: value as? any PredicateArgument) }
        return (request, values)
    }

    /// Returns a Boolean value that indicates whether a batch update can set a relationship.
    private func isUpdatable(_ relationship: RelationshipDescription) -> Bool {
        guard !relationship.isToMany else { return false }
        guard let name = relationship.inverseName else { return true }
        let destination = entities.first { $0.name == relationship.destinationEntityName }
        guard let inverse = destination?.relationshipsByName[name] else { return false }
        return inverse.isToMany && !inverse.isOrdered
    }

    private mutating func nextDeletion() throws -> BatchDeleteRequest<ManagedObject> {
        let entity = pick(entities)
        var request = FetchRequest<ManagedObject>(entityName: entity.name)
        request.predicate = try nextPredicate(entity)
        var deletion = BatchDeleteRequest(fetchRequest: request)
        deletion.validatesRelationships = isLikely(70)
        return deletion
    }

    private mutating func nextPredicate(_ entity: EntityDescription) throws -> FetchPredicate? {
        let attribute = pick(settableAttributes(entity).filter { !$0.allowsExternalBinaryDataStorage })
        guard let value = value(of: attribute) as? any PredicateArgument else {
            return try FetchPredicate(format: "\(attribute.name) == nil")
        }
        return try FetchPredicate(format: "\(attribute.name) == %@", value)
    }

    // MARK: Values

    /// The attributes that changes set; for a composite attribute, its elements, whose names are paths.
    private func settableAttributes(_ entity: EntityDescription) -> [AttributeDescription] {
        entity.attributesByName.orderedByKey.map(\.value).filter {
            !$0.isDerived && !$0.isTransient && !ignoredAttributes.contains($0.name)
        }.flatMap { attribute in
            attribute.leaves.filter { $0.attribute.attributeType != .transformable }.map { leaf in
                var element = leaf.attribute
                element.name = leaf.path.joined(separator: ".")
                return element
            }
        }
    }

    /// A random value of an attribute, from a small set.
    mutating func value(of attribute: AttributeDescription) -> Any? {
        if attribute.isOptional, isLikely(20) { return nil }
        let number = number(0...5)
        return switch attribute.attributeType {
        case .integer16, .integer32, .integer64: number
        case .double, .float: Double(number)
        case .boolean: number > 2
        case .decimal: Decimal(number)
        case .date: Date(timeIntervalSinceReferenceDate: Double(number))
        case .binaryData: Data(repeating: 7, count: number)
        case .uuid: UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        case .uri: URL(string: "https://example.com/\(number)")
        case .string, .undefined, .transformable, .composite, .objectID: "\(number)"
        }
    }

    private mutating func object(of entityName: String, _ context: ManagedObjectContext) throws -> ManagedObject? {
        // Batch operations need a row.
        try context.fetch(FetchRequest<ManagedObject>(entityName: entityName)).filter { !$0.isInserted }
            .randomElement(using: &random)
    }

    private mutating func pick<Element>(_ elements: [Element]) -> Element { elements.randomElement(using: &random)! }
    private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
    private mutating func isLikely(_ percent: Int) -> Bool { number(0...99) < percent }
}

extension ManagedObjectContext {
    /// Removes an object from the members of a to-many relationship, shuffles the members, or adds the object.
    func changeMembers(
        of object: ManagedObject,
        _ relationship: RuntimeEntity.Relationship,
        by member: ManagedObject,
        _ random: inout SeededGenerator
    ) {
        let members = editor.realizeToMany(of: object, field: relationship.field).array
        if members.contains(member), random.next() % 2 == 0 {
            editor.removeFromMany(member, of: object, field: relationship.field)
        } else if relationship.description.isOrdered, random.next() % 2 == 0 {
            editor.setToMany(members.shuffled(using: &random), of: object, field: relationship.field)
        } else {
            editor.addToMany(member, of: object, field: relationship.field)
        }
    }
}

extension ManagedObject {
    /// Sets attributes, and to-one relationships by the IDs of their destinations.
    func setValues(_ values: [String: Any?]) throws {
        for (name, value) in values.orderedByKey {
            let object = try (value as? ManagedObjectID).map { try managedObjectContext?.existingObject(with: $0) }
            setValue(object ?? value, forKey: name)
        }
    }
}
