import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata

/// Evaluates the same predicates in the store, on objects in memory, and in contexts with unsaved changes.
struct FetchByPredicateTests {
    private let squad: Squad
    private let reds: Team
    private let blues: Team

    init() throws {
        squad = try Squad()
        reds = squad.makeTeam("Reds")
        blues = squad.makeTeam("Blues")
        reds.city = "Ulm"
        var previous: Player?
        for (index, name) in ["Jo", "Al", "Änne", "Bo", "Mo", "Flo"].enumerated() {
            let player = squad.makePlayer(name)
            player.age = Int16(16 + index * 5)
            player.points = Int64(index) * 100
            player.score = Double(index) / 10
            player.height = 1.7
            player.price = Decimal(string: "\(index).10") ?? 0
            player.born = index.isMultiple(of: 2) ? Date(timeIntervalSinceReferenceDate: Double(index) * 1000) : nil
            player.active = index > 2
            player.nick = index == 4 ? "momo" : nil
            player.team = index == 5 ? nil : index.isMultiple(of: 2) ? reds : blues
            player.coach = previous
            previous = player
        }
        reds.captains = OrderedSet(squad.players.filter { $0.team == reds }.reversed())
        try squad.context.save()
        // A required value that another program has removed.
        let store = try #require(squad.container.persistentStoreCoordinator.persistentStores.first)
        try store.engine.write(at: [0]) { transaction in
            _ = try transaction.run(StoreQuery("UPDATE \"Player\" SET \"score\" = NULL WHERE \"name\" = 'Änne'"))
        } didCommit: {
        }
        squad.context.refreshAllObjects()
    }

    private static let formats = [
        "age > 30", "name == 'Jo' OR team.city == 'Ulm'", "ANY pupils.age > 20", "pupils.@count == 0",
        "team.players.@avg.age > 25", "length:(name) == 3", "age * 2 + 1 > 60", "price * 2 == 4.2",
        "price + 15.9 == age",
        "canonical:(name) BEGINSWITH 'a'", "SUBQUERY(team.players, $p, $p.age > age).@count > 1",
        "born < now() AND age IN {16, 26}", "TERNARY(active == YES, points, age) > 25", "coach.coach.name != 'Jo'",
        "SELF IN team.captains", "team.captains[FIRST] == SELF", "team.captains[FIRST].name == 'Mo'",
        "score == nil", "score > 0.1", "height == 1.7 AND age > 20", "NOT ALL pupils.active == YES",
        "price - 0.1 == points",
        "CAST(age, 'NSString') ENDSWITH '6'", "points / 200 * 10 + 16 == age", "born + 1000 == coach.coach.born + 3000",
        "noindex:(age) == 16", "modulus:by:(age, 10) == 6 AND nick == nil", "'o' IN name",
        "ANY captainOf.name == 'Reds'",
    ]

    @Test(arguments: formats) func storeAndMemoryAgree(_ format: String) throws {
        let predicate = try FetchPredicate(format: format)
        let all = try squad.context.fetch(Player.fetchRequest().sorted(by: \.points))
        expectEqual(all.count, 6)
        let asked = try squad.context.filter(all, by: predicate)
        #expect(asked.count < 6 && !asked.isEmpty, "a test of something")
        expectEqual(try all.filter { try predicate.evaluate(with: $0) }, asked)
        let request = Player.fetchRequest().where(predicate).sorted(by: \.points)
        // The saved objects are fetched by another context, without objects in memory.
        let fresh = squad.container.newContext()
        expectEqual(try fresh.fetch(request).map(\.name), asked.map(\.name))
        expectEqual(try fresh.count(for: request), asked.count)
        expectEqual(try fresh.fetch(request.limit(1)).map(\.name), asked.prefix(1).map(\.name))
        let values: [Player.Values] = try fresh.fetchValues(request)
        expectEqual(values.map(\.name), asked.map(\.name))
        // With unsaved changes, the result reflects the objects of the context.
        for player in all { player.points += 1 }
        let changed = try squad.context.filter(all, by: predicate)
        expectEqual(try squad.context.fetch(request).map(\.name), changed.map(\.name))
        expectEqual(try squad.context.count(for: request), changed.count)
    }

