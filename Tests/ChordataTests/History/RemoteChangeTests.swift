import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// The changes of other containers reach contexts and results controllers (H6).
@Suite(.onlySQLite(.history))
struct RemoteChangeTests {
    private static let reporting = StoreOptions(reportsRemoteChanges: true)

    @MainActor @Test func listsFollowOtherContainers() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: Self.reporting)
            let context = container.viewContext
            let ann = Player(context: context, name: "Ann")
            try await context.save()
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.name),
                managedObjectContext: context
            )
            let table = ResultsTable<Player>()
            controller.delegate = table
            try controller.performFetch()
            table.show(controller)
            var changes = container.remoteChanges.makeAsyncIterator()
            // Another container is equivalent to another process, because the two share only the file.
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            other.transactionAuthor = "other"
            _ = Player(context: other, name: "Bob")
            let known = try #require(try other.fetch(Player.fetchRequest().where(\.name == "Ann")).first)
            known.age = 7
            try await other.save()
            let first = try #require(await changes.next())
            #expect(first.author == "other" && first.changes.updated == [ann.objectID])
            #expect(first.changes.inserted.count == 1 && first.token.transactionNumber == 2)
            context.processPendingChanges()
            expectEqual(ann.age, 7)
            expectEqual(controller.fetchedObjects?.map(\.name), ["Ann", "Bob"])
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
            try other.execute(BatchDeleteRequest(fetchRequest: Player.fetchRequest().where(\.name == "Ann")))
            expectEqual(await changes.next()?.changes.deleted, [ann.objectID])
            context.processPendingChanges()
            expectEqual(controller.fetchedObjects?.map(\.name), ["Bob"])
            #expect(ann.managedObjectContext == nil)
        }
    }

    /// A container's own transactions are not reported, and older states of others do not replace its newer state.
    @Test func ownSavesAreNotReported() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: Self.reporting)
            let reporter = try #require(container.store.reporter.withLock { $0 })
            let (context, reader) = (container.newContext(), container.newContext())
            reader.automaticallyMergesChangesFromParent = true
            let player = Player(context: context, name: "Ann")
            try context.save()
            let seen = try #require(try reader.fetch(Player.fetchRequest()).first)
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            let theirs = try #require(try other.fetch(Player.fetchRequest()).first)
            theirs.age = 1
            try other.save()
            context.refreshAllObjects()
            player.age = 2
            try context.save()
            reporter.report(to: container.store)
            reader.processPendingChanges()
            expectEqual(seen.age, 2)
            // A row that is deleted here after the save of the other container stays deleted.
            theirs.name = "Eve"
            #expect(throws: SaveConflictError.self) { try other.save() }
            other.rollback()
            other.refreshAllObjects()
            theirs.name = "Eve"
            try other.save()
            context.refreshAllObjects()
            context.delete(player)
            try context.save()
            reporter.report(to: container.store)
            reader.processPendingChanges()
            #expect(seen.managedObjectContext == nil && reader.registeredObjects.isEmpty)
        }
    }

    /// A save that does not write the row of a changed object, which another container has changed since, does not keep
    /// the old values of the object.
    @Test func savesOfOutdatedObjects() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: Self.reporting)
            let reporter = try #require(container.store.reporter.withLock { $0 })
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            let team = Team(context: context, name: "Reds")
            let player = Player(context: context, name: "Ann")
            try context.save()
            player.team = team
            context.processPendingChanges()
            #expect(team.isUpdated)
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            try #require(try other.fetch(Team.fetchRequest()).first).name = "Blues"
            try other.save()
            reporter.report(to: container.store)
            context.processPendingChanges()
            expectEqual(team.name, "Reds")
            try context.save()
            expectEqual(team.name, "Blues")
            expectEqual(team.players.map(\.name), ["Ann"])
            #expect(!context.hasChanges)
        }
    }

    /// A row that is deleted here before its insertion is reported never appears, and a restored row is current.
    @Test func rowsThatAreDeletedHereDoNotComeBack() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: Self.reporting)
            let reporter = try #require(container.store.reporter.withLock { $0 })
            let (context, reader) = (container.newContext(), container.newContext())
            reader.automaticallyMergesChangesFromParent = true
            let other = try LeagueModel.definition.testContainer(at: path).newContext()
            let undoManager = ContextUndoManager()
            other.undoManager = undoManager
            for isDrained in [false, true] {
                let theirs = Player(context: other, name: "Ann")
                try other.save()
                let seen = try #require(try reader.fetch(Player.fetchRequest().where(\.name == "Ann")).first)
                let own = try #require(try context.fetch(Player.fetchRequest().where(\.name == "Ann")).first)
                context.delete(own)
                try context.save()
                if isDrained { reader.processPendingChanges() }
                reporter.report(to: container.store)
                reader.processPendingChanges()
                #expect(seen.managedObjectContext == nil && reader.registeredObjects.isEmpty)
                other.refresh(theirs, mergeChanges: false)
                other.reset()
            }
            // A deletion that is undone in another container gives the row a newer version.
            let theirs = Player(context: other, name: "Bob")
            try other.save()
            reporter.report(to: container.store)
            let seen = try #require(try reader.fetch(Player.fetchRequest().where(\.name == "Bob")).first)
            other.delete(theirs)
            try other.save()
            other.undo()
            theirs.age = 7
            try other.save()
            reporter.report(to: container.store)
            reader.processPendingChanges()
            #expect(seen.managedObjectContext == nil || seen.age == 7)
            expectEqual(try reader.fetch(Player.fetchRequest().where(\.name == "Bob")).map(\.age), [7])
        }
    }

    /// Transactions that were deleted before they were read, or that cannot be read, are reported as a gap.
    @Test func gapsAreReported() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: Self.reporting)
            let reporter = try #require(container.store.reporter.withLock { $0 })
            let other = try LeagueModel.definition.testContainer(at: path)
            var changes = container.remoteChanges.makeAsyncIterator()
            func add(_ name: String) async throws {
                try await other.performBackgroundTask { context in
                    _ = Team(context: context, name: name)
                    try await context.save()
                }
            }
            try await add("1")
            reporter.report(to: container.store)
            #expect(await changes.next()?.changes.invalidatesAll == false)
            try run(
                """
                BEGIN;
                UPDATE "_save" SET "id" = 5; UPDATE "_sequence" SET "next" = 5 WHERE "name" = 'save';
                INSERT OR REPLACE INTO "_sequence" VALUES ('save', 5);
                COMMIT
                """,
                at: path
            )
            reporter.report(to: container.store)
            #expect(await changes.next()?.changes.invalidatesAll == true)
            expectEqual(await changes.next()?.token.transactionNumber, 5)
            try run("INSERT INTO \"_save\" VALUES (6, 1, 1, 0, NULL, NULL, 'no JSON')", at: path)
            try await add("2")
            reporter.report(to: container.store)
            #expect(await changes.next()?.changes.invalidatesAll == true)
            expectEqual(await changes.next()?.token.transactionNumber, 7)
        }
    }

    /// Law: after random saves of several containers, each list is equal to a new fetch.
    ///
    /// `CHORDATA_REMOTE_HISTORIES` sets the number of histories, and `CHORDATA_SEED` the first seed.
    @Test func listsAreFreshFetches() throws {
        let count = setting("CHORDATA_REMOTE_HISTORIES", small: 8)
        let start = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(start), \(count) histories of three containers")
        for seed in start..<start + UInt64(count) {
            var random = SeededGenerator(seed: seed)
            try withStorePath { path in
                let containers = try (0..<3).map { _ in
                    try LeagueModel.definition.testContainer(at: path, options: Self.reporting)
                }
                let contexts = containers.map { container in
                    let context = container.newContext()
                    context.automaticallyMergesChangesFromParent = true
                    context.mergePolicy = .mergeByPropertyObjectTrump
                    return context
                }
                let lists = try contexts.map { context in
                    let list = FetchedResultsController(
                        fetchRequest: Player.fetchRequest().where(\.age < 5).sorted(by: \.name).sorted(by: \.age),
                        managedObjectContext: context
                    )
                    let table = ResultsTable<Player>()
                    list.delegate = table
                    try list.performFetch()
                    table.show(list)
                    return (list, table)
                }
                for _ in 0..<40 {
                    let index = Int.random(in: 0..<3, using: &random)
                    try change(contexts[index], &random)
                    guard Int.random(in: 0..<4, using: &random) == 0 else { continue }
                    for container in containers {
                        container.store.reporter.withLock { $0 }?.report(to: container.store)
                    }
                    for (context, (list, table)) in zip(contexts, lists) {
                        context.processPendingChanges()
                        let fresh: [Player.Values] = try containers[0].newContext().fetchValues(list.fetchRequest)
                        expectEqual(list.fetchedObjects?.map(\.objectID.key), fresh.map(\.objectID.key), "seed \(seed)")
                        expectEqual(list.fetchedObjects?.map(\.name), fresh.map(\.name), "seed \(seed)")
                        expectEqual(table.rows.flatMap { $0 }, list.fetchedObjects?.map(\.objectID), "seed \(seed)")
                    }
                }
            }
        }
    }

    private func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        let players = try context.fetch(Player.fetchRequest())
        switch Int.random(in: 0..<6, using: &random) {
        case 0, 1: _ = Player(context: context, name: "\(Int.random(in: 0..<9, using: &random))")
        case 2: players.randomElement(using: &random)?.name = "\(Int.random(in: 0..<9, using: &random))"
        case 3, 4: players.randomElement(using: &random)?.age = Int16.random(in: 0..<9, using: &random)
        default: if let player = players.randomElement(using: &random) { context.delete(player) }
        }
        do {
            try context.save()
        } catch is SaveConflictError {
            context.rollback()
        }
    }
}
