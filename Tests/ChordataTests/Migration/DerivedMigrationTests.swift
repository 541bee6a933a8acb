@_spi(Generated) import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Derived attributes of stores that are migrated.
@Suite(.onlySQLite(.migrations))
struct DerivedMigrationTests {
    private static func derived(_ name: String, _ type: AttributeType, _ expression: String, isOptional: Bool = true)
        -> AttributeDescription
    {
        AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: isOptional,
            derivationExpression: expression
        )
    }

    private static let title = AttributeDescription(name: "title", attributeType: .string, isOptional: true)
    private static let pages = AttributeDescription(name: "pages", attributeType: .integer64, isOptional: true)

    private static func model(shelf: [AttributeDescription], book: [AttributeDescription]) -> [EntityDescription] {
        [
            EntityDescription(
                name: "Shelf",
                attributes: [AttributeDescription(name: "name", attributeType: .string, isOptional: true)] + shelf,
                relationships: [
                    RelationshipDescription(
                        name: "books",
                        destinationEntityName: "Book",
                        inverseName: "shelf",
                        isToMany: true
                    )
                ]
            ),
            EntityDescription(
                name: "Book",
                attributes: book,
                relationships: [
                    RelationshipDescription(name: "shelf", destinationEntityName: "Shelf", inverseName: "books")
                ]
            ),
        ]
    }

    /// Two shelves with three books each, of 0, 100 and 200 pages.
    private static func fill(_ context: ManagedObjectContext) throws {
        for number in 0..<2 {
            let shelf = EntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            shelf.setValue("Shelf \(number)", forKey: "name")
            for place in 0..<3 {
                let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Ärger \(number).\(place)", forKey: "title")
                book.setValue(Int64(place * 100), forKey: "pages")
                book.setValue(shelf, forKey: "shelf")
            }
        }
    }

    @Test func newDerivedAttributesAreComputed() throws {
        let versions = try Versions([
            Self.model(shelf: [], book: [Self.title, Self.pages]),
            Self.model(
                shelf: [
                    Self.derived("bookCount", .integer64, "books.@count"),
                    Self.derived("pageSum", .integer64, "books.@sum.doubled"),
                ],
                book: [
                    Self.derived("shelfSize", .integer64, "shelf.bookCount", isOptional: false),
                    Self.derived("folded", .string, "canonical:(title)"),
                    Self.derived("again", .integer64, "doubled + 1"),
                    Self.derived("doubled", .integer64, "pages * 2"),
                    Self.title, Self.pages,
                ]
            ),
        ])
        try withStorePath { path in
            try versions.makeStore(1, at: path, Self.fill)
            let container = try PersistentContainer(model: try versions.definition(), path: path)
            let context = container.newContext()
            let shelves = try context.fetch(FetchRequest<ManagedObject>(entityName: "Shelf"))
            #expect(shelves.map { $0.value(forKey: "bookCount") as? Int64 } == [3, 3])
            #expect(shelves.map { $0.value(forKey: "pageSum") as? Int64 } == [600, 600])
            let books = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book").sorted(by: SortKey("title")))
            #expect(books.map { $0.value(forKey: "again") as? Int64 } == [1, 201, 401, 1, 201, 401])
            #expect(books.map { $0.value(forKey: "shelfSize") as? Int64 } == Array(repeating: 3, count: 6))
            #expect(books.first?.value(forKey: "folded") as? String == "arger 0.0")
            // The migration has computed the same values as a save.
            let sql = "SELECT again || shelfSize || folded || doubled FROM Book ORDER BY _id"
            let migrated = try query(sql, at: path)
            for book in books {
                for (name, value) in [
                    ("title", nil), ("title", book.value(forKey: "title")), ("pages", 1), ("pages", 2),
                ] {
                    book.setValue(value, forKey: name)
                    try context.save()
                }
            }
            for (index, book) in books.enumerated() { book.setValue(Int64(index % 3 * 100), forKey: "pages") }
            try context.save()
            expectEqual(try query(sql, at: path), migrated)
        }
    }

    @Test func changedExpressionsAreRecomputedAndTimestampsKept() throws {
        let moment = Self.derived("saved", .date, "now()")
        let versions = try Versions([
            Self.model(shelf: [], book: [Self.title, Self.pages, moment, Self.derived("size", .integer64, "pages")]),
            Self.model(
                shelf: [],
                book: [Self.title, Self.pages, moment, Self.derived("size", .integer64, "pages + 1")]
            ),
        ])
        try withStorePath { path in
            try versions.makeStore(1, at: path, Self.fill)
            let moments = try query("SELECT saved FROM Book ORDER BY _id", at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(
                try query("SELECT size FROM Book ORDER BY _id", at: path),
                ["1", "101", "201", "1", "101", "201"]
            )
            expectEqual(try query("SELECT saved FROM Book ORDER BY _id", at: path), moments)
        }
    }

    /// An attribute with the same expression gets a new value if it derives from one whose expression has changed.
    @Test func attributesFollowChangedExpressions() throws {
        func version(_ size: String) -> [EntityDescription] {
            Self.model(
                shelf: [Self.derived("sizeSum", .integer64, "books.@sum.double")],
                book: [
                    Self.title, Self.pages, Self.derived("double", .integer64, "size + size"),
                    Self.derived("size", .integer64, size),
                ]
            )
        }
        let versions = try Versions([version("pages"), version("pages + 1")])
        try withStorePath { path in
            try versions.makeStore(1, at: path, Self.fill)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(
                try query("SELECT double FROM Book ORDER BY _id", at: path),
                ["2", "202", "402", "2", "202", "402"]
            )
            expectEqual(try query("SELECT sizeSum FROM Shelf ORDER BY _id", at: path), ["606", "606"])
        }
    }

    @Test func derivedAttributesFollowSQLUpdates() throws {
        var versions = try Versions([
            Self.model(
                shelf: [Self.derived("pageSum", .integer64, "books.@sum.pages")],
                book: [Self.title, Self.pages]
            ),
            Self.model(
                shelf: [Self.derived("pageSum", .integer64, "books.@sum.pages")],
                book: [
                    Self.title, Self.pages,
                    AttributeDescription(name: "author", attributeType: .string, isOptional: true),
                ]
            ),
        ])
        versions.edited[1] = """
            ALTER TABLE "Book" ADD COLUMN "author" TEXT;
            UPDATE "Book" SET "pages" = 1;
            """
        try withStorePath { path in
            try versions.makeStore(1, at: path, Self.fill)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query("SELECT pageSum FROM Shelf", at: path), ["3", "3"])
        }
    }

    /// Adding a column does not read the rows, of which there can be millions.
    @Test func unchangedDerivedAttributesAreNotRecomputed() throws {
        let versions = try Versions([
            Self.model(shelf: [], book: [Self.title, Self.pages, Self.derived("size", .integer64, "pages")]),
            Self.model(
                shelf: [],
                book: [
                    Self.title, Self.pages, Self.derived("size", .integer64, "pages"),
                    AttributeDescription(name: "author", attributeType: .string, isOptional: true),
                ]
            ),
        ])
        try withStorePath { path in
            try versions.makeStore(1, at: path, Self.fill)
            try run("UPDATE Book SET size = 7", at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query("SELECT DISTINCT size FROM Book", at: path), ["7"])
        }
        // In a store without a record of its derived attributes, all of them are computed.
        try withStorePath { path in
            try versions.makeStore(1, at: path, Self.fill)
            try run("UPDATE Book SET size = 7; DELETE FROM _metadata WHERE key = 'derivedAttributes'", at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query("SELECT size FROM Book ORDER BY _id LIMIT 3", at: path), ["0", "100", "200"])
        }
    }

    @Test func requiredDerivedAttributeWithoutAValueFails() throws {
        let versions = try Versions([
            Self.model(shelf: [], book: [Self.title, Self.pages]),
            Self.model(
                shelf: [],
                book: [Self.title, Self.pages, Self.derived("size", .integer64, "pages", isOptional: false)]
            ),
        ])
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                try Self.fill(context)
                _ = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
            }
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let error = #expect(throws: StoreError.self) {
                try PersistentContainer(model: try versions.definition(), path: path)
            }
            expectEqual(error?.code, .migrationFailed)
            #expect(error?.message.contains("size") == true, "\(String(describing: error))")
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        }
    }
}
