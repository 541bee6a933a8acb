import Chordata
import Contest

/// Compares a fetch of all teams with their players, in two round trips.
func compareGraph(_ stores: Stores) throws -> Comparison {
    let connection = try stores.bareConnection(.all)
    let teams = try connection.prepare(
        "teams",
        "SELECT \"_id\", \"_version\", \"name\", \"city\" FROM \"Team\" ORDER BY \"_id\""
    )
    let players = try connection.prepare(
        "players",
        "SELECT \(BarePlayer.columns) FROM \"Player\" WHERE \"team\" IS NOT NULL"
    )
    let container = try stores.container(.all)
    let request = Team.fetchRequest().prefetching(\.players)
    return Comparison(
        workload: .graph,
        count: stores.sample.players.count,
        bare: [
            .init(name: "bare") {
                {
                    var graph: [BareTeam] = []
                    var places: [Int64: Int] = [:]
                    try connection.run([(teams, nil)]) { cells in
                        places[cells[0].integer] = graph.count
                        graph.append(BareTeam(name: cells[2].text ?? "", city: cells[3].text ?? ""))
                    }
                    try connection.run([(players, nil)]) { cells in
                        let player = BarePlayer(cells)
                        if let place = places[player.teamKey] { graph[place].players.append(player) }
                    }
                    var sum = 0
                    for team in graph {
                        for player in team.players { sum &+= Int(player.score) &* team.name.utf8.count }
                    }
                    return { withExtendedLifetime(graph) { sum } }
                }
            }
        ],
        chordata: .init(name: "chordata") {
            let context = container.newContext()
            return {
                let teams = try context.fetch(request)
                var sum = 0
                for team in teams {
                    for player in team.players { sum &+= Int(player.score) &* team.name.utf8.count }
                }
                return { withExtendedLifetime((teams, context)) { sum } }
            }
        }
    )
}

/// A team as in a program without any library.
private struct BareTeam {
    let name: String
    let city: String
    var players: [BarePlayer] = []
}
