import ChordataModel
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Stages with complex models, and errors in stages.
@Suite(.onlySQLite(.migrations))
struct MigrationStageEdgeTests {
    private static func attribute(_ name: String, _ type: AttributeType = .string, was: String? = nil)
        -> AttributeDescription
    {
        AttributeDescription(name: name, attributeType: type, isOptional: true, renamingIdentifier: was)
    }

    private static func entity(
        _ name: String,
        _ attributes: [AttributeDescription],
        was: String? = nil,
        below: String? = nil
    )
        -> EntityDescription
    {
        EntityDescription(name: name, superentityName: below, attributes: attributes, renamingIdentifier: was)
    }

    private static func abstract(_ entity: EntityDescription) -> EntityDescription {
        var entity = entity
        entity.isAbstract = true
        return entity
    }

    private static func versions(_ old: [EntityDescription], _ new: [EntityDescription]) throws -> Versions {
        var versions = try Versions([old, new])
        versions.stages = [1]
        return versions
    }

    private static func insert(_ entity: String, _ values: [String: Any], _ context: ManagedObjectContext) {
        let object = EntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
    }

    private static func did(_ body: @escaping @Sendable (MigrationContext) throws -> Void) -> MigrationStage {
        .custom(from: "Shelf 1", to: "Shelf 2", didMigrate: body)
    }

    private func migrate(_ versions: Versions, _ path: String, _ stages: MigrationStage...) throws {
        _ = try PersistentContainer(
            model: try versions.definition(),
            path: path,
            options: StoreOptions(migrationStages: stages)
        )
    }

