import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// A model with one entity, whose objects are counters.
private enum Counter {
    static func container(at path: String, options: StoreOptions = StoreOptions()) throws -> PersistentContainer {
        let value = AttributeDescription(name: "value", attributeType: .integer64, defaultValue: .integer(0))
        let model = try ManagedObjectModel(entities: [EntityDescription(name: "Counter", attributes: [value])])
        let definition = ModelDefinition(name: "Counter", versionName: "Counter", model: model)
        return try definition.testContainer(at: path, options: options)
    }

    static var request: FetchRequest<ManagedObject> { FetchRequest(entityName: "Counter") }

    static func insert(_ context: ManagedObjectContext) throws -> ManagedObject {
        EntityDescription.insertNewObject(forEntityName: "Counter", into: context)
    }

    @discardableResult
    static func add(_ number: Int64, to id: ManagedObjectID, _ context: ManagedObjectContext) throws -> Int64 {
        let counter = try context.existingObject(with: id)
        let value = try #require(counter.value(forKey: "value") as? Int64) + number
        counter.setValue(value, forKey: "value")
        return value
    }
}

/// `write` runs one closure at a time, and runs it again after a conflict.
struct WritingTests {
    private func value(_ id: ManagedObjectID, _ container: PersistentContainer) throws -> Int64 {
        try Counter.add(0, to: id, container.newContext(isolation: nil))
    }

    /// No addition is lost or fails, even with concurrent saves that do not use `write`.
    @Test func additionsAddUp() async throws {
        let count = setting("CHORDATA_WRITE_ADDITIONS", small: 250)
        try await withStorePath { path in
            let container = try Counter.container(at: path, options: StoreOptions(synchronous: .normal))
            let id = try await container.write { context in try Counter.insert(context).objectID }
            let conflicts = try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<8 {
                    group.addTask {
                        for _ in 0..<count {
                            try await container.write { context in
                                try Counter.add(1, to: id, context)
                            }
                        }
                        return 0
                    }
                }
                group.addTask {
                    // A save outside `write` changes the same object.
                    var conflicts = 0
                    for _ in 0..<20 {
                        do {
                            try await container.performBackgroundTask { context in
                                try Counter.add(1, to: id, context)
                                try context.save()
                            }
                        } catch is SaveConflictError {
                            conflicts += 1
                        }
                    }
                    return conflicts
                }
                return try await group.reduce(0, +)
            }
            expectEqual(try value(id, container), Int64(8 * count + 20 - conflicts))
        }
    }

    @Test func nestedWritesAreErrors() async throws {
        let container = try Counter.container(at: ":memory:")
        let error = try await container.write { _ in
            await #expect(throws: WriteError.self) { try await container.write { _ in } }
        }
        expectEqual(error?.code, .nestedWrite)
        // The same holds in a task that the closure creates.
        let other = try await container.write { _ in
            await Task { await #expect(throws: WriteError.self) { try await container.write { _ in } } }.value
        }
        expectEqual(other?.code, .nestedWrite)
        // A write to another container is not nested, and a write after an error is possible.
        let another = try Counter.container(at: ":memory:")
        expectEqual(try await container.write { _ in try await another.write { _ in 7 } }, 7)
    }

    @Test func closuresDoNotSave() async throws {
        let container = try Counter.container(at: ":memory:")
        let error = await #expect(throws: WriteError.self) {
            try await container.write { context in
                _ = try Counter.insert(context)
                try await context.save()
            }
        }
        expectEqual(error?.code, .saveInWrite)
        expectEqual(try container.newContext(isolation: nil).count(for: Counter.request), 0)
    }

    /// A closure that throws writes nothing.
    @Test func errorsWriteNothing() async throws {
        let container = try Counter.container(at: ":memory:")
        await #expect(throws: CancellationError.self) {
            try await container.write { context in
                _ = try Counter.insert(context)
                throw CancellationError()
            }
        }
        expectEqual(try container.newContext(isolation: nil).count(for: Counter.request), 0)
    }

    /// The closure runs again in a new context with the other save's changes; after the last attempt, it is an error.
    @Test func conflictsRepeatTheClosure() async throws {
        try await withStorePath { path in
            let container = try Counter.container(at: path)
            let id = try await container.write { context in try Counter.insert(context).objectID }
            let runs = Atomic(0)
            @Sendable func run(_ limit: Int, conflicts: Int) async throws -> Int64 {
                try await container.write(attemptLimit: limit) { context in
                    let value = try Counter.add(1, to: id, context)
                    if runs.add(1, ordering: .relaxed).newValue <= conflicts {
                        try await container.performBackgroundTask { other in
                            try Counter.add(100, to: id, other)
                            try other.save()
                        }
                    }
                    return value
                }
            }
            expectEqual(try await run(20, conflicts: 3), 301)
            let fourth = runs.load(ordering: .relaxed)
            expectEqual(fourth, 4)
            runs.store(0, ordering: .relaxed)
            let error = await #expect(throws: WriteError.self) { try await run(3, conflicts: 9) }
            #expect(error?.code == .attemptLimitExceeded && error?.attemptCount == 3 && error?.conflict != nil)
            let third = runs.load(ordering: .relaxed)
            expectEqual(third, 3)
            expectEqual(try value(id, container), 601)
        }
    }

    /// A task that is cancelled while it waits runs no closure.
    @Test func cancelledWritesDoNotRun() async throws {
        let container = try Counter.container(at: ":memory:")
        let queue = container.store.serialWrites
        try await queue.takeTurn()
        let ran = Atomic(false)
        let task = Task.detached { try await container.write { _ in ran.store(true, ordering: .relaxed) } }
        while queue.waitingCount == 0 { try await Task.sleep(for: .milliseconds(1)) }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        queue.finishTurn()
        let hasRun = ran.load(ordering: .relaxed)
        #expect(!hasRun)
        expectEqual(try await container.write { _ in 7 }, 7)
    }

    /// A context is used by one thread at a time, even if the closure has child tasks, and keeps no transaction open
    /// while the closure waits.
    @Test(.onlySQLite(.engine)) func closuresKeepTheirContext() async throws {
        try await withStorePath { path in
            let container = try Counter.container(at: path)
            let store = container.persistentStoreCoordinator.persistentStores[0].sqlite
            try await container.performBackgroundTask { context in
                for number in 0..<50 {
                    let counter = try Counter.insert(context)
                    counter.setValue(Int64(number), forKey: "value")
                    await Task.yield()
                    try Counter.add(1, to: counter.objectID, context)
                    try await context.save()
                    expectEqual(try context.count(for: Counter.request), number + 1)
                    // The connection is idle as soon as the closure waits; a sleep that is already over does not wait.
                    while store.readers.statistics.idleCount == 0 { try await Task.sleep(for: .microseconds(100)) }
                }
            }
            expectEqual(try container.newContext(isolation: nil).count(for: Counter.request), 50)
        }
    }
}
