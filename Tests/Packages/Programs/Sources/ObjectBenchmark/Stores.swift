import Chordata
import Foundation

/// The stores of one run of the program, in a folder of their own.
final class Stores {
    let sample: Sample
    /// A store with all teams and players, for workloads that read.
    let full: String
    /// The keys of its players.
    let playerKeys: [Int64]
    /// A store with the teams only.
    private let withoutPlayers: String
    private let folder: URL
    private var copies = 0
    /// Connections, by path, that preserve SQLite's files next to a store, so that no contestant pays for creating
    /// them.
    private var keepers: [String: RawConnection] = [:]

    init(playerCount: Int) throws {
        sample = Sample(playerCount: playerCount)
        folder = FileManager.default.temporaryDirectory.appending(path: "chordata-benchmark-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        withoutPlayers = folder.appending(path: "teams.sqlite").path
        full = folder.appending(path: "full.sqlite").path
        try Self.fill(withoutPlayers, sample.teams)
        try FileManager.default.copyItem(atPath: withoutPlayers, toPath: full)
        try Self.fill(full, sample.players)
        playerKeys = try RawConnection(path: full).integers("SELECT _id FROM Player ORDER BY _id")
    }

    deinit { try? FileManager.default.removeItem(at: folder) }  // A folder for temporary files; nothing depends on it.

    private static func fill(_ path: String, _ teams: [Sample.Team]) throws {
        let context = try openChordata(path).newContext()
        for team in teams { _ = Team(context: context, name: team.name, city: team.city) }
        try context.save()
    }

    private static func fill(_ path: String, _ players: [Sample.Player]) throws {
        let context = try openChordata(path).newContext()
        let teams = try context.fetch(Team.fetchRequest())
        for player in players { Player.insert(player, teams, context) }
        try context.save()
    }

    enum Content { case all, teamsOnly }

    /// Makes a copy for one run of a workload that writes, and returns its path.
    func copy(_ content: Content) throws -> String {
        copies += 1
        let path = folder.appending(path: "copy\(copies).sqlite").path
        try FileManager.default.copyItem(atPath: content == .all ? full : withoutPlayers, toPath: path)
        // Pending writes to the disk would be paid for by the next contestant.
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.synchronize()
        try file.close()
        let keeper = try RawConnection(path: path)
        // SQLite skips a write that changes nothing.
        try keeper.execute("UPDATE _sequence SET next = next + 1")
        keepers[path] = keeper
        return path
    }

    /// Returns a number that depends on all columns of all players, except the keys, which contestants choose
    /// themselves.
    ///
    /// Removes the copy.
    func finish(_ path: String) throws -> Int {
        let sums = try RawConnection(path: path).integers(
            """
            SELECT count(*) * 7 + total(score) + 3 * total(age) + 5 * total(length(name)) + 11 * total(length(note)) \
            + 13 * total(active) + 17 * total(length(uuid)) + total(CAST(salary AS INTEGER)) % 1000003 \
            + total(CAST(joined AS INTEGER)) % 1000003 + total(team - (SELECT min(_id) FROM Team)) FROM Player
            """
        )
        keepers[path] = nil
        for suffix in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: path + suffix) {
            try FileManager.default.removeItem(atPath: path + suffix)
        }
        return Int(sums[0])
    }
}

/// Opens a store with the settings that all contestants have in common.
func openChordata(_ path: String) throws -> PersistentContainer {
    try PersistentContainer(model: RosterModel.definition, path: path, options: StoreOptions(synchronous: .normal))
}

extension Player {
    /// Inserts a player as a program would.
    @discardableResult
    static func insert(_ sample: Sample.Player, _ teams: [Team], _ context: ManagedObjectContext) -> Player {
        let player = Player(
            context: context,
            name: sample.name,
            age: sample.age,
            salary: sample.salary,
            joined: sample.joined,
            active: sample.active,
            uuid: sample.uuid,
            score: sample.score
        )
        player.note = sample.note
        player.team = teams[sample.team]
        return player
    }
}

extension Player.Values {
    /// The values of a player that is not in the store yet.
    init(_ sample: Sample.Player, team: ObjectID<Team>) {
        self.init(
            objectID: ObjectID(),
            name: sample.name,
            age: sample.age,
            salary: sample.salary,
            joined: sample.joined,
            active: sample.active,
            uuid: sample.uuid,
            note: sample.note,
            score: sample.score,
            team: team
        )
    }
}
