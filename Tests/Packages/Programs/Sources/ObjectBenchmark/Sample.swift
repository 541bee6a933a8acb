import Contest
import Foundation

/// The contents of the stores, which are the same for the same number of rows.
struct Sample {
    /// One team.
    struct Team {
        var name: String
        var city: String
    }

    /// One player.
    struct Player {
        var name: String
        var age: Int64
        var salary: Double
        var joined: Date
        var active: Bool
        var uuid: UUID
        var note: String?
        /// The index of the team.
        var team: Int
        var score: Int64
    }

    static let playersPerTeam = 50

    let teams: [Team]
    let players: [Player]

    init(playerCount: Int) {
        let teamCount = max(1, playerCount / Self.playersPerTeam)
        teams = (0..<teamCount).map { Team(name: "Team \($0)", city: "City \($0 % 100)") }
        let names = ["Alexandra", "Bo", "Jonathan", "Li", "Maximilian", "Noor"]
        let families = ["Hoffmann", "Ek", "van der Berg", "Ito", "Żółkiewski"]
        var random = SeededGenerator(seed: 1)
        players = (0..<playerCount).map { index in
            let bits = random.next()
            return Player(
                name: "\(names[index % 6]) \(families[index % 5]) \(index)",
                age: Int64(18 + bits % 25),
                salary: Double(bits >> 32) / 1_000,
                joined: Date(timeIntervalSinceReferenceDate: Double(bits >> 34) / 2),
                active: bits & 3 != 0,
                uuid: UUID(uuid: unsafeBitCast((bits, random.next()), to: uuid_t.self)),
                note: bits & 4 == 0 ? nil : "joined by way of club number \(bits >> 48)",
                team: index % teamCount,
                score: Int64(bits >> 44)
            )
        }
    }
}
