import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// References to a deleted object that no delete rule removes: to an object that was never saved (D6), and to a saved
/// one.
///
/// The effects of the delete rules themselves are tested in `DeleteRuleTests`.
struct DanglingRelationshipTests {
    /// The rule Deny is checked by saves, and an unsaved object that was deleted is not saved.
    @Test func deletedNewObjectIsNullifiedDespiteDeny() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let (book, shelf) = (Book(context: context), Shelf(context: context))
        (book.title, shelf.name) = ("Emma", "A")
        book.createdAt = Date(timeIntervalSinceReferenceDate: 0)
        book.shelf = shelf
        context.delete(shelf)
        context.processPendingChanges()
        #expect(book.shelf == nil && context.insertedObjects == [book])
        try context.save()
        #expect(book.shelf == nil && !context.hasChanges)
    }

    @Test(arguments: ["link", "owner", "place", "partner"], [true, false])
    func aToOne(name: String, isSaved: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let item = store.insert("Item", ["id": 1])
            if isSaved { try store.here.save() }
            let isOwner = name == "owner" || name == "place"
            let doomed = store.insert(isOwner ? "Owner" : "Item", ["id": 2])
            item.setValue(doomed, forKey: name)
            store.here.delete(doomed)
            try store.here.save()
            expectEqual(value(item, name), [])
            #expect(doomed.managedObjectContext == nil)
            try store.check()
        }
    }

    @Test(arguments: ["likes", "texts", "shelves", "leaves"], [true, false])
    func aToMany(name: String, isSaved: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let tag = store.insert("Tag", ["word": "a"])
            let kept = store.insert("Text", ["id": 1])
            if isSaved { try store.here.save() }
            let doomed = store.insert("Text", ["id": 2])
            tag.setValue(Set([kept, doomed]), forKey: name)
            store.here.delete(doomed)
            try store.here.save()
            expectEqual(value(tag, name), .keys([kept.objectID.key]))
            try store.check()
        }
    }

    /// A reference that is set to an object after its deletion is nil after the save.
    @Test func relationshipsSetToDeletedObjectsBecomeNil() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let ids = try (0..<4).map { try store.save("Item", ["id": $0]) }
            let items = try ids.map { try store.here.existingObject(with: $0) }
            let doomed = items[3]
            store.here.delete(doomed)
            items[0].setValue(doomed, forKey: "link")
            items[1].setValue(doomed, forKey: "partner")
            doomed.setValue(Set([items[2]]), forKey: "friends")
            try store.here.save()
            #expect(value(items[0], "link") == [] && value(items[1], "partner") == [])
            expectEqual(value(items[2], "friends"), [])
            try store.check()
        }
    }

    @Test func requiredRelationshipSetToADeletedObjectFails() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let book = Book(context: context)
        (book.title, book.createdAt) = ("Emma", Date(timeIntervalSinceReferenceDate: 0))
        try context.save()
        context.delete(book)
        let other = Chapter(context: context)
        other.book = book
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName), ["book"])
        #expect(context.deletedObjects == [book] && context.insertedObjects == [other])
    }

    /// The deleted object has no inverse to the objects that reference it.
    @Test func oneWayRelationshipSetBeforeTheDeletion() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let id = try store.save("Item", ["id": 1])
            let doomed = try store.here.existingObject(with: id)
            let item = store.insert("Item", ["id": 2])
            item.setValue(doomed, forKey: "link")
            store.here.delete(doomed)
            try store.here.save()
            expectEqual(value(item, "link"), [])
            try store.check()
        }
    }

    /// The rule makes the save fail, which changes nothing.
    @Test func deniedDeletionChangesNothing() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let (book, shelf) = (Book(context: context), Shelf(context: context))
        (book.title, shelf.name) = ("Emma", "A")
        book.createdAt = Date(timeIntervalSinceReferenceDate: 0)
        try context.save()
        context.delete(shelf)
        book.shelf = shelf
        for _ in 0..<2 {
            #expect(throws: ValidationError.self) { try context.save() }
            #expect(book.shelf === shelf && book.isUpdated && shelf.isDeleted)
        }
    }
}
