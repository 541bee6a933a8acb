import ChordataDiagnostics
import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata

/// The migration of each of several stores (S3).
@Suite(.onlySQLite(.severalStores))
struct SeveralStoresMigrationTests {
    /// Version 1 has books with a title and visits; in version 2 the title is a heading, and guests are unique.
    private static func definition(version: Int) throws -> ModelDefinition {
        func model(_ book: AttributeDescription, _ constraints: [[String]]) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                entities: [
                    EntityDescription(name: "Book", attributes: [book]),
                    EntityDescription(
                        name: "Visit",
                        attributes: [AttributeDescription(name: "guest", attributeType: .string)],
                        uniquenessConstraints: constraints
                    ),
                ],
                configurations: [
                    ManagedObjectModel.Configuration(name: "Books", entityNames: ["Book"]),
                    ManagedObjectModel.Configuration(name: "Visits", entityNames: ["Visit"]),
                ]
            )
        }
        var heading = AttributeDescription(name: "heading", attributeType: .string)
        heading.renamingIdentifier = "title"
        let old = try model(AttributeDescription(name: "title", attributeType: .string), [])
        let new = try model(heading, [["guest"]])
        guard version == 2 else { return ModelDefinition(name: "Library", versionName: "1", model: old) }
        let planned = planMigration(
            from: old,
            to: new,
            sourceName: "1",
            destinationName: "2",
            isStage: false,
            locate: { _, _ in nil }
        )
        let plan = try #require(planned.plan, "\(planned.diagnostics.map(\.message))")
        return ModelDefinition(
            name: "Library",
            versionName: "2",
            model: new,
            migrations: [
                ModelDefinition.Migration(
                    source: "1",
                    sourceHash: old.versionHash,
                    destination: "2",
                    destinationHash: new.versionHash,
                    sql: renderMigration(plan)
                )
            ],
            versionNames: [old.versionHash: "1"]
        )
    }

    private static func open(_ path: String, version: Int, booksAreReadOnly: Bool = false) throws -> PersistentContainer
    {
        try PersistentContainer(
            model: try definition(version: version),
            storeDescriptions: [
                PersistentStoreDescription(
                    path: path + "-books",
                    configuration: "Books",
                    options: StoreOptions(isReadOnly: booksAreReadOnly)
                ), PersistentStoreDescription(path: path + "-visits", configuration: "Visits"),
            ]
        )
    }

    /// Creates both stores at version 1.
    private static func create(_ path: String, guests: [String]) throws {
        let context = try open(path, version: 1).newContext()
        EntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue("Kim", forKey: "title")
        for guest in guests {
            EntityDescription.insertNewObject(forEntityName: "Visit", into: context).setValue(guest, forKey: "guest")
        }
        try context.save()
    }

    private static func texts(_ entityName: String, _ key: String, _ container: PersistentContainer) throws -> [String]
    {
        try container.newContext().fetch(FetchRequest<ManagedObject>(entityName: entityName).sorted(by: key))
            .compactMap { $0.value(forKey: key) as? String }
    }

    private static func versions(_ path: String) throws -> [String] {
        try ["-books", "-visits"].map {
            try readMetadata(try SQLiteConnection(path: path + $0, mode: .readOnly)).versionName
        }
    }

    @Test func allStoresAreMigrated() throws {
        try withStorePath { path in
            try Self.create(path, guests: ["Ann", "Bob"])
            expectEqual(try Self.versions(path), ["1", "1"])
            let container = try Self.open(path, version: 2)
            expectEqual(try Self.versions(path), ["2", "2"])
            expectEqual(try Self.texts("Book", "heading", container), ["Kim"])
            expectEqual(try Self.texts("Visit", "guest", container), ["Ann", "Bob"])
            // Objects are still saved to the stores of their entities.
            let context = container.newContext()
            EntityDescription.insertNewObject(forEntityName: "Book", into: context).setValue("Emma", forKey: "heading")
            EntityDescription.insertNewObject(forEntityName: "Visit", into: context).setValue("Cem", forKey: "guest")
            try context.save()
            let counts = try ["-books", "-visits"].map { place in
                try ["Book", "Visit"].map { try query("SELECT count(*) FROM \($0)", at: path + place)[0] }
            }
            expectEqual(counts, [["2", "0"], ["0", "3"]])
        }
    }

    /// A store whose migration fails is unchanged; the store before it is migrated, and both can be opened again.
    @Test func oneMigrationFails() throws {
        try withStorePath { path in
            try Self.create(path, guests: ["Ann", "Ann"])
            let error = #expect(throws: StoreError.self) { try Self.open(path, version: 2) }
            #expect(error?.code == .migrationFailed && error?.path == path + "-visits")
            expectEqual(try Self.versions(path), ["2", "1"])
            expectEqual(try query("SELECT guest FROM Visit", at: path + "-visits"), ["Ann", "Ann"])
            try run("UPDATE Visit SET guest = 'Bob' WHERE _id = (SELECT max(_id) FROM Visit)", at: path + "-visits")
            let container = try Self.open(path, version: 2)
            expectEqual(try Self.versions(path), ["2", "2"])
            expectEqual(try Self.texts("Book", "heading", container), ["Kim"])
            expectEqual(try Self.texts("Visit", "guest", container), ["Ann", "Bob"])
        }
    }

    /// A read-only store of an old version causes an error that names it, and no store is changed.
    @Test func oldAndReadOnly() throws {
        try withStorePath { path in
            try Self.create(path, guests: ["Ann"])
            let error = #expect(throws: StoreError.self) {
                try Self.open(path, version: 2, booksAreReadOnly: true)
            }
            #expect(error?.code == .readOnly && error?.path == path + "-books")
            #expect(error?.message.contains("is at version '1' and must be migrated") == true)
            expectEqual(try Self.versions(path), ["1", "1"])
            // After a program has opened it for writing, it can be read.
            _ = try Self.open(path, version: 2)
            let container = try Self.open(path, version: 2, booksAreReadOnly: true)
            expectEqual(try Self.texts("Book", "heading", container), ["Kim"])
        }
    }
}
