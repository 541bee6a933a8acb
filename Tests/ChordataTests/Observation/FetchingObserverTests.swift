import ChordataTestStores
import ChordataTestSupport
import Foundation
import Observation
import Testing

@testable import Chordata

/// Observers are notified while no statement runs, so they may read the store.
struct FetchingObserverTests {
    /// A context with three teams that another container has changed since, and observers of the teams that fetch.
    private struct Screen {
        let context: ManagedObjectContext
        let teams: [Team]
        let request: FetchRequest<Team>

        init(path: String) throws {
            let stranger = try LeagueModel.definition.testContainer(at: path).newContext()
            let originals = (0..<3).map { Team(context: stranger, name: "T\($0)") }
            try stranger.save()
            context = try LeagueModel.definition.testContainer(at: path).newContext()
            context.isObservationEnabled = true
            var request = Team.fetchRequest().sorted(by: \.name)
            request.shouldRefreshRefetchedObjects = true
            self.request = request
            teams = try context.fetch(request)
            for original in originals { original.city = "Ulm" }
            try stranger.save()
        }

        /// Passes the number of objects that each observer fetches when a city changes to a closure.
        func observeCities(_ found: @escaping @Sendable (Int) -> Void) {
            let request = request
            nonisolated(unsafe) let context = context
            for team in teams {
                withObservationTracking {
                    _ = team.city
                } onChange: {
                    do {
                        found(try context.fetch(request).count)
                    } catch {
                        Issue.record(error)
                    }
                }
            }
        }
    }

    @Test func aRefetch() throws {
        try withStorePath { path in
            let screen = try Screen(path: path)
            nonisolated(unsafe) var counts: [Int] = []
            screen.observeCities { counts.append($0) }
            let found = try screen.context.fetch(screen.request)
            #expect(found == screen.teams && found.allSatisfy { $0.city == "Ulm" })
            expectEqual(counts, [3, 3, 3])
        }
    }

    @Test func anExplicitMerge() throws {
        try withStorePath { path in
            let screen = try Screen(path: path)
            nonisolated(unsafe) var counts: [Int] = []
            screen.observeCities { counts.append($0) }
            screen.context.mergeChanges(ObjectIDChanges(updated: Set(screen.teams.map(\.objectID))))
            #expect(screen.teams.allSatisfy { $0.city == "Ulm" })
            expectEqual(counts, [3, 3, 3])
        }
    }
}
