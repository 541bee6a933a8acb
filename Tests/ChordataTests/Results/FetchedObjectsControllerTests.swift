import ChordataTestStores
import ChordataTestSupport
import Synchronization
import Testing

@testable import Chordata

/// The set-based controller (S45–S55).
@MainActor struct FetchedObjectsControllerTests {
    /// Records the notifications of a controller.
    @MainActor private final class Recorder: @MainActor FetchedObjectsControllerDelegate {
        var calls: [String] = []

        func controllerWillUpdateObjects(_ controller: FetchedObjectsController<Player>) {
            calls.append("will")
        }

        private func note(_ what: String, _ objects: Set<Player>) {
            calls.append("\(what) \(objects.map(\.name).sorted().joined(separator: " "))")
        }

        func controller(
            _ controller: FetchedObjectsController<Player>,
            didDetectAdditions objects: Set<Player>
        ) { note("+", objects) }

        func controller(
            _ controller: FetchedObjectsController<Player>,
            didDetectDeletions objects: Set<Player>
        ) { note("-", objects) }

        func controller(
            _ controller: FetchedObjectsController<Player>,
            didDetectUpdates objects: Set<Player>
        ) { note("!", objects) }

        func controllerDidUpdateObjects(_ controller: FetchedObjectsController<Player>) {
            calls.append("did")
        }

        /// Returns the notifications after all earlier saves were reported, because earlier tasks run first.
        func take() async throws -> [String] {
            for _ in 0..<20 { await Task.yield() }
            defer { calls = [] }
            return calls
        }
    }

    private let container: PersistentContainer
    private let other: ManagedObjectContext
    private let recorder = Recorder()

    init() throws {
        container = try LeagueModel.definition.testContainer(at: ":memory:")
        other = container.newContext(isolation: nil)
        for (name, age) in [("Ann", 30), ("Bob", 10), ("Cem", 40)] as [(String, Int16)] {
            Player(context: other, name: name).age = age
        }
        try other.save()
    }

    /// Adult players, with the predicate of S55, which has no sort order.
    private func controller(_ format: String = "NOT (age < 18)") throws -> FetchedObjectsController<Player> {
        let controller = FetchedObjectsController(
            fetchRequest: try Player.fetchRequest().where(format: format),
            managedObjectContext: container.viewContext
        )
        controller.delegate = recorder
        return controller
    }

    /// If the store cannot be queried for the matching rows, the set is unchanged, and the error is available.
    @Test(.onlySQLite(.lockedTables)) func failedUpdatesSetTheUpdateError() async throws {
        let controller = try controller()
        try controller.loadObjects()
        other.delete(try player("Ann"))
        try player("Bob").age = 50
        try await other.save()
        // The save is reported later.
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        try store.execute("ALTER TABLE \"Player\" RENAME TO \"Gone\"")
        expectEqual(try await recorder.take(), [])
        #expect(controller.updateError is StoreError && controller.fetchedObjects?.count == 2)
    }

