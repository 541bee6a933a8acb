import CChordataSQLite
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// A file that cannot be opened as a store causes a typed error, and is not changed.
@Suite(.onlySQLite(.files))
struct OpenStoreTests {
    private func expectRefusal(
        _ code: StoreError.Code,
        path: String,
        _ open: (String) throws(StoreError) -> PersistentContainer
    ) throws -> String {
        let before = FileManager.default.contents(atPath: path)
        do {
            _ = try open(path)
            Issue.record("was opened")
            return ""
        } catch {
            expectEqual(error.code, code, "\(error)")
            expectEqual(FileManager.default.contents(atPath: path), before)
            return error.description
        }
    }

    /// If several connections create a file at the same time, SQLite lets some of them fail without waiting.
    @Test func aNewFileIsOpenedByManyAtTheSameTime() throws {
        for _ in 0..<30 {
            try withStorePath { path in
                let failures = Mutex<[String]>([])
                DispatchQueue.concurrentPerform(iterations: 4) { _ in
                    do {
                        _ = try LeagueModel.definition.testContainer(at: path)
                    } catch {
                        failures.withLock { $0.append("\(error)") }
                    }
                }
                expectEqual(failures.withLock { $0 }, [])
            }
        }
    }

    @Test func aFileThatIsNotSQLite() throws {
        try withStorePath { path in
            try Data(String(repeating: "not a database ", count: 100).utf8).write(to: URL(fileURLWithPath: path))
            _ = try expectRefusal(.notADatabase, path: path) { path throws(StoreError) in
                try DoneModel.definition.testContainer(at: path)
            }
        }
    }

