@_spi(Generated) import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

/// Imports a store that was created with handwritten SQL.
struct ImportTests {
    private static func importing(
        _ library: Library,
        to name: String = "native.sqlite",
        model: ModelDefinition = Library.definition,
        accepting losses: Set<String> = []
    ) async throws -> ImportedStore {
        try await importStore(at: library.path, to: library.folder(name), model: model, acceptedLosses: losses)
    }

    private static func message(_ library: Library, accepting losses: Set<String> = []) async throws -> String? {
        do {
            _ = try await importing(library, accepting: losses)
            return nil
        } catch let error as CoreDataStoreError {
            let files = try FileManager.default.contentsOfDirectory(atPath: library.folder.path)
            #expect(!files.contains { $0.hasPrefix("native") })
            return error.message
        }
    }

    @Test func eachKindOfValue() async throws {
        let library = try Library()
        let before = try library.bytes()
        let imported = try await Self.importing(library)
        expectEqual(try library.bytes(), before)
        expectEqual(imported.objectCounts, ["Book": 3, "Passport": 1, "Person": 1, "Author": 2, "Shelf": 1, "tag": 2])
        #expect(imported.omittedCounts == [:] && imported.storeUUID == Library.storeUUID)
        #expect(imported.sourceVersionName == "Library 2" && imported.versionName == "Library 2")
        let container = try PersistentContainer(model: Library.definition, path: library.folder("native.sqlite"))
        try Self.checkContents(container.newContext())
        // Objects keep their versions, and new ones get keys that no object had.
        expectEqual(
            try library.rows("SELECT _version FROM Person ORDER BY _id", "native.sqlite"),
            [
                [.integer(7)], [.integer(1)], [.integer(2)],
            ]
        )
        expectEqual(try library.rows("SELECT next FROM _sequence", "native.sqlite"), [[.integer(10)]])
    }

