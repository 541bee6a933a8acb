import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Saves that wait at the same time are executed in one transaction, each with its own outcome.
@Suite(.onlySQLite(.engine))
struct GroupedSavesTests {
    private func queue(_ container: PersistentContainer) -> WriteQueue {
        container.persistentStoreCoordinator.persistentStores[0].sqlite.writeQueue
    }

    private func until(_ condition: () -> Bool) async throws {
        while !condition() { try await Task.sleep(for: .milliseconds(1)) }
    }

    /// Starts saves in order while the store is not available, and waits until all of them have ended.
    private func saveTogether(
        _ container: PersistentContainer,
        _ changes: [@Sendable (ManagedObjectContext) throws -> Void]
    ) async throws -> [Result<Void, any Error>] {
        let queue = queue(container)
        try await queue.takeTurn()
        var tasks: [Task<Void, any Error>] = []
        // The first save is executed by the thread that gets the turn, and the other saves are executed with it.
        for (number, change) in changes.enumerated() {
            tasks.append(
                Task.detached {
                    try await container.performBackgroundTask { context in
                        try change(context)
                        try context.save()
                    }
                }
            )
            try await until { queue.waitingCount == number + 1 }
        }
        queue.finishTurn()
        var results: [Result<Void, any Error>] = []
        for task in tasks { results.append(await task.result) }
        return results
    }

    /// The statements of a container's writer that begin and end transactions and savepoints.
    private final class Log: Sendable {
        let statements = Mutex<[String]>([])
        var logger: StatementLogger {
            StatementLogger { [self] record in
                let words = ["BEGIN IMMEDIATE", "COMMIT", "ROLLBACK TO", "SAVEPOINT", "ROLLBACK"]
                guard let word = words.first(where: { record.sql.hasPrefix($0) }) else { return }
                statements.withLock { $0.append(word) }
            }
        }
    }

