import ChordataTestStores
import ChordataTestSupport
import Synchronization
import Testing

@testable import Chordata

/// Fetches whose rows are read later, in batches, or asynchronously.
struct BatchedArrayTests {
    private static func withPlayers(_ count: Int, _ body: (PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for number in 0..<count { Player(context: context, name: "P\(number)").age = Int16(number) }
            try context.save()
            try body(container)
        }
    }

    @Test func objectsAreMadeByBatches() throws {
        try Self.withPlayers(100) { container in
            let context = container.newContext()
            let request = Player.fetchRequest().sorted(by: \.age, .descending)
            let players = try context.fetch(request.batches(of: 10))
            #expect(players.count == 100 && context.registeredObjects.isEmpty)
            #expect(players[25].name == "P74" && context.registeredObjects.count == 10)
            #expect(players[29].name == "P70" && context.registeredObjects.count == 10)
            #expect(players.last?.name == "P0" && context.registeredObjects.count == 20)
            expectEqual(players.map(\.name), (0..<100).reversed().map { "P\($0)" })
            expectEqual(players.objectID(at: 3), players[3].objectID)
            // Objects without other references are released, except those of the two batches that were accessed last.
            context.graph.sweep()
            expectEqual(context.registeredObjects.count, 20)
            let held = players[0]
            #expect(players[50].name == "P49" && players[60].name == "P39")
            context.graph.sweep()
            #expect(context.registeredObjects.count == 21 && context.registeredObjects.contains(held))
            #expect(players[0] === held)
        }
    }

    @Test func unsavedChangesAndDeletedRows() throws {
        try Self.withPlayers(30) { container in
            let context = container.newContext()
            Player(context: context, name: "new").age = 7
            let request = try Player.fetchRequest().where(format: "age < 10").sorted(by: \.age).sorted(by: \.name)
            let players = try context.fetch(request.batches(of: 4))
            expectEqual(players.map(\.name), ["P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7", "new", "P8", "P9"])
            let empty = try context.fetch(request.where(format: "age < 0").batches(of: 4))
            #expect(empty.isEmpty && empty.first == nil)
            context.reset()
            let stored = try context.fetch(request.batches(of: 4))
            let other = container.newContext()
            other.delete(try #require(try other.fetch(request).last))
            try other.save()
            #expect(stored.count == 10 && stored[8].name == "P8" && stored[9].name == "")
        }
    }

    @Test func firstAccessReadsAllRows() throws {
        try Self.withPlayers(30) { container in
            let context = container.newContext()
            var request = Player.fetchRequest().sorted(by: \.age)
            request.returnsObjectsAsFaults = true
            let players = try context.fetch(request)
            expectEqual(players.count { $0.isFault }, 30)
            expectEqual(players[3].name, "P3")
            expectEqual(players.count { $0.isFault }, 0)
            #expect(try context.fetch(request.where(format: "age > 100")).isEmpty)
        }
    }

    // MARK: Asynchronous fetches

    @Test func asynchronousFetchesReadAllRows() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = Team(context: context, name: "T")
            for number in 0..<2_500 { Player(context: context, name: "P\(number)").team = team }
            try await context.save()
            context.reset()
            let counts = Counts()
            let request = Player.fetchRequest().sorted(by: \.name).prefetching(\.team)
            let players = try await context.fetch(request.asynchronous { counts.add($0) })
            expectEqual(counts.all, [1_000, 2_000, 2_500])
            let expected = (0..<2_500).map { "P\($0)" }.sorted()
            #expect(players.map(\.name) == expected && players.count { $0.isFault } == 0)
            #expect(players.first?.team?.isFault == false)
            // Registered objects keep their unsaved changes; with unsaved changes, the fetch is an ordinary one.
            players[0].name = "zzz"
            let again = try await context.fetch(request.asynchronous())
            #expect(again.last === players[0] && again.first === players[1])
            context.rollback()
            let third = try await context.fetch(request.limit(2).asynchronous())
            #expect(third == Array(players.prefix(2)) && third[0].name == expected[0])
        }
    }

    /// The result of an asynchronous fetch includes saves of other contexts that are made while it reads rows.
    @Test func savesDuringAnAsynchronousFetchAreVisible() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for number in 0..<3_000 { _ = Player(context: context, name: "P\(number)") }
            try await context.save()
            context.reset()
            let saves = Saves(container)
            let players = try await context.fetch(
                Player.fetchRequest().asynchronous { count in
                    if count == 1_000 { saves.renameFirst() }
                }
            )
            #expect(saves.error == nil && saves.count > 0)
            expectEqual(players.first?.name, "renamed \(saves.count)")
        }
    }

    @Test func aCancelledTaskEndsTheReading() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for number in 0..<2_000 { _ = Player(context: context, name: "P\(number)") }
            try await context.save()
            let work = Task {
                let context = container.newContext()
                // The name of each of 2,000 rows is compared nine times.
                let format = "SUBQUERY({1, 2, 3, 4, 5, 6, 7, 8, 9}, $x, name CONTAINS[cd] 'none').@count > 0"
                let request = try Player.fetchRequest().where(format: format)
                while true { _ = try await context.fetch(request.asynchronous()) }
            }
            try await Task.sleep(for: .milliseconds(50))
            work.cancel()
            await #expect(throws: CancellationError.self) { try await work.value }
            // The connection can still be used.
            expectEqual(try context.count(for: Player.fetchRequest()), 2_000)
        }
    }
}

private final class Counts: Sendable {
    private let counts = Mutex<[Int]>([])
    var all: [Int] { counts.withLock(\.self) }
    func add(_ count: Int) { counts.withLock { $0.append(count) } }
}

/// Saves made by the reader.
private final class Saves: Sendable {
    private let container: PersistentContainer
    private let state = Mutex<(count: Int, error: (any Error)?)>((0, nil))
    var count: Int { state.withLock(\.count) }
    var error: (any Error)? { state.withLock(\.error) }

    init(_ container: PersistentContainer) { self.container = container }

    func renameFirst() {
        state.withLock { state in
            do {
                let context = container.newContext()
                let first = try context.fetchOne(Player.fetchRequest())
                first?.name = "renamed \(state.count + 1)"
                try context.save()
                state.count += 1
            } catch {
                state.error = error
            }
        }
    }
}
