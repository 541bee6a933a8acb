import CChordataSQLite
import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import ChordataApple

/// Exports into a store that was created with handwritten SQL.
struct ExportTests {
    private static func prepared(_ sql: String = "", changes: String = "") async throws -> Library {
        let library = try Library(sql)
        _ = try await importStore(at: library.path, to: library.folder("native.sqlite"), model: Library.definition)
        if !changes.isEmpty { try library.execute(changes, "native.sqlite") }
        return library
    }

    private static func export(_ library: Library, accepting losses: Set<String> = []) async throws -> ExportedStore {
        try await exportStore(
            at: library.folder("native.sqlite"),
            into: library.path,
            model: Library.model,
            acceptedLosses: losses
        )
    }

    private static func message(_ library: Library) async throws -> String? {
        let before = try library.bytes()
        do {
            _ = try await export(library)
            return nil
        } catch let error as CoreDataStoreError {
            expectEqual(try library.bytes(), before)
            return error.message
        }
    }

    @Test func progressEndsWithAllSteps() async throws {
        let library = try await Self.prepared()
        let reports = Mutex<[ExportProgress]>([])
        _ = try await exportStore(
            at: library.folder("native.sqlite"),
            into: library.path,
            model: Library.model,
            progress: { report in reports.withLock { $0.append(report) } }
        )
        let steps = reports.withLock { $0 }
        let total = try #require(steps.last?.totalStepCount)
        expectEqual(steps.map(\.completedStepCount), Array(0...total))
        #expect(steps.allSatisfy { $0.totalStepCount == total } && total > 10)
    }

    @Test func nothingChangesWithoutChanges() async throws {
        let library = try await Self.prepared()
        let before = try library.bytes()
        let exported = try await Self.export(library)
        expectEqual(exported, ExportedStore(insertedCount: 0, updatedCount: 0, deletedCount: 0))
        expectEqual(try library.bytes(), before)
    }

