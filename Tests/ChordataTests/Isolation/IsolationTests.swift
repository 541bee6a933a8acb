import ChordataTestStores
import ChordataTestSupport
import Dispatch
import Testing

@testable import Chordata

/// Observes the events of a context, in any isolation.
private final class EventCounter: ContextObserver {
    private(set) var sizes: [Int] = []
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func contextDidChange(_ change: ContextChange) {
        sizes.append(change.inserted.count + change.updated.count + change.deleted.count)
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func contextDidChangeKey(_ old: Int64, of object: ManagedObject) {}

    /// Waits for the next event.
    nonisolated(nonsending) func nextEvent() async {
        await withCheckedContinuation { waiting.append($0) }
    }
}

/// An actor that uses a context, as in an app.
private actor Desk {
    let context: ManagedObjectContext
    private let events = EventCounter()
    private var team: Team?

    /// A synchronous initializer of an actor is not isolated to the actor.
    init(unattached container: PersistentContainer) { context = container.newContext() }

    init(_ container: PersistentContainer) async {
        context = container.newContext()
        context.attach(to: self)
        context.notifier.add(events)
    }

    init(context: sending ManagedObjectContext) async {
        self.context = context
        context.attach(to: self)
        context.notifier.add(events)
    }

    private var own: ManagedObjectContext?
    func makeContext(_ container: PersistentContainer) -> Bool {
        let context = container.newContext()
        own = context
        return context.executor.job?.actor === self
    }

    func merge() { context.automaticallyMergesChangesFromParent = true }
    func look() throws { team = try context.fetch(Team.fetchRequest()).first }
    var name: String? { team?.name }
    var isAttached: Bool { context.executor.job?.actor === self }
    var isReading: Bool { context.reader.isReading }
    var eventSizes: [Int] { events.sizes }
    func insert(_ count: Int) {
        for index in 0..<count { _ = Team(context: context, name: "T\(index)") }
    }
    func insertAndSeeEvent(_ count: Int) async -> [Int] {
        insert(count)
        let before = events.sizes
        await events.nextEvent()
        return before + events.sizes
    }
    /// Renames the team in another context and waits until the change is merged here.
    func seeRename(to name: String, _ container: PersistentContainer) async throws -> String? {
        async let renaming: Void = rename(to: name, container)
        await events.nextEvent()
        try await renaming
        return self.name
    }
    func weakContext() -> WeakContext { WeakContext(context) }
}

/// A weak reference to a context, with which tests only check whether the context still exists.
private struct WeakContext: @unchecked Sendable {
    weak var context: ManagedObjectContext?
    init(_ context: ManagedObjectContext) { self.context = context }
}

private func rename(to name: String, _ container: PersistentContainer) async throws {
    try await container.performBackgroundTask { context in
        try #require(try context.fetch(Team.fetchRequest()).first).name = name
        try context.save()
    }
}

private func makeContainer() async throws -> PersistentContainer {
    let container = try LeagueModel.definition.testContainer(at: ":memory:")
    try await container.performBackgroundTask { context in
        _ = Team(context: context, name: "Reds")
        try context.save()
    }
    return container
}

/// The isolation of contexts, and the automatic processing of changes in it.
@Suite(.timeLimit(.minutes(30)))
struct IsolationTests {
    /// N10: only the view context merges automatically by default.
    @Test func contextsInheritTheIsolationOfTheirCreator() async throws {
        let container = try await makeContainer()
        #expect(container.newContext().executor.job == nil)
        #expect(ManagedObjectContext().executor.job == nil)
        try await MainActor.run {
            #expect(container.newContext().executor.job?.actor === MainActor.shared)
            #expect(container.newContext(isolation: nil).executor.job == nil)
            #expect(ManagedObjectContext().executor.job?.actor === MainActor.shared)
            #expect(container.viewContext.executor.job?.actor === MainActor.shared)
            #expect(container.viewContext.automaticallyMergesChangesFromParent)
            let context = container.newContext()
            #expect(!context.automaticallyMergesChangesFromParent)
            let count = try context.count(for: Team.fetchRequest())
            expectEqual(count, 1)
        }
        let desk = Desk(unattached: container)
        #expect(await !desk.isAttached)
        #expect(await desk.makeContext(container))
        #expect(await Desk(container).isAttached)
        #expect(await Desk(context: container.newContext(isolation: nil)).isAttached)
    }

