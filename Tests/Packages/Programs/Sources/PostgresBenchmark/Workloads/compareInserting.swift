import Chordata
import Contest

/// Compares the insertion of all players in one transaction, as objects or as values.
func compareInserting(_ workload: Workload, _ stores: Stores) throws -> Comparison {
    let players = stores.sample.players
    let bareSchema = stores.bareSchema(.teams)
    let bare = BareInserter(
        connection: try stores.bareConnection(.teams),
        table: "\(bareSchema).\"Player\"",
        teamKeys: try stores.teamKeys(.teams)
    )
    try bare.prepareArrays()
    func contestant(_ name: String, _ insert: @escaping ([Sample.Player]) throws -> Void) -> Contest.Contestant {
        .init(name: name) {
            try stores.removePlayers(bareSchema)
            return {
                try insert(players)
                return { try stores.checksum(bareSchema) }
            }
        }
    }
    let container = try stores.container(.teams)
    let schema = stores.schema(.teams)
    return Comparison(
        workload: workload,
        count: players.count,
        bare: [contestant("copy", bare.copy), contestant("unnest", bare.insertArrays)],
        chordata: .init(name: "chordata") {
            try stores.removePlayers(schema)
            let context = container.newContext()
            let teams = try context.fetch(Team.fetchRequest())
            return {
                if workload == .insertValues {
                    let ids = teams.map { ObjectID($0) }
                    let values = players.map { Player.Values($0, team: ids[$0.team]) }
                    try context.insertValues(values)
                    return { try withExtendedLifetime((values, context)) { try stores.checksum(schema) } }
                }
                let objects = players.map { Player.insert($0, teams, context) }
                try context.save()
                return { try withExtendedLifetime((objects, context)) { try stores.checksum(schema) } }
            }
        }
    )
}

extension Player {
    /// Inserts a player as a program would.
    fileprivate static func insert(
        _ sample: Sample.Player,
        _ teams: [Team],
        _ context: ManagedObjectContext
    ) -> Player {
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
