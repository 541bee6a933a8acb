import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Conditions on the members of an object that a to-one references: SQLite and the evaluation of many objects in memory
/// compute them once for each such object, with the same results as for each object alone.
struct ReferencedMembersTests {
    /// A predicate, and whether its condition is computed once.
    private static let conditions: [(format: String, isOnce: Bool)] = [
        ("ANY team.players.name == 'P3'", true),
        ("NONE team.players.name == 'P3'", true),
        ("ALL team.players.name BEGINSWITH 'P'", true),
        ("NOT (ANY team.players.name == 'P3')", true),
        ("NOT (NOT (ANY team.players.name == 'P3'))", true),
        ("team.players.@count == 0", true),
        ("team.players.@count > 2", true),
        ("NOT (team.players.@count > 2)", true),
        ("SUBQUERY(team.players, $p, $p.name BEGINSWITH 'P').@count >= 3", true),
        ("SUBQUERY(team.players, $p, $p.team.name == 'T1').@count == 0", true),
        ("team.name == 'T1' AND ANY team.players.name == 'P1'", true),
        ("team.name == 'T1' AND NOT (ANY team.players.name == 'P1')", true),
        ("name == 'P1' OR ANY team.players.name == 'P2'", true),
        ("name BEGINSWITH 'P' AND (name == 'P4' OR team.players.@count == 0)", true),
        ("team == nil OR team.players.@count > 3", true),
        ("ANY team.players.team.players.name == 'P1'", true),
        // A value in the list is nil if the to-one is nil.
        ("{team.name, uppercase:(team.name)} CONTAINS SUBQUERY(team.players, $p, $p.name == 'P3').name.@max", true),
        ("nil IN {team.name, SUBQUERY(team.players, $p, $p.name == 'P3').name.@max}", true),
        ("ANY team.players.entity.name == 'Player'", true),
        // The value is computed once for each row, and compared with a value of the members.
        ("{SUBQUERY(team.players, $p, $p.name == 'P3').name.@max, team.name} CONTAINS uppercase:(name)", false),
        ("{name, team.name} CONTAINS SUBQUERY(team.players, $p, $p.name == 'P3').name.@max", false),
        ("{'P1', 'P3'} CONTAINS SUBQUERY(team.players, $p, $p.name == 'P3').name.@max", true),
        // These conditions depend on the row itself.
        ("ANY team.players.name == name", false),
        ("team.players.@count == 2 AND name == 'P1'", true),
        ("SUBQUERY(team.players, $p, $p != SELF).@count == 1", false),
    ]

    @Test func memberConditionsAgreeWithMemory() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let teams = (0..<4).map { Team(context: context, name: "T\($0)") }
        for number in 0..<14 {
            let player = Player(context: context, name: "P\(number % 6)")
            player.team = number % 5 == 4 ? nil : teams[number % 3]
        }
        try context.save()
        let players = try context.fetch(Player.fetchRequest())
        // Without changes SQLite computes the conditions; with changes of all objects they are evaluated in memory.
        for isChanged in [false, true] {
            if isChanged {
                for (number, player) in players.enumerated() {
                    player.name = "P\((number + 1) % 6)"
                    player.team = number % 5 == 2 ? nil : teams[(number + 1) % 3]
                }
            }
            for (format, _) in Self.conditions {
                for format in [format, "NOT (\(format))"] {
                    let request = try Player.fetchRequest().where(format: format)
                    let predicate = try FetchPredicate(format: format)
                    let expected = try players.filter { try predicate.evaluate(with: $0) }
                    expectEqual(Set(try context.fetch(request)), Set(expected), "\(format)")
                    expectEqual(try context.count(for: request), expected.count, "\(format)")
                    expectEqual(try context.filter(players, by: predicate), expected, "\(format)")
                }
            }
        }
    }

    /// Each event of a list computes the conditions again.
    @Test func aListFollowsTheMembersOfTheReferencedObject() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "T")
        let players = (0..<4).map { Player(context: context, name: "P\($0)") }
        for player in players { player.team = team }
        try context.save()
        let request = try Player.fetchRequest().where(format: "ANY team.players.name == 'X'").sorted(by: \.name)
        let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let table = ResultsTable<Player>()
        list.delegate = table
        try list.performFetch()
        table.show(list)
        for (name, count) in [("X", 4), ("Y", 0), ("X", 4)] {
            players[2].name = name
            context.processPendingChanges()
            expectEqual(list.fetchedObjects?.count, count, "\(name)")
        }
    }

    @Test func theConditionRunsOncePerReferencedObject() throws {
        let model = LeagueModel.definition.model
        for (format, isOnce) in Self.conditions {
            let request = FetchRequest<ManagedObject>(entityName: "Player").where(try FetchPredicate(format: format))
            let explanation = try explainFetch(request, in: model)
            let isPerRow = explanation.remarks.contains { $0.contains("for each row") }
            // The members of one object are found by their index; a condition that is computed once is not inside the
            // scan of the rows.
            expectEqual(explanation.sql.contains("IN (SELECT d"), isOnce, "\(format): \(explanation.sql)")
            if !isOnce { #expect(isPerRow, "\(format): \(explanation.remarks)") }
        }
    }

    /// If a condition matches at most one row, the remaining ones are evaluated for that row only.
    @Test func selectiveConditionsAreEvaluatedPerObject() throws {
        let model = try ConflictModel.definition().model
        for (format, isOnce) in [("word", false), ("note", true)] {
            let predicate = try FetchPredicate(format: "\(format) == 'a' AND ANY group.tags.word == 'b'")
            let request = FetchRequest<ManagedObject>(entityName: "Tag").where(predicate)
            expectEqual(try explainFetch(request, in: model).sql.contains("IN (SELECT"), isOnce)
        }
    }
}
