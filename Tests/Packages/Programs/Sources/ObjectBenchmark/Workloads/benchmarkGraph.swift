import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W6: fetches all teams with their players, and visits each player from its team.
func benchmarkGraph(_ stores: Stores) throws {
    let connection = try RawConnection(path: stores.full)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    try Contest(
        "W6",
        title: "\(stores.sample.teams.count) teams with their players, walk the graph",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            .init(name: "raw") {
                {
                    let statement = try connection.prepare(RawTeam.selectAll)
                    var teams: [RawTeam] = []
                    var teamByID: [Int64: RawTeam] = [:]
                    while sqlite3_step(statement) == SQLITE_ROW {
                        let team = RawTeam(statement)
                        teams.append(team)
                        teamByID[team.id] = team
                    }
                    sqlite3_reset(statement)
                    let select = try connection.prepare(RawPlayer.selectAll)
                    while sqlite3_step(select) == SQLITE_ROW {
                        let player = RawPlayer(select)
                        teamByID[player.team]?.players.append(player)
                    }
                    sqlite3_reset(select)
                    var sum = 0
                    for team in teams {
                        for player in team.players { sum &+= Int(player.score) &* team.name.utf8.count }
                    }
                    return { withExtendedLifetime((teams, connection)) { sum } }
                }
            },
            .init(name: "chordata") {
                let context = container.newContext()
                return {
                    let teams = try context.fetch(Team.fetchRequest().prefetching(\.players))
                    var sum = 0
                    for team in teams {
                        for player in team.players { sum &+= Int(player.score) &* team.name.utf8.count }
                    }
                    return { withExtendedLifetime((teams, context)) { sum } }
                }
            },
            .init(name: "grdb") {
                {
                    let (teams, players) = try queue.read { database in
                        (
                            try GRDBTeam.fetchAll(database, sql: RawTeam.selectAll),
                            Dictionary(
                                grouping: try GRDBPlayer.fetchAll(database, sql: RawPlayer.selectAll),
                                by: \.team
                            )
                        )
                    }
                    var sum = 0
                    for team in teams {
                        for player in players[team.id] ?? [] { sum &+= Int(player.score) &* team.name.utf8.count }
                    }
                    return { withExtendedLifetime((teams, players)) { sum } }
                }
            },
        ]
    ).run(rounds: rounds)
}
