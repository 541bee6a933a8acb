import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// The release of objects that are no longer used.
struct ReleaseTests {
    /// The objects of a screen.
    ///
    /// The class is Sendable because it is isolated to the main actor, so any thread may release it and its objects.
    @MainActor private final class Screen {
        let teams: [Team]
        init(_ teams: [Team]) { self.teams = teams }
    }

    @Test @MainActor func objectsDieOnAnotherThreadWhileTheViewContextFetches() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "chordata-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let container = try LeagueModel.definition.testContainer(at: folder.appending(path: "store.sqlite").path)
        let context = container.viewContext
        for index in 0..<200 { _ = Team(context: context, name: "Team \(index)") }
        try await context.save()
        for loop in 0..<20 {
            context.refreshAllObjects()
            var screen: Screen? = Screen(try context.fetch(Team.fetchRequest()))
            let last = Task.detached { [screen] in screen.map { ObjectIdentifier($0) } }
            screen = nil
            for _ in 0..<5 {
                let teams = try context.fetch(Team.fetchRequest().sorted(by: \.name))
                expectEqual(teams.count, 200 + loop)
                await Task.yield()
            }
            #expect(await last.value != nil)
            _ = Team(context: context, name: "New \(loop)")
            try await context.save()
        }
        try FileManager.default.removeItem(at: folder)
    }

    /// A graph in which all objects reference each other.
    private func makeGraph(in context: ManagedObjectContext) throws {
        let teams = (0..<20).map { Team(context: context, name: "T\($0)") }
        for index in 0..<200 { Player(context: context, name: "P\(index)").team = teams[index % 20] }
        try context.save()
        // Both ends are read, so they retain each other.
        for team in try context.fetch(Team.fetchRequest()) { #expect(team.players.allSatisfy { $0.team === team }) }
    }

    @Test func aGraphThatHoldsItselfEndsWithReset() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        try makeGraph(in: context)
        weak let team = try context.fetch(Team.fetchRequest()).first
        weak let player = try context.fetch(Player.fetchRequest()).first
        #expect(team != nil && player != nil)
        context.reset()
        #expect(team == nil && player == nil)
        #expect(context.registeredObjects.isEmpty)
        expectEqual(try context.count(for: Player.fetchRequest()), 200)
    }

    @Test func aGraphThatHoldsItselfEndsWithItsContext() throws {
        weak var team: Team?
        weak var player: Player?
        weak var ended: ManagedObjectContext?
        do {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            try makeGraph(in: context)
            ended = context
            team = try context.fetch(Team.fetchRequest()).first
            player = try context.fetch(Player.fetchRequest()).first
            #expect(team != nil && player != nil)
        }
        #expect(ended == nil && team == nil && player == nil)
    }

    @Test func aGraphThatHoldsItselfEndsWithRefreshing() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        try makeGraph(in: context)
        context.refreshAllObjects()
        // Registering many objects makes the context search for objects without other references.
        for index in 0..<3_000 { _ = Team(context: context, name: "N\(index)") }
        try context.save()
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func insertionsThatHoldEachOtherEndWithRollback() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        weak var team: Team?
        weak var player: Player?
        do {
            let (reds, ann) = (Team(context: context, name: "Reds"), Player(context: context, name: "Ann"))
            ann.team = reds
            expectEqual(reds.players, [ann])
            (team, player) = (reds, ann)
            context.rollback()
            // The detached objects have their attributes, and empty relationships.
            #expect(reds.managedObjectContext == nil && reds.name == "Reds" && reds.players.isEmpty)
            #expect(ann.name == "Ann" && ann.team == nil)
        }
        #expect(team == nil && player == nil)
    }

    @Test func objectsThatHoldEachOtherEndWithAMergedDeletion() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (here, there) = (container.newContext(), container.newContext())
        here.automaticallyMergesChangesFromParent = true
        weak var team: Team?
        weak var player: Player?
        do {
            let (reds, ann) = (Team(context: there, name: "Reds"), Player(context: there, name: "Ann"))
            ann.team = reds
            try there.save()
            let found = try #require(try here.existingObject(with: reds.objectID) as? Team)
            #expect(found.players.count == 1 && found.players.first?.team === found)
            (team, player) = (found, found.players.first)
            there.delete(reds)
            there.delete(ann)
            try there.save()
            here.processPendingChanges()
            #expect(found.name == "Reds" && found.players.isEmpty)
        }
        #expect(team == nil && player == nil)
    }

    @Test func retainedObjectsStayRegistered() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        let player = Player(context: context, name: "Ann")
        player.team = team
        try context.save()
        for _ in 0..<3 {
            for index in 0..<2_000 { _ = Team(context: context, name: "N\(index)") }
            try context.save()
            #expect(context.registeredObject(for: team.objectID) === team)
            #expect(player.team === team && team.players == [player])
        }
    }
}
