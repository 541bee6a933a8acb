import Chordata
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// Runs a program that migrates a store, and kills it repeatedly.
struct KillTrial {
    /// The result of a run.
    struct Run {
        var wasKilled: Bool
        /// A Boolean value that indicates whether the program was killed while it held the write lock.
        var wasWriting: Bool
        /// The time since the program first acquired this lock, or the time of the whole run if it never did.
        var elapsed: Duration
    }

    let workspace: Workspace
    let program: URL
    /// The arguments with which the program migrates `m.sqlite`.
    let arguments: [String]
    let oldVersion: String
    let newVersion: String
    /// Checks a store of the old version, and one of the new version.
    let expectOld: (SQLiteConnection, String) throws -> Void
    let expectNew: (SQLiteConnection, String) throws -> Void

    /// Kills the program the given number of times, and checks the store after each kill and after another run.
    func perform(count: Int, _ random: inout RandomDelays) async throws {
        // The duration of a run is estimated repeatedly, because run times vary.
        var longest = try await run(killedAfter: nil).elapsed
        try expect(expectNew, newVersion, "without a kill")
        var (old, new, writing) = (0, 0, 0)
        while old + new < count {
            let run = try await run(killedAfter: random.next(below: longest))
            guard run.wasKilled else {
                longest = (longest * 3 + run.elapsed) / 4
                continue
            }
            let when = "after kill \(old + new + 1), seed \(random.seed)"
            if run.wasWriting { writing += 1 }
            switch try versionOfStore() {
            case oldVersion:
                old += 1
                try expect(expectOld, oldVersion, when)
                try await finish()
            case newVersion:
                new += 1
                if !run.wasWriting { writing += 1 }
            case let version:
                Issue.record("\(when): a store of version '\(version)', which is neither the old nor the new one")
                return
            }
            try expect(expectNew, newVersion, when + ", and another run")
        }
        print("'\(newVersion)': \(old) kills before the migration was done, \(new) after, \(writing) of them within it")
        #expect(old > count / 10)
        #expect(writing > (count < 40 ? 0 : count / 2), "of \(count) kills only \(writing) were within the migration")
    }

    /// Migrates the store of the old version, and kills the program after a delay from its first write.
    private func run(killedAfter delay: Duration?) async throws -> Run {
        for ending in ["", "-wal", "-shm", "-journal"] where workspace.exists("m.sqlite" + ending) {
            try FileManager.default.removeItem(atPath: workspace.path("m.sqlite" + ending))
        }
        try FileManager.default.copyItem(
            atPath: workspace.path("pristine.sqlite"),
            toPath: workspace.path("m.sqlite")
        )
        var start = ContinuousClock.now
        let child = try ChildProcess(program, arguments, in: workspace.folder)
        let identifier = child.identifier
        let lock = WriteLock(storeAt: workspace.path("m.sqlite"))
        let watcher = Task { () -> (start: ContinuousClock.Instant?, wasWriting: Bool) in
            while try !lock.isHeld() { try await Task.sleep(for: .microseconds(200)) }
            let start = ContinuousClock.now
            guard let delay else { return (start, false) }
            do {
                try await Task.sleep(for: delay)
            } catch {
                return (start, false)  // The program has ended before.
            }
            let wasWriting = try lock.isHeld()
            kill(identifier, SIGKILL)
            return (start, wasWriting)
        }
        let outcome = await child.waitUntilExit()
        let end = ContinuousClock.now
        watcher.cancel()
        // If the program ended without writing, the watcher has no result.
        let watched = try? await watcher.value
        if let first = watched?.start { start = first }
        let wasKilled = outcome == .signal(SIGKILL)
        if !wasKilled { expectEqual(outcome, .exit(code: 0)) }
        return Run(
            wasKilled: wasKilled,
            wasWriting: wasKilled && watched?.wasWriting == true,
            elapsed: end - start
        )
    }

    /// Migrates the store that a killed run left, without changing it before.
    private func finish() async throws {
        let result = try await Program.run(program, arguments, in: workspace.folder)
        expectEqual(result.exitCode, 0, "\(result.errors)")
    }

    private func versionOfStore() throws -> String {
        try withCopy { try PersistentStoreCoordinator.metadata(forStoreAt: $0).versionName }
    }

    private func expect(
        _ body: (SQLiteConnection, String) throws -> Void,
        _ versionName: String,
        _ when: String
    ) throws {
        try withCopy { path in
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            expectEqual(
                try connection.rows("SELECT \"value\" FROM \"_metadata\" WHERE \"key\" = 'versionName'"),
                [[.text(versionName)]],
                "\(when)"
            )
            try body(connection, when)
            expectEqual(try connection.rows("PRAGMA integrity_check"), [[.text("ok")]], "\(when)")
            #expect(try connection.rows("PRAGMA foreign_key_check").isEmpty, "\(when)")
        }
    }

    /// Calls a closure with a copy of the store, because opening the store itself would repair it for the next run.
    private func withCopy<Value>(_ body: (String) throws -> Value) throws -> Value {
        let copy = workspace.path("copy.sqlite")
        for ending in ["", "-wal", "-shm", "-journal"] where FileManager.default.fileExists(atPath: copy + ending) {
            try FileManager.default.removeItem(atPath: copy + ending)
        }
        for ending in ["", "-wal", "-journal"] where workspace.exists("m.sqlite" + ending) {
            try FileManager.default.copyItem(atPath: workspace.path("m.sqlite" + ending), toPath: copy + ending)
        }
        return try body(copy)
    }
}

/// The lock of a process that may be writing to a store: in write-ahead mode, a byte of the log's index,
/// <https://sqlite.org/walformat.html#the_wal_index_file_format>.
private struct WriteLock {
    let path: String

    init(storeAt path: String) { self.path = path + "-shm" }

    func isHeld() throws -> Bool {
        let file = open(path, O_RDWR)
        guard file >= 0 else { return false }  // The store was not opened yet.
        defer { close(file) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 120
        lock.l_len = 1
        try #require(fcntl(file, F_GETLK, &lock) == 0)
        return lock.l_type != Int16(F_UNLCK)
    }
}

/// Random delays.
///
/// The same seed gives the same delays.
struct RandomDelays {
    let seed: UInt64
    private var state: UInt64

    init(seed: UInt64) { (self.seed, state) = (seed, seed &* 0x9E37_79B9_7F4A_7C15 &+ 1) }

    mutating func next(below longest: Duration) -> Duration {
        // Marsaglia's xorshift, https://www.jstatsoft.org/article/view/v008i14.
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return longest * (Double(state >> 11) / 9_007_199_254_740_992)
    }
}
