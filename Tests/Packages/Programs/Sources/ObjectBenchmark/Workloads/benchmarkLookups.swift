import Chordata
import Contest
import GRDB
import GRDBSQLite

/// W3: looks up every player by key, in random order, with a context in which none is registered; all in one read
/// transaction.
func benchmarkLookups(_ stores: Stores) throws {
    try lookups("W3", title: "look up by key, in one event", stores, isInTransaction: true)
}

/// The same without a surrounding transaction.
func benchmarkLookupsOutside(_ stores: Stores) throws {
    try lookups("W3-outside", title: "look up by key, each by itself", stores, isInTransaction: false)
}

private func lookups(_ workload: String, title: String, _ stores: Stores, isInTransaction: Bool) throws {
    var random = SeededGenerator(seed: 3)
    let keys = stores.playerKeys.shuffled(using: &random)
    let connection = try RawConnection(path: stores.full)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    try Contest(
        workload,
        title: title,
        unit: "objects",
        count: keys.count,
        contestants: [
            lookUpByHand(connection, keys, isInTransaction: isInTransaction),
            .init(name: "chordata") {
                let context = container.newContext()
                return {
                    var players: [Player] = []
                    var checksum = Checksum()
                    func look() throws {
                        for key in keys {
                            let player = try context.existingObject(with: ObjectID<Player>(key: key))
                            checksum.add(player.score)
                            players.append(player)
                        }
                    }
                    if isInTransaction { try context.performAndWait(look) } else { try look() }
                    return { withExtendedLifetime((players, context)) { checksum.value } }
                }
            },
            .init(name: "grdb") {
                {
                    var players: [GRDBPlayer] = []
                    var checksum = Checksum()
                    func look(_ database: Database) throws {
                        let statement = try database.cachedStatement(sql: RawPlayer.selectOne)
                        for key in keys {
                            guard let player = try GRDBPlayer.fetchOne(statement, arguments: [key]) else { continue }
                            checksum.add(player.score)
                            players.append(player)
                        }
                    }
                    if isInTransaction { try queue.read(look) } else { try queue.unsafeRead(look) }
                    return { withExtendedLifetime((players, queue)) { checksum.value } }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W3′: the same with a context in which all players are registered.
func benchmarkLookupsRegistered(_ stores: Stores) throws {
    var random = SeededGenerator(seed: 3)
    let keys = stores.playerKeys.shuffled(using: &random)
    let connection = try RawConnection(path: stores.full)
    let context = try openChordata(stores.full).newContext()
    let registered = try context.fetch(Player.fetchRequest())
    try Contest(
        "W3-registered",
        title: "look up by key what is registered",
        unit: "objects",
        count: keys.count,
        contestants: [
            lookUpByHand(connection, keys, isInTransaction: true),
            .init(name: "chordata") {
                {
                    var players: [Player] = []
                    var checksum = Checksum()
                    for key in keys {
                        let player = try context.existingObject(with: ObjectID<Player>(key: key))
                        checksum.add(player.score)
                        players.append(player)
                    }
                    return { withExtendedLifetime((registered, players)) { checksum.value } }
                }
            },
        ]
    ).run(rounds: rounds)
}

private func lookUpByHand(_ connection: RawConnection, _ keys: [Int64], isInTransaction: Bool) -> Contest.Contestant {
    .init(name: "raw") {
        {
            let statement = try connection.prepare(RawPlayer.selectOne)
            var players: [RawPlayer] = []
            var checksum = Checksum()
            if isInTransaction { try connection.execute("BEGIN") }
            for key in keys {
                sqlite3_bind_int64(statement, 1, key)
                if sqlite3_step(statement) == SQLITE_ROW {
                    let player = RawPlayer(statement)
                    checksum.add(player.score)
                    players.append(player)
                }
                sqlite3_reset(statement)
            }
            if isInTransaction { try connection.execute("COMMIT") }
            return { withExtendedLifetime((players, connection)) { checksum.value } }
        }
    }
}
