import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Contexts that are pinned to a state of the store.
@Suite(.onlySQLite(.pinnedGenerations))
struct QueryGenerationTests {
    private func withLeague(
        options: StoreOptions = StoreOptions(),
        _ body: (_ container: PersistentContainer, _ writer: ManagedObjectContext) throws -> Void
    ) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            let writer = container.newContext()
            _ = Player(context: writer, name: "Ann")
            try writer.save()
            try body(container, writer)
        }
    }

    private func names(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(Player.fetchRequest().sorted(by: \.name)).map(\.name)
    }

    @Test func pinnedContextsReadOneState() throws {
        try withLeague { container, writer in
            let pinned = container.newContext()
            #expect(pinned.queryGenerationToken == nil)
            try pinned.setQueryGenerationFrom(.current)
            expectEqual(pinned.queryGenerationToken, .current)
            let ann = try #require(try writer.fetch(Player.fetchRequest()).first)
            ann.age = 9
            _ = Player(context: writer, name: "Bob")
            try writer.save()
            // Fetches, faults, counts and values in successive events see the pinned state.
            expectEqual(try names(pinned), ["Ann"])
            pinned.processPendingChanges()
            expectEqual(try pinned.count(for: Player.fetchRequest()), 1)
            let fault = try #require(try pinned.fetch(Player.fetchRequest()).first)
            pinned.refresh(fault, mergeChanges: false)
            expectEqual(fault.age, 0)
            let values: [Player.Values] = try pinned.fetchValues(Player.fetchRequest())
            expectEqual(values.map(\.age), [0])
            // The next call pins the newest state, and nil removes the pin.
            try pinned.setQueryGenerationFrom(.current)
            expectEqual(try names(pinned), ["Ann", "Bob"])
            try pinned.setQueryGenerationFrom(nil)
            #expect(pinned.queryGenerationToken == nil)
            _ = Player(context: writer, name: "Cem")
            try writer.save()
            expectEqual(try names(pinned), ["Ann", "Bob", "Cem"])
            expectEqual(container.statistics.readers.busyCount, 0)
        }
    }

    /// A child context would read a newer state than its parent, so it reads nothing while the parent is pinned.
    @Test func childrenOfPinnedContextsDoNotRead() throws {
        try withLeague { container, _ in
            let pinned = container.newContext()
            try pinned.setQueryGenerationFrom(.current)
            let child = ManagedObjectContext()
            child.parent = pinned
            let grandchild = ManagedObjectContext()
            grandchild.parent = child
            for context in [child, grandchild] {
                let error = try #require(throws: StoreError.self) { try names(context) }
                expectEqual(error.code, .unsupportedEnvironment)
            }
            try pinned.setQueryGenerationFrom(nil)
            #expect(try names(child) == ["Ann"] && names(grandchild) == ["Ann"])
        }
    }

    /// Saves, merges, batch operations, resets and refreshes of all objects advance a pinned context; rollbacks and
    /// refreshes of one object do not.
    @Test func contextsAdvance() throws {
        try withLeague { container, writer in
            let pinned = container.newContext()
            var count = 1
            func expectAdvance(_ isExpected: Bool, _ body: () throws -> Void) throws {
                try pinned.setQueryGenerationFrom(.current)
                count = try pinned.count(for: Player.fetchRequest())
                _ = Player(context: writer, name: "Bob")
                try writer.save()
                expectEqual(try pinned.count(for: Player.fetchRequest()), count)
                try body()
                let now = try pinned.count(for: Player.fetchRequest())
                #expect((now > count) == isExpected)
            }
            let ann = try #require(try pinned.fetch(Player.fetchRequest()).first)
            try expectAdvance(true) {
                ann.name = "Eve"
                try pinned.save()
            }
            try expectAdvance(true) { pinned.mergeChanges(ObjectIDChanges(updated: [ann.objectID])) }
            try expectAdvance(true) { pinned.refreshAllObjects() }
            try expectAdvance(true) { pinned.reset() }
            try expectAdvance(true) {
                try pinned.execute(BatchUpdateRequest<Player>().where(\.name == "Eve").setting(\.age, to: 1))
            }
            try expectAdvance(true) {
                try pinned.insertValues([Player.Values(objectID: ObjectID(), name: "V", age: 0, team: nil)])
            }
            try expectAdvance(false) { pinned.rollback() }
            try expectAdvance(false) {
                if let one = try pinned.fetch(Player.fetchRequest()).first { pinned.refresh(one, mergeChanges: true) }
            }
            try expectAdvance(true) {
                pinned.automaticallyMergesChangesFromParent = true
                pinned.processPendingChanges()
            }
        }
    }

    /// A conflict is resolved with the newest row, not with the row of the query generation.
    @Test func conflictsAreThoseWithTheNewestState() throws {
        try withLeague { container, writer in
            let pinned = container.newContext()
            try pinned.setQueryGenerationFrom(.current)
            let ann = try #require(try pinned.fetch(Player.fetchRequest()).first)
            let theirs = try #require(try writer.fetch(Player.fetchRequest()).first)
            theirs.age = 9
            try writer.save()
            ann.name = "Eve"
            let error = #expect(throws: SaveConflictError.self) { try pinned.save() }
            expectEqual(error?.conflicts.count, 1)
            pinned.mergePolicy = .mergeByPropertyObjectTrump
            try pinned.save()
            #expect(ann.age == 9 && ann.name == "Eve")
        }
    }

    @Test func asynchronousFetchesReadTheGeneration() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let counts = try await container.performBackgroundTask { context in
                try context.setQueryGenerationFrom(.current)
                try await container.performBackgroundTask { other in
                    _ = Player(context: other, name: "Ann")
                    try await other.save()
                }
                let request = AsynchronousFetchRequest(Player.fetchRequest())
                let pinned = try await context.fetch(request).count
                try context.setQueryGenerationFrom(nil)
                return [pinned, try await context.fetch(request).count]
            }
            expectEqual(counts, [0, 1])
        }
    }

    /// A context loses its pin when the log has grown too much, even if the context does not read.
    @Test func theLogIsLimited() throws {
        try withLeague(options: StoreOptions(maximumPinnedLogSize: 1 << 20)) { container, writer in
            let pinned = container.newContext()
            try pinned.setQueryGenerationFrom(.current)
            let statistics = { container.statistics }
            while statistics().readers.busyCount == 1 {
                #expect(statistics().logSize < 3 << 20)
                for _ in 0..<500 { _ = Player(context: writer, name: String(repeating: "x", count: 100)) }
                try writer.save()
            }
            let error = #expect(throws: StoreError.self) { try pinned.count(for: Player.fetchRequest()) }
            expectEqual(error?.code, .queryGenerationExpired)
            expectEqual(pinned.queryGenerationToken, .current)
            // The log has not become shorter, but may grow again.
            try pinned.setQueryGenerationFrom(.current)
            #expect(try pinned.count(for: Player.fetchRequest()) > 1)
            pinned.reset()
            #expect(try pinned.count(for: Player.fetchRequest()) > 1)
        }
    }

    /// The log is also limited while only another process writes and the context is idle.
    @Test func anotherWriterDoesNotExceedTheLimit() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: path,
                options: StoreOptions(maximumPinnedLogSize: 1 << 20)
            )
            let pinned = container.newContext(isolation: nil)
            _ = Player(context: pinned, name: "Ann")
            try await pinned.save()
            try pinned.setQueryGenerationFrom(.current)
            let other = try SQLiteConnection(path: path, mode: .readWriteCreate)
            for _ in 0..<12 { try other.execute("UPDATE \"Player\" SET \"name\" = hex(randomblob(100000))") }
            let deadline = ContinuousClock.now + .seconds(60)
            while container.statistics.readers.busyCount > 0, ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(50))
            }
            expectEqual(container.statistics.readers.busyCount, 0)
            let error = #expect(throws: StoreError.self) { try pinned.count(for: Player.fetchRequest()) }
            expectEqual(error?.code, .queryGenerationExpired)
        }
    }

    @Test func storesInMemoryAndChildContextsRefuse() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let error = #expect(throws: StoreError.self) { try context.setQueryGenerationFrom(.current) }
        #expect(error?.code == .unsupportedEnvironment && context.queryGenerationToken == nil)
        try withLeague { container, writer in
            let child = MonitoredStore.child(of: writer)
            let error = #expect(throws: StoreError.self) { try child.setQueryGenerationFrom(.current) }
            expectEqual(error?.code, .unsupportedEnvironment)
            let names = try names(child)
            expectEqual(names, ["Ann"])
        }
    }

    /// A pinned context of a background task keeps its state over an await.
    @Test func pinsOutliveAwaits() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let counts = try await container.performBackgroundTask { context in
                try context.setQueryGenerationFrom(.current)
                let before = try context.count(for: Player.fetchRequest())
                try await container.performBackgroundTask { other in
                    _ = Player(context: other, name: "Ann")
                    try await other.save()
                }
                let pinned = try context.count(for: Player.fetchRequest())
                try context.setQueryGenerationFrom(nil)
                return [before, pinned, try context.count(for: Player.fetchRequest())]
            }
            expectEqual(counts, [0, 0, 1])
        }
    }
}
