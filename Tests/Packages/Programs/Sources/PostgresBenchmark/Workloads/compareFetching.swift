import Chordata
import Contest

/// The order of ``Stores``' players, with the row key as in each fetch of Chordata.
private let order = "ORDER BY \"joined\" NULLS FIRST, \"_id\""

/// Compares a fetch of all players in the order of an index.
func compareFetching(_ workload: Workload, _ stores: Stores) throws -> Comparison {
    let connection = try stores.bareConnection(.all)
    let select = try connection.prepare("select", "SELECT \(BarePlayer.columns) FROM \"Player\" \(order)")
    let container = try stores.container(.all)
    let request = Player.fetchRequest().sorted(by: \.joined)
    return Comparison(
        workload: workload,
        count: stores.sample.players.count,
        bare: [
            .init(name: "bare") {
                {
                    var players: [BarePlayer] = []
                    try connection.run([(select, nil)]) { players.append(BarePlayer($0)) }
                    let answer = checksum(players)
                    return { withExtendedLifetime(players) { answer } }
                }
            }
        ],
        chordata: .init(name: "chordata") {
            let context = container.newContext()
            return {
                if workload == .fetchValues {
                    let values: [Player.Values] = try context.fetchValues(request)
                    let answer = checksum(values)
                    return { withExtendedLifetime((values, context)) { answer } }
                }
                let players = try context.fetch(request)
                let answer = checksum(players)
                return { withExtendedLifetime((players, context)) { answer } }
            }
        }
    )
}

/// Compares a fetch of all players in batches of 20, of which each takes a round trip.
func compareBatches(_ stores: Stores) throws -> Comparison {
    let size = 20
    let connection = try stores.bareConnection(.all)
    try connection.prepare("begin", "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    try connection.prepare("commit", "COMMIT")
    try connection.prepare("keys", "SELECT \"_id\" FROM \"Player\" \(order)")
    try connection.prepare("batch", "SELECT \(BarePlayer.columns) FROM \"Player\" WHERE \"_id\" = ANY($1::bigint[])")
    let container = try stores.container(.all)
    let request = Player.fetchRequest().sorted(by: \.joined).batchSize(size)
    return Comparison(
        workload: .batches,
        count: stores.sample.players.count,
        bare: [
            .init(name: "bare") {
                {
                    var keys: [Int64] = []
                    try connection.run([("begin", nil), ("keys", nil)]) { keys.append($0[0].integer) }
                    var players: [BarePlayer] = []
                    players.reserveCapacity(keys.count)
                    let buffer = BareBuffer()
                    for start in stride(from: 0, to: keys.count, by: size) {
                        let batch = keys[start..<min(start + size, keys.count)]
                        buffer.removeAll()
                        buffer.beginArray(of: 20, count: batch.count)
                        for key in batch { buffer.add(key) }
                        var rows: [BarePlayer] = []
                        try connection.run([("batch", buffer)]) { rows.append(BarePlayer($0)) }
                        // The rows have no order.
                        for key in batch {
                            guard let row = rows.first(where: { $0.rowKey == key }) else { continue }
                            players.append(row)
                        }
                    }
                    let answer = checksum(players)
                    return {
                        try connection.run([("commit", nil)])
                        return withExtendedLifetime(players) { answer }
                    }
                }
            }
        ],
        chordata: .init(name: "chordata") {
            let context = container.newContext()
            return {
                // All batches are read in one transaction.
                let (players, answer) = try context.performAndWait {
                    let players = try context.fetch(request)
                    return (players, checksum(players))
                }
                return { withExtendedLifetime((players, context)) { answer } }
            }
        }
    )
}
