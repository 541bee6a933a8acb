import CChordataSQLite
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Everything that takes the path of a store refuses a file that is not a store of Chordata.
///
/// The file, its mode and its folder do not change. Only an empty file counts as a file that does not exist yet, as in
/// SQLite itself.
@Suite(.onlySQLite(.files))
struct ForeignFileTests {
    struct Input: Sendable, CustomTestStringConvertible {
        let name: String
        let codes: Set<StoreError.Code>
        /// Creates the input at the path.
        let make: @Sendable (String) throws -> Void
        var testDescription: String { name }

        init(_ name: String, _ codes: StoreError.Code..., make: @escaping @Sendable (String) throws -> Void) {
            self.name = name
            self.codes = Set(codes)
            self.make = make
        }

        static func bytes(_ name: String, _ bytes: Data) -> Input {
            Input(name, .notADatabase) { try bytes.write(to: URL(fileURLWithPath: $0)) }
        }
    }

    private static let magic = Data("SQLite format 3\0".utf8)

    private static func execute(_ sql: String, at path: String) throws {
        var handle: OpaquePointer?
        expectEqual(sqlite3_open(path, &handle), SQLITE_OK)
        expectEqual(sqlite3_exec(handle, sql, nil, nil, nil), SQLITE_OK)
        sqlite3_close(handle)
    }

