import Chordata
import ChordataModel
import ChordataSQL
import Foundation

@testable import ChordataApple

/// A Core Data store with each kind of property, whose tables and rows are created with handwritten SQL.
struct Library: Sendable {
    static let model: ManagedObjectModel = {
        do {
            return try ManagedObjectModel(versionIdentifier: "one", entities: entities)
        } catch {
            fatalError("the model of the library is invalid: \(error)")
        }
    }()

    private static let entities = [
        EntityDescription(
            name: "Person",
            attributes: [
                AttributeDescription(name: "active", attributeType: .boolean, isOptional: true),
                AttributeDescription(name: "big", attributeType: .integer64, isOptional: true),
                AttributeDescription(name: "born", attributeType: .date, isOptional: true),
                AttributeDescription(name: "height", attributeType: .float, isOptional: true),
                AttributeDescription(name: "memo", attributeType: .binaryData, isOptional: true),
                AttributeDescription(name: "name", attributeType: .string),
                AttributeDescription(
                    name: "photo",
                    attributeType: .binaryData,
                    isOptional: true,
                    allowsExternalBinaryDataStorage: true
                ),
                AttributeDescription(name: "rating", attributeType: .double, isOptional: true),
                AttributeDescription(name: "salary", attributeType: .decimal, isOptional: true),
                AttributeDescription(name: "site", attributeType: .uri, isOptional: true),
                AttributeDescription(name: "small", attributeType: .integer16, isOptional: true),
                AttributeDescription(name: "state", attributeType: .transformable, isOptional: true),
                AttributeDescription(name: "uid", attributeType: .uuid, isOptional: true),
            ],
            relationships: [
                RelationshipDescription(name: "passport", destinationEntityName: "Passport", inverseName: "owner")
            ],
            uniquenessConstraints: [["uid"]]
        ),
        EntityDescription(
            name: "Author",
            superentityName: "Person",
            attributes: [AttributeDescription(name: "Name2", attributeType: .string, isOptional: true)],
            relationships: [
                RelationshipDescription(
                    name: "books",
                    destinationEntityName: "Book",
                    inverseName: "author",
                    isToMany: true,
                    isOrdered: true
                )
            ]
        ),
        EntityDescription(
            name: "Book",
            attributes: [AttributeDescription(name: "title", attributeType: .string, isOptional: true)],
            relationships: [
                RelationshipDescription(name: "author", destinationEntityName: "Author", inverseName: "books"),
                RelationshipDescription(
                    name: "tags",
                    destinationEntityName: "tag",
                    inverseName: "books",
                    isToMany: true,
                    isOrdered: true
                ),
            ],
            indexes: [
                FetchIndexDescription(name: "byTitle", elements: [.init(propertyName: "title", isAscending: false)])
            ]
        ),
        EntityDescription(
            name: "Passport",
            attributes: [AttributeDescription(name: "number", attributeType: .integer32)],
            relationships: [
                RelationshipDescription(name: "owner", destinationEntityName: "Person", inverseName: "passport")
            ]
        ),
        EntityDescription(
            name: "Shelf",
            relationships: [
                RelationshipDescription(
                    name: "items",
                    destinationEntityName: "Book",
                    isToMany: true,
                    isOrdered: true
                )
            ]
        ),
        EntityDescription(
            name: "tag",
            relationships: [
                RelationshipDescription(
                    name: "books",
                    destinationEntityName: "Book",
                    inverseName: "tags",
                    isToMany: true
                )
            ]
        ),
    ]

    static let definition = ModelDefinition(name: "Library", versionName: "Library 2", model: model)
    static let storeUUID = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    static let fileName = "0A0B0C0D-0E0F-4001-8203-040506070809"

    /// The tables as Core Data creates them, by the rules in the manual.
    static let tables = """
        CREATE TABLE ZBOOK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZAUTHOR INTEGER, Z5ITEMS INTEGER, \
        Z_FOK_AUTHOR INTEGER, Z_FOK_5ITEMS INTEGER, ZTITLE VARCHAR );
        CREATE TABLE ZPASSPORT ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNUMBER INTEGER, ZOWNER INTEGER, \
        Z3_OWNER INTEGER );
        CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZACTIVE INTEGER, ZBIG INTEGER, \
        ZSMALL INTEGER, ZPASSPORT INTEGER, ZBORN TIMESTAMP, ZHEIGHT FLOAT, ZRATING FLOAT, ZSALARY DECIMAL, ZNAME VARCHAR, \
        ZNAME2 VARCHAR, ZSITE VARCHAR, ZUID BLOB, ZSTATE BLOB, ZMEMO BLOB, ZPHOTO BLOB );
        CREATE TABLE ZSHELF ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
        CREATE TABLE ZTAG ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER );
        CREATE TABLE Z_1TAGS ( Z_1BOOKS INTEGER, Z_6TAGS INTEGER, Z_FOK_6TAGS INTEGER, PRIMARY KEY (Z_1BOOKS, Z_6TAGS) );
        CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR);
        CREATE INDEX ZBOOK_Z5ITEMS_INDEX ON ZBOOK (Z5ITEMS);
        CREATE INDEX Z_Book_byTitle ON ZBOOK (ZTITLE COLLATE BINARY DESC);
        CREATE INDEX ZPASSPORT_ZOWNER_INDEX ON ZPASSPORT (ZOWNER);
        CREATE INDEX ZPERSON_ZPASSPORT_INDEX ON ZPERSON (ZPASSPORT);
        CREATE INDEX ZPERSON_Z_ENT_INDEX ON ZPERSON (Z_ENT);
        CREATE UNIQUE INDEX Z_Person_UNIQUE_uid ON ZPERSON (ZUID COLLATE BINARY ASC);
        CREATE INDEX Z_1TAGS_Z_6TAGS_INDEX ON Z_1TAGS (Z_6TAGS, Z_1BOOKS);
        CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);
        CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB);
        CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB);
        INSERT INTO Z_PRIMARYKEY VALUES (1, 'Book', 0, 9), (2, 'Passport', 0, 1), (3, 'Person', 0, 8), (4, 'Author', 3, 0), \
        (5, 'Shelf', 0, 1), (6, 'tag', 0, 2);
        """

