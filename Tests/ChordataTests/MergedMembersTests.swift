import Testing

@testable import Chordata

/// To-many relationships that two contexts change at the same time.
struct MergedMembersTests {
    /// While a relationship has unsaved changes, what others do to it waits; once they are saved it has both.
    @Test func aSaveBringsWhatOthersDidToTheSameRelationship() throws {
        let container = try LeagueModel.container(at: ":memory:")
        let writer = container.newContext()
        let reds = Team(context: writer, name: "Reds")
        let (ann, bob) = (Player(context: writer, name: "Ann"), Player(context: writer, name: "Bob"))
        bob.team = reds
        try writer.save()

        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        let team = try #require(try context.fetch(Team.fetchRequest()).first)
        #expect(team.players.map(\.name) == ["Bob"])
        let cem = Player(context: context, name: "Cem")
        cem.team = team
        ann.team = reds
        bob.team = nil
        try writer.save()
        context.processPendingChanges()
        #expect(team.players.contains(cem))
        try context.save()
        #expect(team.players.map(\.name).sorted() == ["Ann", "Cem"])
    }
}

/// Rows that change elsewhere while they are not in memory here: the relationships that lead to them are, and must not lag behind.
struct MergedFaultTests {
    /// What a context does that knows only the player reaches another one, where the player is a fault in a relationship that was read.
    private func check(_ expected: [String], _ change: (ManagedObjectContext, Player) throws -> Void) throws {
        let container = try LeagueModel.container(at: ":memory:")
        let first = container.newContext()
        let ann = Player(context: first, name: "Ann")
        ann.team = Team(context: first, name: "Reds")
        try first.save()

        let reader = container.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let team = try #require(try reader.fetch(Team.fetchRequest()).first)
        let player = try #require(team.players.first)
        reader.refresh(player, mergeChanges: false)
        #expect(player.isFault)

        let writer = container.newContext()
        try change(writer, try #require(try writer.existingObject(with: ann.objectID) as? Player))
        try writer.save()
        reader.processPendingChanges()
        #expect(team.players.map(\.name) == expected)
    }

    @Test func oneThatWasDeleted() throws { try check([]) { context, player in context.delete(player) } }
    @Test func oneThatLeft() throws { try check([]) { _, player in player.team = nil } }
    @Test func oneThatStayed() throws { try check(["Bob"]) { _, player in player.name = "Bob" } }
}
