import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Objects that are created without a context and inserted later (5B: "defaults exist even with a nil context").
struct UnattachedObjectTests {
    private func entity(_ name: String, _ definition: ModelDefinition) throws -> EntityDescription {
        try #require(definition.model.entity(named: name))
    }

    @Test func attributesAreSetBeforeTheInsertion() throws {
        try withStorePath { path in
            let reading = Reading(entity: try entity("Reading", EverythingModel.definition), insertInto: nil)
            #expect(
                reading.managedObjectContext == nil && !reading.isInserted && !reading.hasChanges && !reading.isFault
            )
            #expect(reading.int64 == 9_007_199_254_740_993 && reading.price == Decimal(string: "0.1"))
            #expect(reading.objectID.key < 0 && reading.value(forKey: "identifier") == nil)
            reading.int16 = 16
            reading.setValue(URL(string: "file:///b"), forKey: "link")
            reading.bytes = Data([1])
            reading.identifier = UUID()
            let container = try EverythingModel.definition.testContainer(at: path)
            let context = container.newContext()
            context.insert(reading)
            #expect(reading.managedObjectContext === context && reading.isInserted && reading.objectID.key > 0)
            expectEqual(context.insertedObjects, [reading])
            context.insert(reading)
            // An attribute that was never set is reported as missing.
            let error = #expect(throws: ValidationError.self) { try context.save() }
            expectEqual(error?.failures.map(\.propertyName), ["day"])
            reading.day = Date(timeIntervalSinceReferenceDate: 0)
            try context.save()
            let values: [Reading.Values] = try container.newContext().fetchValues(Reading.fetchRequest())
            #expect(values.map(\.int16) == [16] && values.map(\.bytes) == [Data([1])])
            expectEqual(values.map(\.objectID), [ObjectID(reading)])
            expectEqual(values.map(\.link), [URL(string: "file:///b")])
        }
    }

    @Test func theHookIsCalledByTheInsertion() throws {
        try HookLog.withLog { log in
            let note = Note(entity: try entity("Note", DiaryModel.definition), insertInto: nil)
            note.text = "mine"
            #expect(log.take().isEmpty)
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            context.insert(note)
            expectEqual(log.take(), ["Note awakeFromInsert mine"])
        }
    }

    /// The object has the class of its entity, regardless of the class on which the initializer is called.
    @Test func classesAndRelationships() throws {
        let made = Media(entity: try entity("Book", EverythingModel.definition), insertInto: nil)
        let book = try #require(made as? Book)
        #expect(book.shelf == nil && book.tags.isEmpty && book.authors.isEmpty && book.count(of: \.tags) == 0)
        #expect(book.value(forKey: "shelf") == nil && (book.value(forKey: "tags") as? Set<Tag>)?.isEmpty == true)
        #expect(book.objectIDs(forRelationshipNamed: "tags").isEmpty)
        #expect(book.primitiveValue(forKey: "tags") == nil)
        book.title = "Emma"
        book.createdAt = .init()
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        context.insert(book)
        book.addToTags(Tag(context: context, word: "old"))
        try context.save()
        expectEqual(book.tags.map(\.word), ["old"])
        let other = Book(entity: try entity("Book", EverythingModel.definition), insertInto: nil)
        #expect(other.objectID != Book(entity: other.runtimeEntity.entity, insertInto: nil).objectID)
    }

    @Test func objectsWithoutClasses() throws {
        let note = EntityDescription(
            name: "Jotting",
            attributes: [AttributeDescription(name: "text", attributeType: .string, defaultValue: .string("none"))]
        )
        let definition = ModelDefinition(
            name: "Jottings",
            versionName: "1",
            model: try ManagedObjectModel(entities: [note])
        )
        let (first, second) = (
            try definition.testContainer(at: ":memory:"),
            try definition.testContainer(at: ":memory:")
        )
        for container in [first, second] {
            let object = ManagedObject(entity: try entity("Jotting", definition), insertInto: nil)
            #expect(object.value(forKey: "text") as? String == "none")
            object.setValue("some", forKey: "text")
            #expect(object.changedValues().isEmpty)
            let context = container.newContext()
            context.insert(object)
            #expect(object.changedValues()["text"] as? String == "some")
            try context.save()
            #expect(object.objectID.runtimeEntity === context.schema.runtimeEntities[0])
            object.setValue("other", forKey: "text")
            context.rollback()
            #expect(object.value(forKey: "text") as? String == "some")
        }
    }

    @Test func anInsertionThatIsUndone() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(entity: try entity("Team", LeagueModel.definition), insertInto: nil)
        team.name = "Reds"
        context.insert(team)
        context.rollback()
        #expect(team.managedObjectContext == nil && team.name == "Reds")
        #expect(try context.fetch(Team.fetchRequest()).isEmpty)
    }
}
