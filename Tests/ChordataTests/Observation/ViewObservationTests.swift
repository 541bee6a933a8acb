import Chordata
import ChordataTestStores
import ChordataTestSupport
import Observation
import Testing

/// Observation of the view context, as in a user interface.
@MainActor struct ViewObservationTests {
    /// A view that shows a line of text for an object, and redraws itself when the text changes.
    @MainActor private final class Line {
        private let player: Player
        private(set) var drawn: [String] = []

        init(_ player: Player) {
            self.player = player
            draw()
        }

        private func draw() {
            drawn.append(
                withObservationTracking {
                    "\(player.name), \(player.team?.name ?? "free")"
                } onChange: { [weak self] in
                    Task { @MainActor in self?.draw() }
                }
            )
        }

        /// Waits until the line has been drawn the given number of times.
        func drawn(times count: Int) async -> [String] {
            while drawn.count < count { await Task.yield() }
            return drawn
        }
    }

    private func makeContainer() throws -> PersistentContainer {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        container.viewContext.isObservationEnabled = true
        return container
    }

    @Test(.timeLimit(.minutes(30))) func aViewDrawsItselfAnew() async throws {
        let container = try makeContainer()
        let context = container.viewContext
        let player = Player(context: context, name: "Ann")
        let line = Line(player)
        player.name = "Anna"
        player.age = 30
        let team = Team(context: context, name: "Reds")
        team.addToPlayers(player)
        expectEqual(await line.drawn(times: 2), ["Ann, free", "Anna, Reds"], "once for a turn of the main actor")
        try await context.save()
        let id = ObjectID(team)
        try await container.performBackgroundTask { context in
            try context.existingObject(with: id).name = "Blues"
            try context.save()
        }
        expectEqual(await line.drawn(times: 3).last, "Anna, Blues")
        context.delete(team)
        expectEqual(await line.drawn(times: 4).last, "Anna, free")
    }

    @available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)
    @Test(.timeLimit(.minutes(30))) func aSequenceOfValues() async throws {
        let container = try makeContainer()
        let context = container.viewContext
        let player = Player(context: context, name: "Ann")
        try await context.save()
        let id = ObjectID(player)
        let names = Observations { player.name }
        var seen: [String] = []
        for await name in names {
            seen.append(name)
            switch seen.count {
            case 1: player.name = "Anna"
            case 2:
                try await context.save()
                try await container.performBackgroundTask { context in
                    try context.existingObject(with: id).name = "Hannah"
                    try context.save()
                }
            default: break
            }
            if seen.count == 3 { break }
        }
        expectEqual(seen, ["Ann", "Anna", "Hannah"])
    }
}
