import ChordataTestStores

#if DEBUG
    import Dispatch
    import Synchronization
    import ChordataTestSupport
    import Testing

    @testable import Chordata

    /// A value whose use the compiler does not check, as in Swift 5 language mode.
    private struct Unchecked<Value>: @unchecked Sendable {
        var value: Value
        init(_ value: Value) { self.value = value }
    }

    /// Uses a context while another thread is using it.
    private func overlap(_ use: (ManagedObjectContext, Team) throws -> Void) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        context.refreshAllObjects()
        let shared = Unchecked(context)
        let isInside = DispatchSemaphore(value: 0)
        DispatchQueue.global().async {
            shared.value.performAndWait {
                isInside.signal()
                DispatchSemaphore(value: 0).wait()
            }
        }
        isInside.wait()
        try use(context, team)
    }

    private let overlapSentence =
        "a context was used by two threads at the same time: a context and its objects belong to the task or actor that the context was made for"

    /// Uses of contexts and objects in a wrong isolation, in programs that the compiler does not check.
    struct WrongIsolationTests {
        private func check(_ result: ExitTest.Result?, _ sentence: String) {
            let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
            #expect(text.contains(sentence), "\(text)")
        }

        @Test func aFetch() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in _ = try context.fetch(Team.fetchRequest()) }
            }
            check(result, overlapSentence)
        }

        @Test func aSave() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in try context.save() }
            }
            check(result, overlapSentence)
        }

        @Test func aFetchOfAChild() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in
                    let child = ManagedObjectContext(isolation: nil)
                    child.parent = context
                    _ = try child.fetch(Team.fetchRequest())
                }
            }
            check(result, overlapSentence)
        }

        @Test func anInsertion() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in _ = Team(context: context, name: "Blues") }
            }
            check(result, overlapSentence)
        }

        @Test func aDeletion() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, team in context.delete(team) }
            }
            check(result, overlapSentence)
        }

        @Test func aChange() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { _, team in team.city = "Ulm" }
            }
            check(result, overlapSentence)
        }

        @Test func aFault() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { _, team in _ = team.name }
            }
            check(result, overlapSentence)
        }

        @Test func aRefresh() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, team in context.refresh(team, mergeChanges: true) }
            }
            check(result, overlapSentence)
        }

        @Test func aRefreshOfAll() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in context.refreshAllObjects() }
            }
            check(result, overlapSentence)
        }

        @Test func aRollback() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in context.rollback() }
            }
            check(result, overlapSentence)
        }

        @Test func aReset() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in context.reset() }
            }
            check(result, overlapSentence)
        }

        @Test func anInsertionOfValues() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in
                    _ = try context.insertValues([Team.Values(objectID: ObjectID(), name: "Blues", city: nil)])
                }
            }
            check(result, overlapSentence)
        }

        @Test func aMerge() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, team in context.mergeChanges(ObjectIDChanges(updated: [team.objectID])) }
            }
            check(result, overlapSentence)
        }

        @Test func processing() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                try overlap { context, _ in context.processPendingChanges() }
            }
            check(result, overlapSentence)
        }

        @Test func viewContextOffTheMainActor() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = try LeagueModel.definition.testContainer(at: ":memory:")
                let shared = await MainActor.run { Unchecked(container.viewContext) }
                _ = try shared.value.fetch(Team.fetchRequest())
            }
            check(
                result,
                "a context of the main actor was used elsewhere: the view context and its objects belong to the main actor; use performBackgroundTask"
            )
        }

        @Test func viewContextObjectOffTheMainActor() async {
            let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let container = try LeagueModel.definition.testContainer(at: ":memory:")
                let shared = await MainActor.run { Unchecked(Team(context: container.viewContext, name: "Reds")) }
                shared.value.name = "Blues"
            }
            check(result, "a context of the main actor was used elsewhere")
        }

        // MARK: Correct uses

        /// Actors and tasks may run on different threads, and their contexts are used on the same threads.
        @Test func aContextMayChangeThreads() async throws {
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
            let walkers = [await Walker(container), await Walker(container)]
            try await withThrowingTaskGroup { group in
                for step in 0..<400 {
                    group.addTask { try await walkers[step % 2].step() }
                    group.addTask { try await stroll(container.newContext(isolation: nil)) }
                }
                try await group.waitForAll()
            }
            for walker in walkers { expectEqual(await walker.count, 200) }
        }

        /// The main thread waits for the queue, so the queue may use the isolation of the main actor.
        @MainActor @Test func theMainActorMayWaitForAQueue() throws {
            let shared = Unchecked(try LeagueModel.definition.testContainer(at: ":memory:").viewContext)
            DispatchQueue(label: "other").sync { _ = Team(context: shared.value, name: "Reds") }
            #expect(shared.value.hasChanges)
        }

        /// The former actor of a context no longer uses it, even if processing was scheduled there.
        @MainActor @Test func formerActorDoesNotUseATransferredContext() async throws {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let formerJob = try #require(context.executor.job)
            let (busy, mayGoOn) = (Busy(), DispatchSemaphore(value: 0))
            Task { await busy.wait(for: mayGoOn) }
            while !busy.hasBegun.isSet { await Task.yield() }
            _ = Team(context: context, name: "Reds")
            context.setExecutor(of: busy)
            formerJob.schedule()
            for _ in 0..<100 { await Task.yield() }
            #expect(!context.graph.event.isEmpty)
            mayGoOn.signal()
        }

        @MainActor @Test func theViewContextInABlockOfTheMainQueue() async throws {
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
            let shared = Unchecked(container.viewContext)
            await withCheckedContinuation { done in
                DispatchQueue.main.async {
                    _ = Team(context: shared.value, name: "Reds")
                    done.resume()
                }
            }
            #expect(shared.value.hasChanges)
        }

        /// A hook or an observer uses the context while the context calls it.
        @Test func usesOfAContextMayBeNested() throws {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            try context.performAndWait {
                let team = Team(context: context, name: "Reds")
                try context.performAndWait { try context.save() }
                team.name = "Blues"
            }
            // The use has ended, so another thread may use the context.
            let shared = Unchecked(context)
            DispatchQueue.global().sync { #expect(shared.value.hasChanges) }
            DispatchQueue.global().sync { shared.value.processPendingChanges() }
        }
    }

    /// An actor that is busy. It blocks a thread of its own, because other tests need the threads of Swift's pool.
    private actor Busy {
        nonisolated let hasBegun = Flag()
        private let executor = QueueExecutor()
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

        func wait(for semaphore: DispatchSemaphore) {
            hasBegun.set()
            semaphore.wait()
        }
    }

    private final class QueueExecutor: SerialExecutor {
        private let queue = DispatchQueue(label: "busy")

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
        }
    }

    private final class Flag: Sendable {
        private let value = Atomic(false)
        var isSet: Bool { value.load(ordering: .acquiring) }
        func set() { value.store(true, ordering: .releasing) }
    }

    private actor Walker {
        private let context: ManagedObjectContext
        private(set) var count = 0
        init(_ container: PersistentContainer) async {
            context = container.newContext()
            context.attach(to: self)
        }

        func step() async throws {
            let team = Team(context: context, name: "Reds")
            await Task.yield()
            team.city = "Ulm"
            await Task.yield()
            try await context.save()
            context.delete(team)
            count += 1
        }
    }

    private func stroll(_ context: sending ManagedObjectContext) async throws {
        let team = Team(context: context, name: "Blues")
        await Task.yield()
        team.city = "Ulm"
        await Task.yield()
        try await context.perform { try context.save() }
    }
#endif