    @Test func threeSpellingsOfOnePredicate() throws {
        let format = try FetchPredicate(format: "age >= 21 AND team.city == 'Ulm' AND NOT (name BEGINSWITH 'B')")
        let requests = [
            Player.fetchRequest().where(format),
            try Player.fetchRequest().where(
                #Predicate { $0.age >= 21 && $0.team?.city == "Ulm" && !$0.name.starts(with: "B") }
            ),
            Player.fetchRequest().where(\.age >= 21 && \.team?.city == "Ulm" && !.begins(\.name, with: "B")),
        ]
        for request in requests {
            expectEqual(try squad.context.fetch(request.sorted(by: \.name)).map(\.name), ["Mo", "Änne"])
        }
        let teams = [
            Team.fetchRequest().where(try FetchPredicate(format: "ANY players.age > 32")),
            try Team.fetchRequest().where(#Predicate { $0.players.contains { $0.age > 32 } }),
            Team.fetchRequest().where(.any(\.players, \.age > 32)),
        ]
        for request in teams { expectEqual(try squad.context.fetch(request).map(\.name), ["Reds"]) }
    }

    @Test func sortsOverRelationshipsByKeyPath() throws {
        let players = try squad.context.fetch(
            Player.fetchRequest().sorted(by: \.team?.name).sorted(by: \.age, .descending)
        )
        expectEqual(players.map(\.name), ["Flo", "Bo", "Al", "Mo", "Änne", "Jo"])
    }

    @Test func expressions() throws {
        let total = try FetchExpression(format: "players.@sum.price + 0.1")
        expectEqual(try total.value(with: reds), .decimal(Decimal(string: "6.4") ?? 0))
        let average = try FetchExpression(#Expression<Team, Int> { $0.players.count * 2 })
        expectEqual(try average.value(with: reds), .integer(6))
        #expect(throws: FetchPredicateError.self) { try FetchExpression(format: "captains[FIRST]").value(with: reds) }
        #expect(throws: FetchPredicateError.self) { try FetchExpression(format: "plyers.@count").value(with: reds) }
    }

    @Test func templates() throws {
        expectEqual(try squad.context.fetch(Team.largeTeams(size: 2, start: "an")).map(\.name), ["Reds"])
        expectEqual(try squad.context.fetch(Player.longNames(length: 3)).map(\.name), ["Änne"])
    }

    @Test func mistakesAreErrors() throws {
        let request = Player.longNames(length: 1).where(try FetchPredicate(format: "score > %f", 0.5))
        expectEqual(try squad.context.count(for: request), 0)
        let notANumber = FetchRequest<Player>.withScore(above: .nan)
        #expect(throws: FetchPredicateError.self) { try squad.context.fetch(notANumber) }
        let objects: [ManagedObject] = [reds, blues]
        #expect(throws: FetchPredicateError.self) {
            try squad.context.filter(objects, by: FetchPredicate(format: "name == 'Reds'"))
        }
    }

    @Test func missingNumbersSortFirst() throws {
        let context = squad.container.newContext()
        let players = try context.fetch(Player.fetchRequest().sorted(by: \.points))
        players[0].score = .nan
        let sorted = try context.fetch(Player.fetchRequest().sorted(by: \.score).sorted(by: \.points))
        expectEqual(sorted.prefix(2).map(\.name), ["Jo", "Änne"])
        #expect(throws: ValidationError.self) { try context.save() }
    }

    @Test func aRegularExpressionThatTakesTooLongIsAnError() throws {
        reds.city = String(repeating: "a", count: 3_000)
        let predicate = try FetchPredicate(format: "city MATCHES '(a|aa)+b'")
        #expect(throws: FetchPredicateError.self) { try predicate.evaluate(with: reds) }
        #expect(throws: FetchPredicateError.self) { try squad.context.fetch(Team.fetchRequest().where(predicate)) }
        try squad.context.save()
        // SQLite evaluates the predicate; for a server, the context evaluates it.
        let error: any Error.Type = TestStore.isOnServer ? FetchPredicateError.self : StoreError.self
        #expect {
            try squad.container.newContext().fetch(Team.fetchRequest().where(predicate))
        } throws: {
            type(of: $0) == error
        }
    }

    @Test func resultsControllersFollowToManys() throws {
        let request = try Team.fetchRequest().where(format: "players.@count > 2").sorted(by: \.name)
        let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: squad.context)
        let listener = Listener()
        controller.delegate = listener
        try controller.performFetch()
        expectEqual(controller.fetchedObjects?.map(\.name), ["Reds"])
        let newcomer = squad.makePlayer("Lu")
        newcomer.team = blues
        squad.context.processPendingChanges()
        expectEqual(controller.fetchedObjects?.map(\.name), ["Blues", "Reds"])
        expectEqual(listener.insertedPaths, [IndexPath(row: 0, section: 0)])
    }
}

extension FetchRequest<Player> {
    /// Makes a request as generated code makes a request of the model.
    fileprivate static func withScore(above limit: Double) -> FetchRequest {
        FetchRequest(predicate: "score > $limit", variables: ["limit": limit])
    }
}

private final class Listener: FetchedResultsControllerDelegate {
    var insertedPaths: [IndexPath] = []

    func controller(
        _ controller: FetchedResultsController<Team>,
        didChange object: Team,
        at indexPath: IndexPath?,
        for type: FetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        if type == .insert, let newIndexPath { insertedPaths.append(newIndexPath) }
    }
}
