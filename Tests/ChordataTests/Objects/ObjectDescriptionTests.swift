import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Descriptions of objects and object IDs, and the methods with which Core Data code changes relationships.
struct ObjectDescriptionTests {
    @Test func descriptionsShowLoadedValues() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let team = Team(context: context, name: "The \"Reds\"")
        let player = Player(context: context, name: "Ann")
        player.team = team
        #expect("\(team)".hasPrefix("Team (id: \(team.objectID); inserted; data: {\n"))
        #expect("\(team)".contains("    name = \"The \\\"Reds\\\"\";\n"))
        #expect("\(team)".contains("    players = {\(player.objectID)};\n"))
        #expect("\(player)".contains("    team = \(team.objectID);\n") && "\(player)".hasSuffix("})"))
        try context.save()
        #expect("\(team)".hasPrefix("Team (id: \(team.objectID); data: {"))
        player.name = "Bob"
        #expect("\(player)".hasPrefix("Player (id: \(player.objectID); updated; data: {"))
        context.delete(player)
        #expect("\(player)".hasPrefix("Player (id: \(player.objectID); deleted; data: {"))
        context.rollback()

        let other = container.newContext()
        let fault = other.object(with: player.objectID)
        #expect("\(fault)" == "Player (id: \(player.objectID); data: <fault>)" && fault.isFault)
        let fetched = try #require(try other.existingObject(with: team.objectID) as? Team)
        expectEqual(fetched.name, "The \"Reds\"")
        #expect("\(fetched)".contains("    players = <relationship fault: 'players'>;\n"))
        let found = try #require(try other.existingObject(with: player.objectID) as? Player)
        #expect(found.name == "Ann" && "\(found)".contains("    team = \(team.objectID);\n"))
        other.reset()
        #expect("\(found)".hasPrefix("Player (id: "))
    }

    @Test func anObjectKnowsItsEntity() throws {
        let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
        let portrait = Portrait(context: context)
        #expect(portrait.entity.name == "Portrait" && portrait.entity.superentityName == "Photo")
        expectEqual(portrait.entity.attributesByName["person"]?.attributeType, .string)
        expectEqual(portrait.entity.name, Portrait.entityName)
    }

    @Test func valuesOfEachKindAreDescribed() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let reading = Reading(context: context)
        reading.setValue(Data([1, 2, 3]), forKey: "bytes")
        reading.setValue(nil, forKey: "int16")
        let text = "\(reading)"
        #expect(text.contains("    bytes = <3 bytes>;\n") && text.contains("    int16 = nil;\n"))
        #expect(text.contains("    price = 0.1;\n") && text.contains("    int64 = 9007199254740993;\n"))
    }

    @Test(arguments: [false, true]) func temporaryIDs(isChild: Bool) throws {
        if skipsCase(if: isChild, .childContexts) { return }
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let parent = container.newContext()
            let child = ManagedObjectContext(isolation: nil)
            child.parent = parent
            let context = isChild ? child : parent
            let (team, player) = try withConcurrentWriter(container.store) {
                let team = Team(context: context, name: "Reds")
                let player = Player(context: context, name: "Ann")
                player.team = team
                return (team, player)
            }
            let before = team.objectID
            #expect(team.objectID.isTemporaryID && before.isTemporaryID)
            context.processPendingChanges()
            try context.obtainPermanentIDs(for: [team, player])
            #expect(!team.objectID.isTemporaryID && !player.objectID.isTemporaryID && !before.isTemporaryID)
            let id = team.objectID
            #expect(team.isInserted && player.team === team && context.registeredObject(for: id) === team)
            try context.obtainPermanentIDs(for: [team])
            expectEqual(team.objectID, id)
            try context.save()
            expectEqual(team.objectID, id)
            try parent.save()
            expectEqual(try container.newContext().count(for: Team.fetchRequest()), 1)
            expectEqual(try container.newContext().count(for: Player.fetchRequest().where(format: "team == %@", id)), 1)
            let plain = Team(context: parent, name: "Blues")
            #expect(!plain.objectID.isTemporaryID)
        }
    }

    @Test func mutableSets() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        let players = (0..<4).map { Player(context: context, name: "\($0)") }
        let set = team.mutableSetValue(forKey: "players")
        set.union(players)
        #expect(team.players == Set(players) && players.allSatisfy { $0.team === team })
        set.minus([players[0]])
        #expect(team.players == Set(players[1...]) && players[0].team == nil)
        set.intersect(Set(players[..<3]))
        #expect(team.players == Set(players[1...2]) && players[3].team == nil)
        set.setSet([players[0], players[3]])
        expectEqual(team.players, [players[0], players[3]])
        set.removeAllObjects()
        #expect(team.players.isEmpty && set.count == 0 && players.allSatisfy { $0.team == nil })
        try context.save()

        let library = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let book = Book(context: library)
        let chapters = (0..<4).map { _ in Chapter(context: library) }
        let list = book.mutableSetValue(forKey: "chapters")
        list.union(chapters.reversed())
        expectEqual(list.allObjects, chapters.reversed())
        list.intersect([chapters[1], chapters[3]])
        expectEqual(list.allObjects, [chapters[3], chapters[1]])
    }

    @Test func numbersAsArguments() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let reading = Reading(context: context)
        reading.setValue(3, forKey: "int32")
        reading.setValue(true, forKey: "flag")
        func isMet(_ format: String, _ number: NSNumber) throws -> Bool {
            try FetchPredicate(format: format, number).evaluate(with: reading)
        }
        #expect(try isMet("int32 == %@", NSNumber(value: 3)) && isMet("int32 < %@", NSNumber(value: 3.5)))
        #expect(try isMet("flag == %@", NSNumber(value: true)) && !isMet("flag == %@", NSNumber(value: false)))
        #expect(try isMet("price == %@", NSDecimalNumber(string: "0.1")) && isMet("price == %@", NSNumber(value: 0.1)))
        #expect(try isMet("int64 < %@", NSNumber(value: UInt64.max)) && isMet("int64 > %@", NSNumber(value: Int8(-1))))
    }

    /// Objective-C accepts only objects as arguments, so code for Core Data casts values.
    @Test func classesOfFoundationAsArguments() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let reading = Reading(context: context)
        let date = Date(timeIntervalSinceReferenceDate: 800_000_000.123)
        let uuid = UUID()
        let url = try #require(URL(string: "https://example.com/a?b"))
        let values: [(key: String, value: Any?, argument: any PredicateArgument)] = [
            ("day", date, date as NSDate), ("identifier", uuid, uuid as NSUUID), ("link", url, url as NSURL),
            ("bytes", Data([1, 0, 2]), Data([1, 0, 2]) as NSData),
        ]
        for (key, value, argument) in values {
            let predicate = try FetchPredicate(format: "%K == %@", key, argument)
            #expect(try !predicate.evaluate(with: reading), "\(key)")
            reading.setValue(value, forKey: key)
            #expect(try predicate.evaluate(with: reading), "\(key)")
        }
        #expect(try FetchPredicate(format: "%@ == 'é'", "é" as NSString).evaluate(with: reading))
    }

    @Test func objectIDsAmongTheValuesOfDictionaries() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        let player = Player(context: context, name: "Ann")
        player.team = team
        try context.save()
        var request = Player.fetchRequest().dictionaries
        request.propertiesToFetch = [
            "objectID", "name", "team.objectID",
            .expression("self", try FetchExpression(format: "SELF"), as: .objectID),
        ]
        let row = try #require(try context.fetch(request).first)
        #expect(row["objectID"] as? ManagedObjectID == player.objectID)
        #expect(row["self"] as? ManagedObjectID == player.objectID)
        #expect(row["team.objectID"] as? ManagedObjectID == team.objectID)
        #expect((row["objectID"] as? ManagedObjectID)?.entityName == "Player")
    }
}
