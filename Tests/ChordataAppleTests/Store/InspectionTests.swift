import Chordata
import ChordataModel
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

struct InspectionTests {
    @Test func theTablesByHandAreThoseOfTheModel() throws {
        let library = try Library()
        let store = try CoreDataStore(at: library.path)
        let schema = CoreDataSchema(of: Library.model)
        #expect(schema.differences(from: store) == [] && schema.additions(of: store) == [])
        let indexes = try library.rows(
            "SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1"
        )
        expectEqual(indexes.compactMap { $0[0].text }, schema.indexes.map(\.name).sorted())
        expectEqual(schema.entityNames, ["Book", "Passport", "Person", "Author", "Shelf", "tag"])
        // The columns are in the order of the CREATE TABLE statements.
        for table in schema.tables where table.name != "ZBOOK" { expectEqual(store.tables[table.name], table.columns) }
    }

    @Test func whatAStoreHas() throws {
        let library = try Library()
        let inspection = try inspectCoreDataStore(at: library.path, versions: [.init(name: "L", model: Library.model)])
        #expect(inspection.metadata.storeUUID == Library.storeUUID && inspection.metadata.frameworkVersion == 1_345)
        #expect(inspection.metadata.versionIdentifiers == ["one"] && inspection.metadata.customKeyCount == 1)
        #expect(!"\(inspection)".contains("secretOfTheApp"))
        expectEqual(
            inspection.entities.map { "\($0.entityName) \($0.count)" },
            [
                "Book 3", "Passport 1", "Person 1", "Author 2", "Shelf 1", "tag 2",
            ]
        )
        #expect(inspection.externalFiles?.referenceCount == 1 && inspection.externalFiles?.missingCount == 0)
        #expect(inspection.brokenInvariants == [] && inspection.history == nil)
        expectEqual(inspection.comparisons.map(\.differentEntityNames), [[]])
    }

    @Test func differencesFromOtherVersions() throws {
        var entities = Library.model.entities
        entities[1].declaredAttributes[0].name = "alias"
        entities[3].declaredAttributes[0].attributeType = .string
        let other = try ManagedObjectModel(entities: entities)
        let library = try Library()
        let inspection = try inspectCoreDataStore(at: library.path, versions: [.init(name: "O", model: other)])
        expectEqual(inspection.comparisons[0].differentEntityNames, ["Author", "Passport"])
        expectEqual(
            inspection.comparisons[0].differences,
            [
                "column 'ZNUMBER' of table 'ZPASSPORT' has type INTEGER instead of VARCHAR",
                "table 'ZPERSON' has no column 'ZALIAS'",
                "table 'ZPERSON' has column 'ZNAME2', which the model does not have",
            ]
        )
        #expect(inspection.identified == nil && inspection.problem?.contains("no version of the given model") == true)
    }

    /// Models whose layout in Core Data's tables is unknown, so that their stores cannot be converted.
    @Test func unsupportedModels() throws {
        func parts(_ entities: EntityDescription...) throws -> [String] {
            try CoreDataSchema(of: ManagedObjectModel(entities: entities)).unsupportedParts
        }
        expectEqual(
            try parts(EntityDescription(name: "Foo"), EntityDescription(name: "FOO")),
            ["several entities or relationships of the model would have the same table 'ZFOO'"]
        )
        let point = AttributeDescription(name: "point", attributeType: .composite, compositeName: "Point")
        expectEqual(
            try parts(EntityDescription(name: "A", attributes: [point])),
            ["composite attribute 'point' of 'A' has no elements"]
        )
        let toMany = RelationshipDescription(name: "bs", destinationEntityName: "B", inverseName: "a", isToMany: true)
        let toOne = RelationshipDescription(name: "a", destinationEntityName: "A")
        expectEqual(
            try parts(
                EntityDescription(name: "A", relationships: [toMany]),
                EntityDescription(name: "B", relationships: [toOne])
            ),
            ["the inverse of relationship 'bs' of 'A' does not name this relationship as its inverse"]
        )
        expectEqual(CoreDataSchema(of: Library.model).unsupportedParts, [])
    }

    /// Each rule is broken once.
    @Test(arguments: [
        (
            "UPDATE ZBOOK SET Z_ENT = 2 WHERE Z_PK = 9",
            "rows whose Z_ENT is not the number of a concrete entity of their table"
        ),
        ("UPDATE ZTAG SET Z_OPT = 0 WHERE Z_PK = 2", "rows whose Z_OPT is less than 1"),
        (
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_ENT = 1",
            "tables that have a Z_PK above the Z_MAX of their entity"
        ),
        ("UPDATE Z_PRIMARYKEY SET Z_MAX = 8 WHERE Z_ENT = 4", "subentities whose Z_MAX is not 0"),
        ("UPDATE ZPERSON SET ZBORN = 'x' WHERE Z_PK = 1", "values of type Date that are stored as another type"),
        ("UPDATE ZPERSON SET ZUID = x'01' WHERE Z_PK = 1", "UUIDs that do not have 16 bytes"),
        (
            "UPDATE ZPERSON SET ZPHOTO = x'09' WHERE Z_PK = 1",
            "values with external storage whose first byte is neither 1 nor 2"
        ),
        ("UPDATE ZBOOK SET ZAUTHOR = 99 WHERE Z_PK = 3", "references to rows that do not exist"),
        ("UPDATE ZBOOK SET ZAUTHOR = 8, Z_FOK_AUTHOR = 1 WHERE Z_PK = 9", "references to a row of another entity"),
        (
            "UPDATE ZPASSPORT SET Z3_OWNER = 3",
            "references with an entity number other than the Z_ENT of the referenced row"
        ),
        ("UPDATE ZPASSPORT SET ZOWNER = NULL, Z3_OWNER = NULL", "one-to-one relationships that are not mutual"),
        ("UPDATE ZBOOK SET Z_FOK_AUTHOR = NULL WHERE Z_PK = 3", "members of ordered relationships without a position"),
        (
            "UPDATE ZBOOK SET Z_FOK_AUTHOR = 2048 WHERE Z_PK = 3",
            "positions in ordered relationships that more than one member has"
        ),
        ("INSERT INTO Z_1TAGS VALUES (9, 3, 1)", "join rows that reference a row that does not exist"),
        ("ALTER TABLE ZTAG ADD COLUMN ZX INTEGER", "differences of tables or columns from those of the model"),
    ])
    func brokenInvariants(_ sql: String, _ rule: String) throws {
        let library = try Library(sql)
        let inspection = try inspectCoreDataStore(at: library.path, versions: [.init(name: "L", model: Library.model)])
        expectEqual(inspection.brokenInvariants, [BrokenInvariant(rule: rule, count: 1)])
    }