    @Test func theStoreOfAnotherModel() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            let message = try expectRefusal(.incompatibleModel, path: path) { path throws(StoreError) in
                try DoneModel.definition.testContainer(at: path)
            }
            #expect(message.contains("'League'"))
        }
    }

    @Test func aDatabaseOfAnotherProgram() throws {
        try withStorePath { path in
            var handle: OpaquePointer?
            expectEqual(sqlite3_open(path, &handle), SQLITE_OK)
            expectEqual(sqlite3_exec(handle, "CREATE TABLE t (a); INSERT INTO t VALUES (1)", nil, nil, nil), SQLITE_OK)
            sqlite3_close(handle)
            _ = try expectRefusal(.notAChordataStore, path: path) { path throws(StoreError) in
                try DoneModel.definition.testContainer(at: path)
            }
        }
    }

    /// Everything that the transaction that creates a store writes exists, unless another program removed it.
    @Test(arguments: [
        ("DROP TABLE _sequence", "table '_sequence'"), ("DROP TABLE _metadata", "table '_metadata'"),
        (
            "DELETE FROM _metadata WHERE key IN ('versionHash', 'modelName')",
            "entry of _metadata 'modelName', 'versionHash'"
        ),
        ("UPDATE _metadata SET value = 'none' WHERE key = 'storeUUID'", "entry of _metadata 'storeUUID'"),
    ])
    func storeWithMissingParts(_ damage: String, _ part: String) throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            var handle: OpaquePointer?
            expectEqual(sqlite3_open(path, &handle), SQLITE_OK)
            expectEqual(sqlite3_exec(handle, damage, nil, nil, nil), SQLITE_OK)
            sqlite3_close(handle)
            let message = try expectRefusal(.incompleteStore, path: path) { path throws(StoreError) in
                try LeagueModel.definition.testContainer(at: path)
            }
            #expect(message.contains("with missing parts: \(part); restore it from a backup"))
        }
    }

    /// If the power is cut while a store is created, its first page may not be on the disk, although the journal is.
    @Test func unwrittenFirstPage() throws {
        // The journal of a database that was empty before.
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let numbers: [UInt8] = [0, 0, 0, 0, 1, 2, 3, 4, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 16, 0]
        let journal = Data(magic + numbers) + Data(count: 512 - 28)
        try withStorePath { path in
            try Data(count: 4_096).write(to: URL(fileURLWithPath: path))
            for contents in [nil, Data("not a journal".utf8)] {
                try contents?.write(to: URL(fileURLWithPath: path + "-journal"))
                _ = try expectRefusal(.notADatabase, path: path) { path throws(StoreError) in
                    try LeagueModel.definition.testContainer(at: path)
                }
            }
            try journal.write(to: URL(fileURLWithPath: path + "-journal"))
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            _ = Team(context: context, name: "a")
            try context.save()
            #expect(!FileManager.default.fileExists(atPath: path + "-journal"))
        }
        try withStorePath { path in
            try Data("text".utf8).write(to: URL(fileURLWithPath: path))
            try journal.write(to: URL(fileURLWithPath: path + "-journal"))
            _ = try expectRefusal(.notADatabase, path: path) { path throws(StoreError) in
                try LeagueModel.definition.testContainer(at: path)
            }
        }
    }

    /// A new file can have the identity and the schema version of a store that this process has compared before.
    @Test func anotherFileWithTheIdentityOfAKnownStore() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            _ = try LeagueModel.definition.testContainer(at: path)
            let version = try SQLiteConnection(path: path, mode: .readOnly).integer("PRAGMA schema_version")
            var handle: OpaquePointer?
            expectEqual(sqlite3_open(path, &handle), SQLITE_OK)
            let damage = "DROP TABLE _metadata; PRAGMA schema_version = \(version)"
            expectEqual(sqlite3_exec(handle, damage, nil, nil, nil), SQLITE_OK)
            sqlite3_close(handle)
            let message = try expectRefusal(.incompleteStore, path: path) { path throws(StoreError) in
                try LeagueModel.definition.testContainer(at: path)
            }
            #expect(message.contains("with missing parts: table '_metadata'"), "\(message)")
        }
    }

    @Test func aFolder() throws {
        try withStorePath { path in
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            do {
                _ = try DoneModel.definition.testContainer(at: path)
                Issue.record("was opened")
            } catch let error as StoreError {
                expectEqual(error.code, .cannotOpen)
            }
        }
    }

    /// Saves are synchronized to disk unless the options disable that, in new stores and existing ones.
    @Test func synchronousOptionIsApplied() throws {
        try withStorePath { path in
            func setting(_ options: StoreOptions) throws -> Int64 {
                let container = try LeagueModel.definition.testContainer(at: path, options: options)
                let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
                return try store.sqlite.write { try $0.integer("PRAGMA synchronous") }
            }
            let settings = [
                try setting(StoreOptions(synchronous: .normal)), try setting(StoreOptions()),
                try setting(StoreOptions(synchronous: .normal)),
            ]
            expectEqual(settings, [1, 2, 1])
        }
    }

    @Test(arguments: [(nil, -16_384), (1 << 20, -1_024), (0, -64)] as [(Int?, Int64)])
    func cacheSizeIsApplied(_ size: Int?, _ setting: Int64) throws {
        try withStorePath { path in
            let options = size.map { StoreOptions(cacheSize: $0) } ?? StoreOptions()
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            expectEqual(try store.sqlite.write { try $0.integer("PRAGMA cache_size") }, setting)
            expectEqual(try store.sqlite.read { try $0.integer("PRAGMA cache_size") }, setting)
        }
    }

    @Test func fewConnectionsWaitForReaders() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let busy = try (0..<9).map { _ in try #require(try store.sqlite.beginReading()) }
            for connection in busy { store.sqlite.endReading(connection) }
            expectEqual(store.sqlite.readers.statistics.idleCount, 4)
        }
    }

    @Test func reopeningKeepsRowsAndIdentity() throws {
        try withStorePath { path in
            let first: String
            do {
                let context = try LeagueModel.definition.testContainer(at: path).newContext()
                let team = Team(context: context, name: "Reds")
                try context.save()
                first = team.objectID.uriRepresentation
            }
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            let team = try #require(try context.fetch(Team.fetchRequest()).first)
            expectEqual(team.objectID.uriRepresentation, first)
            let second = Team(context: context, name: "Blues")
            #expect(second.objectID.key > team.objectID.key)
        }
    }
}
