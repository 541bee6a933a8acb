import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// A model whose objects can have every kind of conflict: with rows that other contexts saved, and with each other.
enum ConflictModel {
    static func definition() throws -> ModelDefinition {
        func attribute(_ name: String, _ type: AttributeType, optional: Bool = true)
            -> AttributeDescription
        {
            var attribute = AttributeDescription(name: name, attributeType: type)
            attribute.isOptional = optional
            return attribute
        }
        func relationship(
            _ name: String,
            _ destination: String,
            _ inverse: String?,
            isToMany: Bool = false,
            isOrdered: Bool = false
        ) -> RelationshipDescription {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany,
                isOrdered: isOrdered
            )
        }
        var weight = attribute("weight", .integer64)
        weight.defaultValue = .integer(1)
        return ModelDefinition(
            name: "Conflicts",
            versionName: "Conflicts",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Item",
                    attributes: [
                        attribute("id", .integer64, optional: false), attribute("a", .integer64),
                        attribute("b", .integer64),
                    ],
                    relationships: [
                        relationship("owner", "Owner", "items"), relationship("place", "Owner", "line"),
                        relationship("partner", "Item", "partner"),
                        relationship("friends", "Item", "friends", isToMany: true),
                        relationship("link", "Item", nil),
                    ]
                ),
                EntityDescription(
                    name: "Owner",
                    attributes: [attribute("id", .integer64, optional: false)],
                    relationships: [
                        relationship("items", "Item", "owner", isToMany: true),
                        relationship("line", "Item", "place", isToMany: true, isOrdered: true),
                    ]
                ),
                EntityDescription(
                    name: "Tag",
                    attributes: [
                        attribute("word", .string), weight, attribute("note", .string), attribute("other", .string),
                    ],
                    relationships: [
                        relationship("group", "Group", "tags"), relationship("texts", "Text", "tags", isToMany: true),
                        relationship("shelves", "Text", "shelf", isToMany: true),
                        relationship("leaves", "Text", "root", isToMany: true),
                        relationship("twin", "Text", "twin"), relationship("likes", "Text", nil, isToMany: true),
                    ],
                    uniquenessConstraints: [["word"], ["other"]]
                ),
                EntityDescription(
                    name: "Group",
                    attributes: [attribute("id", .integer64)],
                    relationships: [relationship("tags", "Tag", "group", isToMany: true, isOrdered: true)]
                ),
                EntityDescription(
                    name: "Text",
                    attributes: [attribute("id", .integer64)],
                    relationships: [
                        relationship("tags", "Tag", "texts", isToMany: true),
                        relationship("shelf", "Tag", "shelves", isToMany: true, isOrdered: true),
                        relationship("root", "Tag", "leaves"), relationship("twin", "Tag", "twin"),
                        relationship("star", "Tag", nil), relationship("stars", "Tag", nil, isToMany: true),
                        relationship("row", "Tag", nil, isToMany: true, isOrdered: true),
                    ]
                ),
                EntityDescription(
                    name: "Seat",
                    attributes: [attribute("row", .integer64), attribute("side", .string)],
                    uniquenessConstraints: [["row", "side"]]
                ),
                EntityDescription(
                    name: "Medium",
                    attributes: [attribute("code", .string), attribute("title", .string)],
                    uniquenessConstraints: [["code"]]
                ),
                EntityDescription(name: "Book", superentityName: "Medium"),
                EntityDescription(name: "Disc", superentityName: "Medium"),
            ])
        )
    }
}

/// Two contexts of one store, and functions that use them.
struct ConflictStore {
    let container: PersistentContainer
    /// The engines that both execute each save; `nil` if only SQLite does.
    let engines: TwoEngines?
    let here: ManagedObjectContext
    let there: ManagedObjectContext

