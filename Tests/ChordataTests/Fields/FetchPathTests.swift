import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata
@testable import ChordataModel

/// Attributes of every type, by every path on which rows are read into memory: the values that were saved are read.
struct FetchPathTests {
    enum Path: CaseIterable {
        case fetch, sortedPage, lookUp, fault, batchOfFaults, faultFilledByAFetch, faultAgain
        case mergedInsertion, mergedUpdate, mergedIdentity, rollback
    }

    let container: PersistentContainer
    let writer: ManagedObjectContext
    let reader: ManagedObjectContext

    init() throws {
        container = try EverythingModel.definition.testContainer(at: ":memory:")
        writer = container.newContext()
        reader = container.newContext()
    }

    // MARK: Objects

    private func makeReadings() -> [Reading] {
        [("", 0), ("\u{1F984} z\(TestStore.nul)\u{E9}", 4_102_444_799.123_456)].map { text, day in
            Reading(
                context: writer,
                bytes: Data(text.utf8),
                day: Date(timeIntervalSinceReferenceDate: day),
                identifier: UUID()
            )
        }
    }

    private func fill(_ reading: Reading) {
        reading.bytes = Data((0...255).reversed())
        reading.day = Date(timeIntervalSinceReferenceDate: 0.1 + 0.2)
        reading.identifier = UUID()
        reading.flag = false
        reading.int16 = .min
        reading.int32 = -5
        reading.int64 = .max
        reading.link = URL(string: "https://example.org/?q=%20#f")
        reading.price = Decimal(string: "-123456789012345678.000000000000000001") ?? 0
        reading.ratio = 0.1
        reading.raw = Data([0])
        reading.temperature = .leastNonzeroMagnitude
    }

    private func makeBooks() -> [Book] {
        ["x", "\u{1F984} z\(TestStore.nul)\u{E9}"].map {
            Book(context: writer, createdAt: Date(timeIntervalSinceReferenceDate: -1e9 / 3), title: $0)
        }
    }

    private func fill(_ book: Book) {
        book.createdAt = Date(timeIntervalSinceReferenceDate: 1e9 / 3)
        book.title += "!"
        book.cover = Data()
        book.format = .audio
        book.isbn = "\(book.objectID.key)"
        book.keywords = ["a", "\u{E9}"]
        book.mood = .sad
        book.pageCount = Int(Int32.max)
        book.subtitle = String(repeating: "long ", count: 2_000)
    }

    private func makeAuthors() -> [Author] {
        [1, 2].map { Author(context: writer, birthplace: .init(latitude: Double($0) / 3), name: "A\($0)") }
    }

    private func fill(_ author: Author) {
        author.birthplace = .init(city: "", latitude: -0.5, longitude: .greatestFiniteMagnitude)
        author.address = .init(place: .init(city: "Ulm", latitude: 48.4, longitude: 9.98), street: "")
        author.default = "d"
        author.mentor = author
    }

    /// All values that an object has in its row.
    private func stored(_ object: ManagedObject) -> [String: AttributeValue?] {
        object.willAccess(0)
        let fields = object.runtimeEntity.columnFields.filter { $0.attribute?.isDerived != true }
        return Dictionary(
            uniqueKeysWithValues: fields.map { field in
                if field.kind.base == .toOne {
                    return (field.name, .integer(object.toOneReference(field).pointee.key))
                }
                return (field.name, attributeValue(field.kind, at: object.address(of: field)))
            }
        )
    }

    // MARK: Paths