    static let rows = """
        INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZACTIVE, ZBIG, ZSMALL, ZPASSPORT, ZBORN, ZHEIGHT, ZRATING, ZSALARY, ZNAME, \
        ZNAME2, ZSITE, ZUID, ZSTATE, ZMEMO, ZPHOTO) VALUES
        (1, 4, 7, 1, 9223372036854775807, -32768, 1, 700000000.25, 1.5, 0.1, 1234.56, 'Zoë', 'second', \
        'https://example.org/a', x'000102030405060708090A0B0C0D0E0F', x'AA', x'01FF', x'01BEEF'),
        (2, 4, 1, 0, NULL, NULL, NULL, 5, 2, 3, '123456789012345678901234567890', 'Ann', NULL, NULL, NULL, NULL, NULL, \
        CAST(x'02' || '\(fileName)' || x'00' AS BLOB)),
        (8, 3, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 7, '', 'left over', NULL, NULL, NULL, NULL, NULL);
        INSERT INTO ZPASSPORT VALUES (1, 2, 3, 2147483647, 1, 4);
        INSERT INTO ZBOOK VALUES (3, 1, 1, 1, 1, 3072, 2048, 'B'), (4, 1, 1, 1, NULL, 2048, NULL, 'A'), \
        (9, 1, 5, NULL, 1, NULL, 1024, NULL);
        INSERT INTO ZSHELF VALUES (1, 5, 1);
        INSERT INTO ZTAG VALUES (1, 6, 1), (2, 6, 1);
        INSERT INTO Z_1TAGS VALUES (3, 2, 1024), (3, 1, 2048), (4, 1, 1);
        """

    /// The folder of the store, which is removed when the object is deallocated.
    final class Folder: Sendable {
        let path: String

        init() throws {
            path = FileManager.default.temporaryDirectory.appendingPathComponent("library-\(UUID().uuidString)").path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit { try? FileManager.default.removeItem(atPath: path) }

        func callAsFunction(_ name: String) -> String { path + "/" + name }
    }

    let folder: Folder
    var path: String { folder("Library.sqlite") }

    /// Writes the store.
    /// - Parameters:
    ///   - sql: Statements to run after all others.
    ///   - hasHashes: Whether the metadata has the version hashes. Without them, the model is identified by the tables.
    ///   - hasCache: Whether the store contains its model.
    init(_ sql: String = "", hasHashes: Bool = true, hasCache: Bool = false, hasFile: Bool = true) throws {
        folder = try Folder()
        let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try connection.execute(Self.tables + Self.rows)
        let hashes = hasHashes ? VersionHashes(of: Self.model).entityVersionHashesByName : [:]
        let list = try PropertyListSerialization.data(
            fromPropertyList: [
                "NSStoreType": "SQLite", "NSPersistenceFrameworkVersion": 1_345, "NSStoreModelVersionHashes": hashes,
                "NSStoreModelVersionIdentifiers": ["one"], "secretOfTheApp": "value",
            ],
            format: .binary,
            options: 0
        )
        try connection.run("INSERT INTO Z_METADATA VALUES (1, ?, ?)", [.text(Self.storeUUID.uuidString), .blob(list)])
        if hasCache {
            let archive = Data(deflateStored(writeModelArchive(Self.model)))
            try connection.run("INSERT INTO Z_MODELCACHE VALUES (?)", [.blob(archive)])
        }
        if hasFile {
            let files = folder(".Library_SUPPORT/_EXTERNAL_DATA")
            try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
            try Data("external".utf8).write(to: URL(fileURLWithPath: files + "/" + Self.fileName))
        }
        try connection.execute(sql)
    }

    /// Returns the bytes of all files of the store.
    func bytes() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where name.contains("Library") {
            var isFolder: ObjCBool = false
            _ = FileManager.default.fileExists(atPath: folder(name), isDirectory: &isFolder)
            if !isFolder.boolValue { files[name] = try Data(contentsOf: URL(fileURLWithPath: folder(name))) }
        }
        return files
    }

    func execute(_ sql: String, _ name: String = "Library.sqlite") throws {
        try SQLiteConnection(path: folder(name), mode: .readWriteCreate).execute(sql)
    }

    func rows(_ sql: String, _ name: String = "Library.sqlite") throws -> [[SQLValue]] {
        try SQLiteConnection(path: folder(name), mode: .readOnly).rows(sql)
    }
}
