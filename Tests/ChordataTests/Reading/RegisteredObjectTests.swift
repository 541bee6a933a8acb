import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The number of registered objects that only their context retains.
struct RegisteredObjectTests {
    private static let count = setting("CHORDATA_EXPORT_ROWS", small: 6_000)
    /// Twice the 1,000 objects that may be registered between two sweeps, and the objects of a batch.
    private static let bound = 2_500

    private func withLeague(_ body: (PersistentContainer, ManagedObjectContext, [ManagedObjectID]) throws -> Void)
        throws
    {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let setup = container.newContext()
        let players = (0..<Self.count).map { number in
            let player = Player(context: setup, name: "\(number)")
            if number % 20 == 0 { player.team = Team(context: setup, name: "\(number)") }
            return player
        }
        for (number, player) in players.enumerated() { player.team = players[number / 20 * 20].team }
        try setup.save()
        let context = container.newContext()
        try context.performAndWait { try body(container, context, players.map(\.objectID)) }
    }

    private func expectBounded(_ context: ManagedObjectContext, _ comment: Comment) {
        #expect(context.graph.registry.count < Self.bound, comment)
    }

    @Test func batchesAreReleasedWithinAnEvent() throws {
        try withLeague { _, context, _ in
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name).batches(of: 50))
            for (place, player) in players.enumerated() {
                _ = player.name
                if place % 500 == 0 { expectBounded(context, "\(place)") }
            }
        }
    }

    @Test func batchesOfListsAreReleasedWithinAnEvent() throws {
        try withLeague { _, context, _ in
            let list = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.name).batchSize(50),
                managedObjectContext: context
            )
            try list.performFetch()
            for place in 0..<Self.count {
                _ = list.object(at: IndexPath(row: place, section: 0)).name
                if place % 500 == 0 { expectBounded(context, "\(place)") }
            }
        }
    }

    @Test func objectsThatAreLookedUpAreReleased() throws {
        try withLeague { _, context, ids in
            for (place, id) in ids.enumerated() {
                _ = try context.existingObject(with: id)
                _ = context.object(with: id)
                let player: Player = try context.existingObject(with: ObjectID(key: id.key))
                _ = player.name
                if place % 500 == 0 { expectBounded(context, "\(place)") }
            }
        }
    }

    /// Owners and members are released although they reference each other.
    @Test func exportsOfOwnersWithTheirMembersAreBounded() throws {
        try withLeague { _, context, _ in
            let teams = try context.fetch(Team.fetchRequest().sorted(by: \.name).batches(of: 20))
            var places = 0
            for team in teams {
                for player in team.players where player.team === team { places += 1 }
                if places % 500 == 0 { expectBounded(context, "\(places)") }
            }
            expectEqual(places, Self.count)
        }
    }

    @Test(arguments: [false, true]) func refreshedObjectsThatReferenceEachOtherAreReleased(isObserved: Bool) throws {
        try withLeague { _, context, _ in
            let list = FetchedResultsController(
                fetchRequest: Team.fetchRequest().sorted(by: \.name).batchSize(20),
                managedObjectContext: context
            )
            if isObserved { try list.performFetch() }
            for team in try context.fetch(Team.fetchRequest()) {
                for player in team.players { #expect(player.team === team) }
            }
            #expect(context.registeredObjects.count >= Self.count)
            let held = try #require(try context.fetch(Player.fetchRequest()).first)
            held.name = "changed"
            context.refreshAllObjects()
            context.processPendingChanges()
            #expect(context.registeredObjects.count <= (isObserved ? 50 : 2))
            #expect(held.name == "changed" && held.team != nil)
        }
    }
}
