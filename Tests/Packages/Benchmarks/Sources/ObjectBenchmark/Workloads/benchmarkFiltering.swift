import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W7: the fifty best active players of twenty teams, a hundred times.
func benchmarkFiltering(_ stores: Stores) throws {
    let connection = try RawConnection(path: stores.full)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    let teamContext = container.newContext()
    let teams = try teamContext.fetch(Team.fetchRequest())
    let groups = (0..<100).map { group in (0..<20).map { teams[(group * 20 + $0) % teams.count] } }
    let keys = groups.map { $0.map(\.objectID.key) }
    let select = RawPlayer.selectBest(teamCount: 20)
    let best = try connection.prepare(select)
    let format = "team IN %@ AND active == YES"
    let requests = try groups.map { teams in
        try Player.fetchRequest().where(format: format, teams).sorted(by: \.score, .descending).limit(50)
    }
    try Contest(
        "W7",
        title: "filtered and sorted, 50 at most",
        unit: "requests",
        count: requests.count,
        contestants: [
            .init(name: "raw") {
                {
                    var results: [[RawPlayer]] = []
                    var checksum = Checksum()
                    for keys in keys {
                        for (position, key) in keys.enumerated() {
                            sqlite3_bind_int64(best, Int32(position + 1), key)
                        }
                        let players = RawPlayer.fetch(best)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, connection)) { checksum.value } }
                }
            },
            .init(name: "chordata") {
                let context = container.newContext()
                return {
                    var results: [[Player]] = []
                    var checksum = Checksum()
                    for request in requests {
                        let players = try context.fetch(request)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, context)) { checksum.value } }
                }
            },
            .init(name: "chordata, format parsed each time") {
                let context = container.newContext()
                return {
                    var results: [[Player]] = []
                    var checksum = Checksum()
                    for teams in groups {
                        let request = try Player.fetchRequest().where(format: format, teams)
                            .sorted(by: \.score, .descending).limit(50)
                        let players = try context.fetch(request)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, context)) { checksum.value } }
                }
            },
            .init(name: "values") {
                let context = container.newContext()
                return {
                    var results: [[Player.Values]] = []
                    var checksum = Checksum()
                    for request in requests {
                        let players: [Player.Values] = try context.fetchValues(request)
                        for player in players { checksum.add(player.score) }
                        results.append(players)
                    }
                    return { withExtendedLifetime((results, context)) { checksum.value } }
                }
            },
            .init(name: "grdb") {
                {
                    var results: [[GRDBPlayer]] = []
                    var checksum = Checksum()
                    try queue.read { database in
                        let statement = try database.cachedStatement(sql: select)
                        for keys in keys {
                            let players = try GRDBPlayer.fetchAll(statement, arguments: StatementArguments(keys))
                            for player in players { checksum.add(player.score) }
                            results.append(players)
                        }
                    }
                    return { withExtendedLifetime((results, queue)) { checksum.value } }
                }
            },
        ]
    ).run(rounds: rounds)
}
