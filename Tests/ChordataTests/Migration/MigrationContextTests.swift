import ChordataModel
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Allowed and forbidden uses of the objects that closures of stages are given.
@Suite(.onlySQLite(.migrations))
struct MigrationContextTests {
    private static func attribute(_ name: String, _ type: AttributeType = .string) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: type, isOptional: true)
    }

    /// Accounts, their blogs, which are deleted with them, and their pictures.
    private static func versions() throws -> Versions {
        func model(_ more: [AttributeDescription]) -> [EntityDescription] {
            [
                EntityDescription(
                    name: "Account",
                    attributes: [attribute("name")] + more,
                    relationships: [
                        RelationshipDescription(
                            name: "blogs",
                            destinationEntityName: "Blog",
                            inverseName: "account",
                            isToMany: true,
                            deleteRule: .cascade
                        )
                    ]
                ),
                EntityDescription(
                    name: "Blog",
                    attributes: [
                        attribute("title"),
                        AttributeDescription(
                            name: "picture",
                            attributeType: .binaryData,
                            isOptional: true,
                            allowsExternalBinaryDataStorage: true
                        ),
                    ],
                    relationships: [
                        RelationshipDescription(name: "account", destinationEntityName: "Account", inverseName: "blogs")
                    ]
                ),
            ]
        }
        var versions = try Versions([model([]), model([attribute("kind")])])
        versions.stages = [1]
        return versions
    }

    private static func fill(_ context: ManagedObjectContext) throws {
        for number in 0..<4 {
            let account = EntityDescription.insertNewObject(forEntityName: "Account", into: context)
            account.setValue("account \(number)", forKey: "name")
            let blog = EntityDescription.insertNewObject(forEntityName: "Blog", into: context)
            blog.setValue("blog \(number)", forKey: "title")
            blog.setValue(Data([1, 2, 3]), forKey: "picture")
            blog.setValue(account, forKey: "account")
        }
    }

    private static func migrate(_ path: String, _ stage: MigrationStage) throws {
        _ = try PersistentContainer(
            model: try versions().definition(),
            path: path,
            options: StoreOptions(migrationStages: [stage])
        )
    }

    private static func did(_ body: @escaping @Sendable (MigrationContext) throws -> Void) -> MigrationStage {
        .custom(from: "Shelf 1", to: "Shelf 2", didMigrate: body)
    }

    /// S3: values are bound, regardless of their contents.
    @Test func statementsHaveValues() throws {
        try withStorePath { path in
            try Self.versions().makeStore(1, at: path, Self.fill)
            try Self.migrate(
                path,
                Self.did { migration in
                    try migration.execute(
                        "UPDATE Account SET kind = ? WHERE name = ?",
                        arguments: ["it's; --", "account 1"]
                    )
                    let types: [(any Sendable)?] = [
                        1, Int16(2), true, 1.5, Float(0.5), "text", Data([7]), Date(timeIntervalSinceReferenceDate: 3),
                        UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)),
                        URL(fileURLWithPath: "/store"), Decimal(string: "1.50"), nil,
                    ]
                    let names = types.indices.map { "typeof(?\($0 + 1)) AS t\($0)" }.joined(separator: ", ")
                    let row = try #require(try migration.rows("SELECT \(names)", arguments: types).first)
                    #expect(
                        types.indices.map { row["t\($0)"] as? String } == [
                            "integer", "integer", "integer", "real", "real", "text", "blob", "real", "blob", "text",
                            "text", "null",
                        ]
                    )
                    let found = try migration.rows("SELECT name FROM Account WHERE kind = ?", arguments: ["it's; --"])
                    #expect(found.compactMap { $0["name"] as? String } == ["account 1"])
                }
            )
            expectEqual(try query("SELECT kind FROM Account WHERE name = 'account 1'", at: path), ["it's; --"])
        }
    }

    @Test(arguments: [
        ("UPDATE Account SET kind = ?", 0, "has 1 parameters, but got 0 arguments"),
        ("UPDATE Account SET kind = 'a'", 1, "has 0 parameters, but got 1 arguments"),
        (
            "UPDATE Account SET kind = ?; SELECT 1", 1,
            "arguments can be passed to one statement only, but the SQL has 2 statements"
        ),
    ])
    func eachParameterHasAValue(_ sql: String, _ count: Int, _ message: String) throws {
        try withStorePath { path in
            try Self.versions().makeStore(1, at: path, Self.fill)
            let error = #expect(throws: StoreError.self) {
                try Self.migrate(path, Self.did { try $0.execute(sql, arguments: Array(repeating: "x", count: count)) })
            }
            #expect(error?.message.contains(message) == true, "\(String(describing: error))")
        }
    }

    @Test func unsupportedValuesAreRejected() throws {
        try withStorePath { path in
            try Self.versions().makeStore(1, at: path, Self.fill)
            let error = #expect(throws: StoreError.self) {
                try Self.migrate(path, Self.did { try $0.execute("SELECT ?", arguments: [[1]]) })
            }
            #expect(
                error?.message.contains("which a store cannot keep") == true,
                "\(String(describing: error))"
            )
        }
    }

    /// Objects that a migration discards are deleted without delete rules, which apply to edits only.
    @Test(arguments: [true, false])
    func discardedObjectsDoNotCascade(_ isBefore: Bool) throws {
        try withStorePath { path in
            try Self.versions().makeStore(1, at: path, Self.fill)
            let discard: @Sendable (MigrationContext) throws -> Void = { migration in
                let accounts = FetchRequest<ManagedObject>(entityName: "Account").sorted(by: SortKey("name"))
                try migration.discard(Array(try migration.objects.fetch(accounts).prefix(2)))
                let blogs = FetchRequest<ManagedObject>(entityName: "Blog").sorted(by: SortKey("title"))
                try migration.discard(Array(try migration.objects.fetch(blogs).suffix(1)))
            }
            try Self.migrate(
                path,
                isBefore ? .custom(from: "Shelf 1", to: "Shelf 2", willMigrate: discard) : Self.did(discard)
            )
            expectEqual(try query("SELECT name FROM Account ORDER BY 1", at: path), ["account 2", "account 3"])
            expectEqual(try query("SELECT title FROM Blog ORDER BY 1", at: path), ["blog 0", "blog 1", "blog 2"])
            expectEqual(try query("SELECT title FROM Blog WHERE account IS NOT NULL", at: path), ["blog 2"])
            expectEqual(try query("SELECT count(*) FROM _external_Blog_picture", at: path), ["3"])
        }
    }

    @Test func escapedContextsThrow() throws {
        try withStorePath { path in
            try Self.versions().makeStore(1, at: path, Self.fill)
            // The compiler forbids this; code that circumvents it traps. Unchecked because the mutex protects it.
            struct Escape: @unchecked Sendable { var context: MigrationContext? }
            let escaped = Mutex(Escape())
            try Self.migrate(
                path,
                Self.did { migration in
                    let escape = Escape(context: migration)
                    escaped.withLock { $0 = escape }
                }
            )
            let context = try #require(escaped.withLock { $0 }.context)
            #expect(throws: StoreError.self) { try context.execute("DELETE FROM Account") }
            #expect(throws: StoreError.self) { try context.rows("SELECT 1") }
            expectEqual(try query("SELECT count(*) FROM Account", at: path), ["4"])
        }
    }

    @Test func batchesCannotSave() throws {
        try withStorePath { path in
            try Self.versions().makeStore(1, at: path, Self.fill)
            let stage = MigrationStage.batched(
                from: "Shelf 1",
                to: "Shelf 2",
                entityName: "Account",
                attributeNames: ["kind"]
            ) { account in
                account.setValue("changed", forKey: "name")
                try account.managedObjectContext?.save()
                return ["kind": "a"]
            }
            let error = #expect(throws: StoreError.self) { try Self.migrate(path, stage) }
            #expect(
                error?.message.contains("a batched stage cannot save objects") == true,
                "\(String(describing: error))"
            )
            expectEqual(try query("SELECT count(*) FROM Account WHERE name = 'changed'", at: path), ["0"])
        }
    }

    /// A process that waits while other processes migrate the store to an intermediate version, or further, continues
    /// from there.
    @Test func manyProgramsWithBatchesMigrateOnce() async throws {
        func model(_ more: [AttributeDescription]) -> [EntityDescription] {
            [EntityDescription(name: "Photo", attributes: [Self.attribute("name")] + more)]
        }
        var versions = try Versions([
            model([]), model([Self.attribute("a")]), model([Self.attribute("a"), Self.attribute("size", .integer64)]),
        ])
        versions.stages = [2]
        let definition = try versions.definition()
        try await withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for number in 0..<50 {
                    EntityDescription.insertNewObject(forEntityName: "Photo", into: context)
                        .setValue("\(number)", forKey: "name")
                }
            }
            let stage = MigrationStage.batched(
                from: "Shelf 2",
                to: "Shelf 3",
                entityName: "Photo",
                attributeNames: ["size"],
                batchSize: 7
            ) { photo in
                ["size": Int64((photo.value(forKey: "name") as? String)?.count ?? 0)]
            }
            let options = StoreOptions(busyTimeout: .seconds(60), migrationStages: [stage])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<6 {
                    group.addTask {
                        _ = try PersistentContainer(model: definition, path: path, options: options)
                    }
                }
                try await group.waitForAll()
            }
            expectEqual(try query("SELECT count(*) FROM Photo WHERE size = length(name)", at: path), ["50"])
            expectEqual(try query("SELECT source FROM _migration ORDER BY id", at: path), ["Shelf 1", "Shelf 2"])
            expectEqual(
                try query("SELECT name FROM sqlite_schema WHERE name LIKE '\\_stage%' ESCAPE '\\'", at: path),
                []
            )
        }
    }

    @Test func progressIsCompleteWithoutPendingMigrations() throws {
        try withStorePath { path in
            var versions = try Self.versions()
            versions.stages = []
            try versions.makeStore(2, at: path, Self.fill)
            let manager = MigrationManager(model: try versions.definition(), path: path)
            let progress = manager.makeProgress()
            try manager.migrateStore()
            expectEqual(progress.fractionCompleted, 1)
        }
    }
}
