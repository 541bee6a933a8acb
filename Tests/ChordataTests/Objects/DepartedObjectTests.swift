import Foundation
import Testing

@testable import Chordata

/// Objects that have left their context can be used as before, whoever deleted them; what is set is set in them alone.
struct DepartedObjectTests {
    /// How an object leaves.
    enum Departure: String, CaseIterable {
        case mergedDeletion, mergedDeletionOfFault, mergedDeletionOfUnreadFault, savedDeletion, unsavedInsertion, reset,
            release

        var isDeletion: Bool { self != .reset && self != .release }
        var isFault: Bool { self == .mergedDeletionOfUnreadFault }
    }

    /// Gives a body a book that has left its context in some way, and the container.
    private func withBook(_ departure: Departure, _ body: (Book, PersistentContainer) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "departed-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }  // What is left of it is the system's to clear.
        let container = try EverythingModel.container(at: folder.appending(path: "books.sqlite").path)
        let maker = container.newContext()
        let id = insertBook(maker).objectID
        try maker.save()

        var context: ManagedObjectContext? = container.newContext()
        try body(try leave(departure, id, try #require(context), container) { context = nil }, container)
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

    private func leave(
        _ departure: Departure,
        _ id: ManagedObjectID,
        _ context: ManagedObjectContext,
        _ container: PersistentContainer,
        release: () -> Void
    ) throws -> Book {
        if departure == .unsavedInsertion {
            let book = insertBook(context)
            context.delete(book)
            context.processPendingChanges()
            return book
        }
        let book = try #require(context.object(with: id) as? Book)
        if departure == .mergedDeletionOfUnreadFault {
            #expect(book.isFault)
        } else {
            #expect(book.title == "Ink")
        }
        switch departure {
        case .mergedDeletion, .mergedDeletionOfFault, .mergedDeletionOfUnreadFault:
            context.automaticallyMergesChangesFromParent = true
            if departure == .mergedDeletionOfFault { context.refresh(book, mergeChanges: false) }
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

    @Test(arguments: Departure.allCases)
    func attributesAreRead(_ departure: Departure) throws {
        try withBook(departure) { book, _ in
            #expect(book.managedObjectContext == nil)
            #expect(book.isDeleted == (departure.isDeletion && departure != .savedDeletion))
            #expect(!book.hasChanges && !book.isInserted && !book.isUpdated)
            #expect(book.title == (departure.isFault ? "" : "Ink"))
            #expect(book.value(forKey: "title") as? String == book.title)
            #expect(book.primitiveValue(forKey: "title") as? String == book.title)
            // Required, and no enumeration has a value for zero: the default of the model.
            #expect(book.format.rawValue == 1)
            #expect(book.cover == nil || book.cover == Data([1, 2, 3]))
            #expect(!book.isFault)
            #expect(book.changedValues().isEmpty)
            _ = book.committedValues(forKeys: nil)
            _ = "\(book)"
        }
    }

    @Test(arguments: Departure.allCases)
    func relationshipsLeadNowhere(_ departure: Departure) throws {
        try withBook(departure) { book, _ in
            #expect(book.shelf == nil && book.sequel == nil)
            #expect(book.tags.isEmpty && book.authors.isEmpty && book.chapters.isEmpty)
            #expect(book.value(forKey: "shelf") == nil)
            #expect((book.value(forKey: "tags") as? Set<Tag>)?.isEmpty == true)
            #expect((book.value(forKey: "authors") as? OrderedSet<Author>)?.isEmpty == true)
            #expect(book.count(of: \.tags) == 0)
            #expect(book.mutableSetValue(forKey: "chapters").allObjects.isEmpty)
            #expect(book.objectIDs(forRelationshipNamed: "authors").isEmpty)
            #expect((book.value(forKey: "sameFormat") as? [ManagedObject])?.isEmpty == true)
        }
    }

    @Test(arguments: Departure.allCases)
    func propertiesAreSetInTheObjectAlone(_ departure: Departure) throws {
        try withBook(departure) { book, container in
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
            #expect(book.count(of: \.tags) == 1)
            #expect(shelf.media.isEmpty && first.media.isEmpty && second.media.isEmpty && ann.books.isEmpty)
            #expect(!book.hasChanges)
            try context.save()
            #expect(try context.fetch(Book.fetchRequest()).allSatisfy { $0.title != "Other" })
        }
    }

    @Test(arguments: Departure.allCases)
    func predicatesAndValidation(_ departure: Departure) throws {
        try withBook(departure) { book, _ in
            #expect(try FetchPredicate(format: "title == %@", book.title).evaluate(with: book))
            #expect(try !FetchPredicate(format: "ANY tags.word == 'blue'").evaluate(with: book))
            #expect(try !FetchPredicate(format: "shelf.name == 'Attic'").evaluate(with: book))
            #expect(throws: ValidationError.self) { try book.validateValue("", forKey: "title") }
            if !departure.isFault { try book.validateForUpdate() }
            try book.validateForDelete()
        }
    }

    /// Deleting and refreshing it are harmless, and to lead another object to it is to lead that one nowhere.
    @Test(arguments: Departure.allCases.filter(\.isDeletion))
    func contextsTakeItForDeleted(_ departure: Departure) throws {
        try withBook(departure) { book, container in
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

            // One that is inserted is a new object with the attributes that it has.
            book.title = "Again"
            context.insert(book)
            #expect(book.isInserted && !book.isDeleted && book.managedObjectContext === context)
            let shelf = Shelf(context: context, name: "Hall")
            shelf.row = 2
            book.shelf = shelf
            try context.save()
            let request = try Book.fetchRequest().where(format: "title == 'Again' AND shelf.name == 'Hall'")
            #expect(try container.newContext().count(for: request) == 1)
        }
    }
}
