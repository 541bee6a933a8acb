import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Row keys of objects: reserved blocks, and provisional keys if a block cannot be reserved without waiting.
struct KeyTests {
    /// 5B step 6: the save replaces provisional keys with permanent ones.
    @Test func anInsertionDoesNotWaitForAWriter() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = try withConcurrentWriter(container.store) {
                let team = Team(context: context, name: "Reds")
                for number in 0..<3 { Player(context: context, name: "P\(number)").team = team }
                return team
            }
            let provisional = team.objectID
            #expect(provisional.key > PersistentStore.firstProvisionalKey)
            try context.save()
            #expect(team.objectID.key < PersistentStore.firstProvisionalKey)
            #expect(context.registeredObject(for: team.objectID) === team)
            #expect(context.registeredObject(for: provisional) === team)
            let fresh = container.newContext()
            let found = try #require(try fresh.fetch(Team.fetchRequest()).first)
            expectEqual(found.players.map(\.name).sorted(), ["P0", "P1", "P2"])
        }
    }

    @Test func noNumberIsUsedTwice() throws {
        try withStorePath { path in
            var all: Set<Int64> = []
            for _ in 0..<3 {
                let container = try LeagueModel.definition.testContainer(at: path)
                let contexts = [container.newContext(), container.newContext()]
                for index in 0..<2_000 {
                    let team = Team(context: contexts[index % 2], name: "T")
                    #expect(all.insert(team.objectID.key).inserted)
                    #expect(team.objectID.key < PersistentStore.firstProvisionalKey)
                }
                try contexts[0].save()
            }
        }
    }
}
