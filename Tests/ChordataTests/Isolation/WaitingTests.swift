import ChordataTestStores
import ChordataTestSupport
import Dispatch
import Testing

@testable import Chordata

/// The durations of a repeated operation.
private struct Durations {
    private var all: [Duration] = []

    mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let start = ContinuousClock.now
        defer { all.append(.now - start) }
        return try body()
    }

    /// The duration below which the given fraction of all durations lies.
    func quantile(_ part: Double) -> Duration {
        let sorted = all.sorted()
        return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
    }

    var text: String {
        "\(all.count) times: median \(quantile(0.5)), 99 % below \(quantile(0.99)), at most \(quantile(1))"
    }
}

/// Runs a closure on a thread of its own, because the threads of tasks must not block.
private func runOnThread(_ body: @escaping @Sendable () throws -> Void) -> DispatchSemaphore {
    let hasEnded = DispatchSemaphore(value: 0)
    DispatchQueue.global().async {
        do { try body() } catch { Issue.record(error) }
        hasEnded.signal()
    }
    return hasEnded
}

/// A transaction of a store on a thread of its own, which has not ended yet.
///
/// The methods block this thread, even in asynchronous code.
private struct HeldWrite {
    private let mayEnd: DispatchSemaphore
    private let hasEnded: DispatchSemaphore

    /// Begins the transaction, and waits until a closure has run in it.
    init(_ sqlite: SQLiteStore, _ body: @escaping @Sendable (SQLiteConnection) throws -> Void = { _ in }) {
        let isWriting = DispatchSemaphore(value: 0)
        let mayEnd = DispatchSemaphore(value: 0)
        self.mayEnd = mayEnd
        hasEnded = runOnThread {
            try sqlite.write { connection in
                try body(connection)
                isWriting.signal()
                mayEnd.wait()
            }
        }
        isWriting.wait()
    }

    /// Ends the transaction, and waits for its end.
    func end() {
        mayEnd.signal()
        hasEnded.wait()
    }
}

/// Waiting: insertions and reads never wait, and a save waits for another process no longer than its timeout.
@Suite(.onlySQLite(.engine))
struct WaitingTests {
    private func makeContainer(at path: String, busyTimeout: Duration = .seconds(5)) throws -> PersistentContainer {
        let container = try LeagueModel.definition.testContainer(
            at: path,
            options: StoreOptions(synchronous: .normal, busyTimeout: busyTimeout)
        )
        // The first row keys are reserved by the first insertion.
        let context = container.newContext(isolation: nil)
        _ = Team(context: context, name: "Reds")
        try context.save()
        return container
    }

    private func sqlite(_ container: PersistentContainer) throws -> SQLiteStore {
        try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
    }

    /// Inserts more objects than there are reserved row keys.
    @MainActor private func insert(into context: ManagedObjectContext) -> Durations {
        var durations = Durations()
        for index in 0..<10_000 { durations.measure { _ = Team(context: context, name: "T\(index)") } }
        #expect(context.insertedObjects.contains { $0.objectID.key > PersistentStore.firstProvisionalKey })
        return durations
    }

    @MainActor private func checkInserted(_ container: PersistentContainer) throws {
        try container.viewContext.save()
        let keys = try container.newContext(isolation: nil).fetch(Team.fetchRequest()).map(\.objectID.key)
        expectEqual(Set(keys).count, 10_001)
        #expect(keys.allSatisfy { $0 < PersistentStore.firstProvisionalKey })
    }

    @MainActor @Test func anInsertionDoesNotWaitForASave() throws {
        try withStorePath { path in
            let container = try makeContainer(at: path)
            let sqlite = try sqlite(container)
            let write = HeldWrite(sqlite)
            let durations = insert(into: container.viewContext)
            write.end()
            print("insertion during a save, \(durations.text)")
            // An insertion that waits would never end. Other programs on the machine affect the longest duration.
            #expect(durations.quantile(0.5) < .milliseconds(1))
            try checkInserted(container)
        }
    }

    @MainActor @Test func anInsertionDoesNotWaitForAnotherProcess() throws {
        try withStorePath { path in
            let container = try makeContainer(at: path)
            let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
            try other.execute("BEGIN IMMEDIATE")
            let durations = insert(into: container.viewContext)
            try other.execute("ROLLBACK")
            print("insertion while another process saves, \(durations.text)")
            #expect(durations.quantile(0.5) < .milliseconds(1))
            try checkInserted(container)
        }
    }

    /// C5: readers see the state before a long transaction, and do not wait for its end.
    @Test func readersDoNotWaitForAWriter() throws {
        try withStorePath { path in
            let container = try makeContainer(at: path)
            let sqlite = try sqlite(container)
            let write = HeldWrite(sqlite) { connection in
                try connection.execute("UPDATE \"Team\" SET \"name\" = 'Blues', \"_version\" = \"_version\" + 1")
            }
            var durations = Durations()
            for _ in 0..<500 {
                let context = container.newContext()
                expectEqual(try durations.measure { try context.fetch(Team.fetchRequest()).map(\.name) }, ["Reds"])
            }
            write.end()
            print("fetch during a save, \(durations.text)")
            #expect(durations.quantile(0.5) < .milliseconds(250))
            expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.name), ["Blues"])
        }
    }

    /// C5: a checkpoint neither makes readers wait nor shows them half of a save.
    @Test func readersDoNotWaitForACheckpoint() throws {
        try withStorePath { path in
            let container = try makeContainer(at: path)
            let sqlite = try sqlite(container)
            // Each save is larger than the log may become before a checkpoint (1,000 pages).
            let (saves, rows) = (6, 6_000)
            let end = runOnThread {
                for save in 0..<saves {
                    let context = container.newContext()
                    let name = String(repeating: "\(save)", count: 1_000)
                    for _ in 0..<rows { _ = Player(context: context, name: name) }
                    try context.save()
                }
            }
            var durations = Durations()
            var hasEnded = false
            var count = 0
            while !hasEnded {
                hasEnded = end.wait(timeout: .now()) == .success
                let context = container.newContext()
                let found = try durations.measure { try context.count(for: Player.fetchRequest()) }
                #expect(found % rows == 0 && found >= count)
                count = found
            }
            expectEqual(count, saves * rows)
            let (pages, frames) = try sqlite.read {
                (try $0.integer("PRAGMA page_count"), try $0.integer("PRAGMA wal_autocheckpoint"))
            }
            #expect(pages > frames * 5)
            print("count during a save and a checkpoint, \(durations.text)")
            #expect(durations.quantile(0.5) < .milliseconds(250))
        }
    }

    /// C5: a process that cannot lock the store within its timeout gets a typed error.
    @Test func anotherProcessHoldsTheStore() async throws {
        try await withStorePath { path in
            let container = try makeContainer(at: path)
            let sqlite = try sqlite(container)
            let write = HeldWrite(sqlite)
            await #expect(processExitsWith: .success) { [path = path as String] in
                let timeout = Duration.milliseconds(200)
                let options = StoreOptions(busyTimeout: timeout)
                let container = try LeagueModel.definition.testContainer(at: path, options: options)
                let context = container.newContext()
                expectEqual(try context.fetch(Team.fetchRequest()).map(\.name), ["Reds"])
                _ = Team(context: context, name: "Blues")
                let start = ContinuousClock.now
                let error = #expect(throws: StoreError.self) { try context.save() }
                expectEqual(error?.code, .busy)
                #expect(.now - start >= timeout)
                #expect(context.hasChanges)
            }
            write.end()
            expectEqual(try container.newContext(isolation: nil).count(for: Team.fetchRequest()), 1)
        }
    }
}
