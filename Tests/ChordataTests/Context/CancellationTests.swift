import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// A task that is cancelled at any moment leaves the store in the old or in the new state, and its context usable; so
/// does a synchronous operation whose `Progress` is cancelled.
///
/// `CHORDATA_CANCELLATIONS` sets the number of cancelled tasks, and `CHORDATA_SEED` the seed.
struct CancellationTests {
    private enum Operation: Int, CaseIterable, Sendable {
        case fetch, save, write, batchUpdate, batchInsert, batchDelete
    }

    private static let playerCount = 300

    /// All players have the same age, which an operation changes for all of them or for none.
    private static func age(in container: PersistentContainer) throws -> Int16 {
        let players: [Player.Values] = try container.newContext().fetchValues(Player.fetchRequest())
        let ages = Set(players.filter { $0.name != "guest" }.map(\.age))
        #expect(ages.count == 1 && players.count >= playerCount, "\(ages), \(players.count) players")
        return try #require(ages.first)
    }

    private static func guestCount(in container: PersistentContainer) throws -> Int {
        try container.newContext().count(for: Player.fetchRequest().where(\.name == "guest"))
    }

    /// The synchronous save, which a cancelled task can run.
    private static func saveWithoutWaiting(_ context: ManagedObjectContext) throws { try context.save() }

    private static func run(_ operation: Operation, age: Int16, _ container: PersistentContainer) async throws {
        switch operation {
        case .fetch:
            try await container.performBackgroundTask { context in
                do {
                    let players = try await context.fetch(Player.fetchRequest().asynchronous())
                    #expect(players.count >= playerCount)
                } catch is CancellationError {
                    #expect(try context.fetch(Player.fetchRequest()).count >= playerCount)
                    throw CancellationError()
                }
            }
        case .save:
            // A background task is not used, because its save waits on a thread of the store and cannot be cancelled.
            let context = container.newContext(isolation: nil)
            for player in try context.fetch(Player.fetchRequest().where(\.name != "guest")) { player.age = age }
            do {
                try await context.save()
            } catch is CancellationError {
                // All changes are still there, and can be saved.
                expectEqual(context.updatedObjects.count, playerCount)
                try saveWithoutWaiting(context)
                #expect(!context.hasChanges)
                throw CancellationError()
            }
            #expect(!context.hasChanges)
        case .write:
            try await container.write { context in
                for player in try context.fetch(Player.fetchRequest().where(\.name != "guest")) { player.age = age }
            }
        case .batchUpdate:
            try await container.performBackgroundTask { context in
                await Task.yield()
                let request = BatchUpdateRequest<Player>().where(\.name != "guest").setting(\.age, to: age)
                try usingAfterwards(context) { try context.execute(request) }
            }
        case .batchInsert:
            try await container.performBackgroundTask { context in
                await Task.yield()
                let guests = Array(repeating: ["name": "guest" as Any?], count: 50)
                try usingAfterwards(context) { try context.execute(BatchInsertRequest<Player>(objects: guests)) }
            }
        case .batchDelete:
            try await container.performBackgroundTask { context in
                await Task.yield()
                let guests = Player.fetchRequest().where(\.name == "guest")
                try usingAfterwards(context) { try context.execute(BatchDeleteRequest(fetchRequest: guests)) }
            }
        }
    }

    /// Runs an operation of a context, and then fetches with the context, even if the operation was cancelled.
    private static func usingAfterwards(_ context: ManagedObjectContext, _ operation: () throws -> Void) throws {
        do {
            try operation()
        } catch is CancellationError {
            #expect(try context.fetch(Player.fetchRequest()).count >= playerCount)
            throw CancellationError()
        }
        #expect(try context.fetch(Player.fetchRequest()).count >= playerCount)
    }