    @Test func eachKindOfChange() async throws {
        let library = try await Self.prepared()
        // The changes are made with the runtime, as a program would make them.
        let container = try PersistentContainer(model: Library.definition, path: library.folder("native.sqlite"))
        let context = container.newContext()
        let people = FetchRequest<ManagedObject>(entityName: "Person").sorted(by: "name", .descending)
        let found = try context.fetch(people)
        found[0].setValue(Data(repeating: 7, count: 3), forKey: "photo")
        found[0].setValue(Decimal(string: "0.5"), forKey: "salary")
        let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("C", forKey: "title")
        book.setValue(found[0], forKey: "author")
        context.delete(found[2])
        try await context.save()
        let plist = try library.rows("SELECT Z_PLIST, Z_UUID FROM Z_METADATA")
        let exported = try await Self.export(library)
        expectEqual(exported, ExportedStore(insertedCount: 1, updatedCount: 1, deletedCount: 1))
        expectEqual(try library.rows("SELECT Z_PLIST, Z_UUID FROM Z_METADATA"), plist)
        // The values of the row that were not changed are preserved.
        expectEqual(
            try library.rows("SELECT Z_OPT, ZSALARY, hex(ZPHOTO), ZNAME, ZPASSPORT, ZBIG FROM ZPERSON WHERE Z_PK = 1"),
            [[.integer(8), .real(0.5), .text("01070707"), .text("Zoë"), .integer(1), .integer(.max)]]
        )
        let book10 = try library.rows("SELECT Z_PK, Z_ENT, Z_OPT, ZAUTHOR, Z_FOK_AUTHOR FROM ZBOOK WHERE ZTITLE = 'C'")
        expectEqual(book10, [[.integer(10), .integer(1), .integer(1), .integer(1), .integer(3_073)]])
        expectEqual(try library.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1"), [[.integer(10)]])
        expectEqual(try library.rows("SELECT Z_OPT FROM ZPERSON ORDER BY Z_PK"), [[.integer(8)], [.integer(1)]])
        // The file that contained the previous value is not removed while another value still refers to it.
        expectEqual(
            try library.rows("SELECT hex(substr(ZPHOTO, 1, 1)) FROM ZPERSON WHERE Z_PK = 2"),
            [[.text("02")]]
        )
    }

    /// Triggers of derived attributes and unique indexes, which affect single rows, do not disturb an export.
    @Test func triggersAndUniqueValues() async throws {
        let trigger = """
            CREATE TRIGGER Z_DA_ZBOOK_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN \
            SELECT NSCoreDataDATriggerUpdatedAffectedObjectValue('ZPERSON', 3, 1, 'x', 1); END
            """
        let library = try await Self.prepared(
            "UPDATE ZPERSON SET ZUID = x'0F0E0D0C0B0A09080706050403020100' WHERE Z_PK = 2; \(trigger)",
            changes: """
                UPDATE Person SET uid = NULL, name = 'changed' WHERE _id = 1;
                UPDATE Person SET uid = x'000102030405060708090A0B0C0D0E0F' WHERE _id = 2;
                UPDATE Person SET uid = x'0F0E0D0C0B0A09080706050403020100' WHERE _id = 1;
                INSERT INTO Book (_id, _version, title) VALUES (20, 1, 'new');
                """
        )
        let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY 1, 2"
        let before = try library.rows(schema)
        let exported = try await Self.export(library)
        expectEqual(exported, ExportedStore(insertedCount: 1, updatedCount: 2, deletedCount: 0))
        expectEqual(try library.rows(schema), before)
        expectEqual(
            try library.rows("SELECT hex(ZUID) FROM ZPERSON WHERE Z_PK < 3 ORDER BY Z_PK"),
            [[.text("0F0E0D0C0B0A09080706050403020100")], [.text("000102030405060708090A0B0C0D0E0F")]]
        )
    }

    // MARK: Refusals

    /// Changes that the app has made since the import are not overwritten.
    @Test(arguments: [
        "UPDATE ZBOOK SET ZTITLE = 'theirs', Z_OPT = 6 WHERE Z_PK = 9", "DELETE FROM ZBOOK WHERE Z_PK = 9",
        "INSERT INTO ZTAG VALUES (3, 6, 1)",
    ])
    func changesOfTheTargetAreKept(_ sql: String) async throws {
        let library = try await Self.prepared(changes: "UPDATE Book SET title = 'mine' WHERE _id = 9")
        try library.execute(sql)
        expectEqual(
            try await Self.message(library),
            "was changed after the import or the last export, and the export would overwrite these changes; "
                + "import this store again into a new store of Chordata, and repeat there the changes that you made in the "
                + "earlier store"
        )
    }

    @Test func otherStoresAreRefused() async throws {
        let library = try await Self.prepared()
        try library.execute("UPDATE Z_METADATA SET Z_UUID = '99999999-0000-4000-8000-000000000000'")
        #expect(try await Self.message(library)?.hasPrefix("is another store, with UUID 99999999-") == true)
        // A store without objects may have any UUID.
        try library.execute(
            """
            DELETE FROM ZPERSON; DELETE FROM ZBOOK; DELETE FROM ZPASSPORT; DELETE FROM ZSHELF; DELETE FROM ZTAG; \
            DELETE FROM Z_1TAGS; UPDATE Z_PRIMARYKEY SET Z_MAX = 0
            """
        )
        expectEqual(try await Self.export(library).insertedCount, 10)
        expectEqual(try await Self.export(library).insertedCount, 0)
    }

    /// Each export is the base of the next one, including exports that only change orders and pairs of objects.
    @Test func repeatedExports() async throws {
        let library = try await Self.prepared()
        for (sql, pairs) in [
            ("INSERT INTO Book_tags (source, destination, _order) VALUES (9, 1, 5)", "3 2, 3 1, 4 1, 9 1"),
            ("UPDATE Book_tags SET _order = 9000 WHERE source = 3 AND destination = 2", "3 1, 3 2, 4 1, 9 1"),
            ("DELETE FROM Book_tags WHERE source = 4", "3 1, 3 2, 9 1"),
        ] {
            try library.execute(sql, "native.sqlite")
            let exported = try await Self.export(library)
            #expect(exported.updatedCount == 2 && exported.insertedCount == 0 && exported.deletedCount == 0)
            let rows = try library.rows("SELECT Z_1BOOKS || ' ' || Z_6TAGS FROM Z_1TAGS ORDER BY Z_1BOOKS, Z_FOK_6TAGS")
            expectEqual(rows.compactMap { $0[0].text }.joined(separator: ", "), pairs)
        }
        // The objects at both ends have newer versions.
        expectEqual(
            try library.rows("SELECT Z_OPT FROM ZBOOK ORDER BY Z_PK"),
            [[.integer(2)], [.integer(2)], [.integer(6)]]
        )
        for order in [2_048, 4_096] {
            try library.execute("UPDATE Book SET _order_author = \(order + 1) WHERE _id = 3", "native.sqlite")
            expectEqual(try await Self.export(library).updatedCount, 1)
        }
    }

    /// Values that an import left out are not removed from the original store.
    @Test func acceptedLossesAreKept() async throws {
        let library = try Library(
            """
            UPDATE ZPERSON SET ZSMALL = 40000 WHERE Z_PK = 2; UPDATE ZBOOK SET ZAUTHOR = 8, Z_FOK_AUTHOR = 1 WHERE Z_PK = 9; \
            INSERT INTO Z_1TAGS VALUES (3, 50, 1); INSERT INTO ZTAG VALUES (3, 1, 1); \
            UPDATE Z_PRIMARYKEY SET Z_MAX = 3 WHERE Z_ENT = 6
            """
        )
        _ = try await importStore(
            at: library.path,
            to: library.folder("native.sqlite"),
            model: Library.definition,
            acceptedLosses: ["Person.small", "Book.author", "Book.tags", "tag"]
        )
        let before = try library.bytes()
        expectEqual(try await Self.export(library), ExportedStore(insertedCount: 0, updatedCount: 0, deletedCount: 0))
        expectEqual(try library.bytes(), before)
    }

    /// The external files of values may be missing in a copy.
    @Test func missingFiles() async throws {
        let library = try await Self.prepared()
        try FileManager.default.removeItem(atPath: library.folder(".Library_SUPPORT"))
        expectEqual(try await Self.export(library).updatedCount, 0)
        try library.execute("UPDATE Person SET name = 'changed', _version = 2 WHERE _id = 2", "native.sqlite")
        expectEqual(try await Self.export(library).updatedCount, 1)
        expectEqual(
            try library.rows("SELECT CAST(substr(ZPHOTO, 2) AS TEXT) FROM ZPERSON WHERE Z_PK = 2"),
            [
                [.text("external")]
            ]
        )
    }

    /// The SQL text of each element in a schema must be a single statement.
    @Test func schemasCannotContainOtherStatements() async throws {
        let library = try await Self.prepared(changes: "UPDATE Person SET name = 'x' WHERE _id = 8")
        // Connections of this library cannot change the schema table.
        var handle: OpaquePointer?
        expectEqual(sqlite3_open(library.path, &handle), SQLITE_OK)
        let sql = """
            PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql || '; DELETE FROM ZBOOK' \
            WHERE name = 'Z_Person_UNIQUE_uid'
            """
        expectEqual(sqlite3_exec(handle, sql, nil, nil, nil), SQLITE_OK)
        sqlite3_close_v2(handle)
        expectEqual(try library.rows("SELECT sql FROM sqlite_schema WHERE sql LIKE '%DELETE FROM ZBOOK'").count, 1)
        await #expect(throws: (any Error).self) { try await Self.export(library) }
        expectEqual(try library.rows("SELECT count(*) FROM ZBOOK"), [[.integer(3)]])
    }

    @Test func otherVersionsAreRefused() async throws {
        let library = try await Self.prepared()
        try library.execute("UPDATE _metadata SET value = 'another' WHERE key = 'versionHash'", "native.sqlite")
        #expect(try await Self.message(library)?.hasPrefix("has another version") == true)
    }

    @Test func digitsAreNotLostSilently() async throws {
        let library = try await Self.prepared(
            changes:
                "UPDATE Person SET salary = '12345678901234567.89' WHERE _id = 8; UPDATE Person SET salary = '0.25' WHERE _id = 2"
        )
        expectEqual(
            try await Self.message(library),
            "cannot represent values of the exported store: Person.salary: 1 decimals of more than 15 digits, which Core "
                + "Data stores as floating-point numbers; correct them, or list these names in 'acceptedLosses' (option "
                + "'--accept' of 'chordata export') to round the values"
        )
        expectEqual(try await Self.export(library, accepting: ["Person.salary"]).updatedCount, 2)
    }

    @Test func membersOfSeveralObjects() async throws {
        let library = try await Self.prepared(
            changes:
                "INSERT INTO Shelf (_id, _version) VALUES (30, 1); INSERT INTO Shelf_items (source, destination, _order) VALUES (30, 9, 0)"
        )
        #expect(
            try await Self.message(library)?.hasPrefix(
                "Shelf.items: 1 objects are members of this relationship for more than one object"
            ) == true
        )
    }