    @Test func savesShareOneTransaction() async throws {
        try await withStorePath { path in
            let log = Log()
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(statementLogger: log.logger)
            )
            // From now on, row keys for new objects are reserved.
            let first = container.newContext(isolation: nil)
            _ = Team(context: first, name: "8")
            try await first.save()
            log.statements.withLock { $0 = [] }
            let results = try await saveTogether(
                container,
                (0..<8).map { number in { _ = Team(context: $0, name: "\(number)") } }
            )
            for result in results { try result.get() }
            let statements = log.statements.withLock { $0 }
            expectEqual(statements.filter { $0 == "SAVEPOINT" }.count, 8)
            expectEqual(statements.filter { $0 == "BEGIN IMMEDIATE" }.count, 1)
            let names = try container.newContext().fetch(Team.fetchRequest()).map(\.name).sorted()
            expectEqual(names, (0...8).map { "\($0)" })
        }
    }

    /// After two transactions with several saves, a save waits for others that may share its flush; after an
    /// unsuccessful wait, the next one does not wait.
    @Test func aSaveWaitsForOthers() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            func waitCount(ofSave name: String) async throws -> Int {
                let before = container.statistics.saveQueue.waitCount
                try await container.performBackgroundTask { context in
                    _ = Team(context: context, name: name)
                    try context.save()
                }
                return container.statistics.saveQueue.waitCount - before
            }
            expectEqual(try await waitCount(ofSave: "first"), 0)
            for round in 0..<2 {
                let results = try await saveTogether(
                    container,
                    (0..<4).map { number in { _ = Team(context: $0, name: "\(round) \(number)") } }
                )
                for result in results { try result.get() }
            }
            expectEqual(try await waitCount(ofSave: "waits"), 1)
            expectEqual(try await waitCount(ofSave: "does not wait"), 0)
            expectEqual(try container.newContext().count(for: Team.fetchRequest()), 11)
        }
    }

    /// A save with a conflict, a save with a reference to a deleted row, and a save with values that are not unique do
    /// not affect the other saves of their group.
    @Test func failuresStayAlone() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext(isolation: nil)
            let (team, deleted) = (Team(context: context, name: "Reds"), Team(context: context, name: "Greens"))
            try await context.save()
            let (id, deletedID) = (team.objectID, deleted.objectID)
            let results = try await saveTogether(
                container,
                [
                    { context in try #require(context.existingObject(with: id) as? Team).city = "Ulm" },
                    { context in
                        // The object is read before the first save is executed.
                        try #require(context.existingObject(with: id) as? Team).city = "Bern"
                    },
                    { context in context.delete(try context.existingObject(with: deletedID)) },
                    { context in
                        let player = Player(context: context)
                        player.name = "Ada"
                        player.team = try #require(context.existingObject(with: deletedID) as? Team)
                    },
                    { context in _ = Team(context: context, name: "Blues") },
                ]
            )
            try results[0].get()
            #expect(throws: SaveConflictError.self) { try results[1].get() }
            try results[2].get()
            #expect(throws: SaveConflictError.self) { try results[3].get() }
            try results[4].get()
            let reader = container.newContext(isolation: nil)
            let teams = try reader.fetch(Team.fetchRequest()).sorted { $0.name < $1.name }
            #expect(teams.map(\.name) == ["Blues", "Reds"] && teams[1].city == "Ulm")
            expectEqual(try reader.count(for: Player.fetchRequest()), 0)
        }
    }

    /// The changes that other contexts receive reproduce the store, in the order of the transactions: no row version is
    /// missing, no version is received twice, and none is received before an earlier one.
    @Test func reportsComeInTheOrderOfTheSaves() async throws {
        let seed = setting("CHORDATA_GROUP_SEED", small: UInt64(1))
        let count = setting("CHORDATA_GROUP_SAVES", small: 60)
        print("GroupedSavesTests.reportsComeInTheOrderOfTheSaves: seed \(seed), 8 writers with \(count) saves each")
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(synchronous: .normal)
            )
            let first = container.newContext(isolation: nil)
            for number in 0..<6 { _ = Team(context: first, name: "\(number)") }
            try await first.save()
            let observer = container.newContext(isolation: nil)
            expectEqual(try observer.count(for: Team.fetchRequest()), 6)
            let inbox = observer.inbox
            let received = Received()
            inbox.setNotification { received.rows.withLock { rows in rows += inbox.drain() } }
            let acknowledged = try await Self.saveAtRandom(container, seed, count)
            var versions: [Int64: Int64] = [:]
            let rows = received.rows.withLock { $0 }
            for row in rows {
                switch row.kind {
                case .deleted:
                    #expect(versions[row.key] != nil || row.key <= 6, "seed \(seed): \(row.key) is deleted twice")
                    versions[row.key] = nil
                case .inserted, .updated:
                    expectEqual(row.version, (versions[row.key] ?? (row.kind == .inserted ? 0 : 1)) + 1, "seed \(seed)")
                    versions[row.key] = row.version
                }
            }
            let reader = container.newContext(isolation: nil)
            let stored = try reader.fetch(Team.fetchRequest())
            for team in stored where team.version > 1 { expectEqual(versions[team.key], team.version, "seed \(seed)") }
            #expect(Set(versions.keys).isSubset(of: stored.map(\.key)), "seed \(seed): deleted rows are not reported")
            #expect(stored.count >= 6)
            expectEqual(rows.count, acknowledged, "each save that returned was reported once")
        }
    }

    /// The recorded history has one transaction for each acknowledged save; the saves in the order of the transactions,
    /// one after the other, result in the stored values, and other contexts receive the changes in this order.
    @Test func theHistoryIsASerialOrder() async throws {
        let seed = setting("CHORDATA_GROUP_SEED", small: UInt64(1))
        let count = setting("CHORDATA_GROUP_SAVES", small: 60)
        print("GroupedSavesTests.theHistoryIsASerialOrder: seed \(seed), 8 writers with \(count) saves each")
        try await withStorePath { path in
            let options = StoreOptions(synchronous: .normal, tracksPersistentHistory: true)
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            let first = container.newContext(isolation: nil)
            for number in 0..<6 { _ = Team(context: first, name: "\(number)") }
            try await first.save()
            var stored: [Int64: [String?]] = [:]
            for team in try first.fetch(Team.fetchRequest()) { stored[team.key] = [team.name, nil] }
            let token = try first.execute(.fetchHistory(after: nil as PersistentHistoryToken?)).last?.token
            let observer = container.newContext(isolation: nil)
            expectEqual(try observer.count(for: Team.fetchRequest()), 6)
            let inbox = observer.inbox
            let received = Received()
            inbox.setNotification { received.rows.withLock { rows in rows += inbox.drain() } }
            let acknowledged = try await Self.saveAtRandom(container, seed, count)
            let reader = container.newContext(isolation: nil)
            let transactions = try reader.execute(.fetchHistory(after: token))
            expectEqual(transactions.count, acknowledged, "seed \(seed)")
            // Each save sets one value, which is also its author.
            for transaction in transactions {
                let change = try #require(transaction.changes.first, "seed \(seed)")
                expectEqual(transaction.changes.count, 1, "seed \(seed)")
                let (key, author) = (change.changedObjectID.key, try #require(transaction.author))
                switch change.changeType {
                case .insert: stored[key] = [author, nil]
                case .update: stored[key]?[1] = author
                case .delete: stored[key] = nil
                }
            }
            var expected: [Int64: [String?]] = [:]
            for team in try reader.fetch(Team.fetchRequest()) { expected[team.key] = [team.name, team.city] }
            expectEqual(stored, expected, "seed \(seed)")
            let rows = received.rows.withLock { $0 }
            expectEqual(rows.map(\.key), transactions.flatMap(\.changes).map(\.changedObjectID.key), "seed \(seed)")
        }
    }

    private final class Received: Sendable {
        let rows = Mutex<[ChangeSet.Row]>([])
    }

    /// Makes random saves from eight tasks.
    /// - Returns: The number of saves that returned without a conflict.
    private static func saveAtRandom(_ container: PersistentContainer, _ seed: UInt64, _ count: Int) async throws -> Int
    {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    var random = SeededGenerator(seed: seed &* 100 &+ UInt64(writer))
                    var saves = 0
                    for number in 0..<count {
                        let choice = Int.random(in: 0..<4, using: &random)
                        let index = Int.random(in: 0..<6, using: &random)
                        let token = "\(writer)-\(number)"
                        do {
                            try await container.performBackgroundTask { context in
                                context.transactionAuthor = token
                                let teams = try context.fetch(Team.fetchRequest()).sorted {
                                    $0.objectID.key < $1.objectID.key
                                }
                                if choice == 0 || teams.isEmpty {
                                    _ = Team(context: context, name: token)
                                } else if choice == 1, teams.count > 6 {
                                    context.delete(teams[teams.count - 1])
                                } else {
                                    teams[index % teams.count].city = token
                                }
                                try context.save()
                            }
                            saves += 1
                        } catch is SaveConflictError {
                            continue
                        }
                    }
                    return saves
                }
            }
            return try await group.reduce(0, +)
        }
    }
}