    /// S52: the saves of a child context are not in the store.
    @Test(.onlySQLite(.childContexts)) func savesOfChildContextsAreIgnored() async throws {
        let controller = try controller()
        try controller.loadObjects()
        let child = ManagedObjectContext()
        child.parent = container.viewContext
        child.delete(try #require(try child.fetchOne(Player.fetchRequest().where(\.name == "Ann"))))
        try await child.save()
        expectEqual(try await recorder.take(), [])
        container.viewContext.rollback()
        expectEqual(Set(try #require(controller.fetchedObjects).map(\.name)), ["Ann", "Cem"])
    }

    private func player(_ name: String) throws -> Player {
        try #require(try other.fetchOne(Player.fetchRequest().where(format: "name == %@", name)))
    }

    private func names(_ controller: FetchedObjectsController<Player>) -> [String]? {
        controller.fetchedObjects?.map(\.name).sorted()
    }

    @Test func s45AnyRequestWillDo() throws {
        let controller = try controller()
        #expect(controller.fetchRequest.sortKeys.isEmpty)
        try controller.loadObjects()
        expectEqual(names(controller), ["Ann", "Cem"])
    }

    @Test func s46NothingIsReportedBeforeLoading() async throws {
        let controller = try controller()
        try player("Bob").age = 20
        try await other.save()
        #expect(try await recorder.take() == [] && controller.fetchedObjects == nil)
        try controller.loadObjects()
        try controller.loadObjects()
        try player("Bob").age = 21
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "! Bob", "did"])
    }

    /// S47, S48, S53: the callbacks report sets, in a fixed order.
    @Test func s48CallbacksComeInOrder() async throws {
        let controller = try controller()
        try controller.loadObjects()
        try player("Ann").age = 31
        try player("Bob").age = 20
        try player("Cem").age = 3
        Player(context: other, name: "Dan").age = 50
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "+ Bob Dan", "- Cem", "! Ann", "did"])
        expectEqual(names(controller), ["Ann", "Bob", "Dan"])
        #expect(controller.fetchedObjects?.contains { $0.managedObjectContext !== container.viewContext } == false)
    }

    /// S49: there are no callbacks during the save itself.
    @Test func s49CallbacksComeAfterTheSave() async throws {
        let controller = try controller()
        try controller.loadObjects()
        other.delete(try player("Ann"))
        try await other.save()
        #expect(recorder.calls == [] && controller.fetchedObjects?.count == 2)
        #expect(try await recorder.take() == ["will", "- Ann", "did"] && names(controller) == ["Cem"])
    }

    /// S50, S51: saves of all contexts are reported, including the controller's own, and no context has to merge.
    @Test func s50AnyContextCounts() async throws {
        let controller = try controller()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = false
        try controller.loadObjects()
        let bob = try #require(try context.fetchOne(Player.fetchRequest().where(format: "name == 'Bob'")))
        try player("Bob").age = 20
        try await other.save()
        #expect(try await recorder.take() == ["will", "+ Bob", "did"] && bob.age == 20)
        bob.age = 5
        try await context.save()
        expectEqual(try await recorder.take(), ["will", "- Bob", "did"])
        let second = container.newContext()
        Player(context: second, name: "Eve").age = 60
        try await second.save()
        expectEqual(try await recorder.take(), ["will", "+ Eve", "did"])
        try second.insertValues([Player.Values(objectID: ObjectID(), name: "Fay", age: 70, team: nil)])
        expectEqual(try await recorder.take(), ["will", "+ Fay", "did"])
    }

    /// S52: saves of this coordinator are reported, or the saves that a predicate selects.
    @Test func s52ThePredicateChoosesContexts() async throws {
        let controller = try controller()
        try controller.loadObjects()
        let stranger = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        Player(context: stranger, name: "Gus").age = 80
        try await stranger.save()
        expectEqual(try await recorder.take(), [])
        controller.savedContextPredicate = { $0.name == "import" }
        try player("Ann").age = 33
        try await other.save()
        expectEqual(try await recorder.take(), [])
        other.name = "import"
        try player("Ann").age = 34
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "! Ann", "did"])
        // Objects of another store are never reported, regardless of the predicate.
        controller.savedContextPredicate = { _ in true }
        Player(context: stranger, name: "Hal").age = 90
        try await stranger.save()
        #expect(try await recorder.take() == [] && controller.updateError == nil)
    }

    /// S54: changes of objects that do not match are not reported.
    @Test func s54UnmatchedChangesAreIgnored() async throws {
        let controller = try controller()
        try controller.loadObjects()
        _ = Team(context: other, name: "Reds")
        Player(context: other, name: "Ivy").age = 2
        try player("Bob").age = 11
        try await other.save()
        expectEqual(try await recorder.take(), [])
    }

    /// The controller does not report unsaved changes of any context.
    @Test func unsavedChangesDoNotCount() async throws {
        let controller = try controller()
        let context = container.viewContext
        Player(context: context, name: "Jon").age = 44
        let ann = try #require(try context.fetchOne(Player.fetchRequest().where(format: "name == 'Ann'")))
        try controller.loadObjects()
        expectEqual(names(controller), ["Ann", "Cem"])
        ann.age = 3
        try player("Ann").name = "Anna"
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "! Anna", "did"])
        context.rollback()
        #expect(controller.fetchedObjects?.contains(ann) == true && ann.age == 30)
        Player(context: context, name: "Jon").age = 44
        try await context.save()
        expectEqual(try await recorder.take(), ["will", "+ Jon", "did"])
    }

    /// Changes of related objects can change the result of a predicate on a relationship.
    @Test func conditionsOverRelatedObjects() async throws {
        let controller = try controller("team.city == 'Ulm'")
        let reds = Team(context: other, name: "Reds")
        try player("Ann").team = reds
        try await other.save()
        try controller.loadObjects()
        reds.city = "Ulm"
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "+ Ann", "did"])
        other.delete(reds)
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "- Ann", "did"])
    }

    /// After a reset the set is unchanged, and nothing is reported until it is loaded again.
    @Test func resetsStopTheUpdates() async throws {
        let controller = try controller()
        try controller.loadObjects()
        container.viewContext.reset()
        Player(context: other, name: "Kim").age = 20
        try await other.save()
        #expect(try await recorder.take() == [] && controller.fetchedObjects?.count == 2)
        try controller.loadObjects()
        expectEqual(names(controller), ["Ann", "Cem", "Kim"])
        Player(context: other, name: "Leo").age = 21
        try await other.save()
        expectEqual(try await recorder.take(), ["will", "+ Leo", "did"])
    }

    /// The predicate of a released controller is no longer called, even if its task has not run yet.
    @Test func releasedControllersCallNoPredicate() throws {
        let calls = Calls()
        let coordinator = container.persistentStoreCoordinator
        do {
            let controller = try controller()
            // Other tests save at the same time.
            controller.savedContextPredicate = { [coordinator] in
                $0.persistentStoreCoordinator === coordinator && calls.add()
            }
            try controller.loadObjects()
            try player("Ann").age = 36
            try other.save()
        }
        expectEqual(calls.count, 1)
        try player("Ann").age = 37
        try other.save()
        expectEqual(calls.count, 1)
    }

    /// The subscription of a released controller ends, and with it the predicate, which retains the coordinator.
    @Test func releasedControllersAreUnsubscribed() async throws {
        weak var coordinator: PersistentStoreCoordinator?
        do {
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
            coordinator = container.persistentStoreCoordinator
            let controller = FetchedObjectsController(
                fetchRequest: Player.fetchRequest(),
                managedObjectContext: container.viewContext
            )
            try controller.loadObjects()
            #expect(coordinator != nil)
        }
        for _ in 0..<20 { await Task.yield() }
        #expect(coordinator == nil)
    }

    /// A released controller receives no notifications and leaks nothing.
    @Test func releasedControllersAreNotNotified() async throws {
        weak var released: FetchedObjectsController<Player>?
        do {
            let controller = try controller()
            try controller.loadObjects()
            released = controller
        }
        try player("Ann").age = 35
        try await other.save()
        #expect(try await recorder.take() == [] && released == nil)
    }
}

/// Counts the calls of a predicate, on any thread.
private final class Calls: Sendable {
    private let calls = Atomic<Int>(0)
    var count: Int { calls.load(ordering: .relaxed) }
    func add() -> Bool { calls.wrappingAdd(1, ordering: .relaxed).newValue > 0 }
}
