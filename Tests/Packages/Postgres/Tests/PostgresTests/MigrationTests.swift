import ChordataModel
import Foundation
import Synchronization
import Testing

@testable import Chordata
@testable import ChordataMigration
@testable import ChordataPostgres

/// Migrations of stores on the server.
struct MigrationTests {
    /// Law: a migrated store has the tables of a fresh one, and the objects of a store in SQLite that was migrated by
    /// the same plan.
    @Test(arguments: MigrationPair.all.indices) func migratedIsFresh(index: Int) throws {
        let pair = MigrationPair.all[index]
        let schema = newSchemaName()
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).sqlite").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let old = pair.definition(.old)
        for container in [
            try PersistentContainer(model: old, postgres: PostgresConfiguration(TestServer.string, schema: schema)),
            try PersistentContainer(model: old, path: path),
        ] {
            try pair.fill(container.newContext())
        }
        let new = pair.definition(.new)
        let server = try PersistentContainer(
            model: new,
            postgres: PostgresConfiguration(TestServer.string, schema: schema)
        )
        let sqlite = try PersistentContainer(model: new, path: path)
        #expect(try contents(of: server, pair.new) == contents(of: sqlite, pair.new), "\(pair.name)")
        let fresh = newSchemaName()
        _ = try PersistentContainer(model: new, postgres: PostgresConfiguration(TestServer.string, schema: fresh))
        #expect(try tables(in: schema) == tables(in: fresh), "\(pair.name)")
        // The store is writable.
        let context = server.newContext()
        for entity in pair.new.entities where !entity.isAbstract {
            let request = FetchRequest<ManagedObject>(entityName: entity.name)
            for object in try context.fetch(request) { context.delete(object) }
        }
        try context.save()
        #expect(try contents(of: server, pair.new).isEmpty, "\(pair.name)")
    }

    private func container(
        _ definition: ModelDefinition,
        _ schema: String,
        _ database: TestDatabase = TestDatabase(TestServer.configuration())
    ) throws -> PersistentContainer {
        try PersistentContainer(model: definition, database: database, schemaName: schema)
    }

    /// If several programs start at the same time, one of them migrates the store.
    @Test func severalPrograms() async throws {
        let pair = MigrationPair.all[0]
        let schema = newSchemaName()
        let old = try container(pair.definition(.old), schema)
        try pair.fill(old.newContext())
        let new = pair.definition(.new)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 { group.addTask { _ = try self.container(new, schema) } }
            try await group.waitForAll()
        }
        let rows = try TestServer.connection().rows("SELECT count(*) FROM \"\(schema)\".\"_migration\"")
        #expect(rows == [["1"]])
    }

    /// A program with the older model fails at its next save, and at a query of tables or columns that no longer exist.
    @Test func olderPrograms() throws {
        let pair = MigrationPair.all[0]
        let schema = newSchemaName()
        let old = try container(pair.definition(.old), schema)
        let context = old.newContext()
        try pair.fill(context)
        let person = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")).first)
        person.setValue("new", forKey: "name")
        context.reader.endReading()
        _ = try container(pair.definition(.new), schema)
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .incompatibleModel)
        let other = #expect(throws: StoreError.self) {
            try old.newContext().fetch(FetchRequest<ManagedObject>(entityName: "Person"))
        }
        #expect(other?.code == .incompatibleModel)
        let downgrade = #expect(throws: StoreError.self) { try container(pair.definition(.old), schema) }
        #expect(downgrade?.code == .newerVersion)
    }

    /// A migration that is killed at any of its statements leaves the store at the old version, or at the new one.
    @Test func kills() throws {
        let pair = MigrationPair.all[0]
        let (old, new) = (pair.definition(.old), pair.definition(.new))
        let schema = newSchemaName()
        try pair.fill(try container(old, schema).newContext())
        let before = try tables(in: schema)
        var killCount = 0
        while killCount < 200 {
            let database = TestDatabase(TestServer.configuration())
            database.remainingStatements.withLock { $0 = killCount }
            do {
                _ = try container(new, schema, database)
                break
            } catch let error as StoreError {
                #expect(error.code == .connectionLost, "\(error)")
            }
            killCount += 1
            let version = try TestServer.connection()
                .rows("SELECT \"value\" FROM \"\(schema)\".\"_metadata\" WHERE \"key\" = 'versionHash'")[0][0]
            if version == old.model.versionHash {
                #expect(try tables(in: schema) == before)
            } else {
                #expect(version == new.model.versionHash)
            }
        }
        #expect((20..<200).contains(killCount))
        let fresh = newSchemaName()
        _ = try container(new, fresh)
        #expect(try tables(in: schema) == tables(in: fresh))
    }

    /// A new timestamp gets the time of the migration; one that a row has already is kept.
    @Test func timestamps() throws {
        let schema = newSchemaName()
        let pair = MigrationPair.timestamps
        try pair.fill(try container(pair.definition(.old), schema).newContext())
        let before = Date()
        let context = try container(pair.definition(.new), schema).newContext()
        let item = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Item")).first)
        let saved = try #require(item.value(forKey: "saved") as? Date)
        let added = try #require(item.value(forKey: "added") as? Date)
        #expect(saved < before && added >= before)
    }

    /// An attribute with the same expression gets a new value if it derives from one whose expression has changed, or
    /// from one with the name of another.
    @Test func valuesDerivedFromChangedOnes() throws {
        let schema = newSchemaName()
        let pair = MigrationPair.changedSources
        try pair.fill(try container(pair.definition(.old), schema).newContext())
        let context = try container(pair.definition(.new), schema).newContext()
        let item = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Item")).first)
        #expect(item.value(forKey: "double") as? Int64 == 8)
        #expect(item.value(forKey: "key") as? String == "b")
    }

    /// A migration that fails leaves nothing behind, and its error names the step and the change.
    @Test func failures() throws {
        let pair = try #require(MigrationPair.all.first { $0.name == "narrower types" })
        let schema = newSchemaName()
        let old = try container(pair.definition(.old), schema)
        let context = old.newContext()
        _ = context.insert("Item", ["long": 70_000])
        try context.save()
        let before = try tables(in: schema)
        let error = #expect(throws: StoreError.self) { try container(pair.definition(.new), schema) }
        #expect(error?.code == .migrationFailed)
        #expect(
            error?.message.contains("values of 'long' of 'Item' do not fit into") == true,
            "\(String(describing: error))"
        )
        #expect(try tables(in: schema) == before)
        let manual = #expect(throws: StoreError.self) {
            var configuration = PostgresConfiguration(TestServer.string, schema: schema)
            configuration.shouldMigrateStoreAutomatically = false
            return try PersistentContainer(model: pair.definition(.new), postgres: configuration)
        }
        #expect(manual?.code == .migrationNeeded)
    }
}
