import Chordata
import Contest

/// Compares saves of one changed player each, of which each takes a round trip.
func compareSaving(_ workload: Workload, _ stores: Stores, recordsChanges: Bool) throws -> Comparison {
    let keys = try stores.administrator.integers(
        "SELECT \"_id\" FROM \(stores.bareSchema(.all)).\"Player\" ORDER BY \"_id\""
    )
    // Players of different pages, as 7,919 is a prime number.
    let changed = (0..<min(500, keys.count)).map { keys[$0 * 7_919 % keys.count] }
    let writer = try BareWriter(stores, sendsAll: workload == .saveSame)
    /// Returns a number that depends on the scores and the versions of all players.
    func state(_ schema: String) throws -> Int {
        let sum = "SELECT (sum(\"score\") + 1000003 * sum(\"_version\"))::bigint FROM \(schema).\"Player\""
        return Int(try stores.administrator.integers(sum)[0])
    }
    let (schema, bareSchema) = (stores.schema(.all), stores.bareSchema(.all))
    let container = try stores.container(.all, recordsChanges: recordsChanges)
    return Comparison(
        workload: workload,
        count: changed.count,
        bare: [
            .init(name: "bare") {
                let before = try state(bareSchema)
                let rows = try writer.rows(changed)
                return {
                    for row in rows { try writer.save(row) }
                    return { try state(bareSchema) - before }
                }
            }
        ],
        chordata: .init(name: "chordata") {
            let before = try state(schema)
            let context = container.newContext()
            let players = try context.performAndWait {
                try changed.map { try context.existingObject(with: ObjectID<Player>(key: $0)) }
            }
            return {
                for player in players {
                    player.score += 1
                    try context.save()
                }
                return { try withExtendedLifetime((players, context)) { try state(schema) - before } }
            }
        }
    )
}
