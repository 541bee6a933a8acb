import Chordata
import Contest
import GRDB

/// W2: fetches all players with a context in which none is registered, and reads every property.
func benchmarkFetching(_ stores: Stores) throws {
    let connection = try RawConnection(path: stores.full)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    try Contest(
        "W2",
        title: "fetch, touch every property",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            fetchByHand(connection),
            .init(name: "chordata") {
                let context = container.newContext()
                return {
                    let players = try context.fetch(Player.fetchRequest())
                    var checksum = Checksum()
                    for player in players { checksum.add(player) }
                    return { withExtendedLifetime((players, context)) { checksum.value } }
                }
            },
            .init(name: "values") {
                let context = container.newContext()
                return {
                    let players: [Player.Values] = try context.fetchValues(Player.fetchRequest())
                    var checksum = Checksum()
                    for player in players { checksum.add(player) }
                    return { withExtendedLifetime((players, context)) { checksum.value } }
                }
            },
            .init(name: "grdb") {
                {
                    let players = try queue.read { try GRDBPlayer.fetchAll($0, sql: RawPlayer.selectAll) }
                    var checksum = Checksum()
                    for player in players { checksum.add(player) }
                    return { withExtendedLifetime((players, queue)) { checksum.value } }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W2′: the same with a context in which all players are registered.
func benchmarkFetchingRegistered(_ stores: Stores) throws {
    let connection = try RawConnection(path: stores.full)
    let context = try openChordata(stores.full).newContext()
    let registered = try context.fetch(Player.fetchRequest())
    try Contest(
        "W2-registered",
        title: "fetch what is registered, touch every property",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            fetchByHand(connection),
            .init(name: "chordata") {
                {
                    let players = try context.fetch(Player.fetchRequest())
                    var checksum = Checksum()
                    for player in players { checksum.add(player) }
                    return { withExtendedLifetime((registered, players)) { checksum.value } }
                }
            },
        ]
    ).run(rounds: rounds)
}

private func fetchByHand(_ connection: RawConnection) -> Contest.Contestant {
    .init(name: "raw") {
        {
            let players = RawPlayer.fetch(try connection.prepare(RawPlayer.selectAll))
            var checksum = Checksum()
            for player in players { checksum.add(player) }
            return { withExtendedLifetime((players, connection)) { checksum.value } }
        }
    }
}

/// W9: measures the bytes that each player takes while it is held.
func measureMemory(_ stores: Stores) throws {
    let connection = try RawConnection(path: stores.full)
    let statement = try connection.prepare(RawPlayer.selectAll)
    let container = try openChordata(stores.full)
    let queue = try openGRDB(stores.full)
    try MemoryContest(
        "W9",
        title: "bytes of the players of W2",
        count: stores.playerKeys.count,
        contestants: [
            .init(name: "raw") { RawPlayer.fetch(statement) },
            .init(name: "chordata") {
                let context = container.newContext()
                return (try context.fetch(Player.fetchRequest()), context)
            },
            .init(name: "values") {
                let values: [Player.Values] = try container.newContext().fetchValues(Player.fetchRequest())
                return values
            },
            .init(name: "grdb") { try queue.read { try GRDBPlayer.fetchAll($0, sql: RawPlayer.selectAll) } },
            .init(name: "list") { try list(batchSize: 0, container) },
            .init(name: "list, batches of 20") { try list(batchSize: 20, container) },
        ]
    ).run()
}

private func list(batchSize: Int, _ container: PersistentContainer) throws -> FetchedResultsController<Player> {
    let controller = FetchedResultsController(
        fetchRequest: Player.fetchRequest().sorted(by: \.name).batchSize(batchSize),
        managedObjectContext: container.newContext()
    )
    try controller.performFetch()
    return controller
}
