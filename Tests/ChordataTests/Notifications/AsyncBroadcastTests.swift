import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Streams of values, some of which receive only the values of selected contexts.
struct AsyncBroadcastTests {
    private func elements<Element>(of stream: AsyncStream<Element>) async -> [Element] {
        var elements: [Element] = []
        for await element in stream { elements.append(element) }
        return elements
    }

    @Test func sequencesGetTheValuesOfSelectedContexts() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (first, second) = (container.newContext(), container.newContext())
        second.name = "second"
        var broadcast: AsyncBroadcast<Int>? = AsyncBroadcast()
        let all = try #require(broadcast?.makeStream())
        let selected = try #require(broadcast?.makeStream { $0.name == "second" })
        let none = try #require(broadcast?.makeStream { _ in false })
        broadcast?.send(1, from: first)
        broadcast?.send(2, from: second)
        // The predicate is evaluated when the value is sent.
        first.name = "second"
        broadcast?.send(3, from: first)
        broadcast = nil
        expectEqual(await elements(of: all), [1, 2, 3])
        expectEqual(await elements(of: selected), [2, 3])
        expectEqual(await elements(of: none), [])
    }

    /// A predicate is code of the program, which may subscribe or save: it runs without the lock.
    @Test(.timeLimit(.minutes(30))) func predicatesCanUseTheBroadcast() async throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let broadcast = AsyncBroadcast<Int>()
        let stream = broadcast.makeStream { [weak broadcast] _ in broadcast?.hasSubscribers == true }
        broadcast.send(1, from: context)
        broadcast.finish()
        #expect(await elements(of: stream) == [1] && !broadcast.hasSubscribers)
    }

    @Test func savesOfChildContextsAreNoSavesOfTheStore() async throws {
        var container: PersistentContainer? = try LeagueModel.definition.testContainer(at: ":memory:")
        let saves = try #require(container?.saves)
        if let container {
            let parent = container.newContext()
            let child = ManagedObjectContext()
            (parent.name, child.name, child.parent) = ("parent", "child", parent)
            _ = Team(context: child, name: "Reds")
            try await child.save()
            try await parent.save()
        }
        container = nil
        expectEqual(await elements(of: saves).map(\.contextName), ["parent"])
    }

    /// Observers of all contexts recognize their own context and its coordinator.
    @Test func savesOfAnyContextHaveTheirOrigin() throws {
        let (container, stranger) = (
            try LeagueModel.definition.testContainer(at: ":memory:"),
            try LeagueModel.definition.testContainer(at: ":memory:")
        )
        let (own, other) = (container.newContext(), container.newContext())
        let save = AnyContextSave(of: own, ObjectIDChanges())
        #expect(save.isOf(own) && !save.isOf(other))
        #expect(save.isOf(container.persistentStoreCoordinator))
        #expect(!save.isOf(stranger.persistentStoreCoordinator) && !save.isOf(nil as PersistentStoreCoordinator?))
    }
}
