import CChordataSQLite
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@testable @_spi(Generated) import Chordata

/// Stores that are not migrated or opened: the error says why, and the store and the files next to it are unchanged.
@Suite(.onlySQLite(.migrations))
struct MigrationRefusalTests {
    private static func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: type, isOptional: true)
    }

    private static let shelf = EntityDescription(
        name: "Shelf",
        attributes: [attribute("name")],
        relationships: [
            RelationshipDescription(name: "books", destinationEntityName: "Book", inverseName: "shelf", isToMany: true)
        ]
    )

    private static func book(_ pages: AttributeType) -> EntityDescription {
        EntityDescription(
            name: "Book",
            attributes: [attribute("title"), attribute("pages", pages)],
            relationships: [
                RelationshipDescription(name: "shelf", destinationEntityName: "Shelf", inverseName: "books")
            ]
        )
    }

    /// Two versions; the migration to the second one rebuilds the table of books.
    private static func versions() throws -> Versions {
        try Versions([[shelf, book(.integer64)], [shelf, book(.double)]])
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        let shelf = EntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
        for number in 0..<10 {
            let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("book \(number)", forKey: "title")
            book.setValue(shelf, forKey: "shelf")
        }
    }

    private static let endings = ["", "-wal", "-journal"]

    private static func bytes(at path: String) -> [Data?] {
        endings.map { FileManager.default.contents(atPath: path + $0) }
    }

    private func expectRefused(
        _ code: StoreError.Code,
        _ part: String,
        at path: String,
        sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        let before = Self.bytes(at: path)
        let error = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try body() }
        #expect(error?.code == code, "\(String(describing: error))", sourceLocation: sourceLocation)
        #expect(
            error?.message.contains(part) == true,
            "\(String(describing: error))",
            sourceLocation: sourceLocation
        )
        #expect(Self.bytes(at: path) == before, sourceLocation: sourceLocation)
    }

    /// Copies a store while another program has it open, with the files that the program would leave if it was killed.
    private func copyInUse(_ path: String, _ statements: [String], to copy: String) throws {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        try #require(sqlite3_open(path, &handle) == SQLITE_OK)
        for statement in statements {
            try #require(sqlite3_exec(handle, statement, nil, nil, nil) == SQLITE_OK, "\(statement)")
        }
        for ending in Self.endings where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.copyItem(atPath: path + ending, toPath: copy + ending)
        }
    }

    // MARK: Unchanged files

    @Test func driftedStoresKeepTheirJournalMode() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            try run("PRAGMA journal_mode=DELETE; ALTER TABLE Book ADD COLUMN extra TEXT", at: path)
            let options = StoreOptions(backsUpBeforeMigration: true)
            expectRefused(.storeDrifted, "'extra' of 'Book'", at: path) {
                _ = try PersistentContainer(model: try versions.definition(), path: path, options: options)
            }
            // A store that is not migrated is not backed up, either.
            #expect(!FileManager.default.fileExists(atPath: path + ".Shelf 1.backup"))
        }
    }

    @Test func refusalsLeaveTheLogUnchanged() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let copy = path + ".copy"
            try copyInUse(path, ["ALTER TABLE Book ADD COLUMN extra TEXT"], to: copy)
            #expect(FileManager.default.contents(atPath: copy + "-wal")?.isEmpty == false)
            expectRefused(.storeDrifted, "'extra' of 'Book'", at: copy) {
                _ = try PersistentContainer(model: try versions.definition(), path: copy)
            }
            expectRefused(.incompatibleModel, "'Done'", at: copy) { _ = try DoneModel.container(at: copy) }
        }
    }

    /// The incomplete writes of a killed program are not read as contents of the store.
    @Test func storesWithAHotJournalRejectReadOnlyAccess() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let copy = path + ".copy"
            try copyInUse(
                path,
                [
                    "PRAGMA journal_mode=DELETE", "PRAGMA cache_size=1", "BEGIN",
                    "WITH RECURSIVE n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 3000) "
                        + "INSERT INTO Book (_id, _version, title) SELECT i, 1, hex(randomblob(50)) FROM n",
                ],
                to: copy
            )
            #expect(FileManager.default.contents(atPath: copy + "-journal")?.isEmpty == false)
            expectRefused(.readOnly, "open the store once for writing", at: copy) { _ = try inspectStore(at: copy) }
            let container = try PersistentContainer(model: try versions.definition(), path: copy)
            expectEqual(try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Book")), 10)
        }
    }

    // MARK: Stores of the current version

    @Test(arguments: [
        ("DROP TABLE Shelf", "table 'Shelf' is missing"),
        ("ALTER TABLE Book DROP COLUMN pages", "column 'pages' of 'Book' (REAL) is missing"),
    ])
    func aPartThatIsMissingIsNamed(_ damage: String, _ part: String) throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(2, at: path, Self.fill)
            try run("PRAGMA journal_mode=DELETE; \(damage)", at: path)
            let definition = try versions.definition()
            expectRefused(.storeDrifted, part, at: path) { _ = try PersistentContainer(model: definition, path: path) }
            expectRefused(.storeDrifted, part, at: path) {
                _ = try MigrationManager(model: definition, path: path).pendingMigrations()
            }
        }
    }

    /// A store whose metadata name a version whose tables it does not have.
    @Test func aStoreThatWasMigratedByHalfIsRefused() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let hash = versions.models[1].versionHash
            try run("UPDATE _metadata SET value = '\(hash)' WHERE key = 'versionHash'", at: path)
            expectRefused(.storeDrifted, "column 'pages' of 'Book' (REAL) is missing", at: path) {
                _ = try PersistentContainer(model: try versions.definition(), path: path)
            }
        }
    }

    @Test func foreignColumnsAndTablesAreIgnored() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(2, at: path, Self.fill)
            try run("ALTER TABLE Book ADD COLUMN extra TEXT; CREATE TABLE other (a)", at: path)
            let container = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Book")), 10)
        }
    }

    // MARK: Tables and indexes of other programs

    @Test func foreignIndexesAreNotReplaced() throws {
        try withStorePath { path in
            var versions = try Self.versions()
            versions = try Versions([
                versions.models[0].entities,
                [
                    Self.shelf,
                    EntityDescription(
                        name: "Book",
                        attributes: [Self.attribute("title"), Self.attribute("pages", .double)],
                        relationships: Self.book(.double).declaredRelationships,
                        indexes: [FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title")])]
                    ),
                ],
            ])
            try versions.makeStore(1, at: path, Self.fill)
            try run("CREATE UNIQUE INDEX Book_title ON Book (title, pages)", at: path)
            expectRefused(.migrationFailed, "index 'Book_title' of 'Book', created by another program", at: path) {
                try MigrationManager(model: try versions.definition(), path: path).migrateStore()
            }
        }
    }

    /// Other programs write strings in double quotes, which Chordata does not, and reference columns that are not keys.
    @Test func foreignTablesWithUnusualSQLAreKept() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            try run(
                """
                CREATE TABLE other (a TEXT CHECK (a <> "never"), book REFERENCES Book (_id), bad REFERENCES Book (title));
                CREATE INDEX open ON other (a) WHERE a = "open"; INSERT INTO other VALUES ('open', 999, NULL)
                """,
                at: path
            )
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query("SELECT a FROM other", at: path), ["open"])
            expectEqual(try query("SELECT name FROM sqlite_schema WHERE name = 'open'", at: path), ["open"])
        }
    }

    @Test func existingForeignKeyViolationsAreDistinguished() throws {
        try withStorePath { path in
            let versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            try run("DELETE FROM Shelf", at: path)
            let error = #expect(throws: StoreError.self) {
                _ = try PersistentContainer(model: try versions.definition(), path: path)
            }
            let remedy =
                "UPDATE \"Book\" SET \"shelf\" = NULL WHERE \"shelf\" IS NOT NULL "
                + "AND \"shelf\" NOT IN (SELECT \"_id\" FROM \"Shelf\")"
            #expect(error?.message.contains("10 rows of 'Book' have a foreign key 'shelf' to rows of 'Shelf'") == true)
            #expect(
                error?.message.hasSuffix("To remove these references, run: \(remedy)") == true,
                "\(String(describing: error))"
            )
            try run(remedy, at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
        }
    }

    // MARK: Hand-written SQL

    private static let anew = """
        CREATE TABLE "_new_Book" ("_id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "title" TEXT, "pages" REAL, \
        "shelf" INTEGER REFERENCES "Shelf" ("_id") ON DELETE SET NULL DEFERRABLE INITIALLY DEFERRED) STRICT;
        INSERT INTO "_new_Book" SELECT "_id", "_version", "title", "pages", "shelf" FROM "Book";
        DROP TABLE "Book";
        ALTER TABLE "_new_Book" RENAME TO "Book";

        """

    @Test(arguments: [
        ("", "", ""),
        ("PRIMARY KEY", "", "column '_id' of 'Book' is not part of the primary key"),
        (" NOT NULL", "", "column '_version' of 'Book' lacks NOT NULL"),
        (" ON DELETE SET NULL", "", "column 'shelf' of 'Book' lacks ON DELETE SET NULL"),
        (
            "STRICT", "PRAGMA ignore_check_constraints=ON",
            "remove BEGIN, COMMIT, ROLLBACK, SAVEPOINT, ATTACH and PRAGMA from its SQL"
        ),
        ("STRICT", "PRAGMA table_info(Book)", ""),
        (
            "STRICT", "UPDATE Book SET _id = 4611686018427387904 WHERE _id = (SELECT max(_id) FROM Book)",
            "the maximum is 4611686018427387903"
        ),
        ("STRICT", "CREATE TEMP TABLE mine (a); CREATE TEMP TRIGGER t AFTER INSERT ON Book BEGIN SELECT 1; END", ""),
    ])
    func tablesOfEditedMigrationsAreChecked(_ lacking: String, _ more: String, _ part: String) throws {
        try withStorePath { path in
            var versions = try Self.versions()
            let sql = lacking.isEmpty ? Self.anew : Self.anew.replacing(lacking, with: "")
            versions.edited[1] = sql + more
            try versions.makeStore(1, at: path, Self.fill)
            if part.isEmpty {
                let container = try PersistentContainer(model: try versions.definition(), path: path)
                let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
                // The temporary objects of the SQL are removed.
                expectEqual(
                    try store.sqlite.write {
                        try $0.integer("SELECT count(*) FROM sqlite_temp_schema WHERE name IN ('mine', 't')")
                    },
                    0
                )
                return
            }
            expectRefused(.migrationFailed, part, at: path) {
                try MigrationManager(model: try versions.definition(), path: path).migrateStore()
            }
        }
    }

    @Test func leftoverTablesAreDetected() throws {
        try withStorePath { path in
            var versions = try Versions([[Self.shelf, Self.book(.double)], [Self.shelf, Self.book(.double)]])
            versions = try Versions([
                versions.models[0].entities + [EntityDescription(name: "Old")], versions.models[1].entities,
            ])
            versions.edited[1] = "SELECT 1"
            try versions.makeStore(1, at: path, Self.fill)
            expectRefused(.migrationFailed, "table 'Old' is not part of Chordata's schema", at: path) {
                try MigrationManager(model: try versions.definition(), path: path).migrateStore()
            }
        }
    }

    /// With auto-vacuum, tables move when other tables are dropped, so their root pages do not identify them.
    @Test func foreignKeysAreCheckedWithAutoVacuum() throws {
        try withStorePath { path in
            var versions = try Self.versions()
            versions.edited[1] = Self.anew.replacing(
                "DROP TABLE",
                with: "UPDATE \"_new_Book\" SET \"shelf\" = 999; DROP TABLE"
            )
            try versions.makeStore(1, at: path, Self.fill)
            try run("PRAGMA journal_mode=DELETE; PRAGMA auto_vacuum=FULL; VACUUM; PRAGMA journal_mode=WAL", at: path)
            expectEqual(try query("PRAGMA auto_vacuum", at: path), ["1"])
            expectRefused(
                .migrationFailed,
                "have a foreign key 'shelf' to rows of 'Shelf' that do not exist",
                at: path
            ) {
                try MigrationManager(model: try versions.definition(), path: path).migrateStore()
            }
        }
    }

    // MARK: Backups

    /// A migration that fails leaves no backup, and only one of many concurrent programs makes one.
    @Test func oneBackupIsMadePerMigration() async throws {
        try await withStorePath { path in
            var versions = try Self.versions()
            try versions.makeStore(1, at: path, Self.fill)
            let options = StoreOptions(busyTimeout: .seconds(60), backsUpBeforeMigration: true)
            versions.edited[1] = "SELECT 1"
            let broken = try versions.definition()
            #expect(throws: StoreError.self) { try PersistentContainer(model: broken, path: path, options: options) }
            versions.edited = [:]
            let definition = try versions.definition()
            func copies() throws -> [String] {
                let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
                return try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.contains(".backup") }
            }
            expectEqual(try copies(), [])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        _ = try PersistentContainer(model: definition, path: path, options: options)
                    }
                }
                try await group.waitForAll()
            }
            expectEqual(try copies(), ["store.sqlite.Shelf 1.backup"])
            expectEqual(try query("SELECT count(*) FROM _migration", at: path), ["1"])
        }
    }
}
