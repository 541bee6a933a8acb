import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Operations on whole stores: reading metadata, read-only access, copying and destroying.
@Suite(.onlySQLite(.files))
struct StoreFileTests {
    private func withStore(_ body: (String, PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let context = container.newContext()
            for name in ["Reds", "Blues"] { _ = Team(context: context, name: name) }
            try context.save()
            try body(path, container)
        }
    }

    private func names(_ container: PersistentContainer) throws -> [String] {
        let context = container.newContext()
        return try context.fetch(Team.fetchRequest().sorted(by: \.name)).map(\.name)
    }

    private func names(at path: String) throws -> [String] { try names(try LeagueModel.container(at: path)) }

    private func store(_ container: PersistentContainer) throws -> PersistentStore {
        try #require(container.persistentStoreCoordinator.persistentStores.first)
    }

    @Test func metadata() throws {
        try withStore { path, container in
            let store = try store(container)
            let metadata = try PersistentStoreCoordinator.metadata(forStoreAt: path)
            expectEqual(metadata.storeUUID, store.identifier)
            #expect(metadata.modelName == "League" && metadata.entityHashes.keys.sorted() == ["Player", "Team"])
            try store.setMetadata("2026-11-21", forKey: "lastImport")
            try store.setMetadata("x", forKey: "gone")
            try store.setMetadata(nil, forKey: "gone")
            expectEqual(try store.metadata().notes, ["lastImport": "2026-11-21"])
            expectEqual(try PersistentStoreCoordinator.metadata(forStoreAt: path).notes, ["lastImport": "2026-11-21"])
        }
    }

    /// A copy of the file of a deallocated container contains the whole store.
    @Test func closingCheckpointsTheLog() throws {
        try withStorePath { path in
            do {
                let container = try LeagueModel.container(at: path)
                let context = container.newContext()
                _ = Team(context: context, name: "Reds")
                try context.save()
                expectEqual(try names(container), ["Reds"])
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
            let files = try FileManager.default.contentsOfDirectory(atPath: folder)
            expectEqual(files, ["store.sqlite"])
            expectEqual(try names(at: path), ["Reds"])
        }
    }

    @Test func readOnly() throws {
        try withStore { path, _ in
            let container = try PersistentContainer(
                model: LeagueModel.definition,
                path: path,
                options: StoreOptions(isReadOnly: true)
            )
            #expect(try store(container).isReadOnly)
            expectEqual(try names(container), ["Blues", "Reds"])
            let context = container.newContext()
            let team = Team(context: context, name: "Greens")
            #expect(team.objectID.key > PersistentStore.firstProvisionalKey)
            let error = #expect(throws: StoreError.self) { try context.save() }
            expectEqual(error?.code, .readOnly)
            expectEqual(error?.message, "was opened with isReadOnly, so changes cannot be saved")
            #expect(team.isInserted && team.name == "Greens")
            expectEqual(try names(container), ["Blues", "Reds"])
        }
    }

    @Test func missingReadOnlyStoresAreNotCreated() throws {
        try withStorePath { path in
            #expect(throws: StoreError.self) {
                try PersistentContainer(
                    model: LeagueModel.definition,
                    path: path,
                    options: StoreOptions(isReadOnly: true)
                )
            }
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func backupIsReadableAsImmutable() throws {
        try withStore { path, container in
            let copy = path + " copy? #1%.sqlite"
            try store(container).backUp(to: copy)
            let connection = try SQLiteConnection(path: copy, mode: .immutable)
            expectEqual(try connection.integer("SELECT count(*) FROM \"Team\""), 2)
            #expect(connection.isReadOnly)
        }
    }

    @Test func backup() throws {
        try withStore { path, container in
            let copy = path + ".backup"
            let context = container.newContext()
            _ = Team(context: context, name: "unsaved")
            try store(container).backUp(to: copy)
            expectEqual(try names(at: copy), ["Blues", "Reds"])
            let error = #expect(throws: StoreError.self) { try store(container).backUp(to: copy) }
            expectEqual(error?.message, "exists already; nothing was copied")
            #expect(throws: StoreError.self) { try store(container).backUp(to: path + "/no/such/folder") }
            expectEqual(try names(at: copy), ["Blues", "Reds"])
        }
    }

    @Test func destruction() throws {
        try withStore { path, container in
            let before = try store(container).identifier
            try PersistentStoreCoordinator.destroyPersistentStore(at: path)
            let fresh = try LeagueModel.container(at: path)
            #expect(try names(fresh).isEmpty)
            #expect(try store(fresh).identifier != before)
        }
    }

    @Test func filesThatAreNotStoresAreNotDestroyed() throws {
        try withStorePath { path in
            let text = Data("Dear diary, ".utf8) + Data(repeating: 32, count: 4_096)
            try text.write(to: URL(fileURLWithPath: path))
            #expect(throws: StoreError.self) { try PersistentStoreCoordinator.destroyPersistentStore(at: path) }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), text)
            let other = path + ".other"
            let connection = try SQLiteConnection(path: other, mode: .readWriteCreate)
            try connection.execute("CREATE TABLE t (x)")
            let error = #expect(throws: StoreError.self) {
                try PersistentStoreCoordinator.destroyPersistentStore(at: other)
            }
            expectEqual(error?.code, .notAChordataStore)
            expectEqual(try connection.integer("SELECT count(*) FROM sqlite_schema"), 1)
            #expect(throws: StoreError.self) {
                try PersistentStoreCoordinator.destroyPersistentStore(at: path + ".none")
            }
        }
    }

