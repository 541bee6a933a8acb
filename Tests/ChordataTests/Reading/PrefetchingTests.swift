import ChordataTestStores
import ChordataTestSupport
import Testing

@_spi(Generated) @testable import Chordata

/// Relationships that a fetch prefetches.
struct PrefetchingTests {
    private func withLeague(_ body: (PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for name in ["A", "B", "C"] {
                let team = Team(context: context, name: name)
                for index in 0..<(name == "C" ? 0 : 3) { Player(context: context, name: "\(name)\(index)").team = team }
            }
            Player(context: context, name: "free").age = 1
            try context.save()
            try body(container)
        }
    }

    /// Returns whether the players of a team were read.
    private func isRead(_ team: Team) -> Bool {
        team.runtimeEntity.fields.filter { $0.name == "players" }
            .allSatisfy { team.toManyReference($0).pointee.storage != nil }
    }

    @Test func toMany() throws {
        try withLeague { container in
            let context = container.newContext()
            let plain = try context.fetch(Team.fetchRequest().sorted(by: \.name))
            expectEqual(plain.map(isRead), [false, false, false])
            let other = container.newContext()
            let teams = try other.fetch(Team.fetchRequest().sorted(by: \.name).prefetching(\.players))
            expectEqual(teams.map(isRead), [true, true, true])
            expectEqual(teams.map { $0.players.map(\.name).sorted() }, [["A0", "A1", "A2"], ["B0", "B1", "B2"], []])
        }
    }

    @Test func prefetchingAKeyPath() throws {
        try withLeague { container in
            let context = container.newContext()
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name).prefetching("team.players"))
            #expect(context.registeredObjects.filter(\.isFault).isEmpty)
            #expect(Set(players.compactMap(\.team)).allSatisfy(isRead))
            #expect(players.last?.team == nil)
        }
    }

    @Test func unsavedChangesStay() throws {
        try withLeague { container in
            let context = container.newContext()
            let all = try context.fetch(Team.fetchRequest().sorted(by: \.name))
            let moved = try #require(try context.fetch(Player.fetchRequest().where(\.name == "A0")).first)
            moved.team = all[2]
            all[1].addToPlayers(Player(context: context, name: "new"))
            context.delete(try #require(try context.fetch(Player.fetchRequest().where(\.name == "B1")).first))
            let teams = try context.fetch(Team.fetchRequest().sorted(by: \.name).prefetching(\.players))
            expectEqual(teams.map { $0.players.map(\.name).sorted() }, [["A1", "A2"], ["B0", "B2", "new"], ["A0"]])
            try context.save()
            let fresh = container.newContext()
            let stored = try fresh.fetch(Team.fetchRequest().sorted(by: \.name))
            expectEqual(stored.map { $0.players.map(\.name).sorted() }, [["A1", "A2"], ["B0", "B2", "new"], ["A0"]])
        }
    }

    @Test func pairsAndOrders() throws {
        try withStorePath { path in
            let container = try RelationshipGraphTests.definition().testContainer(at: path)
            let context = container.newContext()
            func insert(_ name: String, _ number: Int) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                object.setValue(number, forKey: "number")
                return object
            }
            let owners = [insert("A", 1), insert("A", 2)]
            let members = (10..<14).map { insert("B", $0) }
            owners[0].setValue([members[2], members[0], members[1]], forKey: "manyToOrdered")
            owners[1].setValue([members[3], members[0]], forKey: "manyToOrdered")
            owners[1].setValue([members[1], members[0]], forKey: "oneToOrdered")
            try context.save()
            let fresh = container.newContext()
            let request = FetchRequest<ManagedObject>(entityName: "A").sorted(by: "number")
                .prefetching("manyToOrdered").prefetching("oneToOrdered")
            func numbers(_ key: String) throws -> [[Int64]] {
                try fresh.fetch(request).map { owner in
                    owner.mutableSetValue(forKey: key).allObjects.compactMap { $0.value(forKey: "number") as? Int64 }
                }
            }
            expectEqual(try numbers("manyToOrdered"), [[12, 10, 11], [13, 10]])
            expectEqual(try numbers("oneToOrdered"), [[], [11, 10]])
        }
    }

    @Test func prefetchingAnAttributeThrows() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        #expect(throws: FetchError.unknownRelationship("players.name", entityName: "Team")) {
            try context.fetch(Team.fetchRequest().prefetching("players.name"))
        }
    }
}
