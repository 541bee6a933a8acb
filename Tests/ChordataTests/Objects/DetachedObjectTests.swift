import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Detached objects can be read and set; setting a property changes only the object.
struct DetachedObjectTests {
    /// The events that detach an object.
    enum Detachment: String, CaseIterable {
        case mergedDeletion, mergedDeletionOfFault, mergedDeletionOfUnreadFault, savedDeletion, unsavedInsertion, reset,
            release

        var isDeletion: Bool { self != .reset && self != .release }
        var isFault: Bool { self == .mergedDeletionOfUnreadFault }
    }

    /// Calls the body with a detached book and the container.
    private func withBook(_ detachment: Detachment, _ body: (Book, PersistentContainer) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "detached-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // The system clears its temporary folder.
        let container = try EverythingModel.definition.testContainer(at: folder.appending(path: "books.sqlite").path)
        let maker = container.newContext()
        let id = insertBook(maker).objectID
        try maker.save()

        var context: ManagedObjectContext? = container.newContext()
        try body(try detach(detachment, id, try #require(context), container) { context = nil }, container)
    }

    private func insertBook(_ context: ManagedObjectContext) -> Book {
        let book = Book(context: context, createdAt: .init(timeIntervalSinceReferenceDate: 7), title: "Ink")
        book.cover = Data([1, 2, 3])
        book.keywords = ["a"]
        book.addToTags(Tag(context: context, word: "blue"))
        book.addToAuthors(Author(context: context, birthplace: .init(city: "Ulm"), name: "Ann"))
        book.addToChapters(Chapter(context: context, book: book))
        book.sequel = Book(context: context, createdAt: .now, title: "More ink")
        book.shelf = Shelf(context: context, name: "Attic")
        return book
    }

    private func detach(
        _ detachment: Detachment,
        _ id: ManagedObjectID,
        _ context: ManagedObjectContext,
        _ container: PersistentContainer,
        release: () -> Void
    ) throws -> Book {
        if detachment == .unsavedInsertion {
            let book = insertBook(context)
            context.delete(book)
            context.processPendingChanges()
            return book
        }
        let book = try #require(context.object(with: id) as? Book)
        if detachment == .mergedDeletionOfUnreadFault {
            #expect(book.isFault)
        } else {
            expectEqual(book.title, "Ink")
        }
        switch detachment {
        case .mergedDeletion, .mergedDeletionOfFault, .mergedDeletionOfUnreadFault:
            context.automaticallyMergesChangesFromParent = true
            if detachment == .mergedDeletionOfFault { context.refresh(book, mergeChanges: false) }
            let other = container.newContext()
            other.delete(try other.existingObject(with: id))
            try other.save()
            context.processPendingChanges()
        case .savedDeletion:
            context.delete(book)
            try context.save()
        case .reset: context.reset()
        case .release: release()
        case .unsavedInsertion: break
        }
        return book
    }

    @Test(arguments: Detachment.allCases)
    func attributesAreRead(_ detachment: Detachment) throws {
        try withBook(detachment) { book, _ in
            #expect(book.managedObjectContext == nil)
            expectEqual(book.isDeleted, detachment.isDeletion && detachment != .savedDeletion)
            #expect(!book.hasChanges && !book.isInserted && !book.isUpdated)
            expectEqual(book.title, detachment.isFault ? "" : "Ink")
            #expect(book.value(forKey: "title") as? String == book.title)
            #expect(book.primitiveValue(forKey: "title") as? String == book.title)
            // The attribute is required, and its enumeration has no case for zero, so it has the model's default.
            expectEqual(book.format.rawValue, 1)
            #expect(book.cover == nil || book.cover == Data([1, 2, 3]))
            #expect(!book.isFault)
            #expect(book.changedValues().isEmpty)
            _ = book.committedValues(forKeys: nil)
            _ = "\(book)"
        }
    }

    @Test(arguments: Detachment.allCases)
    func relationshipsAreEmpty(_ detachment: Detachment) throws {
        try withBook(detachment) { book, _ in
            #expect(book.shelf == nil && book.sequel == nil)
            #expect(book.tags.isEmpty && book.authors.isEmpty && book.chapters.isEmpty)
            #expect(book.value(forKey: "shelf") == nil)
            #expect((book.value(forKey: "tags") as? Set<Tag>)?.isEmpty == true)
            #expect((book.value(forKey: "authors") as? OrderedSet<Author>)?.isEmpty == true)
            expectEqual(book.count(of: \.tags), 0)
            #expect(book.mutableSetValue(forKey: "chapters").allObjects.isEmpty)
            #expect(book.objectIDs(forRelationshipNamed: "authors").isEmpty)
            #expect((book.value(forKey: "sameFormat") as? [ManagedObject])?.isEmpty == true)
        }
    }

    @Test(arguments: Detachment.allCases)
    func propertiesAreSetInTheObjectAlone(_ detachment: Detachment) throws {
        try withBook(detachment) { book, container in
            let context = container.newContext()
            let shelf = Shelf(context: context, name: "Hall")
            shelf.row = 2
            let (first, second) = (Tag(context: context, word: "a"), Tag(context: context, word: "b"))
            book.title = "Other"
            book.setValue("text", forKey: "subtitle")
            book.cover = Data([9])
            book.shelf = shelf
            book.tags = [first]
            book.addToTags(second)
            book.removeFromTags(first)
            let ann = Author(context: context, birthplace: .init(city: "Ulm"), name: "Ann")
            book.addToAuthors(ann)
            book.mutableSetValue(forKey: "authors").remove(ann)
            book.setPrimitiveValue(Set([first]), forKey: "tags")
            #expect(book.title == "Other" && book.subtitle == "text" && book.cover == Data([9]))
            #expect(book.shelf === shelf && book.tags == [first] && book.authors.isEmpty)
            expectEqual(book.count(of: \.tags), 1)
            #expect(shelf.media.isEmpty && first.media.isEmpty && second.media.isEmpty && ann.books.isEmpty)
            #expect(!book.hasChanges)
            try context.save()
            #expect(try context.fetch(Book.fetchRequest()).allSatisfy { $0.title != "Other" })
        }
    }

    @Test(arguments: Detachment.allCases)
    func predicatesAndValidation(_ detachment: Detachment) throws {
        try withBook(detachment) { book, _ in
            #expect(try FetchPredicate(format: "title == %@", book.title).evaluate(with: book))
            #expect(try !FetchPredicate(format: "ANY tags.word == 'blue'").evaluate(with: book))
            #expect(try !FetchPredicate(format: "shelf.name == 'Attic'").evaluate(with: book))
            #expect(throws: ValidationError.self) { try book.validateValue("", forKey: "title") }
            if !detachment.isFault { try book.validateForUpdate() }
            try book.validateForDelete()
        }
    }

    /// Deleting and refreshing a detached object has no effect, and relationships of other objects ignore it.
    @Test(arguments: Detachment.allCases.filter(\.isDeletion))
    func contextsIgnoreDetachedObjects(_ detachment: Detachment) throws {
        try withBook(detachment) { book, container in
            let context = container.newContext()
            context.delete(book)
            context.refresh(book, mergeChanges: true)
            let tag = Tag(context: context, word: "c")
            let prequel = Book(context: context, createdAt: .now, title: "Before")
            tag.addToMedia(book)
            tag.media = [book, prequel]
            prequel.sequel = book
            prequel.setValue(book, forKey: "sequel")
            #expect(tag.media == [prequel] && prequel.sequel == nil)
            try context.save()

            // An insertion turns it into a new object with its current attribute values.
            book.title = "Again"
            context.insert(book)
            #expect(book.isInserted && !book.isDeleted && book.managedObjectContext === context)
            let shelf = Shelf(context: context, name: "Hall")
            shelf.row = 2
            book.shelf = shelf
            try context.save()
            let request = try Book.fetchRequest().where(format: "title == 'Again' AND shelf.name == 'Hall'")
            expectEqual(try container.newContext().count(for: request), 1)
        }
    }
}
