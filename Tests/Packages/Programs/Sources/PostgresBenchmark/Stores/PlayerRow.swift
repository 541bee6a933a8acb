import Chordata
import Foundation

/// A player that was read by one of the contestants.
protocol PlayerRow {
    var rowKey: Int64 { get }
    var name: String { get }
    var age: Int64 { get }
    var salary: Double { get }
    var joined: Date { get }
    var active: Bool { get }
    var uuid: UUID { get }
    var note: String? { get }
    var score: Int64 { get }
    /// The row key of the team; 0 for no team.
    var teamKey: Int64 { get }
}

extension Player: PlayerRow {
    var rowKey: Int64 { objectID.key }
    var teamKey: Int64 { team?.objectID.key ?? 0 }
}

extension Player.Values: PlayerRow {
    var rowKey: Int64 { objectID.key }
    var teamKey: Int64 { team?.key ?? 0 }
}

/// Returns a number that depends on all values of players, and on their order.
@inline(__always)
func checksum(_ players: [some PlayerRow]) -> Int {
    var value: UInt64 = 0
    func add(_ number: Int64) { value = value &* 31 &+ UInt64(bitPattern: number) }
    for player in players {
        add(player.rowKey)
        add(Int64(player.name.utf8.count))
        add(player.age)
        add(Int64(bitPattern: player.salary.bitPattern))
        add(Int64(bitPattern: player.joined.timeIntervalSinceReferenceDate.bitPattern))
        add(player.active ? 1 : 0)
        add(Int64(player.uuid.uuid.0) &+ Int64(player.uuid.uuid.15))
        add(Int64(player.note?.utf8.count ?? -1))
        add(player.score)
        add(player.teamKey)
    }
    return Int(truncatingIfNeeded: value)
}