    @Test func aContextOfAnActorMergesByItself() async throws {
        let container = try await makeContainer()
        let desk = await Desk(container)
        await desk.merge()
        try await desk.look()
        for name in ["Blues", "Greens"] {
            expectEqual(try await desk.seeRename(to: name, container), name)
        }
    }

    /// N10: automatic merges must be enabled.
    @Test func actorContextsDoNotMergeByDefault() async throws {
        let container = try await makeContainer()
        let desk = await Desk(container)
        try await desk.look()
        try await rename(to: "Blues", container)
        _ = await desk.insertAndSeeEvent(1)
        expectEqual(await desk.name, "Reds")
        // After merging is enabled, the next event merges the changes.
        await desk.merge()
        _ = await desk.insertAndSeeEvent(1)
        expectEqual(await desk.name, "Blues")
    }

    @Test func aTurnIsOneEvent() async throws {
        let desk = await Desk(try await makeContainer())
        expectEqual(await desk.insertAndSeeEvent(100), [100])
        expectEqual(await desk.insertAndSeeEvent(1), [100, 100, 1])
    }

    @Test func aTurnEndsItsReading() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let desk = await Desk(container)
            try await desk.look()
            while await desk.isReading { await Task.yield() }
        }
    }

    /// Scheduled work retains neither the context nor the actor, and is skipped for a context that was deallocated.
    @Test func scheduledWorkRetainsNothing() async throws {
        let container = try await makeContainer()
        weak var weakDesk: Desk?
        var weakContext: WeakContext?
        do {
            let desk = await Desk(container)
            await desk.merge()
            try await desk.look()
            await desk.insert(10)
            weakDesk = desk
            weakContext = await desk.weakContext()
        }
        while weakDesk != nil || weakContext?.context != nil { await Task.yield() }
        try await rename(to: "Blues", container)
    }

    @MainActor @Test func aContextMayEndBeforeItsEvent() async throws {
        let container = try await makeContainer()
        var context: ManagedObjectContext? = container.newContext()
        context?.automaticallyMergesChangesFromParent = true
        _ = Team(context: try #require(context), name: "Blues")
        let job = try #require(context?.executor.job)
        weak let ended = context
        context = nil
        #expect(ended == nil)
        try await rename(to: "Greens", container)
        job.schedule()
        await Task.yield()
    }

    /// After a background task was awaited, the view context has merged its saves.
    @MainActor @Test func viewContextHasSavesOfBackgroundTasks() async throws {
        let container = try await makeContainer()
        let team = try #require(try container.viewContext.fetch(Team.fetchRequest()).first)
        for index in 0..<50 {
            try await rename(to: "T\(index)", container)
            expectEqual(team.name, "T\(index)")
        }
    }

    /// The same holds if nonisolated asynchronous code runs in the isolation of its caller.
    @MainActor @Test func aBackgroundTaskRunsInTheBackground() async throws {
        let container = try await makeContainer()
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        #expect(DispatchQueue.getSpecific(key: key) == true)
        let (isMain, hasHome) = await container.performBackgroundTask { context in
            (DispatchQueue.getSpecific(key: key) == true, context.executor.job != nil)
        }
        #expect(!isMain && !hasHome)
    }

    // MARK: Events

    /// N8: `perform` processes pending changes at its end, and `performAndWait` does not.
    @Test func performIsAnEvent() async throws {
        let container = try await makeContainer()
        let context = container.newContext()
        let events = EventCounter()
        context.notifier.add(events)
        context.performAndWait { _ = Team(context: context, name: "A") }
        expectEqual(events.sizes, [])
        let count = await context.perform {
            context.performAndWait { _ = Team(context: context, name: "B") }
            return events.sizes.count
        }
        expectEqual(count, 0)
        expectEqual(events.sizes, [2])
        await #expect(throws: CancellationError.self) {
            try await context.perform {
                _ = Team(context: context, name: "C")
                throw CancellationError()
            }
        }
        expectEqual(events.sizes, [2, 1])
        #expect(!context.reader.isReading)
    }
}
