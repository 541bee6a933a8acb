import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W14: sets one property of three quarters of the players to the same value, without objects.
func benchmarkBatches(_ stores: Stores) throws {
    try benchmarkBatch(
        stores,
        "W14",
        title: "update three of four rows, by a constant",
        count: stores.playerKeys.count * 3 / 4,
        sql: "UPDATE Player SET score = 7, _version = _version + 1 WHERE active = 1",
        BatchUpdateRequest<Player>().where(\.active == true).setting(\.score, to: 7)
    )
}

/// W14-computed: computes one property of all players from the row.
func benchmarkComputedBatches(_ stores: Stores) throws {
    try benchmarkBatch(
        stores,
        "W14-computed",
        title: "update all rows, by an expression",
        count: stores.playerKeys.count,
        sql: "UPDATE Player SET score = score + age, _version = _version + 1",
        BatchUpdateRequest<Player>().setting(\.score, to: try FetchExpression(format: "score + age"))
    )
}

private func benchmarkBatch(
    _ stores: Stores,
    _ name: String,
    title: String,
    count: Int,
    sql: String,
    _ request: BatchUpdateRequest<Player>
) throws {
    try Contest(
        name,
        title: title,
        unit: "rows",
        count: count,
        contestants: [
            .init(name: "raw") {
                let path = try stores.copy(.all)
                let connection = try RawConnection(path: path)
                return {
                    try connection.execute(sql)
                    return { try withExtendedLifetime(connection) { try stores.finish(path) } }
                }
            },
            .init(name: "chordata") {
                let path = try stores.copy(.all)
                let context = try openChordata(path).newContext()
                return {
                    try context.execute(request)
                    return { try withExtendedLifetime(context) { try stores.finish(path) } }
                }
            },
            .init(name: "grdb") {
                let path = try stores.copy(.all)
                let queue = try openGRDB(path)
                return {
                    try queue.write { try $0.execute(sql: sql) }
                    return { try withExtendedLifetime(queue) { try stores.finish(path) } }
                }
            },
        ]
    ).run(rounds: rounds)
}
