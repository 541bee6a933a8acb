import Chordata
import Contest
import Foundation

/// Evaluates predicates on objects in memory with a handwritten closure, Chordata's compiled closures, and Foundation's
/// `Predicate`.
func benchmarkPredicates(rounds: Int) throws {
    let container = try SquadModel.container(at: ":memory:")
    let context = container.newContext()
    let cities = ["Ulm", "Köln", nil, "Bonn"]
    let teams = (0..<40).map { index in
        let team = Team(context: context, name: "Team \(index)")
        team.city = cities[index % 4]
        return team
    }
    let players = (0..<20_000).map { index in
        let player = Player(context: context, name: ["Jo", "Al", "Anna", "Änne", "Bo"][index % 5] + " \(index)")
        player.age = Int16(index % 90)
        player.score = Double(index % 1_000) / 10
        player.active = index % 3 == 0
        player.team = index % 7 == 0 ? nil : teams[index % 40]
        return player
    }

    func contest(
        _ format: String,
        _ predicate: Predicate<Player>,
        _ byHand: @escaping (Player) -> Bool
    ) throws {
        let parsed = try FetchPredicate(format: format)
        let contest = Contest(
            title: format,
            unit: "objects",
            count: players.count,
            contestants: [
                .init(name: "closure by hand") { players.count(where: byHand) },
                .init(name: "Chordata, compiled closures") { try context.filter(players, by: parsed).count },
                .init(name: "Foundation's Predicate") {
                    var count = 0
                    for player in players where try predicate.evaluate(player) { count += 1 }
                    return count
                },
            ]
        )
        try contest.run(rounds: rounds)
    }

    try contest("age > 30", #Predicate { $0.age > 30 }) { $0.age > 30 }
    try contest(
        "age > 30 AND active == YES AND score < 50",
        #Predicate { $0.age > 30 && $0.active && $0.score < 50 }
    ) { $0.age > 30 && $0.active && $0.score < 50 }
    try contest("name BEGINSWITH 'An'", #Predicate { $0.name.starts(with: "An") }) { $0.name.hasPrefix("An") }
    try contest("team.city == 'Ulm'", #Predicate { $0.team?.city == "Ulm" }) { $0.team?.city == "Ulm" }
    try contest("age * 2 + 1 > 100", #Predicate { $0.age * 2 + 1 > 100 }) { $0.age * 2 + 1 > 100 }

    let parsed = try FetchPredicate(format: "ANY players.age > 88")
    let predicate = #Predicate<Team> { $0.players.contains { $0.age > 88 } }
    try Contest(
        title: "ANY players.age > 88",
        unit: "objects",
        count: players.count,
        contestants: [
            .init(name: "closure by hand") { teams.count { $0.players.contains { $0.age > 88 } } },
            .init(name: "Chordata, compiled closures") { try context.filter(teams, by: parsed).count },
            .init(name: "Foundation's Predicate") {
                var count = 0
                for team in teams where try predicate.evaluate(team) { count += 1 }
                return count
            },
        ]
    ).run(rounds: rounds)
}