    /// Without its log, the file of an open store has no tables yet.
    @Test func copiesWithoutTheLogAreRefused() throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let copy = path + ".copy"
            try FileManager.default.copyItem(atPath: path, toPath: copy)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: copy))
            try #require(!bytes.isEmpty)
            let name = URL(fileURLWithPath: copy).lastPathComponent
            for open in [
                { _ = try PersistentStoreCoordinator.metadata(forStoreAt: copy) },
                { _ = try MigrationManager(model: LeagueModel.definition, path: copy).pendingMigrations() },
                { try PersistentStoreCoordinator.replacePersistentStore(at: path + ".new", withStoreAt: copy) },
            ] as [() throws -> Void] {
                let error = #expect(throws: StoreError.self) { try open() }
                expectEqual(error?.code, .notAChordataStore)
                let words = "without tables; if it is a copy of a store, copy '\(name)-wal'"
                #expect(error?.description.contains(words) == true, "\(String(describing: error))")
            }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: copy)), bytes)
            _ = container
        }
    }

    /// A damaged store can be destroyed, but not a file that was never a store.
    @Test func aDamagedStoreIsDestroyed() throws {
        try withStorePath { path in
            let definition = LeagueModel.definition
            _ = try PersistentContainer(model: definition, path: path)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            // The pages after the first page, which has the schema, and the number of cells of the first page.
            for index in 4_096..<bytes.count { bytes[index] = 0xA5 }
            (bytes[103], bytes[104]) = (0xFF, 0xFF)
            try bytes.write(to: URL(fileURLWithPath: path))
            #expect(throws: StoreError.self) { try PersistentContainer(model: definition, path: path) }
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), bytes)
            try PersistentStoreCoordinator.destroyPersistentStore(at: path)
            _ = try PersistentContainer(model: definition, path: path)
        }
    }

    @Test func replacement() throws {
        try withStore { path, container in
            let other = path + ".other"
            let copy = path + ".copy"
            let otherContext = try LeagueModel.container(at: other).newContext()
            _ = Team(context: otherContext, name: "Greens")
            try otherContext.save()
            // Both the destination and the source are open.
            try PersistentStoreCoordinator.replacePersistentStore(at: path, withStoreAt: other)
            expectEqual(try names(at: path), ["Greens"])
            expectEqual(try names(container), ["Greens"])
            try PersistentStoreCoordinator.replacePersistentStore(at: copy, withStoreAt: other)
            expectEqual(try names(at: copy), ["Greens"])
            #expect(throws: StoreError.self) {
                try PersistentStoreCoordinator.replacePersistentStore(at: path, withStoreAt: path + ".none")
            }
            expectEqual(try names(at: path), ["Greens"])
        }
    }

    @Test func settingsAreReadBack() throws {
        try withStore { path, container in
            try store(container).sqlite.write { connection in
                let mode = try connection.text("PRAGMA journal_mode")
                let values = try ["synchronous", "foreign_keys", "trusted_schema"].map {
                    try connection.integer("PRAGMA \($0)")
                }
                expectEqual(mode, "wal")
                expectEqual(values, [2, 1, 0])
                let error = #expect(throws: StoreError.self) { try connection.set("page_count", to: 77) }
                expectEqual(error?.code, .unsupportedEnvironment)
            }
        }
    }
}
