import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The options of a request, for stored and unsaved objects.
struct FetchRequestTests {
    private let context: ManagedObjectContext

    init() throws {
        context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for name in ["b10", "a", "B2", "Ä", "z"] { _ = Team(context: context, name: name) }
        let reds = Team(context: context, name: "c")
        for name in ["Bo", "Al", "Cy"] { Player(context: context, name: name).team = reds }
    }

    @Test func fetchOneAndExists() throws {
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let byName = Player.fetchRequest().sorted(by: \.name)
            expectEqual(try context.fetchOne(byName)?.name, "Al")
            expectEqual(try context.fetchOne(byName.offset(2))?.name, "Cy")
            #expect(try context.fetchOne(byName.offset(3)) == nil)
            #expect(try context.exists(byName))
            let (some, none) = try (
                byName.where(format: "name BEGINSWITH 'B'"), byName.where(format: "name BEGINSWITH 'x'")
            )
            #expect(try context.exists(some))
            #expect(try !context.exists(none))
            #expect(try context.exists(byName.offset(2)))
            #expect(try !context.exists(byName.offset(3)))
        }
    }

    /// A prepared request is reused, but neither for another store nor after a change of the request.
    @Test func preparedRequestsAreReused() throws {
        try context.save()
        let other = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        Player(context: other, name: "Dee").team = Team(context: other, name: "c")
        try other.save()
        let condition = try Player.fetchRequest().where(format: "team.name == 'c'").sorted(by: \.name)
        func names(_ request: FetchRequest<Player>, _ context: ManagedObjectContext) throws -> [String] {
            try context.fetch(request).map(\.name)
        }
        for _ in 0..<3 {
            expectEqual(try names(condition, context), ["Al", "Bo", "Cy"])
            expectEqual(try names(condition, other), ["Dee"])
            expectEqual(try names(condition.limit(1), context), ["Al"])
            expectEqual(try names(condition.offset(1), context), ["Bo", "Cy"])
            expectEqual(try names(condition.where(\.name != "Bo"), context), ["Al", "Cy"])
            expectEqual(try names(condition.prefetching(\.team), context), ["Al", "Bo", "Cy"])
            var changed = condition
            changed.sortKeys = [SortKey(\Player.name, order: .descending)]
            expectEqual(try names(changed, context), ["Cy", "Bo", "Al"])
            changed.predicate = nil
            changed.fetchLimit = 2
            expectEqual(try names(changed, context), ["Cy", "Bo"])
            expectEqual(try context.count(for: condition), 3)
            let values: [Player.Values] = try context.fetchValues(condition)
            expectEqual(values.map(\.name), ["Al", "Bo", "Cy"])
        }
        // A predicate that SQL cannot evaluate is evaluated again at each fetch.
        let elements = try Player.fetchRequest().where(format: "name MATCHES '(a|A).*' AND team.name == 'c'")
        let ann = Player(context: context, name: "Ann")
        ann.team = try context.fetchOne(Team.fetchRequest().where(\.name == "c"))
        expectEqual(try names(elements.sorted(by: \.name), context), ["Al", "Ann"])
        try context.save()
        expectEqual(try names(elements.sorted(by: \.name), context), ["Al", "Ann"])
    }

    /// The time and random numbers are computed at each fetch.
    @Test func timeDependentRequestsAreNotReused() throws {
        try context.save()
        let type = try #require(context.schema.runtimeEntity(named: "Player"))
        let all = Player.fetchRequest()
        let past = Date.distantPast
        let requests = try [
            (all.where(format: "name != ''"), true), (all.where(format: "%@ < now()", past), false),
            (all.where(format: "random() < 2 AND name != ''"), false),
        ]
        for (request, isKept) in requests {
            for _ in 0..<2 { expectEqual(try context.fetch(request).count, 3) }
            #expect((request.prepared.fragment(for: type) != nil) == isKept)
        }
    }

    /// A limit also limits the rows that are read; with unsaved changes, one more row is read for each changed object.
    @Test func limitsOfReading() throws {
        try context.save()
        context.reset()
        let byName = Team.fetchRequest().sorted(by: \.name)
        try context.fetch(byName).first { $0.name == "a" }?.name = "zz"
        let expected = ["B2", "b10", "c", "z", "zz", "Ä"]
        expectEqual(try context.fetch(byName).map(\.name), expected)
        for (limit, offset) in [(1, 0), (2, 1), (2, 3), (9, 0), (.max, 0), (2, .max)] {
            let request = byName.limit(limit).offset(offset)
            let wanted = offset < expected.count ? Array(expected[offset...].prefix(limit)) : []
            expectEqual(try context.fetch(request).map(\.name), wanted)
            expectEqual(try context.count(for: request), wanted.count)
        }
        context.rollback()
        context.reset()
        let first = try context.fetchOne(byName)
        first?.name = "zz"
        expectEqual(try context.fetchOne(byName)?.name, "a")
        // The object that was changed, and the object that replaces it in the result.
        expectEqual(context.registeredObjects.count, 2)
    }

    /// Q15: object IDs are returned in the order of the request, without reading objects.
    @Test func identities() throws {
        for isSaved in [false, true] {
            if isSaved {
                try context.save()
                context.reset()
            }
            let request = Team.fetchRequest().sorted(by: \.name, .descending).limit(2)
            let ids = try context.fetch(request.objectIDs)
            expectEqual(context.registeredObjects.isEmpty, isSaved)
            #expect(ids.map { (context.object(with: $0) as? Team)?.name } == ["Ä", "z"])
        }
    }

    @Test func objectsWithoutTheirValues() throws {
        try context.save()
        context.reset()
        var request = Team.fetchRequest().sorted(by: \.name).batchSize(3)
        request.includesPropertyValues = false
        let teams = try context.fetch(request)
        expectEqual(teams.filter(\.isFault).count, 6)
        expectEqual(teams[1].name, "a")
        expectEqual(teams.filter(\.isFault).count, 5)
        teams[1].name = "aa"
        expectEqual(try context.fetch(request).filter { !$0.isFault }.count, 6)
    }

    @Test func counts() throws {
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            let request = Team.fetchRequest()
            expectEqual(try context.count(for: request), 6)
            expectEqual(try context.count(for: request.limit(4)), 4)
            expectEqual(try context.count(for: request.offset(4)), 2)
            expectEqual(try context.count(for: request.limit(4).offset(4)), 2)
            expectEqual(try context.count(for: request.offset(7)), 0)
            // As in a fetch, a negative limit or offset has no effect.
            expectEqual(try context.count(for: request.limit(-1).offset(-1)), 6)
            expectEqual(try context.fetch(request.limit(-1).offset(-1)).count, 6)
        }
    }

    /// Q1, S18: the five comparisons.
    @Test func comparisons() throws {
        func names(_ comparison: StringComparison, _ order: SortKey.Order = .ascending) throws -> [String] {
            try context.fetch(Team.fetchRequest().sorted(by: \.name, order, comparing: comparison)).map(\.name)
        }
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            expectEqual(try names(.literal), ["B2", "a", "b10", "c", "z", "Ä"])
            expectEqual(try names(.caseInsensitive), ["a", "b10", "B2", "c", "z", "Ä"])
            expectEqual(try names(.caseInsensitive, .descending), ["Ä", "z", "c", "B2", "b10", "a"])
            let all = try context.fetch(Team.fetchRequest()).map(\.name)
            expectEqual(try names(.localized), all.sorted { $0.localizedCompare($1) == .orderedAscending })
            expectEqual(
                try names(.localizedCaseInsensitive),
                all.sorted { $0.localizedCaseInsensitiveCompare($1) == .orderedAscending }
            )
            expectEqual(
                try names(.localizedStandard),
                all.sorted { $0.localizedStandardCompare($1) == .orderedAscending }
            )
        }
        let natural = try names(.localizedStandard).filter { $0.hasSuffix("2") || $0.hasSuffix("10") }
        expectEqual(natural, ["B2", "b10"])
        let overToOne = Player.fetchRequest().sorted(by: "team.name", comparing: .caseInsensitive).sorted(by: \.name)
        expectEqual(try context.fetch(overToOne).map(\.name), ["Al", "Bo", "Cy"])
        let error = #expect(throws: FetchError.self) {
            try context.fetch(Player.fetchRequest().sorted(by: "age", comparing: .localized))
        }
        #expect(error?.description.hasPrefix("'age' of 'Player' is not a string") == true)
    }

    /// Row keys begin with the same number in every store, so an object of another store must not be mistaken for the
    /// object that has the same row key in this store.
    @Test func objectsOfAnotherStore() throws {
        try context.save()
        let other = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let stranger = Team(context: other, name: "Strangers")
        try other.save()
        let player = try #require(try context.fetchOne(Player.fetchRequest()))
        for format in ["team == %@", "team IN {%@, nil}", "NOT team IN {%@, SELF.team}", "ANY team.players.team == %@"]
        {
            let predicate = try FetchPredicate(format: format, stranger)
            let error = #expect(throws: FetchPredicateError.self) {
                try context.fetch(Player.fetchRequest().where(predicate))
            }
            #expect(error?.message.contains("belongs to another store than") == true)
            #expect(throws: FetchPredicateError.self) { try predicate.evaluate(with: player) }
        }
        let expression = try FetchExpression(format: "TERNARY(team == %@, 1, 0)", stranger)
        #expect(throws: FetchPredicateError.self) { try expression.value(with: player) }
    }

    /// A predicate about the destination of a to-one is a condition on the row itself, so unsaved changes of other
    /// objects do not make a fetch read all rows.
    @Test func objectsOfToOnesAreInTheRow() throws {
        try context.save()
        let reader = ManagedObjectContext()
        reader.persistentStoreCoordinator = context.persistentStoreCoordinator
        let reds = try #require(try reader.fetchOne(Team.fetchRequest().where(format: "name == 'c'")))
        let blues = try #require(try reader.fetchOne(Team.fetchRequest().where(format: "name == 'z'")))
        blues.name = "Z"
        let request = try Player.fetchRequest().where(format: "team == %@", blues)
        #expect(try reader.fetch(request).isEmpty)
        #expect(reader.registeredObjects.allSatisfy { !($0 is Player) })
        let inReds = try Player.fetchRequest().where(format: "team == %@", reds)
        let player = try #require(try reader.fetch(inReds).first)
        player.team = blues
        expectEqual(try reader.fetch(request), [player])
        expectEqual(try reader.fetch(inReds).count, 2)
    }

    /// An SQL function of a connection caches the last patterns and lists; several patterns or lists of one statement
    /// do not evict each other.
    @Test func patternsAndListsOfOneStatement() throws {
        try context.save()
        func names(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> [String] {
            let predicate = try FetchPredicate(format: format, argumentArray: arguments)
            return try context.fetch(Team.fetchRequest().where(predicate).sorted(by: \.name)).map(\.name)
        }
        expectEqual(
            try names("name MATCHES 'b.*' OR name MATCHES[c] 'B.' OR name MATCHES '.'"),
            [
                "B2", "a", "b10", "c", "z", "Ä",
            ]
        )
        expectEqual(try names("name MATCHES '.*2' OR name MATCHES '.*0'"), ["B2", "b10"])
        expectEqual(try names("name MATCHES '.*2' AND name MATCHES '.*0'"), [])
        let filler = (0..<600).map { "x\($0)" }
        let (first, second) = (filler + ["A", "B10"], filler + ["AA", "ZZ"])
        let twice = "uppercase(name) IN %@ OR uppercase(name) IN %@"
        expectEqual(try names(twice, first, second), ["a", "b10"])
        expectEqual(try names("uppercase(name) IN %@ AND NOT (uppercase(name) IN %@)", first, second), ["a", "b10"])
        expectEqual(try names("uppercase(name) IN %@ AND uppercase(name) IN %@", first, second), [])
    }
}