    /// An invalid result is not written to the target.
    @Test func brokenRulesAreFound() async throws {
        let library = try await Self.prepared(
            changes: "PRAGMA foreign_keys = 0; UPDATE Book SET author = 555 WHERE _id = 3"
        )
        #expect(try await Self.message(library)?.contains("1 references to rows that do not exist") == true)
    }

    @Test func newStoresNeedAKnownForm() async throws {
        let library = try await Self.prepared()
        _ = try await exportStore(
            at: library.folder("native.sqlite"),
            toNewStoreAt: library.folder("new"),
            model: Library.model
        )
        expectEqual(try inspectCoreDataStore(at: library.folder("new"), versions: []).brokenInvariants, [])
        // The CREATE TABLE statements equal those of the handwritten store, except for the order of key columns.
        try expectEqual(
            library.rows(
                "SELECT name, sql FROM sqlite_schema WHERE name IN ('ZPERSON', 'ZPASSPORT', 'Z_1TAGS') ORDER BY 1",
                "new"
            ),
            library.rows(
                "SELECT name, sql FROM sqlite_schema WHERE name IN ('ZPERSON', 'ZPASSPORT', 'Z_1TAGS') ORDER BY 1"
            )
        )
        try expectEqual(
            library.rows("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY 1", "new"),
            library.rows("SELECT name, tbl_name FROM sqlite_schema WHERE type = 'index' ORDER BY 1")
        )
        let friends = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Person",
                relationships: [
                    RelationshipDescription(
                        name: "likes",
                        destinationEntityName: "Person",
                        inverseName: "likedBy",
                        isToMany: true
                    ),
                    RelationshipDescription(
                        name: "likedBy",
                        destinationEntityName: "Person",
                        inverseName: "likes",
                        isToMany: true
                    ),
                ]
            )
        ])
        _ = try PersistentContainer(
            model: ModelDefinition(name: "F", versionName: "F", model: friends),
            path: library.folder("friends")
        )
        let error = await #expect(throws: CoreDataStoreError.self) {
            try await exportStore(at: library.folder("friends"), toNewStoreAt: library.folder("apple"), model: friends)
        }
        expectEqual(
            error?.message,
            "cannot be created: the name of the join table of the relationships 'likes' and 'likedBy' of 'Person', which "
                + "are between the entity and itself, is not known; export into a store that the app has created with Core Data"
        )
        #expect(!FileManager.default.fileExists(atPath: library.folder("apple")))
    }
}