    @Test func otherFilesAreRefused() throws {
        let library = try Library()
        func code(_ path: String) -> CoreDataStoreError.Code? {
            do throws(CoreDataStoreError) {
                _ = try inspectCoreDataStore(at: path, versions: [])
                return nil
            } catch {
                return error.code
            }
        }
        expectEqual(code(library.folder("missing")), .cannotOpen)
        try Data("text, and no database".utf8).write(to: URL(fileURLWithPath: library.folder("text")))
        #expect(code(library.folder("text")) == .notACoreDataStore && !isCoreDataStore(at: library.folder("text")))
        _ = try PersistentContainer(model: Library.definition, path: library.folder("native"))
        #expect(code(library.folder("native")) == .notACoreDataStore && !isCoreDataStore(at: library.folder("native")))
        #expect(isCoreDataStore(at: library.path))
        for sql in [
            "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_UUID = 'none'", "UPDATE Z_METADATA SET Z_PLIST = x'00'",
            "UPDATE Z_METADATA SET Z_PLIST = 'text'", "UPDATE Z_METADATA SET Z_PLIST = zeroblob(20000000)",
            "DROP TABLE Z_METADATA; CREATE TABLE Z_METADATA (a)",
        ] {
            let damaged = try Library(sql)
            expectEqual(code(damaged.path), .damagedStore, "\(sql)")
        }
    }

    /// The error for a container that opens a Core Data store by mistake names the module to use.
    @Test func containersNameTheModule() throws {
        let library = try Library()
        let error = #expect(throws: StoreError.self) {
            try PersistentContainer(model: Library.definition, path: library.path)
        }
        #expect(error?.code == .notAChordataStore && error?.message.contains("ChordataApple") == true)
    }

    // MARK: Damaged stores

    @Test func hostileModelCaches() throws {
        for content in ["zeroblob(70000000)", "x'00'", "x'FFFF'", "'text'", "x'0100'"] {
            let library = try Library("INSERT INTO Z_MODELCACHE VALUES (\(content))")
            let error = #expect(throws: CoreDataStoreError.self) { try extractModel(ofStoreAt: library.path) }
            expectEqual(error?.code, .damagedStore, "\(content)")
        }
        // 64 MB of zeros in a few thousand bytes.
        let library = try Library()
        let connection = try SQLiteConnection(path: library.path, mode: .readWriteCreate)
        try connection.run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(Data(Self.zeros))])
        let error = #expect(throws: CoreDataStoreError.self) { try extractModel(ofStoreAt: library.path) }
        #expect(error?.message.contains("when decompressed") == true)
    }

    /// A block of fixed codes with a zero byte, and then 300,000 copies of 258 bytes at distance 1.
    private static var zeros: [UInt8] {
        var bytes: [UInt8] = []
        var (bits, count) = (0, 0)
        func add(_ value: Int, _ length: Int) {
            bits |= value << count
            count += length
            while count >= 8 {
                bytes.append(UInt8(bits & 0xFF))
                bits >>= 8
                count -= 8
            }
        }
        add(1, 1)
        add(1, 2)
        add(0b0000_1100, 8)  // The literal 0, whose code is 00110000, in reverse.
        for _ in 0..<300_000 {
            add(0b1010_0011, 8)  // The length 258, whose code is 11000101, in reverse.
            add(0, 5)
        }
        add(0, 7)
        add(0, 8)
        return bytes
    }

    /// A damaged store gives an error or a result, and no file is written.
    @Test func damagedStoresLaw() async throws {
        let seed: UInt64 = 5
        print("InspectionTests.damagedStoresLaw: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let library = try Library(hasCache: true)
        let original = try Data(contentsOf: URL(fileURLWithPath: library.path))
        for _ in 0..<120 {
            var bytes = original
            if generator.chance(4) { bytes = bytes.prefix(1 + generator.below(bytes.count)) }
            for _ in 0...generator.below(20) { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
            let path = library.folder("Library.sqlite")
            try bytes.write(to: URL(fileURLWithPath: path))
            do { _ = try inspectCoreDataStore(at: path, versions: []) } catch { expectEqual(error.path, path) }
            do {
                _ = try await importStore(at: path, to: library.folder("out"), model: Library.definition)
                try FileManager.default.removeItem(atPath: library.folder("out"))
            } catch let error as CoreDataStoreError {
                expectEqual(error.path, path)
            } catch let error as StoreError {
                #expect(!error.message.isEmpty)
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), bytes)
            let files = try FileManager.default.contentsOfDirectory(atPath: library.folder.path)
            expectEqual(files.filter { !$0.hasPrefix("out-") }.sorted(), [".Library_SUPPORT", "Library.sqlite"])
        }
    }
}
