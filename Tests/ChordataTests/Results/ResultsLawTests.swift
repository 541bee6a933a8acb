import Foundation
import Testing

@testable import Chordata

/// The law of results controllers: after every event the old arrangement with the reported changes is the new one, which is what a
/// fresh fetch gives.
///
/// That every move is justified `ResultsListTests` shows.
struct ResultsLawTests {
    /// What is listed.
    private enum Kind: CaseIterable {
        case all, filtered, sections, limited, limitedSections, relatedCondition, relatedSections, toMany, offset,
            descending
    }

    private static func request(_ kind: Kind, random: inout SeededGenerator) throws
        -> (request: FetchRequest<Player>, sectionKey: String?)
    {
        let all = Player.fetchRequest()
        let age = Int.random(in: 2...8, using: &random)
        return switch kind {
        case .all: (all.sorted(by: \.age).sorted(by: \.name), nil)
        case .filtered: (try all.where(format: "age < %@ AND name != 'N3'", age).sorted(by: \.name), nil)
        case .sections: (all.sorted(by: \.age).sorted(by: \.name), "age")
        case .limited: (try all.where(format: "age != %@", age).sorted(by: \.name).limit(7), nil)
        case .limitedSections: (all.sorted(by: \.age).limit(9), "age")
        case .relatedCondition: (try all.where(format: "team.city == 'Ulm' OR age < %@", age).sorted(by: \.name), nil)
        case .relatedSections:
            (try all.where(format: "team != nil").sorted(by: "team.name").sorted(by: \.age), "team.name")
        case .toMany: (try all.where(format: "team.players.@count < 5").sorted(by: "team.city").sorted(by: \.name), nil)
        case .offset: (all.sorted(by: \.name).offset(2).limit(6), nil)
        case .descending: (all.sorted(by: \.name, .descending, comparing: .caseInsensitive), nil)
        }
    }

    private struct Listing {
        let kind: Kind
        let request: FetchRequest<Player>
        let controller: FetchedResultsController<Player>
        let table = ResultsTable()
    }

    private static let eventCount =
        ProcessInfo.processInfo.environment["CHORDATA_RESULTS_EVENTS"].flatMap { Int($0) } ?? 20_000
    private static let seeds: Range<UInt64> = {
        let first = ProcessInfo.processInfo.environment["CHORDATA_RESULTS_SEED"].flatMap { UInt64($0) } ?? 0
        return first..<first + 20
    }()

    @Test(arguments: seeds) func law(seed: UInt64) throws {
        try withStorePath { path in
            let container = try LeagueModel.container(at: path)
            var game = try Game(container, seed: seed)
            // Alone, a list holds few objects, and the rest are not known when others change them.
            let kinds = seed % 2 == 0 ? Kind.allCases : [Kind.allCases.randomElement(using: &game.random)!]
            let listings = try kinds.map { kind in
                let (request, sectionKey) = try Self.request(kind, random: &game.random)
                let controller = FetchedResultsController(
                    fetchRequest: request,
                    managedObjectContext: game.context,
                    sectionNameKeyPath: sectionKey
                )
                let listing = Listing(kind: kind, request: request, controller: controller)
                controller.delegate = listing.table
                try controller.performFetch()
                listing.table.show(controller)
                return listing
            }
            // Each event counts for each list.
            for step in 0..<max(1, Self.eventCount / Self.seeds.count / listings.count) {
                try game.makeEvent()
                game.checkGraph("seed \(seed), step \(step)")
                for listing in listings {
                    try check(listing, game, "seed \(seed), step \(step), \(listing.kind)")
                }
                if Bool.random(using: &game.random) { game.forgetObjects() }
            }
        }
    }

    private func check(_ listing: Listing, _ game: Game, _ place: String) throws {
        let controller = listing.controller
        let arrangement = controller.sections?.map { $0.objects.map(\.objectID) } ?? []
        #expect(controller.changeError == nil, "\(place)")
        #expect(listing.table.rows == arrangement, "\(place)")
        let fresh = try game.context.fetch(listing.request)
        #expect(fresh.map(\.objectID) == arrangement.flatMap { $0 }, "\(place)")
        #expect(controller.fetchedObjects == fresh, "\(place)")
        #expect(listing.table.willCount == listing.table.didCount)
        for player in fresh {
            let path = try #require(controller.indexPath(forObject: player))
            #expect(controller.object(at: path) === player)
        }
        guard let sectionKey = controller.sectionNameKeyPath else { return }
        let names = controller.sections?.map(\.name) ?? []
        #expect(Set(names).count == names.count, "\(place)")
        for section in controller.sections ?? [] {
            for player in section.objects {
                #expect(section.name == (sectionKey == "age" ? "\(player.age)" : player.team?.name), "\(place)")
            }
        }
    }
}

/// Random events in a context that another one's saves are merged into.
private struct Game {
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

    /// Saves, or gives up what was changed here and deleted elsewhere.
    private func save(_ place: ManagedObjectContext) throws {
        do {
            try place.save()
        } catch is SaveConflictError {
            place.rollback()
        }
    }

    /// Both ends of a relationship say the same.
    func checkGraph(_ place: String) {
        for object in context.registeredObjects where !object.isDeleted && !object.isFault {
            if let player = object as? Player, let team = player.team {
                #expect(team.isDeleted || team.players.contains(player), "\(place)")
            } else if let team = object as? Team {
                #expect(team.players.allSatisfy { $0.team === team }, "\(place)")
            }
        }
    }

    /// Lets go of what nobody holds, so that faults are among what an event meets.
    func forgetObjects() { context.sweep() }

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
