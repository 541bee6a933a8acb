import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

struct RelationshipTests {
    @Test func bothEndsStayInStep() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let reds = Team(context: context, name: "Reds")
        let blues = Team(context: context, name: "Blues")
        let ann = Player(context: context, name: "Ann")
        reds.players = [ann]
        #expect(ann.team === reds)
        ann.team = blues
        #expect(reds.players.isEmpty)
        expectEqual(blues.players, [ann])
        blues.removeFromPlayers(ann)
        #expect(ann.team == nil)
        reds.addToPlayers(ann)
        #expect(ann.team === reds)
    }

    @Test func reflexiveRelationship() throws {
        try withStorePath { path in
            let container = try AddressBookModel.definition.testContainer(at: path)
            let context = container.newContext()
            let boss = Employee(context: context, firstName: "A", surName: "A")
            let clerk = Employee(context: context, firstName: "B", surName: "B")
            clerk.manager = boss
            boss.manager = boss
            try context.save()
            let fresh = container.newContext()
            let found = try fresh.fetch(Employee.fetchRequest().sorted(by: \.firstName))
            expectEqual(found.map { $0.manager?.firstName }, ["A", "A"])
            expectEqual(found.first?.reports.map(\.firstName).sorted(), ["A", "B"])
        }
    }

    /// D1; `DeleteRuleTests` has further tests.
    @Test func cascadeAndNullify() throws {
        let container = try DoneModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let list = TodoList(context: context, title: "Home")
        let item = TodoItem(context: context, name: "Bake", createdAt: Date(timeIntervalSinceReferenceDate: 0))
        item.list = list
        let other = TodoItem(context: context, name: "Free", createdAt: Date(timeIntervalSinceReferenceDate: 0))
        try context.save()
        context.delete(list)
        #expect(item.isDeleted)
        try context.save()
        expectEqual(try context.fetch(TodoItem.fetchRequest()), [other])
        let league = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let reds = Team(context: league, name: "Reds")
        let ann = Player(context: league, name: "Ann")
        ann.team = reds
        try league.save()
        league.delete(reds)
        #expect(ann.team == nil)
        try league.save()
        expectEqual(try league.fetch(Player.fetchRequest()), [ann])
    }

    @Test func anUnloadedToManyKnowsUnsavedChanges() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let first = container.newContext()
            let reds = Team(context: first, name: "Reds")
            for name in ["Ann", "Bob"] { Player(context: first, name: name).team = reds }
            try first.save()
            let context = container.newContext()
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            players[0].team = nil
            let cid = Player(context: context, name: "Cid")
            let team = try #require(try context.fetch(Team.fetchRequest()).first)
            cid.team = team
            expectEqual(team.players.map(\.name).sorted(), ["Bob", "Cid"])
            try context.save()
            expectEqual(team.players.map(\.name).sorted(), ["Bob", "Cid"])
        }
    }
}
