import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W10: opens a store and reads its first twenty players.
func benchmarkOpening(_ stores: Stores) throws {
    let select = "SELECT \(RawPlayer.columns) FROM Player ORDER BY _id LIMIT 20"
    let times = 20
    // Another connection keeps the store open, so that no contestant pays for the first and the last connection.
    let other = try RawConnection(path: stores.full)
    try Contest(
        "W10",
        title: "open and fetch the first 20",
        unit: "stores",
        count: times,
        contestants: [
            .init(name: "raw") {
                {
                    var opened: [(RawConnection, [RawPlayer])] = []
                    for _ in 0..<times {
                        let connection = try RawConnection(path: stores.full)
                        opened.append((connection, RawPlayer.fetch(try connection.prepare(select))))
                    }
                    return {
                        var checksum = Checksum()
                        for player in opened.flatMap(\.1) { checksum.add(player) }
                        return withExtendedLifetime(other) { checksum.value }
                    }
                }
            },
            .init(name: "chordata") {
                {
                    var opened: [(ManagedObjectContext, [Player])] = []
                    for _ in 0..<times {
                        let context = try openChordata(stores.full).newContext()
                        opened.append((context, try context.fetch(Player.fetchRequest().limit(20))))
                    }
                    return {
                        var checksum = Checksum()
                        for player in opened.flatMap(\.1) { checksum.add(player) }
                        return withExtendedLifetime(opened) { checksum.value }
                    }
                }
            },
            .init(name: "grdb") {
                {
                    var opened: [(DatabaseQueue, [GRDBPlayer])] = []
                    for _ in 0..<times {
                        let queue = try openGRDB(stores.full)
                        opened.append((queue, try queue.read { try GRDBPlayer.fetchAll($0, sql: select) }))
                    }
                    return {
                        var checksum = Checksum()
                        for player in opened.flatMap(\.1) { checksum.add(player) }
                        return withExtendedLifetime(opened) { checksum.value }
                    }
                }
            },
        ]
    ).run(rounds: rounds)
}
