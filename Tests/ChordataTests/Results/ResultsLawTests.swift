import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The law of results controllers: after every event, the old list with the reported changes is the new list, and the
/// new list is equal to a new fetch.
///
/// `ResultsListTests` checks that every move is justified.
struct ResultsLawTests {
    /// The kind of request and sections that a list has.
    enum Kind: CaseIterable {
        case all, filtered, sections, limited, limitedSections, relatedCondition, relatedSections, toMany, offset,
            descending
    }

    static func request(_ kind: Kind, random: inout SeededGenerator) throws
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
        let table = ResultsTable<Player>()
    }

    private static let eventCount = setting("CHORDATA_RESULTS_EVENTS", small: 2_500)
    private static let seeds: Range<UInt64> = {
        let first = setting("CHORDATA_RESULTS_SEED", small: UInt64(0))
        return first..<first + 20
    }()

    /// F14, F17, F22, F23, F25, F26, F28, S33, S34; and F19, decided differently: changes of related objects are
    /// included if a request or its sections use them.
    @Test(arguments: seeds) func law(seed: UInt64) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            var game = try RandomContextEvents(container, seed: seed)
            // A single list retains few objects, so the others are not registered when other contexts change them.
            let kinds = seed % 2 == 0 ? Kind.allCases : [Kind.allCases.randomElement(using: &game.random)!]
            let listings = try kinds.map { kind in
                var (request, sectionKey) = try Self.request(kind, random: &game.random)
                // The rows of such a list retain no objects.
                if Bool.random(using: &game.random) { request.fetchBatchSize = 3 }
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
            // Each event is counted once for each list.
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

    private func check(_ listing: Listing, _ game: RandomContextEvents, _ place: String) throws {
        let controller = listing.controller
        let arrangement = controller.sections?.map { $0.objects.map(\.objectID) } ?? []
        #expect(controller.changeError == nil, "\(place)")
        expectEqual(listing.table.rows, arrangement, "\(place)")
        let fresh = try game.context.fetch(listing.request)
        expectEqual(fresh.map(\.objectID), arrangement.flatMap { $0 }, "\(place)")
        expectEqual(controller.fetchedObjects, fresh, "\(place)")
        expectEqual(listing.table.willCount, listing.table.didCount)
        for player in fresh {
            let path = try #require(controller.indexPath(forObject: player))
            #expect(controller.object(at: path) === player)
        }
        guard let sectionKey = controller.sectionNameKeyPath else { return }
        let names = controller.sections?.map(\.name) ?? []
        expectEqual(Set(names).count, names.count, "\(place)")
        for section in controller.sections ?? [] {
            for player in section.objects {
                #expect(section.name == (sectionKey == "age" ? "\(player.age)" : player.team?.name), "\(place)")
            }
        }
    }
}
