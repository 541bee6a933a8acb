import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Objects that lose their changes, and the objects at the other ends of their relationships.
struct RefreshedEndsTests {
    /// The team Reds with Ann, the team Blues with Bob, and a context in which all of them are registered.
    private struct League {
        let context: ManagedObjectContext
        let reds, blues: Team
        let ann, bob: Player

        init() throws {
            context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
            (ann, bob) = (Player(context: context, name: "Ann"), Player(context: context, name: "Bob"))
            (ann.team, bob.team) = (reds, blues)
            try context.save()
        }

        /// Checks all ends of the relationships, before and after a save.
        func check(
            _ redNames: Set<String>,
            _ blueNames: Set<String>,
            _ sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            for isSaved in [false, true] {
                let names = [reds, blues].map { Set($0.players.map(\.name)) }
                #expect(names == [redNames, blueNames], "saved: \(isSaved)", sourceLocation: sourceLocation)
                for player in [ann, bob] {
                    let team = redNames.contains(player.name) ? reds : blueNames.contains(player.name) ? blues : nil
                    #expect(player.team === team, "saved: \(isSaved)", sourceLocation: sourceLocation)
                }
                try context.save()
            }
            context.refreshAllObjects()
            #expect(
                [reds, blues].map { Set($0.players.map(\.name)) } == [redNames, blueNames],
                sourceLocation: sourceLocation
            )
        }
    }

    /// The to-one belongs to the player: the refreshed team keeps new members, and removed members do not return.
    @Test(arguments: [true, false])
    func refreshedToManyFollowsTheToOnes(isRead: Bool) throws {
        let league = try League()
        if isRead { _ = (league.reds.players, league.blues.players) }
        league.bob.team = league.reds
        league.ann.team = nil
        league.reds.city = "Ulm"
        for _ in 0..<3 {
            league.context.refresh(league.reds, mergeChanges: false)
            #expect(league.reds.city == nil && league.reds.isUpdated)
            expectEqual(league.reds.players, [league.bob])
            league.context.refreshAllObjects()
        }
        try league.check(["Bob"], [])
    }

    /// The saved destination may be marked for deletion.
    @Test func refreshedToOneSkipsDeletedObjects() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let ids = try (0..<3).map { try store.save("Item", ["id": $0]) }
            let items = try ids.map { try store.here.existingObject(with: $0) }
            items[0].setValue(items[1], forKey: "link")
            try store.here.save()
            items[0].setValue(items[2], forKey: "link")
            store.here.delete(items[1])
            store.here.refresh(items[0], mergeChanges: false)
            expectEqual(value(items[0], "link"), [])
            try store.here.save()
            expectEqual(value(items[0], "link"), [])
            try store.check()
        }
    }

    @Test(arguments: [true, false])
    func refreshedToOneRestoresItsOtherEnds(isRead: Bool) throws {
        let league = try League()
        if isRead { _ = (league.reds.players, league.blues.players) }
        league.bob.team = league.reds
        league.context.refresh(league.bob, mergeChanges: false)
        try league.check(["Ann"], ["Bob"])
    }

    @Test func memberReassignedAfterARefresh() throws {
        let league = try League()
        league.bob.team = league.reds
        league.context.refresh(league.reds, mergeChanges: false)
        league.bob.team = league.blues
        try league.check(["Ann"], ["Bob"])
    }

    @Test(arguments: [true, false])
    func refreshRestoresBothEndsOfAManyToMany(isRead: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let ids = try (0..<3).map { try store.save("Item", ["id": $0]) }
            let items = try ids.map { try store.here.existingObject(with: $0) }
            items[0].setValue(Set([items[1]]), forKey: "friends")
            try store.here.save()
            if isRead { for item in items { _ = item.value(forKey: "friends") } }
            items[0].setValue(Set([items[2]]), forKey: "friends")
            store.here.refresh(items[0], mergeChanges: false)
            for _ in 0..<2 {
                expectEqual(items.map { value($0, "friends") }, [.keys([ids[1].key]), .keys([ids[0].key]), []])
                try store.here.save()
            }
            try store.check()
        }
    }
}
