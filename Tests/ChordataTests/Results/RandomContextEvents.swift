import ChordataTestSupport
import Testing

@testable import Chordata

/// Random events in a context that merges the saves of another context.
struct RandomContextEvents {
    let context: ManagedObjectContext
    private let other: ManagedObjectContext
    var random: SeededGenerator
    private var number = 0

    init(_ container: PersistentContainer, seed: UInt64) throws {
        random = SeededGenerator(seed: seed)
        context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = .mergeByPropertyObjectTrump
        other = container.newContext()
        other.mergePolicy = .mergeByPropertyStoreTrump
        for index in 0..<4 { Team(context: context, name: "T\(index)").city = index % 2 == 0 ? "Ulm" : "Jena" }
        for _ in 0..<12 { try insert(in: context) }
        try context.save()
    }

    mutating func makeEvent() throws {
        let isMerged = Int.random(in: 0..<4, using: &random) == 0
        let place = isMerged ? other : context
        for _ in 0..<Int.random(in: 1...4, using: &random) { try change(in: place) }
        if isMerged {
            try save(other)
            context.processPendingChanges()
        } else if Int.random(in: 0..<3, using: &random) == 0 {
            try save(context)
        } else {
            context.processPendingChanges()
        }
    }

    /// Saves, or rolls back if an object that was changed here was deleted by the other context.
    private func save(_ place: ManagedObjectContext) throws {
        do {
            try place.save()
        } catch is SaveConflictError {
            place.rollback()
        }
    }

    /// Checks that both ends of each relationship agree.
    func checkGraph(_ place: String) {
        for object in context.registeredObjects where !object.isDeleted && !object.isFault {
            if let player = object as? Player, let team = player.team {
                #expect(team.isDeleted || team.players.contains(player), "\(place)")
            } else if let team = object as? Team {
                #expect(team.players.allSatisfy { $0.team === team }, "\(place)")
            }
        }
    }

    /// Releases objects without other references, so that later events also affect faults.
    func forgetObjects() { context.graph.sweep() }

    private mutating func insert(in place: ManagedObjectContext) throws {
        number += 1
        let player = Player(context: place, name: ["N", "n", "Ä"].randomElement(using: &random)! + "\(number % 40)")
        player.age = .random(in: 0..<10, using: &random)
        player.team = try team(in: place)
    }

    private mutating func team(in place: ManagedObjectContext) throws -> Team? {
        try (place.fetch(Team.fetchRequest()) + [nil]).randomElement(using: &random) ?? nil
    }

    private mutating func change(in place: ManagedObjectContext) throws {
        let players = try place.fetch(Player.fetchRequest())
        let player = players.randomElement(using: &random)
        switch Int.random(in: 0..<14, using: &random) {
        case 0, 1: if players.count < 25 { try insert(in: place) }
        case 2: if players.count > 5, let player { place.delete(player) }
        case 3, 4: player?.team = try team(in: place)
        case 5, 6: player?.name += ["!", ""].randomElement(using: &random)!
        case 7, 8, 9: player?.age = .random(in: 0..<10, using: &random)
        case 10: try team(in: place)?.city = ["Ulm", "Jena", nil].randomElement(using: &random)!
        case 11:
            number += 1
            try team(in: place)?.name = "T\(number % 3)\(number)"
        case 12:
            switch Int.random(in: 0..<4, using: &random) {
            case 0: place.refreshAllObjects()
            case 1: if let player { place.refresh(player, mergeChanges: Bool.random(using: &random)) }
            case 2: place.rollback()
            default: if let team = try team(in: place) { place.refresh(team, mergeChanges: true) }
            }
        default:
            guard let team = try team(in: place), try place.count(for: Team.fetchRequest()) > 2 else { return }
            place.delete(team)
        }
    }
}
