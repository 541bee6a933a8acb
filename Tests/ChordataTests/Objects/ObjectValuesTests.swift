import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The values that objects have after faulting, insertion and deletion.
struct ObjectValuesTests {
    private static func definition() throws -> ModelDefinition {
        func transient(_ name: String, _ type: AttributeType, defaultValue: AttributeValue? = nil)
            -> AttributeDescription
        {
            var attribute = AttributeDescription(name: name, attributeType: type)
            (attribute.isOptional, attribute.isTransient) = (defaultValue == nil, true)
            attribute.defaultValue = defaultValue
            return attribute
        }
        var size = AttributeDescription(name: "size", attributeType: .integer64)
        (size.isOptional, size.defaultValue) = (false, .integer(3))
        var title = AttributeDescription(name: "title", attributeType: .string)
        title.isOptional = true
        let parent = RelationshipDescription(name: "parent", destinationEntityName: "Box", inverseName: "children")
        let children = RelationshipDescription(
            name: "children",
            destinationEntityName: "Box",
            inverseName: "parent",
            maximumCount: 0
        )
        let seen = RelationshipDescription(name: "seen", destinationEntityName: "Box", isTransient: true)
        return ModelDefinition(
            name: "Boxes",
            versionName: "Boxes",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Box",
                    attributes: [
                        size, title, transient("note", .string),
                        transient("mark", .integer16, defaultValue: .integer(7)),
                        transient("anything", .undefined),
                    ],
                    relationships: [parent, children, seen]
                )
            ])
        )
    }

    private func withContext(_ body: (PersistentContainer, ManagedObjectContext) throws -> Void) throws {
        let container = try Self.definition().testContainer(at: ":memory:")
        try body(container, container.newContext())
    }

    private func insert(into context: ManagedObjectContext) -> ManagedObject {
        EntityDescription.insertNewObject(forEntityName: "Box", into: context)
    }

    private func expectInitialTransients(_ object: ManagedObject) {
        #expect(object.value(forKey: "note") == nil && object.value(forKey: "anything") == nil)
        #expect(object.value(forKey: "mark") as? Int16 == 7)
        #expect(object.value(forKey: "seen") == nil)
    }

    private func setTransients(of object: ManagedObject, to other: ManagedObject) {
        object.setValue("a", forKey: "note")
        object.setValue(1, forKey: "mark")
        object.setValue(["b"], forKey: "anything")
        object.setValue(other, forKey: "seen")
    }

    @Test func transientValuesDoNotSurviveFaulting() throws {
        try withContext { container, context in
            let (box, other) = (insert(into: context), insert(into: context))
            setTransients(of: box, to: other)
            try context.save()
            #expect(box.value(forKey: "note") as? String == "a")
            context.refresh(box, mergeChanges: false)
            expectInitialTransients(box)
            setTransients(of: box, to: other)
            try context.save()
            context.refreshAllObjects()
            expectInitialTransients(box)
            expectInitialTransients(try container.newContext().existingObject(with: box.objectID))
        }
    }

    @Test func objectsThatWereNeverSavedAreDeleted() throws {
        try withContext { container, context in
            let box = insert(into: context)
            context.delete(box)
            #expect(box.isDeleted)
            context.processPendingChanges()
            #expect(box.isDeleted && !context.hasChanges)
            try context.save()
            #expect(box.isDeleted)
        }
    }

    @Test func changedValuesOfInsertedObjectsIncludePrimitiveOnes() throws {
        try withContext { container, context in
            let (box, other) = (insert(into: context), insert(into: context))
            #expect(box.changedValues().isEmpty)
            box.setPrimitiveValue("t", forKey: "title")
            box.setPrimitiveValue(5, forKey: "size")
            box.setPrimitiveValue(other, forKey: "parent")
            other.setPrimitiveValue([box], forKey: "children")
            expectEqual(box.changedValues().keys.sorted(), ["parent", "size", "title"])
            #expect(box.changedValues()["title"] as? String == "t")
            expectEqual(other.changedValues().keys.sorted(), ["children"])
            box.setPrimitiveValue(3, forKey: "size")
            expectEqual(box.changedValues().keys.sorted(), ["parent", "title"])
            try context.save()
            #expect(box.changedValues().isEmpty)
        }
    }

    @Test func aMaximumCountOtherThanOneIsToMany() throws {
        for (count, isToMany) in [(0, true), (1, false), (2, true)] {
            let relationship = RelationshipDescription(name: "r", destinationEntityName: "E", maximumCount: count)
            #expect(relationship.isToMany == isToMany && relationship.maximumCount == count)
        }
        try withContext { container, context in
            let (box, other) = (insert(into: context), insert(into: context))
            box.mutableSetValue(forKey: "children").add(other)
            #expect(other.value(forKey: "parent") as? ManagedObject === box)
        }
    }

    /// A save without changes posts no notifications, regardless of what happened before it.
    @Test func savesWithoutChangesPostNothing() throws {
        try withContext { container, context in
            let box = insert(into: context)
            try context.save()
            let names = [
                ManagedObjectContext.willSaveObjectsNotification, ManagedObjectContext.didSaveObjectsNotification,
                ManagedObjectContext.didSaveObjectIDsNotification,
            ]
            let posted = PostedNotifications(names, of: context)
            defer { posted.end() }
            try context.save()
            context.delete(insert(into: context))
            try context.save()
            context.processPendingChanges()
            context.refreshAllObjects()
            try context.save()
            _ = box.value(forKey: "title")
            box.setValue("t", forKey: "title")
            context.rollback()
            try context.save()
            expectEqual(posted.count, 0)
            box.setValue("t", forKey: "title")
            try context.save()
            expectEqual(posted.count, 3)
        }
    }
}

/// Counts notifications of a context.
private final class PostedNotifications {
    private(set) var count = 0
    private var tokens: [any NSObjectProtocol] = []

    init(_ names: [Notification.Name], of context: ManagedObjectContext) {
        nonisolated(unsafe) let counter = self
        tokens = names.map {
            NotificationCenter.default.addObserver(forName: $0, object: context, queue: nil) { _ in counter.count += 1 }
        }
    }

    func end() { for token in tokens { NotificationCenter.default.removeObserver(token) } }
}
