import Foundation
import Testing

@testable import Chordata

/// D6: an object that was never saved and is deleted leaves nothing behind, whatever leads to it.
struct UndoneInsertionTests {
    /// A rule that is checked at save does not keep it: there is nothing to save.
    @Test func whatARuleDeniesWouldLeadNowhere() throws {
        let context = try EverythingModel.container(at: ":memory:").newContext()
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
            #expect(value(item, name) == [])
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
            #expect(value(tag, name) == .keys([kept.objectID.key]))
            try store.check()
        }
    }
}
