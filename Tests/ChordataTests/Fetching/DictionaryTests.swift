import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Fetches of dictionaries: properties, expressions and groups (Q11–Q14).
struct DictionaryTests {
    private typealias Row = [String: any Hashable & Sendable]

    private let context: ManagedObjectContext
    private let players: [Player]

    /// Three teams in one city, one in another and one without a city; 60 players of random ages, some without a team.
    init() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let teams = ["a", "b", "c", "d", "e"].map { Team(context: context, name: $0) }
        for (team, city) in zip(teams, ["Ulm", "Ulm", "Ulm", "Bonn", nil]) { team.city = city }
        var random = SeededGenerator(seed: 7)
        var players: [Player] = []
        for number in 0..<60 {
            let player = Player(context: context, name: "P\(number)")
            player.age = Int16.random(in: 16..<46, using: &random)
            player.team = number % 7 == 0 ? nil : teams.randomElement(using: &random)
            players.append(player)
        }
        try context.save()
        (self.context, self.players) = (context, players)
    }

    private func texts(_ rows: [Row]) -> [String] {
        rows.map { row in row.keys.sorted().map { "\($0)=\(row[$0].map { "\($0)" } ?? "")" }.joined(separator: " ") }
    }

    /// Q11: all stored attributes with the values of the store; attributes without a value are omitted.
    @Test func attributesOfTheStore() throws {
        let request = Team.fetchRequest().sorted(by: \.name).dictionaries
        let team = try #require(try context.fetchOne(request.request))
        team.name = "z"
        _ = Team(context: context, name: "unsaved")
        expectEqual(
            try texts(context.fetch(request)),
            [
                "city=Ulm name=a", "city=Ulm name=b", "city=Ulm name=c", "city=Bonn name=d", "name=e",
            ]
        )
        context.rollback()
        var limited = request
        limited.request = request.request.limit(2).offset(3)
        expectEqual(try texts(context.fetch(limited)), ["city=Bonn name=d", "name=e"])
    }

    @Test func propertiesOverToOnesAndIdentities() throws {
        let request = Player.fetchRequest().sorted(by: \.age).sorted(by: \.name).dictionaries
            .fetching("name", "team", "team.city", .expression("self", try FetchExpression(format: "SELF")))
        let rows = try context.fetch(request)
        let sorted = players.sorted { ($0.age, $0.name) < ($1.age, $1.name) }
        #expect(rows.map { $0["name"] as? String } == sorted.map(\.name))
        #expect(rows.map { $0["team"] as? ManagedObjectID } == sorted.map { $0.team?.objectID })
        #expect(rows.map { $0["team.city"] as? String } == sorted.map { $0.team?.city })
        #expect(rows.map { $0["self"] as? ManagedObjectID } == sorted.map(\.objectID))
    }

    @Test func groupsAsTheyAreCountedByHand() throws {
        func expression(_ name: String, _ format: String) throws -> PropertyToFetch {
            .expression(name, try FetchExpression(format: format))
        }
        let request = Player.fetchRequest().sorted(by: "team.name").dictionaries
            .fetching(
                "team.name",
                try expression("count", "count:(SELF)"),
                try expression("sum", "sum:(age)"),
                try expression("mean", "average:(age)"),
                try expression("min", "min:(age)"),
                try expression("max", "max:(age)"),
                try expression("last", "max:(name)"),
                try expression("span", "max:(age) - min:(age)"),
                try expression("cities", "count:(team.city)")
            )
            .grouped(by: "team.name")
        let groups = Dictionary(grouping: players) { $0.team?.name }
        let names = groups.keys.sorted { ($0 ?? "") < ($1 ?? "") }
        let rows = try context.fetch(request)
        #expect(rows.map { $0["team.name"] as? String } == names)
        for (row, name) in zip(rows, names) {
            let group = try #require(groups[name])
            let ages = group.map { Int64($0.age) }
            #expect(row["count"] as? Int64 == Int64(group.count))
            #expect(row["sum"] as? Int64 == ages.reduce(0, +))
            #expect(row["mean"] as? Double == Double(ages.reduce(0, +)) / Double(ages.count))
            #expect(row["min"] as? Int64 == ages.min() && row["max"] as? Int64 == ages.max())
            #expect(row["last"] as? String == group.map(\.name).max())
            #expect(row["span"] as? Int64 == ages.max()! - ages.min()!)
            #expect(row["cities"] as? Int64 == Int64(group.count { $0.team?.city != nil }))
        }
        // The predicate applies to the rows before they are grouped; limit and offset apply to the groups.
        var some = request
        some.request = try request.request.where(format: "age > 30").limit(2).offset(1)
        let old = Dictionary(grouping: players.filter { $0.age > 30 }) { $0.team?.name }
        #expect(
            try context.fetch(some).map { $0["count"] as? Int64 }
                == old.keys.sorted { ($0 ?? "") < ($1 ?? "") }[1...2].map { Int64(old[$0]?.count ?? 0) }
        )
    }

    @Test func conditionsOnGroups() throws {
        let total = ExpressionDescription(name: "total", expression: try FetchExpression(format: "sum:(age)"))
        let request = Player.fetchRequest().sorted(by: \.team).dictionaries
            .fetching("team", .expression(total)).grouped(by: "team")
        let totals = Dictionary(grouping: players) { $0.team }.mapValues { $0.reduce(0) { $0 + Int64($1.age) } }
        let limit = totals.values.sorted()[2]
        for format in [
            "$total > %ld", "sum:(age) > %ld", "NOT ($total <= %ld)", "$total - %ld > 0",
            "NOT ($total BETWEEN {min:(age), %ld})",
        ] {
            let rows = try context.fetch(request.having(try FetchPredicate(format: format, limit)))
            #expect(rows.map { $0["total"] as? Int64 }.count == totals.values.count { $0 > limit }, "\(format)")
            #expect(rows.allSatisfy { ($0["total"] as? Int64 ?? 0) > limit }, "\(format)")
        }
        let both = request.having(try FetchPredicate(format: "team != nil")).having(
            try FetchPredicate(format: "$total > 0")
        )
        expectEqual(try context.fetch(both).count, totals.keys.count { $0 != nil })
    }

    /// Q13: a function of all rows has one result, even without rows.
    @Test func oneResultWithoutGroups() throws {
        let request = Player.fetchRequest().dictionaries
            .fetching(
                .expression("count", try FetchExpression(format: "count:(SELF)")),
                .expression("oldest", try FetchExpression(format: "max:(age)")),
                .expression("sum", try FetchExpression(format: "sum:(age)"), as: .double)
            )
        expectEqual(
            try texts(context.fetch(request)),
            [
                "count=60 oldest=\(players.map(\.age).max()!) sum=\(Double(players.reduce(0) { $0 + Int($1.age) }))"
            ]
        )
        var none = request
        none.request = try request.request.where(format: "age > 100")
        expectEqual(try texts(context.fetch(none)), ["count=0 sum=0.0"])
    }

    /// Q14: equal results are returned once, at the position of the first; limit and offset count distinct results.
    @Test func distinctResults() throws {
        var request = Player.fetchRequest().sorted(by: \.name, .descending).dictionaries.fetching("team.city", "age")
        request.returnsDistinctResults = true
        let sorted = players.sorted { $0.name > $1.name }
        let all = sorted.map { "age=\($0.age)" + ($0.team?.city.map { " team.city=\($0)" } ?? "") }
        var known: Set<String> = []
        let expected = all.filter { known.insert($0).inserted }
        #expect(try texts(context.fetch(request)) == expected && expected.count < sorted.count)
        request.request = request.request.limit(5).offset(2)
        expectEqual(try texts(context.fetch(request)), Array(expected[2..<7]))
        // The sort order determines the position of the first, even if it uses a property that is not fetched.
        var cities = Player.fetchRequest().sorted(by: \.name, .descending).dictionaries.fetching("team.city")
        cities.returnsDistinctResults = true
        var seen: Set<String?> = []
        let inOrder = sorted.map { $0.team?.city }.filter { seen.insert($0).inserted }
        #expect(try context.fetch(cities).map { $0["team.city"] as? String } == inOrder)
        cities.request = cities.request.limit(1)
        #expect(try context.fetch(cities).map { $0["team.city"] as? String } == Array(inOrder.prefix(1)))
        // Groups can be distinct, too, even if not all of the properties that they are grouped by are fetched.
        var groups = Player.fetchRequest().sorted(by: \.age).dictionaries.fetching("age").grouped(by: "age", "team")
        groups.returnsDistinctResults = true
        let ages = Set(players.map(\.age)).sorted()
        #expect(try context.fetch(groups).map { $0["age"] as? Int16 } == ages)
        groups.request = groups.request.limit(3).offset(1)
        #expect(try context.fetch(groups).map { $0["age"] as? Int16 } == Array(ages[1...3]))
    }

    /// Values of every type are returned as properties return them, and can be grouped.
    @Test func everyType() throws {
        let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
        let (day, id) = (Date(timeIntervalSinceReferenceDate: 1.5), UUID())
        for price in ["1.5", "1.50", "2"] {
            let reading = Reading(context: context, bytes: Data([1]), day: day, identifier: id)
            reading.price = try #require(Decimal(string: price))
            reading.link = URL(string: "https://example.org")
            reading.int16 = -3
            reading.flag = true
            reading.ratio = 0.5
        }
        try context.save()
        let rows = try context.fetch(Reading.fetchRequest().dictionaries)
        expectEqual(rows.count, 3)
        #expect(rows[0]["day"] as? Date == day && rows[0]["identifier"] as? UUID == id)
        #expect(rows[0]["bytes"] as? Data == Data([1]) && rows[0]["price"] as? Decimal == 1.5)
        #expect(rows[0]["link"] as? URL == URL(string: "https://example.org"))
        #expect(
            rows[0]["int16"] as? Int16 == -3 && rows[0]["flag"] as? Bool == true && rows[0]["ratio"] as? Float == 0.5
        )
        let groups = Reading.fetchRequest().sorted(by: \.price).dictionaries
            .fetching(
                "price",
                .expression("sum", try FetchExpression(format: "sum:(price)")),
                .expression("first", try FetchExpression(format: "min:(day)")),
                .expression("number", try FetchExpression(format: "sum:(price)"), as: .double)
            )
            .grouped(by: "price")
        let sums = try context.fetch(groups)
        #expect(sums.map { $0["price"] as? Decimal } == [1.5, 2])
        #expect(sums.map { $0["sum"] as? Decimal } == [3, 2] && sums.map { $0["number"] as? Double } == [3, 2])
        #expect(sums.map { $0["first"] as? Date } == [day, day])
    }

    // MARK: Errors

    private func message(_ request: DictionaryFetchRequest<Player>) -> String {
        do {
            _ = try context.fetch(request)
            return "no error"
        } catch {
            return "\(error)"
        }
    }

    @Test func mistakesAreNamed() throws {
        let all = Player.fetchRequest().dictionaries
        let sum = PropertyToFetch.expression("total", try FetchExpression(format: "sum:(age)"))
        let rows: [(DictionaryFetchRequest<Player>, String)] = [
            (all.fetching("nme"), "entity 'Player' has no property 'nme'; did you mean 'name'?"),
            (all.fetching("team.players"), "'team.players' has many values where one is expected"),
            (
                all.fetching("name", "name"),
                "two properties to fetch from 'Player' have the result name 'name'; rename one of them"
            ),
            (
                all.fetching("name", sum),
                "'name' of 'Player' is neither grouped nor aggregated; add it to propertiesToGroupBy"
            ),
            (
                all.fetching("team", sum, .expression("x", try FetchExpression(format: "age + sum:(age)"))).grouped(
                    by: "team"
                ),
                "'age' of 'Player' is neither grouped nor aggregated"
            ),
            (
                DictionaryFetchRequest(Player.fetchRequest().sorted(by: \.name)).fetching("age").grouped(by: "age"),
                "'name' of 'Player' is neither grouped nor aggregated"
            ),
            (
                all.fetching("age").grouped(by: "age").having(try FetchPredicate(format: "name == 'a'")),
                "'name' of 'Player' is neither grouped nor aggregated"
            ),
            (
                all.fetching("name").having(try FetchPredicate(format: "name == 'a'")),
                "havingPredicate filters groups of 'Player', but propertiesToGroupBy is empty"
            ),
            (
                all.fetching("team", sum).grouped(by: "team").having(try FetchPredicate(format: "$totl > 1")),
                "variable '$totl' of havingPredicate must be the name of an expression in propertiesToFetch, but no "
                    + "expression has this name; did you mean '$total'?"
            ),
            (
                all.fetching(.expression("x", try FetchExpression(format: "sum:(max:(age))"))),
                "'max:(age)' is a single value for each group"
            ),
            (all.fetching(.expression("x", try FetchExpression(format: "sum:(name)"))), "'sum:' needs numbers"),
            (
                all.fetching(.expression("mean", try FetchExpression(format: "average:(age)"), as: .integer16)),
                "a value of 'mean' is not a valid Integer 16; change the result type of the expression"
            ),
            (
                all.fetching("team", sum).grouped(by: "team")
                    .having(try FetchPredicate(format: "ANY {$total, min:(age)} == 3")),
                "the store cannot compute 'havingPredicate' of 'Player'"
            ),
            (
                all.fetching(.expression("x", try FetchExpression(format: "age * 1e200 * 1e100"), as: .decimal)),
                "a value of 'x' is not a valid Decimal"
            ),
            (all.grouped(by: "players"), "entity 'Player' has no property 'players'"),
        ]
        for (request, expected) in rows {
            let message = message(request)
            #expect(message.contains(expected), "\(message)")
        }
    }

    /// A predicate has no groups, so an aggregate function of a single value remains an error there.
    @Test func conditionsHaveNoGroups() throws {
        #expect(throws: FetchPredicateError.self) {
            try context.fetch(Player.fetchRequest().where(format: "sum:(age) > 3"))
        }
    }
}