    /// Copies the files that a program leaves if it ends before it closes the database.
    private static func abandon(_ sql: [String], at path: String, endings: [String]) throws {
        let original = path + ".original"
        var handle: OpaquePointer?
        expectEqual(sqlite3_open(original, &handle), SQLITE_OK)
        for statement in sql { expectEqual(sqlite3_exec(handle, statement, nil, nil, nil), SQLITE_OK) }
        for ending in endings { try FileManager.default.copyItem(atPath: original + ending, toPath: path + ending) }
        sqlite3_close(handle)
        for ending in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: original + ending) {
            try FileManager.default.removeItem(atPath: original + ending)
        }
    }

    private static func header(_ count: Int, of path: String) throws {
        _ = try LeagueModel.container(at: path)
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        for ending in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: path + ending) {
            try FileManager.default.removeItem(atPath: path + ending)
        }
        try bytes.prefix(count).write(to: URL(fileURLWithPath: path))
    }

    private static let rows = "CREATE TABLE t (a); INSERT INTO t VALUES (zeroblob(9000)), (1)"

    static let inputs: [Input] =
        [1, 2, 15, 16, 17, 50, 99, 100, 101, 511, 512, 4_096, 10_000].map {
            .bytes("\($0) bytes of text", Data(repeating: 0x61, count: $0))
        } + [1, 2, 16, 100, 4_096].map { .bytes("\($0) zeros", Data(count: $0)) } + [
            .bytes("the magic only", magic), .bytes("half of the magic", magic.prefix(8)),
            .bytes("the magic and text", magic + Data(repeating: 0x61, count: 5_000)),
            .bytes("the magic and zeros", magic + Data(count: 5_000)),
            Input("the beginning of a store's header", .notADatabase) { try header(60, of: $0) },
            Input("the header of a store", .notADatabase) { try header(100, of: $0) },
            Input("a part of a store's first page", .notADatabase) { try header(700, of: $0) },
            Input("a directory", .cannotOpen) {
                try FileManager.default.createDirectory(atPath: $0, withIntermediateDirectories: false)
            },
            Input("a FIFO", .cannotOpen) { expectEqual(mkfifo($0, 0o644), 0) },
            Input("a socket", .cannotOpen) { path in
                // The path of a socket may have only about 100 bytes, so the socket is created at a short path.
                let short = "/tmp/chordata-\(UInt32.random(in: 0...UInt32.max))"
                expectEqual(mknod(short, S_IFSOCK | 0o644, 0), 0)
                expectEqual(rename(short, path), 0)
            },
            Input("a link to a text of one byte", .notADatabase) { path in
                try Data("a".utf8).write(to: URL(fileURLWithPath: path + ".text"))
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".text")
            },
            Input("a link to a directory", .cannotOpen) { path in
                try FileManager.default.createDirectory(atPath: path + ".folder", withIntermediateDirectories: false)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".folder")
            },
            Input("a link to itself", .cannotOpen) { path in
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path)
            },
            Input("a text of one byte that cannot be written", .notADatabase) { path in
                try Data("a".utf8).write(to: URL(fileURLWithPath: path))
                try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
            },
            Input("a text of one byte with neighbours", .notADatabase) { path in
                for ending in ["", "-wal", "-journal"] {
                    try Data("a".utf8).write(to: URL(fileURLWithPath: path + ending))
                }
            },
            Input("a text with neighbours", .notADatabase) { path in
                for ending in ["", "-wal", "-journal"] {
                    try Data(repeating: 0x62, count: 900).write(to: URL(fileURLWithPath: path + ending))
                }
            },
            Input("a database of another program", .notAChordataStore) { try execute(rows, at: $0) },
            Input("a database of another program that cannot be written", .notAChordataStore) { path in
                try execute(rows, at: path)
                try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
            },
            Input("a database of another program in write-ahead mode", .notAChordataStore) {
                try execute("PRAGMA journal_mode=WAL;" + rows, at: $0)
            },
            Input("a database of another program with its log", .notAChordataStore) {
                try abandon(
                    ["CREATE TABLE u (a); PRAGMA journal_mode=WAL", rows, "INSERT INTO t VALUES (2)"],
                    at: $0,
                    endings: ["", "-wal"]
                )
            },
            Input("a database of another program with an unfinished transaction", .notAChordataStore) {
                try abandon(
                    [
                        rows, "PRAGMA cache_size=1; BEGIN",
                        "UPDATE t SET a = zeroblob(8000); INSERT INTO t VALUES (zeroblob(90000))",
                    ],
                    at: $0,
                    endings: ["", "-journal"]
                )
            },
            Input("a database of another program beside a text", .notAChordataStore) { path in
                try execute(rows, at: path)
                try Data(repeating: 0x62, count: 900).write(to: URL(fileURLWithPath: path + "-journal"))
            },
            Input("a damaged database of another program", .notADatabase, .notAChordataStore) { path in
                try execute(rows, at: path)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                let damaged = bytes.prefix(100) + Data(repeating: 0xA5, count: bytes.count - 100)
                try damaged.write(to: URL(fileURLWithPath: path))
            },
            Input("a database of another program without its end", .notADatabase, .notAChordataStore) { path in
                try execute(rows, at: path)
                let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                try bytes.prefix(4_096 + 100).write(to: URL(fileURLWithPath: path))
            },
        ]

    /// The complete contents of the store's folder: names, kinds, modes and bytes.
    private func contents(of folder: String) throws -> [String: String] {
        var contents: [String: String] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let path = folder + "/" + name
            var file = stat()
            expectEqual(lstat(path, &file), 0)
            contents[name] = "\(String(file.st_mode, radix: 8)) \(file.st_size)"
            if file.st_mode & S_IFMT == S_IFREG {
                contents[name]? += " \(try Data(contentsOf: URL(fileURLWithPath: path)).base64EncodedString())"
            }
        }
        return contents
    }

    private func expectRefused(
        _ input: Input,
        _ operation: String,
        _ path: String,
        _ body: () throws(StoreError) -> Void
    )
        throws
    {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let before = try contents(of: folder)
        do throws(StoreError) {
            try body()
            Issue.record("\(operation) took \(input.name)")
        } catch {
            #expect(input.codes.contains(error.code), "\(operation): \(error)")
            expectEqual(error.path, path, "\(operation): \(error)")
        }
        let after = try contents(of: folder)
        expectEqual(after.keys.sorted(), before.keys.sorted(), "\(operation)")
        expectEqual(after, before, "\(operation) changed \(input.name)")
    }

    @Test(arguments: inputs) func foreignFileIsRejectedAndUnchanged(_ input: Input) throws {
        try withStorePath { path in
            try input.make(path)
            try withStorePath { good in
                _ = try LeagueModel.container(at: good)
                try expectRefused(input, "opening", path) { () throws(StoreError) in
                    _ = try LeagueModel.container(at: path)
                }
                try expectRefused(input, "reading", path) { () throws(StoreError) in
                    _ = try PersistentContainer(
                        model: LeagueModel.definition,
                        path: path,
                        options: StoreOptions(isReadOnly: true)
                    )
                }
                try expectRefused(input, "destroying", path) { () throws(StoreError) in
                    try PersistentStoreCoordinator.destroyPersistentStore(at: path)
                }
                try expectRefused(input, "replacing", path) { () throws(StoreError) in
                    try PersistentStoreCoordinator.replacePersistentStore(at: path, withStoreAt: good)
                }
                try expectRefused(input, "copying", path) { () throws(StoreError) in
                    try PersistentStoreCoordinator.replacePersistentStore(at: good, withStoreAt: path)
                }
                try expectRefused(input, "metadata", path) { () throws(StoreError) in
                    _ = try PersistentStoreCoordinator.metadata(forStoreAt: path)
                }
                try expectRefused(input, "migrating", path) { () throws(StoreError) in
                    try MigrationManager(model: LeagueModel.definition, path: path).migrateStore()
                }
                _ = try LeagueModel.container(at: good)
            }
        }
    }

    @Test(arguments: ["", "store\0.sqlite"]) func aPathThatNamesNoFile(_ path: String) {
        let error = #expect(throws: StoreError.self) { try LeagueModel.container(at: path) }
        expectEqual(error?.code, .cannotOpen)
        #expect(error?.message.contains(path.isEmpty ? "the path is empty" : "NUL") == true)
    }

    /// SQLite does the same; a program that ended while it created a store may leave such a file.
    @Test func aFileOfNoBytesBecomesAStore() throws {
        try withStorePath { path in
            try Data().write(to: URL(fileURLWithPath: path))
            let context = try LeagueModel.container(at: path).newContext()
            _ = Team(context: context, name: "Reds")
            try context.save()
            expectEqual(try LeagueModel.container(at: path).newContext().count(for: Team.fetchRequest()), 1)
        }
    }
}
