import Chordata
import Contest
import Foundation
import Observation

/// A class with the properties of a player that Swift's macro makes observable, for comparison.
@Observable
private final class ObservablePlayer {
    var name: String
    var age: Int64
    var salary: Double
    var active: Bool
    var joined: Date
    var note: String?
    var uuid: UUID
    var score: Int64

    init(_ player: Player) {
        name = player.name
        age = player.age
        salary = player.salary
        active = player.active
        joined = player.joined
        note = player.note
        uuid = player.uuid
        score = player.score
    }
}

/// The properties of a player that a view reads.
private protocol ReadablePlayer {
    var name: String { get }
    var age: Int64 { get }
    var salary: Double { get }
    var active: Bool { get }
    var joined: Date { get }
    var note: String? { get }
    var uuid: UUID { get }
    var score: Int64 { get }
}

extension Player: ReadablePlayer {}
extension ObservablePlayer: ReadablePlayer {}

/// Reads eight properties of each player; the function is compiled for each of the classes.
@inline(__always)
private func hashProperties(of players: [some ReadablePlayer]) -> Int {
    var hash = 0
    for player in players {
        hash &+= player.name.utf8.count &+ Int(player.age) &+ Int(player.salary) &+ (player.active ? 1 : 0)
        hash &+= Int(player.joined.timeIntervalSinceReferenceDate) &+ (player.note?.utf8.count ?? 0)
        hash &+= Int(player.uuid.uuid.0) &+ Int(player.score)
    }
    return hash
}

/// W13: reads one property of all players, with contexts whose objects cannot be observed, can be observed but are not,
/// and are observed, and of objects of an observable class.
func benchmarkObservedReading(_ stores: Stores) throws {
    let container = try openChordata(stores.full)
    func contestant(_ name: String, isEnabled: Bool, _ read: @escaping (Player) -> Int64) throws -> Contest.Contestant {
        let context = container.newContext()
        context.isObservationEnabled = isEnabled
        let players = try context.fetch(Player.fetchRequest())
        return .init(name: name) {
            {
                var sum: Int64 = 0
                for player in players { sum &+= read(player) }
                return { withExtendedLifetime((players, context)) { Int(sum) } }
            }
        }
    }
    let plainPlayers = try container.newContext().fetch(Player.fetchRequest()).map(ObservablePlayer.init)
    try Contest(
        "W13-read",
        title: "read one property",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            contestant("off", isEnabled: false) { $0.score },
            contestant("on", isEnabled: true) { $0.score },
            contestant("observed", isEnabled: true) { player in
                withObservationTracking {
                    player.score
                } onChange: {
                }
            },
            .init(name: "@Observable") {
                {
                    var sum: Int64 = 0
                    for player in plainPlayers {
                        sum &+= withObservationTracking {
                            player.score
                        } onChange: {
                        }
                    }
                    return { Int(sum) }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W13: reads eight properties of a thousand players in one tracked closure, as a view does.
func benchmarkObservedView(_ stores: Stores) throws {
    let container = try openChordata(stores.full)
    let count = min(1_000, stores.playerKeys.count)
    func contestant(_ name: String, isEnabled: Bool, isTracked: Bool) throws -> Contest.Contestant {
        let context = container.newContext()
        context.isObservationEnabled = isEnabled
        let players = try context.fetch(Player.fetchRequest().limit(count))
        return .init(name: name) {
            {
                let hash =
                    isTracked
                    ? withObservationTracking {
                        hashProperties(of: players)
                    } onChange: {
                    } : hashProperties(of: players)
                return { withExtendedLifetime((players, context)) { hash } }
            }
        }
    }
    let plainPlayers = try container.newContext().fetch(Player.fetchRequest().limit(count)).map(ObservablePlayer.init)
    try Contest(
        "W13-view",
        title: "read eight properties of each of 1,000 objects in one closure",
        unit: "reads",
        count: count * 8,
        contestants: [
            contestant("off", isEnabled: false, isTracked: false), contestant("on", isEnabled: true, isTracked: false),
            contestant("observed", isEnabled: true, isTracked: true),
            .init(name: "@Observable") {
                {
                    let hash = withObservationTracking {
                        hashProperties(of: plainPlayers)
                    } onChange: {
                    }
                    return { hash }
                }
            },
        ]
    ).run(rounds: rounds)
}

/// W13: sets the same property.
func benchmarkObservedSetting(_ stores: Stores) throws {
    let container = try openChordata(stores.full)
    func contestant(_ name: String, isEnabled: Bool, isObserved: Bool) throws -> Contest.Contestant {
        let context = container.newContext()
        context.isObservationEnabled = isEnabled
        let players = try context.fetch(Player.fetchRequest())
        return .init(name: name) {
            context.rollback()
            if isObserved {
                for player in players {
                    withObservationTracking {
                        _ = player.score
                    } onChange: {
                    }
                }
            }
            return {
                var score: Int64 = 0
                for player in players {
                    player.score = score
                    score += 1
                }
                return { withExtendedLifetime((players, context)) { Int(players.reduce(0) { $0 + $1.score }) } }
            }
        }
    }
    try Contest(
        "W13-set",
        title: "set one property",
        unit: "objects",
        count: stores.playerKeys.count,
        contestants: [
            contestant("off", isEnabled: false, isObserved: false),
            contestant("on", isEnabled: true, isObserved: false),
            contestant("observed", isEnabled: true, isObserved: true),
        ]
    ).run(rounds: rounds)
}
