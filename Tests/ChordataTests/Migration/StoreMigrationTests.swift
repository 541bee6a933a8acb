@_spi(Generated) import Chordata
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Stores that are migrated, and stores that cannot be migrated.
@Suite(.onlySQLite(.migrations))
struct StoreMigrationTests {
    private static func attribute(_ name: String, _ type: AttributeType = .string, was: String? = nil)
        -> AttributeDescription
    {
        AttributeDescription(name: name, attributeType: type, isOptional: true, renamingIdentifier: was)
    }

    private static let shelf = EntityDescription(
        name: "Shelf",
        attributes: [attribute("name")],
        relationships: [
            RelationshipDescription(name: "books", destinationEntityName: "Book", inverseName: "shelf", isToMany: true),
            RelationshipDescription(name: "friends", destinationEntityName: "Book", isToMany: true),
        ]
    )

    private static func book(_ attributes: [AttributeDescription], _ rule: DeleteRule = .nullify) -> EntityDescription {
        EntityDescription(
            name: "Book",
            attributes: attributes,
            relationships: [
                RelationshipDescription(
                    name: "shelf",
                    destinationEntityName: "Shelf",
                    inverseName: "books",
                    deleteRule: rule
                )
            ]
        )
    }

    /// Three versions: the second adds a column, and the third changes a type, for which the table is rebuilt.
    private static func versions() throws -> Versions {
        try Versions([
            [shelf, book([attribute("title"), attribute("pages", .integer64)])],
            [shelf, book([attribute("title"), attribute("pages", .integer64), attribute("author")])],
            [shelf, book([attribute("heading", was: "title"), attribute("pages", .double), attribute("author")])],
        ])
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        for number in 0..<3 {
            let shelf = EntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            shelf.setValue("shelf \(number)", forKey: "name")
            for place in 0..<4 {
                let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("book \(number).\(place)", forKey: "title")
                book.setValue(Int64(place * 100), forKey: "pages")
                book.setValue(shelf, forKey: "shelf")
                shelf.mutableSetValue(forKey: "friends").add(book)
            }
        }
    }

