import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W4: changes one property of all players, which were fetched before, and saves them in one transaction.
func benchmarkUpdating(_ stores: Stores) throws {
    let update = "UPDATE Player SET score = ? WHERE _id = ?"
    try Contest(
        "W4",
        title: "change one property and save",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            .init(name: "raw") {
                let path = try stores.copy(.all)
                let connection = try RawConnection(path: path)
                let players = RawPlayer.fetch(try connection.prepare(RawPlayer.selectAll))
                return {
                    let statement = try connection.prepare(update)
                    try connection.execute("BEGIN IMMEDIATE")
                    for player in players {
                        player.score += 1
                        sqlite3_bind_int64(statement, 1, player.score)
                        sqlite3_bind_int64(statement, 2, player.id)
                        let result = sqlite3_step(statement)
                        guard result == SQLITE_DONE else { throw RawError(code: result, message: update) }
                        sqlite3_reset(statement)
                    }
                    try connection.execute("COMMIT")
                    return { try withExtendedLifetime((players, connection)) { try stores.finish(path) } }
                }
            },
            .init(name: "chordata") {
                let path = try stores.copy(.all)
                let context = try openChordata(path).newContext()
                let players = try context.fetch(Player.fetchRequest())
                return {
                    for player in players { player.score += 1 }
                    try context.save()
                    return { try withExtendedLifetime((players, context)) { try stores.finish(path) } }
                }
            },
            .init(name: "grdb") {
                let path = try stores.copy(.all)
                let queue = try openGRDB(path)
                var players = try queue.read { try GRDBPlayer.fetchAll($0, sql: RawPlayer.selectAll) }
                return {
                    try queue.write { database in
                        let statement = try database.makeStatement(sql: update)
                        for index in players.indices {
                            players[index].score += 1
                            try statement.execute(arguments: [players[index].score, players[index].id])
                        }
                    }
                    return { try withExtendedLifetime((players, queue)) { try stores.finish(path) } }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W5: deletes all players, which were fetched before, in one transaction.
func benchmarkDeleting(_ stores: Stores) throws {
    try Contest(
        "W5",
        title: "delete and save",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            .init(name: "raw") {
                let path = try stores.copy(.all)
                let connection = try RawConnection(path: path)
                let players = RawPlayer.fetch(try connection.prepare(RawPlayer.selectAll))
                return {
                    let statement = try connection.prepare("DELETE FROM Player WHERE _id = ?")
                    try connection.execute("BEGIN IMMEDIATE")
                    for player in players {
                        sqlite3_bind_int64(statement, 1, player.id)
                        let result = sqlite3_step(statement)
                        guard result == SQLITE_DONE else { throw RawError(code: result, message: "delete") }
                        sqlite3_reset(statement)
                    }
                    try connection.execute("COMMIT")
                    return { try withExtendedLifetime((players, connection)) { try stores.finish(path) } }
                }
            },
            .init(name: "chordata") {
                let path = try stores.copy(.all)
                let context = try openChordata(path).newContext()
                let players = try context.fetch(Player.fetchRequest())
                return {
                    for player in players { context.delete(player) }
                    try context.save()
                    return { try withExtendedLifetime((players, context)) { try stores.finish(path) } }
                }
            },
            .init(name: "grdb") {
                let path = try stores.copy(.all)
                let queue = try openGRDB(path)
                let players = try queue.read { try GRDBPlayer.fetchAll($0, sql: RawPlayer.selectAll) }
                return {
                    _ = try queue.write { try GRDBPlayer.deleteAll($0, keys: players.map(\.id)) }
                    return { try withExtendedLifetime((players, queue)) { try stores.finish(path) } }
                }
            },
        ]
    ).run(rounds: rounds)
}