    /// Checks all contents of the store, using the runtime.
    static func checkContents(_ context: ManagedObjectContext) throws {
        let people = FetchRequest<ManagedObject>(entityName: "Person").sorted(by: "name", .descending)
        let found = try context.fetch(people)
        #expect(found.map { $0.value(forKey: "name") as? String } == ["Zoë", "Ann", ""])
        expectEqual(found.map(\.entity.name), ["Author", "Author", "Person"])
        let zoe = found[0]
        expectEqual(zoe.objectID.uriRepresentation, "x-coredata://\(Library.storeUUID)/Author/p1")
        #expect(zoe.value(forKey: "active") as? Bool == true && found[1].value(forKey: "active") as? Bool == false)
        #expect(zoe.value(forKey: "big") as? Int64 == .max && zoe.value(forKey: "small") as? Int16 == .min)
        #expect(zoe.value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 700_000_000.25))
        #expect(found[1].value(forKey: "born") as? Date == Date(timeIntervalSinceReferenceDate: 5))
        #expect(zoe.value(forKey: "height") as? Float == 1.5 && zoe.value(forKey: "rating") as? Double == 0.1)
        #expect(found[1].value(forKey: "rating") as? Double == 3)
        #expect(zoe.value(forKey: "salary") as? Decimal == Decimal(string: "1234.56"))
        #expect(found[2].value(forKey: "salary") as? Decimal == 7)
        #expect(zoe.value(forKey: "site") as? URL == URL(string: "https://example.org/a"))
        #expect(zoe.value(forKey: "uid") as? UUID == UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
        #expect(zoe.value(forKey: "memo") as? Data == Data([1, 0xFF]))
        #expect(zoe.value(forKey: "photo") as? Data == Data([0xBE, 0xEF]))
        #expect(
            found[1].value(forKey: "photo") as? Data == Data("external".utf8) && found[2].value(forKey: "photo") == nil
        )
        #expect(zoe.value(forKey: "Name2") as? String == "second")
        func members(_ object: ManagedObject, _ name: String) -> [String] {
            object.objectIDs(forRelationshipNamed: name).map {
                String($0.uriRepresentation.split(separator: "/").last ?? "")
            }
        }
        #expect(members(zoe, "books") == ["p4", "p3"] && members(zoe, "passport") == ["p1"])
        var books = FetchRequest<ManagedObject>(entityName: "Book").sorted(by: "title")
        books.predicate = try FetchPredicate(format: "author.name == 'Zoë' AND ANY tags.books.title == 'A'")
        let both = try context.fetch(books)
        #expect(both.map { $0.value(forKey: "title") as? String } == ["A", "B"])
        #expect(members(both[1], "tags") == ["p2", "p1"] && members(both[0], "tags") == ["p1"])
        let shelf = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Shelf")).first)
        expectEqual(members(shelf, "items"), ["p9", "p3"])
        let passport = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Passport")).first)
        #expect(members(passport, "owner") == ["p1"] && passport.value(forKey: "number") as? Int32 == .max)
        var expensive = FetchRequest<ManagedObject>(entityName: "Person")
        expensive.predicate = try FetchPredicate(format: "salary > 1000")
        expectEqual(try context.count(for: expensive), 2)
    }

    // MARK: Identifying the model

    @Test func theModelIsFoundByHashesOrCacheOrTables() async throws {
        let empty = ModelDefinition(name: "Library", versionName: "other", model: try ManagedObjectModel(entities: []))
        for (hasHashes, hasCache) in [(true, false), (false, true), (false, false)] {
            let library = try Library(hasHashes: hasHashes, hasCache: hasCache)
            _ = try await Self.importing(library)
            let inspection = try inspectCoreDataStore(
                at: library.path,
                versions: [.init(name: "Library 2", model: Library.model)]
            )
            expectEqual(
                inspection.identified?.source,
                hasHashes ? .versionHashes(uncomputed: []) : hasCache ? .cache : .tables
            )
            let error = await #expect(throws: CoreDataStoreError.self) {
                try await Self.importing(library, to: "other.sqlite", model: empty)
            }
            expectEqual(error?.code, hasCache ? .incompatibleModel : .unknownModel)
        }
    }

    /// A store of an older version is imported at that version and migrated.
    @Test func olderVersions() async throws {
        let library = try Library(hasCache: true)
        var entities = Library.model.entities
        entities[2].declaredAttributes.append(
            AttributeDescription(name: "pages", attributeType: .integer32, isOptional: true)
        )
        let newer = try ManagedObjectModel(entities: entities)
        func definition(_ sql: String) -> ModelDefinition {
            ModelDefinition(
                name: "Library",
                versionName: "Library 3",
                model: newer,
                migrations: [
                    .init(
                        source: "Library 2",
                        sourceHash: Library.model.versionHash,
                        destination: "Library 3",
                        destinationHash: newer.versionHash,
                        sql: sql
                    )
                ],
                versionNames: [Library.model.versionHash: "Library 2"],
                versionOrder: ["Library 2", "Library 3"]
            )
        }
        let working = definition("ALTER TABLE \"Book\" ADD COLUMN \"pages\" INTEGER;")
        let imported = try await Self.importing(library, model: working)
        #expect(imported.sourceVersionName == "Library 2" && imported.versionName == "Library 3")
        let container = try PersistentContainer(model: working, path: library.folder("native.sqlite"))
        expectEqual(try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Book")), 3)
        expectEqual(
            try container.persistentStoreCoordinator.persistentStores[0].metadata().storeUUID,
            Library.storeUUID
        )
        // A failed migration leaves no files behind.
        let broken = definition("ALTER TABLE \"Nothing\" ADD COLUMN \"pages\" INTEGER;")
        let error = await #expect(throws: StoreError.self) {
            try await Self.importing(library, to: "broken.sqlite", model: broken)
        }
        expectEqual(error?.path, library.folder("broken.sqlite"))
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: library.folder.path).allSatisfy {
                !$0.hasPrefix("broken")
            }
        )
    }

    // MARK: Data that cannot be imported

    @Test func eachLossIsListedBeforeAnythingIsWritten() async throws {
        let library = try Library(
            """
            UPDATE ZPERSON SET ZSMALL = 40000, ZSALARY = 'much', ZSITE = CAST(x'00' AS TEXT) WHERE Z_PK = 2;
            UPDATE ZPERSON SET ZBORN = 'yesterday', ZUID = x'01' WHERE Z_PK = 8;
            UPDATE ZBOOK SET ZAUTHOR = 8 WHERE Z_PK = 9;
            UPDATE ZBOOK SET Z5ITEMS = 77 WHERE Z_PK = 4;
            UPDATE ZPASSPORT SET ZOWNER = 99;
            INSERT INTO Z_1TAGS VALUES (3, 50, 1), (51, 1, 1);
            INSERT INTO ZTAG VALUES (3, 1, 1);
            """,
            hasFile: false
        )
        let message = try #require(try await Self.message(library))
        for part in [
            "Person.small: 1 values that are not integers in the range of the attribute's type",
            "Person.salary: 1 values that are not decimals of up to 38 digits",
            "Person.born: 1 values that are stored as another type",
            "Person.uid: 1 values that are not UUIDs of 16 bytes",
            "Person.photo: 1 values whose external file is missing",
            "Book.author: 1 references to objects that do not exist",
            "Shelf.items: 1 references to objects that do not exist",
            "Passport.owner: 1 references to objects that do not exist",
            "Book.tags: 2 join rows that reference an object that does not exist",
            "tag: 1 rows whose entity is not in the model",
        ] {
            #expect(message.contains(part), "\(message)")
        }
        let all: Set = [
            "Person.small", "Person.salary", "Person.born", "Person.uid", "Person.photo", "Person.site", "Book.author",
            "Shelf.items", "Passport.owner", "Book.tags", "tag",
        ]
        for name in all where message.contains(name + ":") {
            let rest = try await Self.message(library, accepting: all.subtracting([name]))
            #expect(rest?.hasPrefix("has values that cannot be imported: \(name): ") == true, "\(rest ?? "imported")")
        }
        expectEqual(
            try await Self.message(library, accepting: ["Person.smal"]),
            "'Person.smal' is accepted as a loss, but is neither an entity without a superentity nor a stored property "
                + "that an entity declares; write 'Entity' or 'Entity.property'"
        )
        let imported = try await Self.importing(library, accepting: all)
        #expect(imported.omittedCounts["Book.tags"] == 2 && imported.omittedCounts["tag"] == 1)
        expectEqual(imported.objectCounts["tag"], 2)
        let rows = try library.rows(
            "SELECT small, salary, born, photo, name FROM Person WHERE _id = 2 UNION ALL SELECT small, salary, born, photo, name "
                + "FROM Person WHERE _id = 8",
            "native.sqlite"
        )
        expectEqual(
            rows,
            [[.null, .null, .real(5), .null, .text("Ann")], [.null, .text("7"), .null, .null, .text("")]]
        )
        expectEqual(try library.rows("SELECT author FROM Book WHERE _id = 9", "native.sqlite"), [[.null]])
        expectEqual(try library.rows("SELECT count(*) FROM Book_tags", "native.sqlite"), [[.integer(3)]])
        let connection = try SQLiteConnection(path: library.folder("native.sqlite"), mode: .readOnly)
        expectEqual(try connection.rows("PRAGMA foreign_key_check"), [])
    }

    /// The row keys of new objects in the new store are greater than all primary keys of the source.
    @Test(arguments: [
        (
            "INSERT INTO ZTAG VALUES (9223372036854775807, 6, 1)",
            "table 'ZTAG' has a row with the largest possible primary key (Z_PK), 9223372036854775807; give this row a "
                + "smaller primary key, and change the references to it"
        ),
        (
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807 WHERE Z_NAME = 'Book'",
            "'Z_MAX' of entity 'Book' in 'Z_PRIMARYKEY' is the largest possible primary key, 9223372036854775807; set it to "
                + "the largest primary key (Z_PK) in the table of the entity"
        ),
    ])
    func noPrimaryKeyIsLeft(change: String, reason: String) async throws {
        let library = try Library(change)
        expectEqual(
            try await Self.message(library),
            "cannot be imported, because no primary key is left for new objects: \(reason)"
        )
    }

    @Test func brokenOrdersAreNumberedAgain() async throws {
        let library = try Library(
            "UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL WHERE Z_PK = 4; UPDATE Z_1TAGS SET Z_FOK_6TAGS = 5"
        )
        _ = try await Self.importing(library)
        expectEqual(
            try library.rows("SELECT _id, _order_author FROM Book WHERE author = 1 ORDER BY 2", "native.sqlite"),
            [[.integer(3), .integer(0)], [.integer(4), .integer(1)]]
        )
        expectEqual(
            try library.rows("SELECT destination, _order FROM Book_tags WHERE source = 3 ORDER BY 2", "native.sqlite"),
            [[.integer(1), .integer(0)], [.integer(2), .integer(1)]]
        )
    }

    @Test func existingFilesAreKept() async throws {
        let library = try Library()
        try Data("mine".utf8).write(to: URL(fileURLWithPath: library.folder("native.sqlite")))
        let error = await #expect(throws: CoreDataStoreError.self) { try await Self.importing(library) }
        expectEqual(error?.code, .cannotWrite)
        expectEqual(try Data(contentsOf: URL(fileURLWithPath: library.folder("native.sqlite"))), Data("mine".utf8))
    }

    @Test func cancellationLeavesNothingBehind() async throws {
        let library = try Library()
        let task = Task { try await Self.importing(library) }
        task.cancel()
        let error = await #expect(throws: CoreDataStoreError.self) { try await task.value }
        expectEqual(error?.code, .cancelled)
        expectEqual(try FileManager.default.contentsOfDirectory(atPath: library.folder.path).count, 2)
    }

    @Test func progressIsReported() async throws {
        let library = try Library()
        let (stream, continuation) = AsyncStream.makeStream(of: ImportProgress.self)
        _ = try await importStore(at: library.path, to: library.folder("n"), model: Library.definition) {
            continuation.yield($0)
        }
        continuation.finish()
        var counts: [Int] = []
        for await progress in stream {
            expectEqual(progress.totalObjectCount, 10)
            counts.append(progress.completedObjectCount)
        }
        #expect(counts.first == 0 && counts.last == 10 && counts == counts.sorted())
    }

    /// Changes that are only in the write-ahead log are imported, and the log is not changed.
    @Test func theLogIsRead() async throws {
        let library = try Library()
        try library.execute("PRAGMA journal_mode=WAL")
        let writer = try SQLiteConnection(path: library.path, mode: .readWriteCreate)
        try writer.execute("UPDATE ZPERSON SET ZNAME = 'in the log' WHERE Z_PK = 8")
        let before = try library.bytes().filter { !$0.key.hasSuffix("-shm") }
        #expect(before.keys.contains("Library.sqlite-wal"))
        _ = try await Self.importing(library)
        expectEqual(try library.bytes().filter { !$0.key.hasSuffix("-shm") }, before)
        expectEqual(
            try library.rows("SELECT name FROM Person WHERE _id = 8", "native.sqlite"),
            [[.text("in the log")]]
        )
        withExtendedLifetime(writer) {}
    }
}
