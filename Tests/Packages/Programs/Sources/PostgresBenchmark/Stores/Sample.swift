import Foundation
import Harness

/// The contents of the stores, which are the same for the same number of players.
struct Sample {
    /// One player.
    struct Player {
        var name: String
        var age: Int64
        var salary: Double
        /// A later date than that of the player before.
        var joined: Date
        var active: Bool
        var uuid: UUID
        var note: String?
        var score: Int64
        /// The index of the team.
        var team: Int
    }

    let teamCount: Int
    let players: [Player]

    /// - Parameter playerCount: The number of players; there are at most 1,000 teams.
    init(playerCount: Int) {
        let teamCount = min(1_000, playerCount)
        let names = ["Alexandra", "Bo", "Jonathan", "Li", "Maximilian", "Noor"]
        let families = ["Hoffmann", "Ek", "van der Berg", "Ito", "Żółkiewski"]
        var random = RandomSource(seed: 1)
        self.teamCount = teamCount
        players = (0..<playerCount).map { index in
            let bits = random.next()
            return Player(
                name: "\(names[index % 6]) \(families[index % 5]) \(index)",
                age: Int64(18 + bits % 25),
                salary: Double(bits >> 32) / 1_000,
                joined: Date(timeIntervalSinceReferenceDate: Double(index) * 60),
                active: bits & 3 != 0,
                uuid: UUID(uuid: unsafeBitCast((bits, random.next()), to: uuid_t.self)),
                note: bits & 4 == 0 ? nil : "joined by way of club number \(bits >> 48)",
                score: Int64(bits >> 44),
                team: index % teamCount
            )
        }
    }
}
