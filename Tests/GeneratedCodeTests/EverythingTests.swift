import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Every kind of property of the model 'Everything', set, saved, and read by another context.
struct EverythingTests {
    let container: PersistentContainer
    let context: ManagedObjectContext
    /// Objects do not retain their context, so the test does.
    let other: ManagedObjectContext

    init() throws {
        container = try EverythingModel.definition.testContainer(at: ":memory:")
        context = container.newContext()
        other = container.newContext()
        AttributeTransformer<Color>(
            encode: { Data([$0.red, $0.green, $0.blue]) },
            decode: { data in
                guard data.count == 3 else { throw CocoaError(.coderReadCorrupt) }
                return Color(red: data[0], green: data[1], blue: data[2])
            }
        ).register(forName: "ColorTransformer")
    }

    private func makeBook(_ title: String) -> Book {
        Book(context: context, createdAt: Date(timeIntervalSinceReferenceDate: 1), title: title)
    }

    private func makeAuthor(_ name: String) -> Author {
        Author(context: context, birthplace: .init(latitude: 1.5, longitude: -2), name: name)
    }

    /// Saves, and returns the only object of a class as another context reads it.
    private func reread<Object: ManagedObject>(_: Object.Type = Object.self) throws -> Object {
        try context.save()
        other.reset()
        return try #require(try other.fetch(Object.fetchRequest()).first)
    }

    // MARK: Types

    @Test func enumerations() throws {
        let book = makeBook("Emma")
        expectEqual(book.format, .hardcover)
        #expect(book.mood == nil)
        book.format = .audio
        book.mood = .cheerful
        book.pageCount = 474
        let same: Book = try reread()
        expectEqual(same.format, .audio)
        expectEqual(same.mood, .cheerful)
        expectEqual(same.pageCount, 474)
        same.mood = nil
        same.pageCount = nil
        try same.managedObjectContext?.save()
        let values: [Book.Values] = try container.newContext().fetchValues(Book.fetchRequest())
        expectEqual(values.first?.format, .audio)
        #expect(values.first?.mood == nil)
        #expect(values.first?.pageCount == nil)
    }

    @Test func enumerationsInPredicates() throws {
        makeBook("Emma").format = .audio
        _ = makeBook("Persuasion")
        try context.save()
        expectEqual(
            try context.fetch(Book.fetchRequest().where(format: "format == %@", BookFormat.audio)).map(\.title),
            [
                "Emma"
            ]
        )
        expectEqual(
            try context.fetch(Book.fetchRequest().sorted(by: \.format, .descending)).map(\.title),
            [
                "Emma", "Persuasion",
            ]
        )
    }

    @Test func transformables() throws {
        let book = makeBook("Emma")
        book.keywords = ["love", "\u{1F600}", ""]
        let same: Book = try reread()
        expectEqual(same.keywords, ["love", "\u{1F600}", ""])
        expectEqual(same.keywords, ["love", "\u{1F600}", ""], "what was decoded is kept")
        same.keywords?.append("x")
        #expect(same.hasChanges)
        expectEqual(same.keywords?.count, 4)
        same.keywords = nil
        #expect(same.keywords == nil)
    }

    @Test func namedTransformers() throws {
        let author = makeAuthor("Jane")
        #expect(author.favouriteColor == nil)
        author.favouriteColor = Color(red: 1, green: 2, blue: 255)
        let same: Author = try reread()
        expectEqual(same.favouriteColor, Color(red: 1, green: 2, blue: 255))
        let values: [Author.Values] = try context.fetchValues(Author.fetchRequest())
        expectEqual(values.first?.favouriteColor, Color(red: 1, green: 2, blue: 255))
    }

    @Test func bytesOfATransformable() throws {
        let reading = Reading(context: context, bytes: Data([1]), day: .firstAllowed, identifier: UUID())
        #expect(reading.raw == nil)
        reading.raw = Data([0, 255])
        let same: Reading = try reread()
        expectEqual(same.raw, Data([0, 255]))
    }

