import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Writers wait in the order of their calls; tasks wait without blocking a thread.
@Suite(.onlySQLite(.engine))
struct WriteQueueTests {
    private func queue(_ container: PersistentContainer) -> WriteQueue {
        container.persistentStoreCoordinator.persistentStores[0].sqlite.writeQueue
    }

    /// Waits until a condition is true because of other threads.
    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    private func insertTeam(_ name: String, _ container: PersistentContainer) async throws {
        let context = container.newContext(isolation: nil)
        _ = Team(context: context, name: name)
        try await context.save()
    }

    private func names(_ container: PersistentContainer) throws -> [String] {
        try container.newContext().fetch(Team.fetchRequest()).sorted { $0.objectID.key < $1.objectID.key }.map(\.name)
    }

    /// Many more tasks than threads wait to save, and other tasks run.
    @Test func waitingTasksBlockNoThread() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let queue = queue(container)
            try await queue.takeTurn()
            let savers = (0..<200).map { number in Task.detached { try await insertTeam("\(number)", container) } }
            try await until { queue.waitingCount == 200 }
            // Other tasks run, and can read the store.
            expectEqual(try await Task.detached { try names(container) }.value, [])
            for saver in savers where saver == savers[7] || saver == savers[100] { saver.cancel() }
            queue.finishTurn()
            for (number, saver) in savers.enumerated() {
                let result = await saver.result
                if number == 7 || number == 100 {
                    #expect(throws: CancellationError.self) { try result.get() }
                } else {
                    try result.get()
                }
            }
            expectEqual(try names(container).count, 198)
            expectEqual(queue.waitingCount, 0)
        }
    }

    /// A cancelled save leaves the changes in the context.
    @Test func cancelledSavesKeepTheirChanges() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let queue = queue(container)
            try await queue.takeTurn()
            let saver = Task.detached {
                let context = container.newContext(isolation: nil)
                _ = Team(context: context, name: "Reds")
                do {
                    try await context.save()
                    return false
                } catch is CancellationError {
                    let remains = context.hasChanges && context.insertedObjects.count == 1
                    // A later save succeeds as if the cancelled save had not been made.
                    await Task.detached { queue.finishTurn() }.value
                    try context.performAndWait { try context.save() }
                    return remains
                }
            }
            try await until { queue.waitingCount == 1 }
            saver.cancel()
            #expect(try await saver.value)
            expectEqual(try names(container), ["Reds"])
        }
    }

    /// Background tasks wait on threads of the store, so that readers and other tasks run.
    @Test func waitingBackgroundTasksBlockNoReader() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let queue = queue(container)
            try await queue.takeTurn()
            let savers = (0..<40).map { number in
                Task.detached {
                    try await container.performBackgroundTask { context in
                        _ = Team(context: context, name: "\(number)")
                        try context.save()
                    }
                }
            }
            try await until { queue.waitingCount == 40 }
            let count = try await container.performBackgroundTask { try $0.count(for: Team.fetchRequest()) }
            expectEqual(count, 0)
            queue.finishTurn()
            for saver in savers { try await saver.value }
            expectEqual(try names(container).count, 40)
        }
    }

    private final class Order: Sendable {
        let numbers = Mutex<[Int]>([])
    }

    /// Tasks save in the order of their calls.
    @Test func theFirstToComeIsTheFirst() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let queue = queue(container)
            let order = Order()
            try await queue.takeTurn()
            var waiting: [Task<Void, any Error>] = []
            for number in 0..<20 {
                waiting.append(
                    Task.detached {
                        try await queue.takeTurn()
                        order.numbers.withLock { $0.append(number) }
                        queue.finishTurn()
                    }
                )
                try await until { queue.waitingCount == number + 1 }
            }
            queue.finishTurn()
            for task in waiting { try await task.value }
            expectEqual(order.numbers.withLock { $0 }, Array(0..<20))
        }
    }

    /// An actor that is busy when it gets its turn does not prevent others from saving.
    @Test func aBusyActorDelaysNobody() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.container(at: path)
            let queue = queue(container)
            try await queue.takeTurn()
            let actor = await Self.makeSaver(container)
            let slow = Task.detached { try await actor.save() }
            try await until { queue.waitingCount == 1 }
            let (begun, end) = (Flag(), DispatchSemaphore(value: 0))
            let busy = Task.detached { await actor.block(begun, end) }
            try await until { begun.isSet }
            // After it, two tasks wait without a thread, and then a thread waits.
            let others = ["a", "b"].map { name in Task.detached { try await insertTeam(name, container) } }
            try await until { queue.waitingCount == 3 }
            let thread = Thread {
                let context = container.newContext(isolation: nil)
                _ = Team(context: context, name: "c")
                do { try context.save() } catch { Issue.record(error) }
            }
            thread.start()
            try await until { queue.waitingCount == 4 }
            queue.finishTurn()
            for other in others { try await other.value }
            try await until { (try? names(container).sorted()) == ["a", "b", "c"] }
            end.signal()
            await busy.value
            try await slow.value
            expectEqual(try names(container).sorted(), ["a", "b", "c", "slow"])
        }
    }

    private static func makeSaver(_ container: PersistentContainer) async -> Saver { await Saver(container) }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    /// An executor with a thread of its own, which may be blocked, because Swift's pool has few threads.
    private final class OwnThread: SerialExecutor {
        private let jobs = Mutex<[UnownedJob]>([])
        private let signal = DispatchSemaphore(value: 0)

        init() {
            let thread = Thread { [weak self, signal] in
                while true {
                    signal.wait()
                    guard let self else { return }
                    let job = jobs.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    job?.runSynchronously(on: asUnownedSerialExecutor())
                }
            }
            thread.start()
        }

        deinit { signal.signal() }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            jobs.withLock { $0.append(job) }
            signal.signal()
        }
    }

    private actor Saver {
        private let thread = OwnThread()
        nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
        private let context: ManagedObjectContext

        init(_ container: PersistentContainer) async {
            context = container.newContext()
            context.attach(to: self)
        }

        func save() async throws {
            _ = Team(context: context, name: "slow")
            try await context.save()
        }

        func block(_ begun: Flag, _ end: DispatchSemaphore) {
            begun.set()
            end.wait()
        }
    }

    /// A hook may save another context of the same store while its own context has the turn.
    @Test func hooksSaveOtherContextsWithinATurn() async throws {
        try await withStorePath { path in
            let container = try DiaryModel.container(at: path)
            let queue = queue(container)
            let hasRun = try queue.withTurn(of: try await queue.waitForCall()) {
                try HookLog.withLog { log in
                    log.then = { _, line in
                        guard line.hasPrefix("Note willSave") else { return }
                        log.then = nil
                        let other = container.newContext(isolation: nil)
                        _ = Note(context: other)
                        try other.save()
                    }
                    let context = container.newContext(isolation: nil)
                    _ = Note(context: context)
                    try context.save()
                    #expect(log.errors.isEmpty)
                }
            }
            #expect(hasRun)
            expectEqual(try container.newContext(isolation: nil).count(for: Note.fetchRequest()), 2)
            expectEqual(queue.waitingCount, 0)
        }
    }
}
