import Chordata
import ChordataTestStores
import ChordataTestSupport
import Testing

/// Fetches with a batch size.
struct BatchTests {
    private func withTen(_ body: (PersistentContainer) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for index in 0..<10 { Player(context: context, name: "P\(index)").age = Int16(index) }
            try context.save()
            try body(container)
        }
    }

    @Test func lookingAtOneReadsItsBatch() throws {
        try withTen { container in
            let context = container.newContext()
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.age).batchSize(4))
            expectEqual(players.count, 10)
            #expect(players.allSatisfy { $0.isFault })
            expectEqual(players[5].name, "P5")
            expectEqual(players.map(\.isFault), [true, true, true, true, false, false, false, false, true, true])
            expectEqual(players.map(\.name), (0..<10).map { "P\($0)" })
        }
    }

    @Test func registeredObjectsAreNotOverwritten() throws {
        try withTen { container in
            let context = container.newContext()
            let known = try #require(try context.fetch(Player.fetchRequest().where(\.age == 2)).first)
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.age, .descending).batchSize(100))
            #expect(players[7] === known && !known.isFault)
            known.name = "Renamed"
            expectEqual(players[0].name, "P9")
            #expect(known.name == "Renamed" && known.isUpdated)
            #expect(players.allSatisfy { !$0.isFault })
        }
    }

    @Test func unsavedChangesCountAndReadEverything() throws {
        try withTen { container in
            let context = container.newContext()
            Player(context: context, name: "New").age = 3
            let players = try context.fetch(Player.fetchRequest().where(\.age > 2).sorted(by: \.age).batchSize(2))
            expectEqual(players.map(\.age), [3, 3, 4, 5, 6, 7, 8, 9])
            #expect(players.allSatisfy { !$0.isFault })
        }
    }

    @Test func limitsAndConditionsHold() throws {
        try withTen { container in
            let context = container.newContext()
            let request = Player.fetchRequest().where(\.age >= 4).sorted(by: \.age).limit(3).offset(1).batchSize(2)
            let names = try context.fetch(request).map(\.name)
            expectEqual(names, ["P5", "P6", "P7"])
        }
    }

    @Test func rowsDeletedAfterTheFetchHaveZeroValues() throws {
        try withTen { container in
            let context = container.newContext()
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.age).batchSize(10))
            let other = container.newContext()
            other.delete(try #require(try other.fetch(Player.fetchRequest().where(\.age == 0)).first))
            try other.save()
            expectEqual(players[1].name, "P1")
            expectEqual(players[0].name, "")
        }
    }
}
