import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The connection that opens a store is the first one that reads or writes.
@Suite(.onlySQLite(.files))
struct FirstConnectionTests {
    private func makeStore(at path: String) throws {
        let context = try LeagueModel.container(at: path).newContext(isolation: nil)
        _ = Team(context: context, name: "Reds")
        try context.save()
    }

    private func names(_ container: PersistentContainer) throws -> [String] {
        try container.newContext(isolation: nil).fetch(Team.fetchRequest()).map(\.name).sorted()
    }

    @Test func readersAndThenWriters() throws {
        try withStorePath { path in
            try makeStore(at: path)
            let container = try LeagueModel.container(at: path)
            expectEqual(try names(container), ["Reds"])
            let context = container.newContext(isolation: nil)
            _ = Team(context: context, name: "Blues")
            try context.save()
            expectEqual(try names(container), ["Blues", "Reds"])
            expectEqual(container.statistics.readers.openedCount, 1)
        }
    }

    @Test func writersAndThenReaders() throws {
        try withStorePath { path in
            try makeStore(at: path)
            let container = try LeagueModel.container(at: path)
            let context = container.newContext(isolation: nil)
            _ = Team(context: context, name: "Blues")
            try context.save()
            expectEqual(try names(container), ["Blues", "Reds"])
        }
    }

    /// The last connection moves the log into the file and deletes it, even if no connection has written.
    @Test func filesAfterReading() throws {
        try withStorePath { path in
            try makeStore(at: path)
            do {
                let container = try LeagueModel.container(at: path)
                expectEqual(try names(container), ["Reds"])
            }
            let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
            let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            expectEqual(files, [URL(fileURLWithPath: path).lastPathComponent])
        }
    }

    /// A store that the process knows is opened with fewer statements; its first save sets what writing needs.
    @Test(arguments: [StoreOptions.Synchronous.normal, .full]) func settingsOfTheFirstSave(
        synchronous: StoreOptions.Synchronous
    ) throws {
        try withStorePath { path in
            try makeStore(at: path)
            do { _ = try LeagueModel.container(at: path) }
            let file = try SQLiteConnection(path: path, mode: .readWriteCreate)
            expectEqual(try file.text("PRAGMA journal_mode=DELETE"), "delete")
            let container = try LeagueModel.container(at: path, options: StoreOptions(synchronous: synchronous))
            let context = container.newContext(isolation: nil)
            _ = Team(context: context, name: "Blues")
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            try store.write { connection in
                expectEqual(try connection.text("PRAGMA journal_mode"), "wal")
                expectEqual(try connection.integer("PRAGMA synchronous"), synchronous == .full ? 2 : 1)
            }
        }
    }

    /// The contents of a known file were replaced by those of another store, with as many changes of its schema.
    @Test func otherContentsOfAKnownFile() throws {
        try withStorePath { path in
            try makeStore(at: path)
            let first = try #require(LeagueModel.container(at: path).persistentStoreCoordinator.persistentStores.first)
            let identifier = first.identifier
            try withStorePath { other in
                try makeStore(at: other)
                let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
                try file.write(contentsOf: Data(contentsOf: URL(fileURLWithPath: other)))
                try file.close()
                let container = try LeagueModel.container(at: path)
                let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
                #expect(store.identifier != identifier)
                expectEqual(try names(container), ["Reds"])
            }
        }
    }

    @Test func aFileThatWasReplacedBeforeTheFirstSave() throws {
        try withStorePath { path in
            try makeStore(at: path)
            let container = try LeagueModel.container(at: path)
            let context = container.newContext(isolation: nil)
            expectEqual(try context.fetch(Team.fetchRequest()).count, 1)
            for ending in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + ending) }
            try makeStore(at: path)
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            _ = Team(context: context, name: "Blues")
            #expect {
                try context.save()
            } throws: { error in
                (error as? StoreError)?.code == .cannotOpen && "\(error)".contains("replaced")
            }
            expectEqual(context.insertedObjects.count, 1)
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
        }
    }

    /// Cached information about a store's tables is not used after another program has changed them.
    @Test func indexesThatWereRemovedBetweenTwoContainers() throws {
        try withStorePath { path in
            try makeStore(at: path)
            for _ in 0..<3 { expectEqual(try names(LeagueModel.container(at: path)), ["Reds"]) }
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            let indexes = try readIndexes(connection).map(\.name)
            #expect(!indexes.isEmpty)
            for name in indexes { try connection.execute("DROP INDEX \(quoteIdentifier(name))") }
            expectEqual(try names(LeagueModel.container(at: path)), ["Reds"])
            expectEqual(try readIndexes(connection).map(\.name), indexes)
            try connection.execute("DROP TABLE \"Player\"")
            #expect(throws: StoreError.self) { try LeagueModel.container(at: path) }
        }
    }

    /// Containers of one process that open the same store give their objects different provisional keys.
    @Test func provisionalKeysOfTwoContainers() throws {
        try withStorePath { path in
            try makeStore(at: path)
            _ = try LeagueModel.container(at: path)
            let containers = [try LeagueModel.container(at: path), try LeagueModel.container(at: path)]
            let contexts = containers.map { $0.newContext(isolation: nil) }
            try withConcurrentWriter(containers[0].store) {
                let teams = contexts.map { Team(context: $0, name: "Team") }
                #expect(teams[0].objectID != teams[1].objectID)
            }
            for context in contexts { try context.save() }
            expectEqual(try names(containers[0]), ["Reds", "Team", "Team"])
        }
    }
}