    private func expectRefused(
        _ code: StoreError.Code,
        _ part: String,
        at path: String,
        _ body: () throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let before = try Data(contentsOf: URL(fileURLWithPath: path))
        do {
            try body()
            Issue.record("was migrated", sourceLocation: sourceLocation)
        } catch let error as StoreError {
            #expect(error.code == code, "\(error)", sourceLocation: sourceLocation)
            #expect(error.message.contains(part), "\(error)", sourceLocation: sourceLocation)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == before, sourceLocation: sourceLocation)
    }

    @Test(arguments: [1, 2, 3])
    func everyVersionMigratesToTheCurrentOne(_ first: Int) throws {
        try withStorePath { path in
            let versions = try Self.versions()
            if first < 3 {
                try versions.makeStore(first, at: path, Self.fill)
            } else {
                try versions.makeStore(1, at: path, Self.fill)
                _ = try PersistentContainer(model: try versions.definition(), path: path)
            }
            let container = try PersistentContainer(model: try versions.definition(), path: path)
            let context = container.newContext()
            let books = try context.fetch(
                FetchRequest<ManagedObject>(entityName: "Book").sorted(by: SortKey("heading"))
            )
            expectEqual(books.count, 12)
            #expect(books[5].value(forKey: "heading") as? String == "book 1.1")
            #expect(books[5].value(forKey: "pages") as? Double == 100)
            #expect((books[5].value(forKey: "shelf") as? ManagedObject)?.value(forKey: "name") as? String == "shelf 1")
            expectEqual(try query("SELECT count(*) FROM Shelf_friends", at: path), ["12"])
            expectEqual(
                try query("SELECT source || ' to ' || destination FROM _migration ORDER BY id", at: path),
                ["Shelf 1 to Shelf 2", "Shelf 2 to Shelf 3"].suffix(first == 2 ? 1 : 2)
            )
            expectEqual(
                try query(
                    "SELECT count(*) FROM _migration WHERE length(checksum) <> 64 OR finished < started",
                    at: path
                ),
                ["0"]
            )
            // Foreign keys are on again, so no row references a deleted row.
            let shelf = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Shelf")).first)
            context.delete(shelf)
            try context.save()
            expectEqual(try query("SELECT count(*) FROM Book WHERE shelf IS NOT NULL", at: path), ["8"])
        }
    }

    /// A table rebuilt with foreign keys on would delete all rows that reference its rows: external data in side
    /// tables, and rows that reference other rows of the same table.
    @Test(arguments: DeleteRule.allCases)
    func rebuiltTablesKeepReferencingRows(_ rule: DeleteRule) throws {
        try withStorePath { path in
            let (old, new) = (Self.attribute("name"), Self.attribute("name", was: "name"))
            let cover = AttributeDescription(
                name: "cover",
                attributeType: .binaryData,
                isOptional: true,
                allowsExternalBinaryDataStorage: true
            )
            func relationship(_ name: String, _ destination: String, _ inverse: String?, isToMany: Bool)
                -> RelationshipDescription
            {
                RelationshipDescription(
                    name: name,
                    destinationEntityName: destination,
                    inverseName: inverse,
                    isToMany: isToMany,
                    deleteRule: rule
                )
            }
            func shelf(_ attributes: [AttributeDescription]) -> EntityDescription {
                EntityDescription(
                    name: "Shelf",
                    attributes: attributes + [cover],
                    relationships: [
                        relationship("books", "Book", "shelf", isToMany: true),
                        relationship("friends", "Book", nil, isToMany: true),
                        relationship("below", "Shelf", "above", isToMany: false),
                        relationship("above", "Shelf", "below", isToMany: true),
                    ]
                )
            }
            let books = Self.book([Self.attribute("title"), Self.attribute("pages", .integer64)], rule)
            let versions = try Versions([
                [shelf([old, Self.attribute("width", .integer64)]), books],
                [shelf([new, Self.attribute("width", .double)]), books],
            ])
            try versions.makeStore(1, at: path) { context in
                try Self.fill(context)
                let request = FetchRequest<ManagedObject>(entityName: "Shelf").sorted(by: SortKey("name"))
                let shelves = try context.fetch(request)
                for (number, shelf) in shelves.enumerated() {
                    shelf.setValue(Data(repeating: UInt8(number), count: 10 + number), forKey: "cover")
                    if number > 0 { shelf.setValue(shelves[number - 1], forKey: "below") }
                }
            }
            let children = [
                "SELECT title || ' on ' || name FROM Book JOIN Shelf ON Shelf._id = shelf ORDER BY 1",
                "SELECT name || ' and ' || title FROM Shelf_friends JOIN Shelf ON Shelf._id = source "
                    + "JOIN Book ON Book._id = destination ORDER BY 1",
                "SELECT upper.name || ' on ' || lower.name FROM Shelf upper JOIN Shelf lower ON lower._id = upper.below "
                    + "ORDER BY 1",
                "SELECT name || ': ' || hex(bytes) FROM _external_Shelf_cover JOIN Shelf USING (_id) ORDER BY 1",
            ]
            let before = try children.map { try query($0, at: path) }
            expectEqual(before.map(\.count), [12, 12, 2, 3])
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try children.map { try query($0, at: path) }, before)
            expectEqual(
                try query("SELECT type FROM pragma_table_info('Shelf') WHERE name = 'width'", at: path),
                ["REAL"]
            )
            #expect(
                try query("SELECT sql FROM sqlite_schema WHERE name = 'Book'", at: path).first?.contains("\"Shelf\"")
                    == true
            )
        }
    }

    @Test func concurrentOpensMigrateOnce() async throws {
        try await withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let definition = try versions.definition()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        _ = try PersistentContainer(
                            model: definition,
                            path: path,
                            options: StoreOptions(busyTimeout: .seconds(60))
                        )
                    }
                }
                try await group.waitForAll()
            }
            expectEqual(try query("SELECT count(*) FROM _migration", at: path), ["2"])
            expectEqual(try query("SELECT count(*) FROM Book", at: path), ["12"])
        }
    }

    @Test func storesAreNotMigratedUnlessEnabled() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let definition = try versions.definition()
            try expectRefused(.migrationNeeded, "'Shelf 1' and must be migrated to 'Shelf 3'", at: path) {
                _ = try PersistentContainer(
                    model: definition,
                    path: path,
                    options: StoreOptions(shouldMigrateStoreAutomatically: false)
                )
            }
            try expectRefused(.readOnly, "is at version 'Shelf 1'", at: path) {
                _ = try PersistentContainer(model: definition, path: path, options: StoreOptions(isReadOnly: true))
            }
        }
    }

    @Test func aBackupIsTheOldStore() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let options = StoreOptions(backsUpBeforeMigration: true)
            _ = try PersistentContainer(model: try versions.definition(), path: path, options: options)
            let backup = path + ".Shelf 1.backup"
            let container = try PersistentContainer(model: try versions.definition(upTo: 1), path: backup)
            let books = try container.newContext().fetch(FetchRequest<ManagedObject>(entityName: "Book"))
            expectEqual(books.count, 12)
            // A store that needs no migration is not backed up.
            _ = try PersistentContainer(model: try versions.definition(), path: path, options: options)
            #expect(!FileManager.default.fileExists(atPath: path + ".Shelf 3.backup"))
        }
    }

    // MARK: Stores that other programs have changed

    @Test func aModifiedSchemaIsRejected() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            try run("ALTER TABLE Book ADD COLUMN extra TEXT; ALTER TABLE Book DROP COLUMN pages", at: path)
            try expectRefused(
                .storeDrifted,
                "column 'pages' of 'Book' (INTEGER) is missing, column 'extra' of 'Book' (TEXT) is not part of "
                    + "Chordata's schema",
                at: path
            ) { _ = try PersistentContainer(model: try versions.definition(), path: path) }
        }
    }

    @Test func foreignIndexesTriggersAndViewsAreKept() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            try run(
                """
                CREATE TABLE log (title TEXT); CREATE INDEX byAuthor ON Book (pages, shelf);
                CREATE VIEW long AS SELECT * FROM Book WHERE pages > 100;
                CREATE TRIGGER removed AFTER DELETE ON Book BEGIN INSERT INTO log VALUES (old.pages); END;
                """,
                at: path
            )
            let objects =
                "SELECT type || ' ' || name FROM sqlite_schema WHERE name IN ('byAuthor', 'long', 'removed', 'log') ORDER BY 1"
            let before = try query(objects, at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query(objects, at: path), before)
            expectEqual(before.count, 4)
            try run("DELETE FROM Book WHERE _id = (SELECT min(_id) FROM Book)", at: path)
            expectEqual(try query("SELECT count(*) FROM log", at: path), ["1"])
            expectEqual(try query("SELECT count(*) FROM long", at: path), ["6"])
        }
    }

    /// SQLite cannot drop a column that an index uses.
    @Test(arguments: ["(pages, title)", "(title) WHERE pages > 100", "(abs(pages))"])
    func anIndexThatDoesNotFitIsNamed(_ elements: String) throws {
        try withStorePath { path in
            let versions = try Versions([
                [Self.shelf, Self.book([Self.attribute("title"), Self.attribute("pages", .integer64)])],
                [Self.shelf, Self.book([Self.attribute("title")])],
            ])
            try versions.makeStore(1, at: path, Self.fill)
            try run("CREATE INDEX byhand ON Book \(elements); CREATE INDEX other ON Book (title, shelf)", at: path)
            try expectRefused(.migrationFailed, "index 'byhand' of 'Book', created by another program", at: path) {
                _ = try PersistentContainer(model: try versions.definition(), path: path)
            }
            try run("DROP INDEX byhand", at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query("SELECT name FROM sqlite_schema WHERE name = 'other'", at: path), ["other"])
            expectEqual(try query("SELECT count(*) FROM Book", at: path), ["12"])
        }
    }

    /// Indexes are not part of a version: a store may have an index of an earlier model on a column that is dropped
    /// now.
    @Test func indexesOfFormerModelsAreDropped() throws {
        try withStorePath { path in
            func book(_ attributes: [AttributeDescription], indexed: [String]) -> EntityDescription {
                var book = Self.book(attributes)
                book.declaredIndexes = indexed.map { .init(name: $0, elements: [.init(propertyName: $0)]) }
                return book
            }
            let (title, pages) = (Self.attribute("title"), Self.attribute("pages", .integer64))
            let once = try Versions([[Self.shelf, book([title, pages], indexed: ["pages", "title"])]])
            try once.makeStore(1, at: path, Self.fill)
            let versions = try Versions([
                [Self.shelf, book([title, pages], indexed: [])], [Self.shelf, book([title], indexed: ["title"])],
            ])
            let indexes = "SELECT count(*) FROM sqlite_schema WHERE type = 'index' AND sql LIKE '%pages%'"
            expectEqual(try query(indexes, at: path), ["1"])
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query(indexes, at: path), ["0"])
            expectEqual(try query("SELECT count(*) FROM Book", at: path), ["12"])
        }
    }

    /// SQLite checks the SQL of a trigger or a view only when it is used.
    @Test(arguments: [
        (
            "trigger", "CREATE TRIGGER byhand AFTER UPDATE ON Book BEGIN INSERT INTO log VALUES (new.pages); END",
            "CREATE TRIGGER other AFTER UPDATE ON Book BEGIN INSERT INTO log VALUES (new.title); END"
        ),
        (
            "view", "CREATE VIEW byhand AS SELECT title, pages FROM Book",
            "CREATE VIEW other AS SELECT title FROM Book; CREATE TRIGGER o INSTEAD OF DELETE ON other BEGIN SELECT 1; END"
        ),
    ])
    func readersOfDroppedColumnsAreNamed(_ type: String, _ bad: String, _ good: String) throws {
        try withStorePath { path in
            let versions = try Versions([
                [Self.shelf, Self.book([Self.attribute("title"), Self.attribute("pages", .integer64)])],
                [Self.shelf, Self.book([Self.attribute("title")])],
            ])
            try versions.makeStore(1, at: path, Self.fill)
            // A view that is already invalid does not prevent the migration.
            let useless = "CREATE VIEW useless AS SELECT missing FROM Book"
            try run("CREATE TABLE log (title TEXT); \(good); \(useless); \(bad)", at: path)
            try expectRefused(.migrationFailed, "\(type) 'byhand' of ", at: path) {
                _ = try PersistentContainer(model: try versions.definition(), path: path)
            }
            try run("DROP \(type) byhand", at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            let names = "SELECT name FROM sqlite_schema WHERE name IN ('other', 'useless') ORDER BY 1"
            expectEqual(try query(names, at: path), ["other", "useless"])
            try run("UPDATE Book SET title = 'new'", at: path)
        }
    }

    /// Versions are ordered by name, and migrations go forward only.
    @Test func newerStoresAreNotDowngraded() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(3, at: path) { _ in }
            let older = try versions.definition(upTo: 2)
            let names = try versions.definition().versionNames
            let program = ModelDefinition(
                name: older.name,
                versionName: older.versionName,
                model: older.model,
                migrations: older.migrations,
                versionNames: names
            )
            // An older program does not know the newer version at all.
            for program in [program, older] {
                try expectRefused(
                    .newerVersion,
                    "'Shelf 3' according to its metadata; this version is newer than 'Shelf 2'",
                    at: path
                ) {
                    _ = try PersistentContainer(model: program, path: path)
                }
            }
        }
    }

    @Test func aTriggerThatDoesNotFitIsNamed() throws {
        try withStorePath { path in
            let versions = try Versions([
                [Self.shelf, Self.book([Self.attribute("title"), Self.attribute("pages", .integer64)])],
                [
                    EntityDescription(name: "Rack", renamingIdentifier: "Shelf"),
                    EntityDescription(name: "Book", attributes: [Self.attribute("title")]),
                ],
            ])
            try versions.makeStore(1, at: path, Self.fill)
            try run("CREATE TRIGGER named AFTER INSERT ON Shelf BEGIN SELECT 1; END", at: path)
            try expectRefused(.migrationFailed, "trigger 'named' of 'Shelf', created by another program", at: path) {
                _ = try PersistentContainer(model: try versions.definition(), path: path)
            }
        }
    }

    // MARK: Invalid values and SQL

    @Test func valuesThatDoNotFitAreNamed() throws {
        try withStorePath { path in
            let versions = try Versions([
                [Self.shelf, Self.book([Self.attribute("title"), Self.attribute("pages", .integer64)])],
                [Self.shelf, Self.book([Self.attribute("title"), Self.attribute("pages", .integer16)])],
            ])
            try versions.makeStore(1, at: path) { context in
                let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue(Int64(40_000), forKey: "pages")
            }
            try expectRefused(
                .migrationFailed,
                "was undone: values of 'pages' of 'Book' do not fit into Integer 16, in: attribute 'pages' of 'Book' was Integer 64, "
                    + "is Integer 16",
                at: path
            ) { _ = try PersistentContainer(model: try versions.definition(), path: path) }
        }
    }

    @Test(arguments: [
        ("DELETE FROM Shelf", "rows of 'Book' have a foreign key 'shelf' to rows of 'Shelf' that do not exist"),
        (
            "UPDATE Book SET shelf = 999",
            "rows of 'Book' have a foreign key 'shelf' to rows of 'Shelf' that do not exist"
        ),
        (
            "UPDATE Shelf SET rowid = rowid + 100",
            "rows of 'Book' have a foreign key 'shelf' to rows of 'Shelf' that do not exist"
        ),
        (
            "CREATE UNIQUE INDEX u ON Shelf (name); UPDATE OR REPLACE Shelf SET name = 'one'",
            "rows of 'Book' have a foreign key 'shelf' to rows of 'Shelf' that do not exist"
        ),
        (
            """
            CREATE UNIQUE INDEX u ON Shelf (name);
            CREATE TRIGGER t AFTER UPDATE ON Book BEGIN UPDATE OR REPLACE Shelf SET name = 'one'; END;
            UPDATE Book SET pages = 1
            """, "rows of 'Book' have a foreign key 'shelf' to rows of 'Shelf' that do not exist"
        ),
        ("SELECT 1", "column 'author' of 'Book' (TEXT) is missing; correct the SQL of the migration"),
        ("-- why\nSELECT nonsense", "in: why"),
        ("UPDATE Book SET pages = ?1", "statements of a migration cannot have parameters"),
        (
            "INSERT INTO Shelf (_id, _version) VALUES (9223372036854775807, 1)",
            "a row of 'Shelf' has _id 9223372036854775807"
        ),
    ])
    func errorsOfEditedSQLAreDetected(_ sql: String, _ part: String) throws {
        try withStorePath { path in
            var versions = try Self.versions()
            versions.edited[1] = (sql.hasPrefix("SELECT 1") ? "" : "ALTER TABLE Book ADD COLUMN author TEXT;\n") + sql
            try versions.makeStore(1, at: path, Self.fill)
            try expectRefused(.migrationFailed, part, at: path) {
                _ = try PersistentContainer(model: try versions.definition(upTo: 2), path: path)
            }
        }
    }

    /// A mistyped path must not look like a finished migration.
    @Test func aStoreThatDoesNotExistIsNotMigrated() throws {
        try withStorePath { path in
            let definition = try Self.versions().definition()
            let manager = MigrationManager(model: definition, path: path)
            for isEmpty in [false, true] {
                if isEmpty { try Data().write(to: URL(fileURLWithPath: path)) }
                let part = (isEmpty ? "is empty" : "does not exist") + ", so there is nothing to migrate"
                for body in [{ try manager.migrateStore() }, { _ = try manager.pendingMigrations() }] {
                    let error = #expect(throws: StoreError.self) { try body() }
                    expectEqual(error?.code, .cannotOpen)
                    #expect(error?.message.hasPrefix(part) == true)
                    #expect(error?.message.hasSuffix("create the manager with allowsMissingStore: true") == true)
                }
                expectEqual(FileManager.default.fileExists(atPath: path), isEmpty)
                let tolerant = MigrationManager(model: definition, path: path, allowsMissingStore: true)
                #expect(try tolerant.pendingMigrations().isEmpty)
                try tolerant.migrateStore()
                expectEqual(FileManager.default.fileExists(atPath: path), isEmpty)
            }
        }
    }

    // MARK: Progress

    @Test func progressIsReportedAndCanBeCancelled() async throws {
        try await withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let definition = try versions.definition()
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            let cancelled = MigrationManager(model: definition, path: path)
            expectEqual(try cancelled.pendingMigrations().map(\.destination), ["Shelf 2", "Shelf 3"])
            cancelled.cancelMigration()
            await #expect { try await cancelled.migrateStore() } throws: { error in
                (error as? StoreError)?.code == .cancelled && "\(error)".contains("134120")
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)

            let manager = MigrationManager(model: definition, path: path)
            let updates = manager.updates
            let progress = manager.makeProgress()
            let looking = Task { await updates.reduce(into: []) { $0.append($1) } }
            try await manager.migrateStore()
            let seen = await looking.value
            expectEqual(seen.last?.fractionCompleted, 1)
            #expect(progress.isFinished)
            #expect(try manager.pendingMigrations().isEmpty)
            try await manager.migrateStore()
            expectEqual(try query("SELECT count(*) FROM _migration", at: path), ["2"])
        }
    }

    @Test func aCancelledTaskStopsTheMigration() async throws {
        try await withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let manager = MigrationManager(model: try versions.definition(), path: path)
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await manager.migrateStore()
            }
            await #expect { try await task.value } throws: { ($0 as? StoreError)?.code == .cancelled }
            expectEqual(try query("SELECT count(*) FROM _migration", at: path), ["0"])
        }
    }
}
