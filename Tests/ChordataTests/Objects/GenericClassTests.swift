import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

extension ManagedObject {
    /// As libraries create objects of the class on which they are called.
    fileprivate class func make(in context: ManagedObjectContext) -> Self { Self(context: context) }
}

/// Objects of classes that are known only when the program runs.
struct GenericClassTests {
    private func make<Object: ManagedObject>(_ type: Object.Type, in context: ManagedObjectContext) -> Object {
        Object(context: context)
    }

    @Test func theEntityIsThatOfTheClass() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let book = make(Book.self, in: context)
        let shelf: Shelf = make(Shelf.self, in: context)
        book.shelf = shelf
        let mediaClass: Media.Type = Book.self
        let other = mediaClass.make(in: context)
        #expect(type(of: book) == Book.self && type(of: other) == Book.self)
        #expect(book.entity.name == "Book" && other.entity.name == "Book" && shelf.entity.name == "Shelf")
        expectEqual(context.insertedObjects, [book, shelf, other])
        #expect(book.managedObjectContext === context && book.shelf === shelf)
    }
}
