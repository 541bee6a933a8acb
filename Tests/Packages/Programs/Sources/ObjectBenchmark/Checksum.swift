import Foundation

/// A number that depends on everything that was read.
struct Checksum {
    private(set) var value = 0

    @inline(__always)
    mutating func add(_ number: Int64) { value = value &* 31 &+ Int(truncatingIfNeeded: number) }

    /// Adds every property of a player.
    @inline(__always)
    mutating func add(
        key: Int64,
        name: String,
        age: Int64,
        salary: Double,
        joined: Date,
        active: Bool,
        uuid: UUID,
        note: String?,
        team: Int64,
        score: Int64
    ) {
        add(key)
        add(Int64(name.utf8.count))
        add(age)
        add(Int64(bitPattern: salary.bitPattern))
        add(Int64(bitPattern: joined.timeIntervalSinceReferenceDate.bitPattern))
        add(active ? 1 : 0)
        add(Int64(uuid.uuid.0) &+ Int64(uuid.uuid.15))
        add(Int64(note?.utf8.count ?? -1))
        add(team)
        add(score)
    }

    @inline(__always)
    mutating func add(_ player: RawPlayer) {
        add(
            key: player.id,
            name: player.name,
            age: player.age,
            salary: player.salary,
            joined: player.joined,
            active: player.active,
            uuid: player.uuid,
            note: player.note,
            team: player.team,
            score: player.score
        )
    }

    @inline(__always)
    mutating func add(_ player: Player) {
        add(
            key: player.objectID.key,
            name: player.name,
            age: player.age,
            salary: player.salary,
            joined: player.joined,
            active: player.active,
            uuid: player.uuid,
            note: player.note,
            team: player.team?.objectID.key ?? 0,
            score: player.score
        )
    }

    @inline(__always)
    mutating func add(_ player: Player.Values) {
        add(
            key: player.objectID.key,
            name: player.name,
            age: player.age,
            salary: player.salary,
            joined: player.joined,
            active: player.active,
            uuid: player.uuid,
            note: player.note,
            team: player.team?.key ?? 0,
            score: player.score
        )
    }

    @inline(__always)
    mutating func add(_ player: GRDBPlayer) {
        add(
            key: player.id,
            name: player.name,
            age: player.age,
            salary: player.salary,
            joined: player.joined,
            active: player.active,
            uuid: player.uuid,
            note: player.note,
            team: player.team ?? 0,
            score: player.score
        )
    }
}
