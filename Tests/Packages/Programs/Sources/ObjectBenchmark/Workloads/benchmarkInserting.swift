import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W1: creates all players, and inserts them in one transaction.
func benchmarkInserting(_ stores: Stores) throws {
    let samples = stores.sample.players
    try Contest(
        "W1",
        title: "insert and save",
        unit: "objects",
        count: samples.count,
        contestants: [
            .init(name: "raw") {
                let path = try stores.copy(.teamsOnly)
                let connection = try RawConnection(path: path)
                let teams = try connection.integers("SELECT _id FROM Team ORDER BY _id")
                return {
                    let statement = try connection.prepare(RawPlayer.insert)
                    var players: [RawPlayer] = []
                    try connection.execute("BEGIN IMMEDIATE")
                    for (index, sample) in samples.enumerated() {
                        let player = RawPlayer(id: Int64(index + 1), team: teams[sample.team], sample)
                        try player.insert(statement)
                        players.append(player)
                    }
                    try connection.execute("COMMIT")
                    return { try withExtendedLifetime((players, connection)) { try stores.finish(path) } }
                }
            },
            .init(name: "chordata") {
                let path = try stores.copy(.teamsOnly)
                let context = try openChordata(path).newContext()
                let teams = try context.fetch(Team.fetchRequest())
                return {
                    var players: [Player] = []
                    for sample in samples { players.append(Player.insert(sample, teams, context)) }
                    try context.save()
                    return { try withExtendedLifetime((players, context)) { try stores.finish(path) } }
                }
            },
            .init(name: "values") {
                let path = try stores.copy(.teamsOnly)
                let context = try openChordata(path).newContext()
                let teams = try context.fetch(Team.fetchRequest()).map { ObjectID($0) }
                return {
                    let players = samples.map { Player.Values($0, team: teams[$0.team]) }
                    try context.insertValues(players)
                    return { try withExtendedLifetime((players, context)) { try stores.finish(path) } }
                }
            },
            .init(name: "grdb") {
                let path = try stores.copy(.teamsOnly)
                let queue = try openGRDB(path)
                let teams = try queue.read { try Int64.fetchAll($0, sql: "SELECT _id FROM Team ORDER BY _id") }
                return {
                    var players: [GRDBPlayer] = []
                    try queue.write { database in
                        let statement = try database.makeStatement(sql: RawPlayer.insert)
                        for (index, sample) in samples.enumerated() {
                            let player = GRDBPlayer(id: Int64(index + 1), team: teams[sample.team], sample)
                            try statement.execute(arguments: player.arguments)
                            players.append(player)
                        }
                    }
                    return { try withExtendedLifetime((players, queue)) { try stores.finish(path) } }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W11: inserts one in fifty of the players, each in a transaction of its own.
func benchmarkSmallSaves(_ stores: Stores) throws {
    let samples = Array(stores.sample.players.prefix(max(1, stores.sample.players.count / 50)))
    try Contest(
        "W11",
        title: "insert and save one at a time",
        unit: "saves",
        count: samples.count,
        contestants: [
            .init(name: "raw") {
                let path = try stores.copy(.teamsOnly)
                let connection = try RawConnection(path: path)
                let teams = try connection.integers("SELECT _id FROM Team ORDER BY _id")
                return {
                    let begin = try connection.prepare("BEGIN IMMEDIATE")
                    let insert = try connection.prepare(RawPlayer.insert)
                    let commit = try connection.prepare("COMMIT")
                    for (index, sample) in samples.enumerated() {
                        sqlite3_step(begin)
                        sqlite3_reset(begin)
                        try RawPlayer(id: Int64(index + 1), team: teams[sample.team], sample).insert(insert)
                        sqlite3_step(commit)
                        sqlite3_reset(commit)
                    }
                    return { try withExtendedLifetime(connection) { try stores.finish(path) } }
                }
            },
            .init(name: "chordata") {
                let path = try stores.copy(.teamsOnly)
                let context = try openChordata(path).newContext()
                let teams = try context.fetch(Team.fetchRequest())
                return {
                    for sample in samples {
                        Player.insert(sample, teams, context)
                        try context.save()
                    }
                    return { try withExtendedLifetime(context) { try stores.finish(path) } }
                }
            },
            .init(name: "values") {
                let path = try stores.copy(.teamsOnly)
                let context = try openChordata(path).newContext()
                let teams = try context.fetch(Team.fetchRequest()).map { ObjectID($0) }
                return {
                    for sample in samples {
                        try context.insertValues([Player.Values(sample, team: teams[sample.team])])
                    }
                    return { try withExtendedLifetime(context) { try stores.finish(path) } }
                }
            },
            .init(name: "grdb") {
                let path = try stores.copy(.teamsOnly)
                let queue = try openGRDB(path)
                let teams = try queue.read { try Int64.fetchAll($0, sql: "SELECT _id FROM Team ORDER BY _id") }
                return {
                    for (index, sample) in samples.enumerated() {
                        let player = GRDBPlayer(id: Int64(index + 1), team: teams[sample.team], sample)
                        try queue.write { database in
                            try database.cachedStatement(sql: RawPlayer.insert).execute(arguments: player.arguments)
                        }
                    }
                    return { try withExtendedLifetime(queue) { try stores.finish(path) } }
                }
            },
        ]
    ).run(rounds: rounds)
}