    @Test func cancelledTasksLeaveTheOldOrTheNewState() async throws {
        let seed = setting("CHORDATA_SEED", small: UInt64(1))
        let count = setting("CHORDATA_CANCELLATIONS", small: 60)
        print("cancellations: seed \(seed), \(count) tasks")
        var random = ChordataTestSupport.SeededGenerator(seed: seed)
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(synchronous: .normal)
            )
            let context = container.newContext(isolation: nil)
            for number in 0..<Self.playerCount { _ = Player(context: context, name: "p\(number)") }
            let reds = Team(context: context, name: "Reds")
            try Self.saveWithoutWaiting(context)
            let team = reds.objectID
            var age = Int16(0)
            var cancelledCounts: [Operation: Int] = [:]
            for number in 0..<count {
                let operation = Operation.allCases[random.below(Operation.allCases.count)]
                // A save waits only for a short time.
                let delay = Duration.microseconds(random.below(operation == .save ? 1_000 : 4_000))
                let (former, next, formerGuests) = (age, Int16(number + 1), try Self.guestCount(in: container))
                // Because of another writer, some operations have to wait.
                async let other: Void = container.write { context in
                    let team = try #require(try context.existingObject(with: team) as? Team)
                    team.name = "Reds \(number)"
                }
                let task = Task { try await Self.run(operation, age: next, container) }
                try await Task.sleep(for: delay)
                task.cancel()
                do {
                    try await task.value
                } catch is CancellationError {
                    cancelledCounts[operation, default: 0] += 1
                }
                try await other
                age = try Self.age(in: container)
                #expect(age == former || age == next, "\(operation), task \(number), seed \(seed)")
                let guests = try Self.guestCount(in: container)
                switch operation {
                case .batchInsert: #expect(guests == formerGuests || guests == formerGuests + 50)
                case .batchDelete: #expect(guests == formerGuests || guests == 0)
                case .fetch, .save, .write, .batchUpdate: expectEqual(guests, formerGuests)
                }
            }
            for operation in Operation.allCases {
                let cancelledCount = cancelledCounts[operation, default: 0]
                print("\(operation): \(cancelledCount) tasks were cancelled in time")
                #expect(count < 500 || cancelledCount > 0, "\(operation)")
            }
        }
    }

    // MARK: Synchronous operations

    private enum SynchronousOperation: CaseIterable, Sendable {
        case save, insertValues, batchUpdate, batchInsert, batchDelete
    }

    /// Operations that write fewer rows than this are not cancelled.
    private static let longCount = 1_500

    /// - Returns: Whether the operation was cancelled.
    private static func run(
        _ operation: SynchronousOperation,
        age: Int16,
        _ container: PersistentContainer,
        under progress: Progress
    ) throws -> Bool {
        let context = container.newContext(isolation: nil)
        let others = Player.fetchRequest().where(\.name != "guest")
        if operation == .save { for player in try context.fetch(others) { player.age = age } }
        do {
            progress.becomeCurrent(withPendingUnitCount: 1)
            defer { progress.resignCurrent() }
            switch operation {
            case .save: try context.save()
            case .insertValues:
                _ = try context.insertValues(
                    (0..<longCount).map { _ in Player.Values(objectID: ObjectID(), name: "guest", age: 0, team: nil) }
                )
            case .batchUpdate:
                try context.execute(BatchUpdateRequest<Player>().where(\.name != "guest").setting(\.age, to: age))
            case .batchInsert:
                let guests = Array(repeating: ["name": "guest" as Any?], count: longCount)
                try context.execute(BatchInsertRequest<Player>(objects: guests))
            case .batchDelete:
                try context.execute(BatchDeleteRequest(fetchRequest: Player.fetchRequest().where(\.name == "guest")))
            }
        } catch is CancellationError {
            // The context can be used, and its changes can be saved.
            expectEqual(context.updatedObjects.count, operation == .save ? longCount : 0)
            expectEqual(try context.fetch(others).count, longCount)
            context.rollback()
            return true
        }
        #expect(!context.hasChanges)
        return false
    }

    /// Runs an operation on a thread of its own, whose current progress is cancelled after a delay.
    ///
    /// Another thread cancels it: a task would have to wait for the tests that run at the same time.
    private static func run(
        _ operation: SynchronousOperation,
        age: Int16,
        _ container: PersistentContainer,
        cancelledAfter delay: Duration?
    ) async throws -> Bool {
        let progress = Progress(totalUnitCount: 1)
        if let delay {
            Thread.detachNewThread {
                Thread.sleep(forTimeInterval: delay / .seconds(1))
                progress.cancel()
            }
        }
        return try await withCheckedThrowingContinuation { done in
            Thread.detachNewThread {
                done.resume(with: Result { try run(operation, age: age, container, under: progress) })
            }
        }
    }

    @Test func cancelledProgressesLeaveTheOldOrTheNewState() async throws {
        let seed = setting("CHORDATA_SEED", small: UInt64(1))
        let count = setting("CHORDATA_CANCELLATIONS", small: 60) / 3
        print("cancelled progresses: seed \(seed), \(count) operations")
        var random = ChordataTestSupport.SeededGenerator(seed: seed)
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(synchronous: .normal)
            )
            let context = container.newContext(isolation: nil)
            for number in 0..<Self.longCount { _ = Player(context: context, name: "p\(number)") }
            try Self.saveWithoutWaiting(context)
            var age = Int16(0)
            // The durations of the operations without a cancellation.
            var durations: [SynchronousOperation: Duration] = [:]
            for operation in SynchronousOperation.allCases {
                let start = ContinuousClock.now
                #expect(try await !Self.run(operation, age: 0, container, cancelledAfter: nil))
                durations[operation] = ContinuousClock.now - start
            }
            var cancelledCounts: [SynchronousOperation: Int] = [:]
            for number in 0..<count {
                let operation = SynchronousOperation.allCases[number % SynchronousOperation.allCases.count]
                let (former, next, formerGuests) = (age, Int16(number + 1), try Self.guestCount(in: container))
                let longest = try #require(durations[operation])
                let delay = longest * (Double(random.below(1_000)) / 1_000)
                let isCancelled = try await Self.run(operation, age: next, container, cancelledAfter: delay)
                if isCancelled { cancelledCounts[operation, default: 0] += 1 }
                age = try Self.age(in: container)
                let changes = !isCancelled && (operation == .save || operation == .batchUpdate)
                expectEqual(age, changes ? next : former, "\(operation), \(number), seed \(seed)")
                let guests = try Self.guestCount(in: container)
                let expected =
                    switch operation {
                    case _ where isCancelled: formerGuests
                    case .insertValues, .batchInsert: formerGuests + Self.longCount
                    case .batchDelete: 0
                    case .save, .batchUpdate: formerGuests
                    }
                expectEqual(guests, expected, "\(operation), \(number), seed \(seed)")
            }
            for operation in SynchronousOperation.allCases {
                let cancelledCount = cancelledCounts[operation, default: 0]
                print("\(operation): \(cancelledCount) of \(count / 5) operations were cancelled in time")
                #expect(count < 160 || cancelledCount > 0, "\(operation)")
            }
            #expect(count < 60 || !cancelledCounts.isEmpty)
        }
    }

    @Test(.onlySQLite(.migrations)) func cancelledMigrationsLeaveTheOldOrTheNewVersion() async throws {
        let seed = setting("CHORDATA_SEED", small: UInt64(1))
        let count = setting("CHORDATA_CANCELLATIONS", small: 60) / 5
        var random = ChordataTestSupport.SeededGenerator(seed: seed)
        let versions = try MigrationStageTests.versions()
        let definition = try versions.definition()
        try await withStorePath { path in
            for number in 0..<count {
                let store = path + "\(number)"
                try versions.makeStore(1, at: store, MigrationStageTests.fill)
                let stage = MigrationStage.custom(
                    from: "Shelf 1",
                    to: "Shelf 2",
                    didMigrate: MigrationStageTests.didMigrate
                )
                let manager = MigrationManager(
                    model: definition,
                    path: store,
                    options: MigrationStageTests.options(stage)
                )
                let task = Task { try await manager.migrateStore() }
                try await Task.sleep(for: .microseconds(random.below(6_000)))
                task.cancel()
                do {
                    try await task.value
                    expectEqual(try MigrationStageTests.people(at: store), MigrationStageTests.expected)
                } catch let error as StoreError where error.code == .cancelled {
                    let metadata = try PersistentStoreCoordinator.metadata(forStoreAt: store)
                    expectEqual(metadata.versionName, "Shelf 1", "seed \(seed), store \(number)")
                    // The store can be migrated again.
                    let again = MigrationManager(
                        model: definition,
                        path: store,
                        options: MigrationStageTests.options(stage)
                    )
                    try await again.migrateStore()
                    expectEqual(try MigrationStageTests.people(at: store), MigrationStageTests.expected)
                }
            }
        }
    }
}