    /// Returns the reader's objects with the row keys of the given objects, read on one of the paths.
    private func read<Object: ManagedObject>(
        _ originals: [Object],
        by path: Path,
        fill: (Object) -> Void
    ) throws -> [ManagedObject] {
        if path == .mergedIdentity || path == .mergedUpdate { try writer.save() }
        var held: [Object] = []
        switch path {
        case .mergedInsertion: reader.automaticallyMergesChangesFromParent = true
        case .mergedUpdate, .mergedIdentity:
            held = try reader.fetch(Object.fetchRequest())
            reader.automaticallyMergesChangesFromParent = true
        case .fetch, .sortedPage, .lookUp, .fault, .batchOfFaults, .faultFilledByAFetch, .faultAgain, .rollback: break
        }
        fill(originals[0])
        if path == .mergedIdentity {
            // More rows than the inbox keeps values for, so that the next save is merged by object ID only.
            for _ in 0..<ContextInbox.valueLimit { _ = Tag(context: writer, word: "w") }
            try writer.save()
            fill(originals[1])
        }
        try writer.save()

        let ids = originals.map { ObjectID($0) }
        func faults() throws -> [Object] { try ids.map { try #require(reader.object(with: $0)) } }
        switch path {
        case .fetch: return try reader.fetch(Object.fetchRequest())
        case .sortedPage:
            let request = try Object.fetchRequest().where(format: "SELF IN %@", originals.map(\.objectID))
            let sort = Object.self is Reading.Type ? "day" : Object.self is Book.Type ? "title" : "name"
            return try reader.fetch(request.sorted(by: sort, .descending).limit(2))
        case .lookUp: return try ids.map { try reader.existingObject(with: $0) }
        case .fault: return try faults()
        case .batchOfFaults: return try reader.fetch(Object.fetchRequest().batchSize(2))
        case .faultFilledByAFetch:
            let objects = try faults()
            _ = try reader.fetch(Object.fetchRequest())
            return objects
        case .faultAgain:
            let objects = try reader.fetch(Object.fetchRequest())
            for object in objects { reader.graph.turnIntoFault(object) }
            return objects
        case .mergedInsertion, .mergedUpdate, .mergedIdentity:
            reader.processPendingChanges()
            return try withExtendedLifetime(held) { try faults() }
        case .rollback:
            let objects = try reader.fetch(Object.fetchRequest())
            for object in objects {
                for field in object.runtimeEntity.columnFields where field.kind.base != .toOne {
                    object.willChange(field.index)
                    _ = setAttributeValue(nil, field.kind, at: object.address(of: field))
                }
            }
            reader.rollback()
            return objects
        }
    }

    private func check<Object: ManagedObject>(_ originals: [Object], _ path: Path, fill: (Object) -> Void) throws {
        let found = try read(originals, by: path, fill: fill).sorted { $0.key < $1.key }
        try #require(found.count == originals.count)
        for (object, original) in zip(found, originals) {
            #expect(object !== original)
            expectEqual(object.key, original.key)
            let (values, expected) = (stored(object), stored(original))
            #expect(values.count > 5)
            for (name, value) in expected { expectEqual(values[name], value, "\(path): \(name)") }
        }
    }

    @Test(arguments: Path.allCases) func readings(path: Path) throws {
        let readings = makeReadings()
        try check(readings, path, fill: fill)
        // The comparison uses the storage of both sides, so these values are checked independently.
        expectEqual(readings[0].price, Decimal(string: "-123456789012345678.000000000000000001"))
        expectEqual(readings[0].day.timeIntervalSinceReferenceDate, 0.1 + 0.2)
        expectEqual(readings[0].int16, .min)
        expectEqual(readings[0].bytes.first, 255)
    }

    @Test(arguments: Path.allCases) func books(path: Path) throws { try check(makeBooks(), path, fill: fill) }

    @Test(arguments: Path.allCases) func authors(path: Path) throws { try check(makeAuthors(), path, fill: fill) }

    // MARK: Values

    private func check<Values: ManagedObjectValues>(
        _: Values.Type,
        _ originals: [Values.Object],
        fill: (Values.Object) -> Void
    ) throws {
        fill(originals[0])
        try writer.save()
        let values: [Values] = try reader.fetchValues(Values.Object.fetchRequest())
        try #require(values.map(\.objectID) == originals.map { ObjectID($0) })
        for (value, original) in zip(values, originals) {
            let expected = stored(original)
            withUnsafeBytes(of: value) { bytes in
                for field in Values.layout.fields.dropFirst() {
                    guard let address = bytes.baseAddress.map({ $0 + field.offset }) else { continue }
                    let name = field.path.joined(separator: ".")
                    if field.kind.base == .objectID {
                        let key = address.assumingMemoryBound(to: ObjectID<ManagedObject>?.self).pointee?.key ?? 0
                        expectEqual(expected[name], .integer(key), "\(name)")
                    } else if let expected = expected[name] {
                        expectEqual(attributeValue(field.kind, at: address), expected, "\(name)")
                    }
                }
            }
        }
    }

    @Test func valuesOfReadings() throws { try check(Reading.Values.self, makeReadings(), fill: fill) }
    @Test func valuesOfBooks() throws { try check(Book.Values.self, makeBooks(), fill: fill) }
    @Test func valuesOfAuthors() throws { try check(Author.Values.self, makeAuthors(), fill: fill) }

    // MARK: Relationships

    private func expectSame(_ object: ManagedObject?, as original: ManagedObject) throws {
        let object = try #require(object)
        expectEqual(object.key, original.key)
        expectEqual(stored(object), stored(original))
    }

    @Test func relationshipsReferenceSavedObjects() throws {
        let book = makeBooks()[0]
        let author = makeAuthors()[0]
        let shelf = Shelf(context: writer, name: "top")
        let chapter = Chapter(context: writer, book: book)
        fill(book)
        fill(author)
        book.shelf = shelf
        book.authors = [author]
        try writer.save()
        // Each object is read in its own context, so that no path finds rows that another path has read.
        func fresh<Object: ManagedObject>(_ original: Object) throws -> (ManagedObjectContext, Object) {
            let context = container.newContext()
            return (context, try #require(context.object(with: ObjectID(original))))
        }
        let (context1, shelf1) = try fresh(shelf)
        try expectSame(shelf1.media.first { $0.objectID.key == book.objectID.key }, as: book)
        let (context2, book2) = try fresh(book)
        try expectSame(book2.authors.first, as: author)
        let (context3, author3) = try fresh(author)
        try expectSame(author3.books.first, as: book)
        let (context4, chapter4) = try fresh(chapter)
        try expectSame(chapter4.book, as: book)
        withExtendedLifetime((context1, context2, context3, context4)) {}
    }
}