    /// - Parameter hasCells: Whether contexts read cells from two engines.
    init(path: String, policy: MergePolicy = .error, usesTwoEngines: Bool = false, hasCells: Bool = true) throws {
        if usesTwoEngines {
            let (container, engines) = try TwoEngines.container(
                try ConflictModel.definition(),
                path: path,
                hasCells: hasCells
            )
            (self.container, self.engines) = (container, engines)
        } else {
            container = try ConflictModel.definition().testContainer(at: path)
            engines = nil
        }
        (here, there) = (container.newContext(), container.newContext())
        here.mergePolicy = policy
    }

    @discardableResult
    func insert(_ name: String, _ values: [String: Any?] = [:], into context: ManagedObjectContext? = nil)
        -> ManagedObject
    {
        let object = EntityDescription.insertNewObject(forEntityName: name, into: context ?? here)
        for key in values.keys.sorted() { object.setValue(values[key] ?? nil, forKey: key) }
        return object
    }

    /// Saves an object from a new context, and returns its object ID.
    func save(_ name: String, _ values: [String: Any?] = [:]) throws -> ManagedObjectID {
        let context = container.newContext()
        let object = insert(name, values, into: context)
        try context.save()
        return object.objectID
    }

    /// Changes an object with the other context.
    func change(_ id: ManagedObjectID, _ values: [String: Any?]) throws {
        let object = try there.existingObject(with: id)
        there.refresh(object, mergeChanges: false)
        for key in values.keys.sorted() { object.setValue(values[key] ?? nil, forKey: key) }
        try there.save()
    }

    func delete(_ id: ManagedObjectID) throws {
        there.delete(try there.existingObject(with: id))
        try there.save()
    }

    /// A property's value in the store: a number, a text, or the row keys of objects.
    func stored(_ id: ManagedObjectID, _ key: String) throws -> Held {
        let context = container.newContext()
        return value(try context.existingObject(with: id), key)
    }

    func exists(_ id: ManagedObjectID) throws -> Bool {
        do {
            _ = try container.newContext().existingObject(with: id)
            return true
        } catch is MissingObjectError {
            return false
        }
    }

    func count(_ name: String) throws -> Int {
        try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: name))
    }

    /// Checks that the store is consistent, and that a new context reads the values that this context has.
    func check(_ comment: Comment = "") throws {
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        #expect(try store.hasOnlyValidReferences(), comment)
        #expect(!here.hasChanges, comment)
        let fresh = container.newContext()
        for object in here.registeredObjects where !object.isFault {
            let other = try fresh.existingObject(with: object.objectID)
            for property in other.runtimeEntity.fields {
                let (held, read) = (value(object, property.name), value(other, property.name))
                expectEqual(held, read, "\(comment): '\(property.name)' of \(object.objectID)")
            }
        }
    }
}

/// A property's value in a form that can be compared: row keys for objects, sorted if the relationship is unordered.
enum Held: Hashable, ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    case nothing
    case number(Int64)
    case text(String)
    case keys([Int64])

    init(integerLiteral value: Int64) { self = .number(value) }
    init(stringLiteral value: String) { self = .text(value) }
    init(arrayLiteral elements: Int64...) { self = .keys(elements) }
}

func value(_ object: ManagedObject, _ key: String) -> Held {
    guard let relationship = object.runtimeEntity.field(named: key)?.relationship else {
        switch object.value(forKey: key) {
        case let number as Int64: return .number(number)
        case let text as String: return .text(text)
        default: return .nothing
        }
    }
    let keys = object.objectIDs(forRelationshipNamed: key).map(\.key)
    return .keys(relationship.isOrdered ? keys : keys.sorted())
}

/// Checks that both ends of each relationship of an object reference each other.
func expectInverses(of object: ManagedObject, in context: ManagedObjectContext, _ comment: Comment) throws {
    for relationship in object.runtimeEntity.entity.relationships {
        guard let inverse = relationship.inverseName else { continue }
        for id in object.objectIDs(forRelationshipNamed: relationship.name) {
            let other = try context.existingObject(with: id)
            #expect(
                other.objectIDs(forRelationshipNamed: inverse).contains(object.objectID),
                "\(comment): '\(relationship.name)' of \(object.objectID) to \(id)"
            )
        }
    }
}