    @Test func composites() throws {
        let author = makeAuthor("Jane")
        expectEqual(author.address, .init(place: .init(), street: ""), "the defaults of its elements make it one")
        expectEqual(author.birthplace, .init(latitude: 1.5, longitude: -2))
        author.address = .init(place: .init(city: "Bath", latitude: 51.4, longitude: -2.4), street: "Gay Street 4")
        author.birthplace.city = "Steventon"
        let same: Author = try reread()
        expectEqual(same.address?.street, "Gay Street 4")
        expectEqual(same.address?.place?.city, "Bath")
        expectEqual(same.birthplace, .init(city: "Steventon", latitude: 1.5, longitude: -2))
        same.address?.place = nil
        expectEqual(same.address, .init(place: nil, street: "Gay Street 4"))
        same.address = nil
        #expect(same.address == nil)
        try same.managedObjectContext?.save()
        let again: Author = try reread()
        #expect(again.address == nil)
        expectEqual(again.birthplace.city, "Steventon")
    }

    @Test func compositesInRequests() throws {
        makeAuthor("Jane").birthplace.city = "Steventon"
        makeAuthor("Anne").birthplace.city = "Thornton"
        makeAuthor("Nobody").address = nil
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let request = Author.fetchRequest()
            expectEqual(try context.fetch(request.where(format: "birthplace.city == 'Thornton'")).map(\.name), ["Anne"])
            expectEqual(try context.fetch(request.where(\.birthplace.city == "Thornton")).map(\.name), ["Anne"])
            expectEqual(try context.fetch(request.where(format: "address.street == nil")).map(\.name), ["Nobody"])
            let sorted = request.sorted(by: \.birthplace.city, .descending)
            let names = try context.fetch(sorted).map(\.name)
            expectEqual(names, ["Anne", "Jane", "Nobody"], "saved: \(isSaved)")
        }
    }

    @Test func transientProperties() throws {
        let book = makeBook("Emma")
        let chapter = Chapter(context: context, book: book)
        chapter.isOpen = true
        chapter.layout = ["a": 1]
        #expect(chapter.isOpen == true)
        #expect(chapter.layout as? [String: Int] == ["a": 1])
        let same: Chapter = try reread()
        #expect(same.isOpen == nil)
        expectEqual(same.heading, "Untitled")
    }

    // MARK: Values

    @Test func valuesAreHashableAndCodable() throws {
        let author = makeAuthor("Jane")
        author.birthplace.city = "Steventon"
        author.favouriteColor = Color(red: 1, green: 2, blue: 3)
        _ = makeAuthor("Anne")
        try context.save()
        let values: [Author.Values] = try context.fetchValues(Author.fetchRequest().sorted(by: \.name))
        let again: [Author.Values] = try context.fetchValues(Author.fetchRequest().sorted(by: \.name))
        expectEqual(values.count, 2)
        expectEqual(values, again)
        #expect(values[0] != values[1])
        expectEqual(Set(values + again).count, 2)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        let json = try encoder.encode(values)
        expectEqual(try JSONDecoder().decode([Author.Values].self, from: json), values)
        #expect(
            String(decoding: json, as: UTF8.self).contains(
                #""birthplace":{"city":"Steventon","latitude":1.5,"longitude":-2}"#
            )
        )
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Author.Values.self, from: Data("{}".utf8)) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Author.Values.self, from: Data(#"{"objectID": 1, "name": 2}"#.utf8))
        }
    }

    @Test func valuesOfEveryType() throws {
        let reading = Reading(context: context, bytes: Data([1]), day: .lastAllowed, identifier: UUID())
        reading.flag = true
        reading.int16 = .min
        reading.link = URL(string: "https://example.org/?q=1")
        reading.price = Decimal(string: "123456789.000000000000000001") ?? 0
        reading.ratio = 0.1
        try context.save()
        let values: [Reading.Values] = try context.fetchValues(Reading.fetchRequest())
        let value = try #require(values.first)
        expectEqual(value.int64, 9_007_199_254_740_993)
        expectEqual(try JSONDecoder().decode(Reading.Values.self, from: try JSONEncoder().encode(value)), value)
    }

    @Test func typedIdentities() throws {
        let book = makeBook("Emma")
        let shelf = Shelf(context: context, name: "A")
        book.shelf = shelf
        let unsaved = ObjectID(book)
        #expect(context.object(with: unsaved) === book)
        try context.save()
        let values: [Book.Values] = try context.fetchValues(Book.fetchRequest())
        let value = try #require(values.first)
        expectEqual(value.objectID, ObjectID(book))
        let shelfID = try #require(value.shelf)
        let same: Shelf = try #require(other.object(with: shelfID))
        #expect(same.isFault)
        expectEqual(same.name, "A")
        let media: Media? = other.object(with: ObjectID<Media>(key: value.objectID.key))
        #expect((media as? Book)?.title == "Emma", "a book is media")
        #expect(throws: MissingObjectError.self) { try other.existingObject(with: ObjectID<Shelf>(key: 99)) }
        #expect(other.object(with: ObjectID<Book>(key: 99)) == nil)
    }

    /// The values of an object equal those that a fetch of values returns after a save, whichever values the object has
    /// in memory.
    @Test func valuesOfObjects() throws {
        let shelf = Shelf(context: context, name: "A")
        let book = makeBook("Emma")
        book.format = .audio
        book.keywords = ["love"]
        book.pageCount = 474
        book.cover = Data([1, 2, 3])
        book.shelf = shelf
        let author = makeAuthor("Jane")
        author.address = .init(place: .init(city: "Bath", latitude: 51.4, longitude: -2.4), street: "Gay Street 4")
        let unsaved = book.values
        #expect(unsaved.objectID == ObjectID(book) && unsaved.shelf == ObjectID(shelf))
        #expect(unsaved.title == "Emma" && unsaved.format == .audio && unsaved.keywords == ["love"])
        #expect(unsaved.pageCount == 474 && unsaved.cover?.data == Data([1, 2, 3]))
        expectEqual(author.values.address?.place?.city, "Bath")
        try context.save()
        expectEqual(try context.fetchValues(Book.fetchRequest(), includesExternalData: true), [book.values])
        expectEqual(try context.fetchValues(Author.fetchRequest()), [author.values])
        expectEqual(try context.fetchValues(Shelf.fetchRequest()), [shelf.values])
        let same: Book = try reread()
        expectEqual(try other.fetchValues(Book.fetchRequest()), [same.values], "external bytes are not read")
        other.refreshAllObjects()
        #expect(same.isFault)
        #expect(same.values.title == "Emma" && !same.isFault)
        // The static type of the object determines the type of the values, as the type of the variable does in a fetch.
        let media: Media = same
        #expect(media.values.title == "Emma" && media.values == Media.Values(same))
        #expect(same.values.sequel == nil)
        same.title = "Persuasion"
        same.shelf = nil
        #expect(same.values.title == "Persuasion" && same.values.shelf == nil)
        other.delete(same)
        expectEqual(same.values.title, "Persuasion")
    }

    @Test func valuesByObjectIDs() throws {
        let books = ["Emma", "Persuasion", "Elinor"].map(makeBook)
        let author = makeAuthor("Jane")
        try context.save()
        let ids = books.map { ObjectID($0) }
        let missing = ObjectID<Book>(key: 99)
        let ofAnotherClass = ObjectID<Book>(key: author.objectID.key)
        let wanted = [ids[2], missing, ids[0], ids[2], ofAnotherClass]
        let values: [Book.Values] = try other.fetchValues(for: wanted)
        expectEqual(values.map(\.title), ["Elinor", "Emma", "Elinor"])
        let media: [Media.Values] = try other.fetchValues(for: ids.map { ObjectID(key: $0.key) })
        expectEqual(media.map(\.title), ["Emma", "Persuasion", "Elinor"], "books are media")
        #expect(try (other.fetchValues(for: []) as [Book.Values]).isEmpty)
    }

    @Test func typedAndUntypedIdentities() throws {
        let book = makeBook("Emma")
        try context.save()
        let id = try #require(ObjectID<Book>(book.objectID))
        expectEqual(id, ObjectID(book))
        expectEqual(ObjectID<Media>(book.objectID)?.key, id.key)
        expectEqual(ObjectID<ManagedObject>(book.objectID)?.key, id.key)
        #expect(ObjectID<Author>(book.objectID) == nil)
        expectEqual(other.managedObjectID(for: id), book.objectID)
        expectEqual(other.managedObjectID(for: ObjectID<Media>(key: id.key)), book.objectID)
    }

    /// Object IDs in predicates, also of subentities, whose objects are in the table of the root.
    @Test func identitiesInPredicates() throws {
        let (emma, elinor) = (makeBook("Emma"), makeBook("Elinor"))
        let shelf = Shelf(context: context, name: "A")
        emma.shelf = shelf
        elinor.sequel = emma
        for book in [emma, emma, elinor] { _ = Chapter(context: context, book: book) }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let (id, untyped) = (ObjectID(emma), emma.objectID)
            func count(_ predicate: TypedPredicate<Chapter>) throws -> Int {
                try context.count(for: Chapter.fetchRequest().where(predicate))
            }
            expectEqual(try count(\.book == id), 2)
            expectEqual(try count(\.book != id), 1)
            expectEqual(try count(\.book == untyped), 2)
            expectEqual(try count(\.book != untyped), 1)
            expectEqual(try count(.in(\.book, [id, ObjectID(elinor)])), 3)
            expectEqual(try count(.in(\.book, [untyped])), 2)
            expectEqual(try count(\.book?.sequel == id), 1)
            let books = Book.fetchRequest().sorted(by: \.title)
            expectEqual(try context.fetch(books.where(\.self == id)), [emma])
            expectEqual(try context.fetch(books.where(.in(\.self, [id, ObjectID(elinor)]))), [elinor, emma])
            expectEqual(
                try context.fetch(Shelf.fetchRequest().where(.contains(\.media, ObjectID<Media>(key: id.key)))),
                [
                    shelf
                ]
            )
            expectEqual(try context.fetch(Shelf.fetchRequest().where(.contains(\.media, untyped))), [shelf])
            expectEqual(try context.fetch(books.where(format: "SELF == %@ OR sequel == %@", id, id)), [elinor, emma])
            expectEqual(try context.fetch(books.where(format: "sequel IN %@", [id])), [elinor])
            let predicate = try FetchPredicate(format: "sequel == %@", id)
            #expect(try predicate.evaluate(with: elinor) && !predicate.evaluate(with: emma))
        }
        _ = try context.execute(BatchUpdateRequest<Book>().setting("shelf", to: ObjectID(shelf)))
        expectEqual(try other.fetch(Book.fetchRequest().where(\.shelf == ObjectID(shelf))).count, 2)
    }

    // MARK: Relationships

    @Test func orderedAccessors() throws {
        let book = makeBook("Emma")
        let chapters = (0..<6).map { index in
            let chapter = Chapter(context: context, book: book)
            chapter.heading = "\(index)"
            return chapter
        }
        func headings() -> String { book.chapters.map(\.heading).joined() }
        expectEqual(headings(), "012345")
        book.removeFromChapters(at: 0)
        expectEqual(headings(), "12345")
        #expect(chapters[0].book == nil)
        book.insertIntoChapters(chapters[0], at: 2)
        expectEqual(headings(), "120345")
        book.insertIntoChapters(chapters[0], at: 5)
        expectEqual(headings(), "120345", "one that is there stays where it is")
        book.removeFromChapters(at: [0, 2, 5])
        expectEqual(headings(), "234")
        book.insertIntoChapters([chapters[0], chapters[1]], at: [0, 4])
        expectEqual(headings(), "02341")
        book.replaceChapters(at: 1, with: chapters[5])
        expectEqual(headings(), "05341")
        book.removeFromChapters([chapters[5], chapters[4]])
        expectEqual(headings(), "031")
        book.addToChapters([chapters[4], chapters[0]])
        expectEqual(headings(), "0314")
        for chapter in chapters where chapter.book == nil { context.delete(chapter) }
        try context.save()
        let same = try #require(try other.fetch(Book.fetchRequest()).first).chapters.map(\.heading)
        expectEqual(same.joined(), "0314")
    }

    @Test func countsWithoutLoading() throws {
        let shelf = Shelf(context: context, name: "A")
        let emma = makeBook("Emma")
        shelf.addToMedia([emma, makeBook("Persuasion")])
        emma.addToTags([
            Tag(context: context, word: "a"), Tag(context: context, word: "b"), Tag(context: context, word: "c"),
        ])
        expectEqual(shelf.count(of: \.media), 2)
        try context.save()
        let other = container.newContext()
        let same = try #require(try other.fetch(Shelf.fetchRequest()).first)
        expectEqual(same.count(of: \.media), 2)
        expectEqual(other.registeredObjects.count, 1, "nothing was loaded")
        let book = try #require(try other.fetch(Book.fetchRequest().where(format: "title == 'Emma'")).first)
        expectEqual(book.count(of: \.tags), 3)
        expectEqual(book.count(of: \.chapters), 0)
        book.shelf = nil
        expectEqual(same.count(of: \.media), 1)
    }

    // MARK: Requests

    @Test func templates() throws {
        let shelf = Shelf(context: context, name: "A")
        Shelf(context: context, name: "A").row = 1
        let emma = makeBook("Emma")
        emma.shelf = shelf
        emma.addToTags(Tag(context: context, word: "love"))
        let elinor = makeBook("Elinor")
        elinor.addToTags(Tag(context: context, word: "sense"))
        Chapter(context: context, book: emma).heading = "One"
        try context.save()
        expectEqual(try context.fetch(Book.booksOfFormat(format: .hardcover, prefix: "e")).count, 2)
        expectEqual(try context.fetch(Media.taggedMedia(words: ["love", "sense"])).map(\.title), ["Elinor", "Emma"])
        let ids: [ManagedObjectID] = try context.fetch(Media.mediaIDs(date: .distantPast))
        expectEqual(Set(ids), [emma.objectID, elinor.objectID])
        expectEqual(try context.fetch(Book.openBookCount(heading: "One")), 1)
        // `==` and IN may compare with nil.
        #expect(try context.fetch(Book.booksOfFormat(format: nil, prefix: "e")).isEmpty)
        expectEqual(try context.fetch(Book.openBookCount(heading: nil)), 0)
        expectEqual(try context.fetch(Media.taggedMedia(words: ["love", nil])).map(\.title), ["Emma"])
        let dictionaries = try context.fetch(Shelf.shelfNames())
        #expect(dictionaries.map { $0["row"] as? Int16 } == [0, 1])
        expectEqual(emma.sameFormat, [elinor])
        elinor.format = .paperback
        expectEqual(emma.sameFormat, [])
    }

    /// Templates by their names, and templates that are made in code.
    @Test func requestsFromTemplates() throws {
        for title in ["Emma", "Elinor", "Persuasion"] { _ = makeBook(title) }
        let model = EverythingModel.definition.model
        let request = try model.fetchRequestFromTemplate(
            named: "booksOfFormat",
            substitutionVariables: ["format": BookFormat.hardcover.rawValue, "prefix": "e"],
            of: Book.self
        )
        expectEqual(request.fetchLimit, 20)
        expectEqual(Set(try context.fetch(request).map(\.title)), ["Emma", "Elinor"])
        let untyped: FetchRequest<Media> = try model.fetchRequestFromTemplate(
            named: "mediaIDs",
            substitutionVariables: ["date": Date.distantPast]
        )
        expectEqual(try context.fetch(untyped.objectIDs).count, 3)
        let template = FetchRequestTemplate(
            name: "byTitle",
            entityName: "Book",
            predicateFormat: "title == $t",
            fetchLimit: 1
        )
        expectEqual(
            try context.fetch(FetchRequest<Book>(template, substitutionVariables: ["t": "Emma"])).map(\.title),
            [
                "Emma"
            ]
        )
        #expect(throws: FetchError.unknownTemplate("booksOfFormt", suggestion: "booksOfFormat")) {
            let _: FetchRequest<Book> = try model.fetchRequestFromTemplate(named: "booksOfFormt")
        }
        let error = #expect(throws: FetchPredicateError.self) { try FetchRequest<Book>(template) }
        expectEqual(error?.message, "there is no value for '$t'")
    }

    @Test func propertyKeys() {
        expectEqual(Shelf.PropertyKey.allCases.map(\.name), ["name", "row", "side", "media"])
        // Attributes first, inherited ones before the others; fetched properties last.
        expectEqual(
            Book.PropertyKey.allCases.map(\.name),
            [
                "createdAt", "isDeleted", "title", "cover", "format", "isbn", "keywords", "mood", "pageCount",
                "searchTitle", "subtitle", "shelf", "tags", "authors", "chapters", "sequel", "prequel", "sameFormat",
            ]
        )
        expectEqual(Book.PropertyKey.isDeleted_.name, "isDeleted")
        expectEqual(Author.PropertyKey.default.name, "default")
    }
}

/// The effects of user info for mogenerator and SwiftGen.
struct UserInfoTests {
    @Test func notesAreFollowed() throws {
        let container = try ShopModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        // `number` is an argument of the initializer although it is optional, because it cannot be set elsewhere.
        let customer = Customer(context: context, names: ["a", "b"], number: 7)
        customer.array = Data([1, 2])
        expectEqual(customer.number, 7)
        try context.save()
        let other = container.newContext()
        let same = try #require(try other.fetch(Customer.everybody()).first)
        expectEqual(same.number, 7)
        expectEqual(same.names, ["a", "b"])
        expectEqual(same.array, Data([1, 2]))
        expectEqual(Customer.PropertyKey.hidden.name, "hidden", "it has no accessor, and is stored all the same")
        expectEqual(Customer.everybody().sortKeys.count, 2)
    }
}

extension Date {
    /// The bounds that the model sets for a reading's day.
    fileprivate static let firstAllowed = Date(timeIntervalSinceReferenceDate: 0)
    fileprivate static let lastAllowed = Date(timeIntervalSinceReferenceDate: 4_102_444_800)
}
