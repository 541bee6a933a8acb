import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Changes and saves as asynchronous sequences.
struct StreamTests {
    private func makeContext() throws -> (PersistentContainer, ManagedObjectContext) {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        return (container, container.newContext())
    }

    /// All elements of a sequence that has ended.
    private func elements<Element>(of stream: AsyncStream<Element>) async -> [Element] {
        var elements: [Element] = []
        for await element in stream { elements.append(element) }
        return elements
    }

    @Test func nothingIsLostBeforeItIsConsumed() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        var context: ManagedObjectContext? = container.newContext()
        let (first, second) = (context?.changes, context?.changes)
        let saves = try #require(context?.saves)
        var ids: [ManagedObjectID] = []
        if let context {
            for index in 0..<100 {
                let team = Team(context: context, name: "T\(index)")
                ids.append(team.objectID)
                context.processPendingChanges()
            }
            try await context.save()
            (context.registeredObject(for: ids[0]) ?? context.object(with: ids[0])).setValue("X", forKey: "name")
            context.delete(context.object(with: ids[1]))
            try await context.save()
            context.reset()
        }
        context = nil  // The sequences end with it.
        for stream in [first, second] {
            let changes = await elements(of: try #require(stream))
            expectEqual(changes.prefix(100).map(\.inserted), ids.map { [$0] })
            expectEqual(
                changes.dropFirst(100),
                [
                    ObjectIDChanges(updated: [ids[0]], deleted: [ids[1]]), ObjectIDChanges(invalidatesAll: true),
                ]
            )
        }
        expectEqual(
            await elements(of: saves),
            [
                ObjectIDChanges(inserted: Set(ids)), ObjectIDChanges(updated: [ids[0]], deleted: [ids[1]]),
            ]
        )
    }

    @Test func consumersInOtherTasksReceiveMerges() async throws {
        let (container, context) = try makeContext()
        let team = Team(context: context, name: "Reds")
        try await context.save()
        let reader = container.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let copy = try reader.existingObject(with: team.objectID)
        let stream = reader.changes
        let consumer = Task.detached { await stream.first { !$0.refreshed.isEmpty } }
        team.city = "Ulm"
        try await context.save()
        reader.processPendingChanges()
        expectEqual(await consumer.value, ObjectIDChanges(refreshed: [copy.objectID]))
    }

    @Test func aConsumerThatEndsIsForgotten() async throws {
        let (_, context) = try makeContext()
        do {
            let stream = context.changes
            #expect(context.notifier.changeBroadcast?.hasSubscribers == true)
            withExtendedLifetime(stream) {}
        }
        #expect(context.notifier.changeBroadcast?.hasSubscribers == false)
        let stream = context.changes
        let consumer = Task { for await _ in stream {} }
        consumer.cancel()
        await consumer.value
        #expect(context.notifier.changeBroadcast?.hasSubscribers == false)
    }

    @Test func theSavesOfAStore() async throws {
        var container: PersistentContainer? = try LeagueModel.definition.testContainer(at: ":memory:")
        let saves = try #require(container?.saves)
        let also = try #require(container?.persistentStoreCoordinator.saves)
        var expected: [ContextSave] = []
        if let container {
            let (import_, screen) = (container.newContext(), container.newContext())
            import_.name = "import"
            let team = Team(context: import_, name: "Reds")
            try await import_.save()
            expected.append(ContextSave(contextName: "import", changes: ObjectIDChanges(inserted: [team.objectID])))
            let copy = try #require(try screen.existingObject(with: team.objectID) as? Team)
            copy.city = "Ulm"
            try await screen.save()
            expected.append(ContextSave(contextName: nil, changes: ObjectIDChanges(updated: [team.objectID])))
            let keys = try import_.insertValues([Team.Values(objectID: ObjectID(), name: "Blues", city: nil)])
            let ids = keys.map { ManagedObjectID(runtimeEntity: team.objectID.runtimeEntity, key: $0.key) }
            expected.append(ContextSave(contextName: "import", changes: ObjectIDChanges(inserted: Set(ids))))
        }
        container = nil
        expectEqual(await elements(of: saves), expected)
        expectEqual(await elements(of: also), expected)
    }

    /// Eight contexts save concurrently, and each of two consumers receives all saves.
    @Test func savesOfManyThreads() async throws {
        let (contexts, count) = (8, 25)
        var container: PersistentContainer? = try LeagueModel.definition.testContainer(at: ":memory:")
        let streams = [container?.saves, container?.saves].compactMap { $0 }
        if let container {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<contexts {
                    group.addTask {
                        try await container.performBackgroundTask { context in
                            context.name = "\(index)"
                            for number in 0..<count {
                                _ = Team(context: context, name: "\(index) \(number)")
                                try context.save()
                            }
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        container = nil
        for stream in streams {
            let saves = await elements(of: stream)
            let byName = Dictionary(grouping: saves) { $0.contextName }
            #expect(byName.count == contexts && byName.values.allSatisfy { $0.count == count })
            expectEqual(Set(saves.flatMap { $0.changes.inserted }).count, contexts * count)
        }
    }

    @Test func aCoordinatorWithoutStoreHasNoSaves() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = PersistentStoreCoordinator(managedObjectModel: LeagueModel.definition).saves
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("add a store to the coordinator"))
    }

    /// The merges of a context, automatic or explicit.
    @Test(arguments: [true, false])
    func mergesAreReported(byItself: Bool) async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let sender = container.newContext()
        var receiver: ManagedObjectContext? = container.newContext()
        let merges = try #require(receiver?.merges)
        var expected: [ObjectIDChanges] = []
        let team = Team(context: sender, name: "Reds")
        for step in 0..<3 {
            switch step {
            case 0: expected.append(ObjectIDChanges(inserted: [team.objectID]))
            case 1:
                team.name = "Blues"
                expected.append(ObjectIDChanges(updated: [team.objectID]))
            default:
                expected.append(ObjectIDChanges(deleted: [team.objectID]))
                sender.delete(team)
            }
            try await sender.save()
            if byItself {
                receiver?.automaticallyMergesChangesFromParent = true
                receiver?.processPendingChanges()
            } else {
                receiver?.mergeChanges(expected[step])
            }
        }
        receiver = nil
        expectEqual(await elements(of: merges), expected)
    }
}