    /// Properties with the same name in several entities are distinct.
    @Test func previousValuesBelongToTheEntity() throws {
        let old = [
            Self.entity("Person", [Self.attribute("name")]), Self.entity("Company", [Self.attribute("name")]),
            Self.entity("Thing", []), Self.entity("A", [Self.attribute("v")], below: "Thing"),
            Self.entity("B", [Self.attribute("v")], below: "Thing"),
        ]
        let new = [
            Self.entity("Person", [Self.attribute("note")]), Self.entity("Company", [Self.attribute("name")]),
            Self.entity("Thing", []), Self.entity("A", [Self.attribute("v", .integer16)], below: "Thing"),
            Self.entity("B", [Self.attribute("v")], below: "Thing"),
        ]
        let versions = try Self.versions(old, new)
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                Self.insert("Person", ["name": "Ann"], context)
                Self.insert("Company", ["name": "Works"], context)
                Self.insert("A", ["v": "7"], context)
                Self.insert("B", ["v": "eight"], context)
            }
            let seen = Mutex<[String: String]>([:])
            let stage = Self.did { migration in
                for (entity, key) in [("Person", "name"), ("Company", "name"), ("A", "v"), ("B", "v")] {
                    let object = try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: entity))[0]
                    let value = try migration.previousValue(forKey: key, of: object) as? String
                    seen.withLock { $0[entity] = value }
                    // Property names of other entities are not errors, but have no values.
                    #expect(try migration.previousValue(forKey: key == "v" ? "name" : "v", of: object) == nil)
                }
            }
            try migrate(versions, path, stage)
            expectEqual(seen.withLock { $0 }, ["Person": "Ann", "Company": "Works", "A": "7", "B": "eight"])
        }
    }

    /// Sibling entities have separate columns for attributes with the same name, and their own types for them.
    @Test func batchesWriteTheAttributeOfTheEntity() throws {
        let old = [
            Self.entity("Animal", [Self.attribute("name")]), Self.entity("Cat", [], below: "Animal"),
            Self.entity("Dog", [], below: "Animal"), Self.entity("Wolf", [], below: "Animal"),
        ]
        let new = [
            Self.entity("Animal", [Self.attribute("name")]),
            Self.entity("Feline", [Self.attribute("label", .integer16)], was: "Cat", below: "Animal"),
            Self.entity("Dog", [Self.attribute("label")], below: "Animal"),
            Self.entity("Wolf", [Self.attribute("label")], below: "Animal"),
            Self.entity("Bird", [Self.attribute("label")], below: "Animal"),
        ]
        let versions = try Self.versions(
            old.map { $0.name == "Animal" ? Self.abstract($0) : $0 },
            new.map { $0.name == "Animal" ? Self.abstract($0) : $0 }
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for (entity, name) in [("Cat", "7"), ("Dog", "8"), ("Wolf", "9")] {
                    Self.insert(entity, ["name": name], context)
                }
            }
            let batches = MigrationStage.batched(
                from: "Shelf 1",
                to: "Shelf 2",
                entityName: "Animal",
                attributeNames: ["label"]
            ) {
                let name = $0.value(forKey: "name") as? String
                return ["label": $0.objectID.entityName == "Cat" ? name.flatMap { Int($0) } : name]
            }
            let container = try PersistentContainer(
                model: try versions.definition(),
                path: path,
                options: StoreOptions(migrationStages: [batches])
            )
            let context = container.newContext()
            func labels(_ entity: String) throws -> [String] {
                let request = FetchRequest<ManagedObject>(entityName: entity)
                return try context.fetch(request).map { "\($0.value(forKey: "label") ?? "none")" }
            }
            expectEqual(try ["Feline", "Dog", "Wolf", "Bird"].map(labels), [["7"], ["8"], ["9"], []])
            // No row has a value in the columns of the other entities.
            let columns = try query("SELECT name FROM pragma_table_info('Animal') WHERE name LIKE 'label%'", at: path)
            let filled = columns.map { "(\"\($0)\" IS NOT NULL)" }.joined(separator: " + ")
            expectEqual(try query("SELECT \(filled) FROM Animal", at: path), ["1", "1", "1"])
        }
    }

    /// A renaming identifier may be kept indefinitely; both versions then have the same identifier.
    @Test func identifiersThatStayAreFollowed() throws {
        func home(_ name: String, was: String?) -> AttributeDescription {
            AttributeDescription(
                name: "home",
                attributeType: .composite,
                isOptional: true,
                elements: [Self.attribute(name, was: was)]
            )
        }
        let old = [
            Self.entity("Photo", [Self.attribute("fullName", was: "name"), home("city", was: nil)], was: "Image")
        ]
        let new = [
            Self.entity(
                "Photo",
                [
                    Self.attribute("fullName", was: "name"), home("town", was: "city"),
                    Self.attribute("size", .integer16),
                ],
                was: "Image"
            )
        ]
        let versions = try Self.versions(old, new)
        try withStorePath { path in
            try versions.makeStore(1, at: path) {
                Self.insert("Photo", ["fullName": "One", "home.city": "Rome"], $0)
            }
            let stage = Self.did { migration in
                let photo = try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Photo"))[0]
                #expect(try migration.previousValue(forKey: "fullName", of: photo) as? String == "One")
                #expect(try migration.previousValue(forKey: "home.city", of: photo) as? String == "Rome")
            }
            let batches = MigrationStage.batched(
                from: "Shelf 1",
                to: "Shelf 2",
                entityName: "Photo",
                attributeNames: ["size"]
            ) { ["size": ($0.value(forKey: "fullName") as? String)?.count] }
            try migrate(versions, path, stage, batches)
            expectEqual(try query("SELECT size FROM Photo", at: path), ["3"])
        }
    }

    /// SQLite rolls back the transaction after some errors; a stage that catches one must not write outside a
    /// transaction.
    @Test func nothingIsWrittenAfterAnImplicitRollback() throws {
        let versions = try Self.versions(
            [Self.entity("Person", [Self.attribute("name")])],
            [Self.entity("Person", [Self.attribute("title")])]
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { Self.insert("Person", ["name": "Ann"], $0) }
            let before = try query("SELECT name FROM Person", at: path)
            let manager = Mutex<MigrationManager?>(nil)
            let stage = MigrationStage.custom(
                from: "Shelf 1",
                to: "Shelf 2",
                willMigrate: { migration in
                    manager.withLock { $0 }?.cancelMigration()
                    #expect(throws: (any Error).self) {
                        try migration.execute(
                            """
                            INSERT INTO Person (_id, _version, name) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
                            WHERE i < 3000000) SELECT 1000 + i, 1, 'x' FROM n
                            """
                        )
                    }
                    #expect(throws: StoreError.self) { try migration.execute("UPDATE Person SET name = 'Bob'") }
                    Self.insert("Person", ["name": "Cid"], migration.objects)
                    #expect(throws: StoreError.self) { try migration.objects.save() }
                }
            )
            let made = MigrationManager(
                model: try versions.definition(),
                path: path,
                options: StoreOptions(migrationStages: [stage])
            )
            manager.withLock { $0 = made }
            #expect(throws: StoreError.self) { try made.migrateStore() }
            manager.withLock { $0 = nil }
            expectEqual(try query("SELECT name FROM Person", at: path), before)
            expectEqual(try query("SELECT value FROM _metadata WHERE key = 'versionName'", at: path), ["Shelf 1"])
        }
    }

    // MARK: Batches

    private static func numbered(
        _ name: String,
        _ body: @escaping @Sendable () throws -> Void = {}
    )
        -> MigrationStage
    {
        .batched(
            from: "Shelf 1",
            to: "Shelf 2",
            entityName: name,
            attributeNames: ["size"],
            batchSize: 2
        ) { object in
            try body()
            return ["size": (object.value(forKey: "name") as? String)?.count]
        }
    }

    /// Other programs can write while a batch is computed, and their writes are included.
    @Test func batchesDoNotBlockOtherWriters() throws {
        let versions = try Self.versions(
            [Self.entity("S", [Self.attribute("name")])],
            // An entity may have any name that the SQL of the migration uses.
            [Self.entity("S", [Self.attribute("name"), Self.attribute("size", .integer16)])]
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for number in 0..<5 { Self.insert("S", ["name": "n\(number)"], context) }
            }
            let other = try PersistentContainer(
                model: try versions.definition(upTo: 1),
                path: path,
                options: StoreOptions(busyTimeout: .milliseconds(1))
            )
            let hasWritten = Mutex(false)
            let stage = Self.numbered("S") {
                try hasWritten.withLock { hasWritten in
                    if hasWritten { return }
                    hasWritten = true
                    let context = other.newContext()
                    for object in try context.fetch(
                        FetchRequest<ManagedObject>(entityName: "S").sorted(by: SortKey("name"))
                    ) {
                        object.setValue("changed", forKey: "name")
                    }
                    try context.save()
                }
            }
            try migrate(versions, path, stage)
            #expect(hasWritten.withLock { $0 })
            expectEqual(try query("SELECT size FROM S", at: path), Array(repeating: "7", count: 5))
        }
    }

    @Test func entitiesThatLeaveTheHierarchyGetTheirValues() throws {
        let size = Self.attribute("size", .integer16)
        let old = [
            Self.entity("Photo", [Self.attribute("name")]), Self.entity("Portrait", [], below: "Photo"),
        ]
        let apart = try Self.versions(
            old,
            [
                Self.entity("Photo", [Self.attribute("name"), size]),
                Self.entity("Portrait", [Self.attribute("name"), size]),
            ]
        )
        func fill(_ context: ManagedObjectContext) {
            Self.insert("Photo", ["name": "a"], context)
            Self.insert("Portrait", ["name": "bb"], context)
        }
        try withStorePath { path in
            try apart.makeStore(1, at: path, fill)
            try migrate(apart, path, Self.numbered("Photo"))
            expectEqual(try query("SELECT size FROM Photo UNION ALL SELECT size FROM Portrait", at: path), ["1", "2"])
        }
        let without = try Self.versions(
            old,
            [
                Self.entity("Photo", [Self.attribute("name"), size]),
                Self.entity("Portrait", [Self.attribute("name")]),
            ]
        )
        try withStorePath { path in
            try without.makeStore(1, at: path, fill)
            let error = #expect(throws: StoreError.self) { try migrate(without, path, Self.numbered("Photo")) }
            let reason = "'size', which a batched stage sets, is not an attribute of 'Portrait'"
            #expect(error?.message.contains(reason) == true, "\(String(describing: error))")
        }
    }

    @Test func rowsChangedBySQLAreRecomputed() throws {
        let versions = try Self.versions(
            [Self.entity("Photo", [Self.attribute("name")])],
            [Self.entity("Photo", [Self.attribute("name"), Self.attribute("size", .integer16)])]
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { Self.insert("Photo", ["name": "a"], $0) }
            let stage = MigrationStage.custom(
                from: "Shelf 1",
                to: "Shelf 2",
                willMigrate: { try $0.execute("UPDATE Photo SET name = 'fixed'") }
            )
            try migrate(versions, path, Self.numbered("Photo"), stage)
            expectEqual(try query("SELECT size FROM Photo", at: path), ["5"])
        }
    }

    /// Each attempt that changes the version makes one backup, and attempts that only compute values make none.
    @Test func aStageThatIsTriedAgainBacksUpOnce() throws {
        let versions = try Self.versions(
            [Self.entity("Photo", [Self.attribute("name")])],
            [Self.entity("Photo", [Self.attribute("name"), Self.attribute("size", .integer16)])]
        )
        struct Stop: Error {}
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for _ in 0..<5 { Self.insert("Photo", ["name": "a"], context) }
            }
            for attempt in 0..<3 {
                let stage = Self.numbered("Photo") { if attempt < 2 { throw Stop() } }
                let options = StoreOptions(backsUpBeforeMigration: true, migrationStages: [stage])
                let definition = try versions.definition()
                if attempt < 2 {
                    #expect(throws: StoreError.self) {
                        try PersistentContainer(model: definition, path: path, options: options)
                    }
                } else {
                    _ = try PersistentContainer(model: definition, path: path, options: options)
                }
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let backups = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("backup") }
            expectEqual(backups.count, 1)
        }
    }

    /// Computed values are kept when the migration is cancelled.
    @Test func cancellingKeepsComputedValues() throws {
        let versions = try Self.versions(
            [Self.entity("Photo", [Self.attribute("name")])],
            [Self.entity("Photo", [Self.attribute("name"), Self.attribute("size", .integer16)])]
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for _ in 0..<10 { Self.insert("Photo", ["name": "a"], context) }
            }
            let manager = Mutex<MigrationManager?>(nil)
            let count = Mutex(0)
            let stage = Self.numbered("Photo") {
                count.withLock { count in
                    count += 1
                    if count == 5 { manager.withLock { $0 }?.cancelMigration() }
                }
            }
            let made = MigrationManager(
                model: try versions.definition(),
                path: path,
                options: StoreOptions(migrationStages: [stage])
            )
            manager.withLock { $0 = made }
            let error = #expect(throws: StoreError.self) { try made.migrateStore() }
            manager.withLock { $0 = nil }
            expectEqual(error?.code, .cancelled)
            expectEqual(count.withLock { $0 }, 5)
            expectEqual(try query("SELECT count(*) FROM _stage_0_Photo", at: path), ["4"])
        }
    }

    // MARK: Further cases

    /// The stage may set the values that a uniqueness constraint requires.
    @Test func uniqueValuesMayComeFromTheStage() throws {
        let old = [Self.entity("Page", [Self.attribute("title")])]
        let new = [
            EntityDescription(
                name: "Page",
                attributes: [
                    Self.attribute("title"),
                    AttributeDescription(name: "slug", attributeType: .string, defaultValue: .string("")),
                ],
                uniquenessConstraints: [["slug"]]
            )
        ]
        let versions = try Self.versions(old, new)
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for title in ["A", "B"] { Self.insert("Page", ["title": title], context) }
            }
            #expect(throws: StoreError.self) { try migrate(versions, path, Self.did { _ in }) }
            let stage = Self.did { migration in
                for page in try migration.objects.fetch(FetchRequest<ManagedObject>(entityName: "Page")) {
                    page.setValue((page.value(forKey: "title") as? String)?.lowercased(), forKey: "slug")
                }
            }
            try migrate(versions, path, stage)
            expectEqual(try query("SELECT slug FROM Page ORDER BY slug", at: path), ["a", "b"])
        }
    }

    /// Rows in tables of other programs are unchanged, even if they violated foreign keys before.
    @Test func foreignTablesAreUnchanged() throws {
        let versions = try Self.versions(
            [Self.entity("Person", [Self.attribute("name")])],
            [Self.entity("Person", [Self.attribute("title")])]
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { context in
                for name in ["Ann", "Bob"] { Self.insert("Person", ["name": name], context) }
            }
            try run(
                """
                CREATE TABLE theirs (id INTEGER PRIMARY KEY);
                CREATE TABLE note (a REFERENCES theirs (id) ON DELETE CASCADE, b REFERENCES theirs);
                INSERT INTO note VALUES (7, 8);
                """,
                at: path
            )
            let stage = MigrationStage.custom(
                from: "Shelf 1",
                to: "Shelf 2",
                willMigrate: { migration in
                    let deleted = try migration.rows("DELETE FROM Person WHERE name = 'Ann' RETURNING name")
                    expectEqual(deleted.count, 1)
                }
            )
            try migrate(versions, path, stage)
            expectEqual(try query("SELECT a || b FROM note", at: path), ["78"])
            expectEqual(try query("SELECT count(*) FROM Person", at: path), ["1"])
        }
    }

    /// Objects that are kept after the stage can no longer access the store.
    @Test func aContextEndsWithItsStage() throws {
        let versions = try Self.versions(
            [Self.entity("Person", [Self.attribute("name")])],
            [Self.entity("Person", [Self.attribute("title")])]
        )
        try withStorePath { path in
            try versions.makeStore(1, at: path) { _ in }
            // A lock would not help: a context is not Sendable, and this test misuses it deliberately. The stage runs
            // on this thread.
            nonisolated(unsafe) var kept: ManagedObjectContext?
            let stage = Self.did { migration in kept = migration.objects }
            let container = try PersistentContainer(
                model: try versions.definition(),
                path: path,
                options: StoreOptions(migrationStages: [stage])
            )
            let context = try #require(kept)
            Self.insert("Person", ["title": "Late"], context)
            #expect(throws: StoreError.self) { try context.save() }
            #expect(throws: StoreError.self) { try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) }
            _ = container
            expectEqual(try query("SELECT count(*) FROM Person", at: path), ["0"])
        }
    }

    /// Attributes that swap their names keep their values, which derived attributes then use; derived dates are kept.
    @Test func derivedAttributesFollowNames() throws {
        func derived(_ name: String, _ type: AttributeType, _ expression: String, was: String? = nil)
            -> AttributeDescription
        {
            AttributeDescription(
                name: name,
                attributeType: type,
                isOptional: true,
                derivationExpression: expression,
                renamingIdentifier: was
            )
        }
        let versions = try Versions([
            [
                Self.entity(
                    "Note",
                    [
                        Self.attribute("name"), Self.attribute("displayName"),
                        derived("folded", .string, "lowercase:(name)"), derived("touched", .date, "now()"),
                    ]
                )
            ],
            [
                Self.entity(
                    "Memo",
                    [
                        Self.attribute("name", was: "displayName"), derived("folded", .string, "lowercase:(name)"),
                        derived("modified", .date, "now()", was: "touched"),
                    ],
                    was: "Note"
                )
            ],
        ])
        try withStorePath { path in
            try versions.makeStore(1, at: path) {
                Self.insert("Note", ["name": "OLD", "displayName": "NEW"], $0)
            }
            try run("UPDATE Note SET touched = 1000", at: path)
            _ = try PersistentContainer(model: try versions.definition(), path: path)
            expectEqual(try query("SELECT name || folded || modified FROM Memo", at: path), ["NEWnew1000.0"])
        }
    }
}
