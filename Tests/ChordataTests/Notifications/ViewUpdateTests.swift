import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The behavior of lists on screens that Core Data tutorials expect (S38–S44).
struct ViewUpdateTests {
    /// A list as on a screen: it is updated by its controller, and records the reported changes.
    private final class Screen: FetchedResultsControllerDelegate {
        let controller: FetchedResultsController<Player>
        private(set) var lines: [String] = []
        private var beganUpdates = false
        /// A closure that runs between the beginning and the end of an update.
        var whileUpdating: (() throws -> Void)?

        init(_ context: ManagedObjectContext) throws {
            controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.name),
                managedObjectContext: context
            )
            controller.delegate = self
            try controller.performFetch()
        }

        var names: [String] { controller.fetchedObjects?.map(\.name) ?? [] }

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }

        func controllerWillChangeContent(_ controller: FetchedResultsController<Player>) {
            #expect(!beganUpdates)
            beganUpdates = true
            lines.append("begin")
        }

        func controller(
            _ controller: FetchedResultsController<Player>,
            didChange object: Player,
            at indexPath: IndexPath?,
            for type: FetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) {
            #expect(beganUpdates)
            lines.append("\(type) \(indexPath?.row ?? -1) \(newIndexPath?.row ?? -1)")
        }

        func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
            do {
                try whileUpdating?()
            } catch {
                Issue.record(error)
            }
            beganUpdates = false
            lines.append("end")
        }
    }

    private func makeLeague(_ names: [String]) throws -> (PersistentContainer, ManagedObjectContext) {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        for name in names { _ = Player(context: context, name: name) }
        try context.save()
        return (container, context)
    }

    private func player(_ name: String, in context: ManagedObjectContext) throws -> Player {
        try #require(try context.fetch(try Player.fetchRequest().where(format: "name == %@", name)).first)
    }

    @Test func s38DeletionsOnOneScreenReachTheOther() throws {
        let (_, context) = try makeLeague(["Ann", "Bob", "Cid"])
        let (list, detail) = (try Screen(context), try Screen(context))
        context.delete(try player("Bob", in: context))
        try context.save()
        expectEqual(list.take(), ["begin", "delete 1 -1", "end"])
        #expect(list.names == ["Ann", "Cid"] && detail.names == ["Ann", "Cid"])
        expectEqual(detail.take(), ["begin", "delete 1 -1", "end"])
    }

    @Test func s39InsertionsOnAnotherScreenAreVisibleOnReturn() throws {
        let (container, context) = try makeLeague(["Ann", "Cid"])
        let screen = try Screen(context)
        _ = Player(context: context, name: "Bob")
        try context.save()
        expectEqual(screen.take(), ["begin", "insert -1 1", "end"])
        // The other screen has a separate context.
        let editing = container.newContext()
        let saves = NotificationRecorder(editing, [ManagedObjectContext.didSaveObjectsNotification]) {
            context.mergeChanges(fromContextDidSave: $0)
        }
        _ = Player(context: editing, name: "Dan")
        try editing.save()
        expectEqual(saves.take().count, 1)
        expectEqual(screen.take(), ["begin", "insert -1 3", "end"])
        expectEqual(screen.names, ["Ann", "Bob", "Cid", "Dan"])
        // The result is the same when the context merges automatically.
        saves.stop()
        context.automaticallyMergesChangesFromParent = true
        try player("Ann", in: editing).age = 30
        editing.delete(try player("Dan", in: editing))
        try editing.save()
        context.processPendingChanges()
        expectEqual(screen.take().sorted(), ["begin", "delete 3 -1", "end", "update 0 0"])
        expectEqual(screen.names, ["Ann", "Bob", "Cid"])
    }

    @Test func s40ADeletionAndItsSaveWithinAnUpdate() throws {
        let (container, context) = try makeLeague(["Ann", "Bob", "Cid"])
        let screen = try Screen(context)
        screen.whileUpdating = { [unowned screen] in
            screen.whileUpdating = nil
            context.delete(try player("Bob", in: context))
            try context.save()
        }
        try player("Ann", in: context).age = 30
        context.processPendingChanges()
        expectEqual(screen.take(), ["begin", "update 0 0", "end"])
        #expect(!context.hasChanges)
        context.processPendingChanges()
        expectEqual(screen.take(), ["begin", "delete 1 -1", "end"])
        expectEqual(screen.names, ["Ann", "Cid"])
        expectEqual(try container.newContext().count(for: Player.fetchRequest()), 2)
    }

    /// There is no table and no view here: an observer of the notification reads the list.
    @Test func s41TheListIsRightWhenTheNotificationComes() throws {
        let (_, context) = try makeLeague(["Ann"])
        let screen = try Screen(context)
        var seen: [[String]] = []
        let recorder = NotificationRecorder(context, [ManagedObjectContext.didChangeObjectsNotification]) { _ in
            seen.append(screen.names)
        }
        _ = Player(context: context, name: "Bob")
        context.processPendingChanges()
        expectEqual(seen, [["Ann", "Bob"]])
        expectEqual(recorder.take().count, 1)
    }

    @Test func s42TheThreeNotifications() throws {
        let (_, context) = try makeLeague([])
        let names = [
            ManagedObjectContext.didChangeObjectsNotification, ManagedObjectContext.willSaveObjectsNotification,
            ManagedObjectContext.didSaveObjectsNotification,
        ]
        let recorder = NotificationRecorder(context, names)
        _ = Player(context: context, name: "Ann")
        try context.save()
        expectEqual(recorder.notifications.map(\.name), names)
        #expect(recorder.notifications.allSatisfy { $0.object as? ManagedObjectContext === context })
    }

    @Test func s43TheSetsByTheirKeys() throws {
        let (_, context) = try makeLeague(["Ann", "Bob"])
        let (ann, bob) = (try player("Ann", in: context), try player("Bob", in: context))
        let recorder = NotificationRecorder(context)
        ann.age = 30
        context.delete(bob)
        let cid = Player(context: context, name: "Cid")
        try context.save()
        for notification in recorder.notifications {
            switch notification.name {
            case ManagedObjectContext.willSaveObjectsNotification: #expect(notification.userInfo == nil)
            case ManagedObjectContext.didSaveObjectIDsNotification:
                expectEqual(notification.ids(.insertedObjectIDs), [cid.objectID])
            default:
                #expect(notification.userInfo?["inserted"] as? Set<ManagedObject> == [cid])
                #expect(notification.userInfo?["updated"] as? Set<ManagedObject> == [ann])
                #expect(notification.userInfo?["deleted"] as? Set<Player> == [bob])
            }
        }
        expectEqual(recorder.take().count, 4)
    }

    /// Without child contexts, the coordinator of the saved context identifies it.
    @Test func s44TheRightContextIsRecognised() throws {
        let (container, context) = try makeLeague([])
        let (_, stranger) = try makeLeague([])
        nonisolated(unsafe) var accepted = 0
        let token = NotificationCenter.default.addObserver(
            forName: ManagedObjectContext.didSaveObjectsNotification,
            object: nil,
            queue: nil
        ) { notification in
            let sender = notification.object as? ManagedObjectContext
            if sender?.persistentStoreCoordinator === container.persistentStoreCoordinator { accepted += 1 }
        }
        for context in [context, stranger] {
            _ = Player(context: context, name: "Ann")
            try context.save()
        }
        NotificationCenter.default.removeObserver(token)
        expectEqual(accepted, 1)
    }

    /// The view context merges saves of other contexts automatically, or on request.
    @Test(arguments: [true, false])
    func theViewContextFollowsABackgroundTask(merging automatically: Bool) async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let changes = await MainActor.run {
            container.viewContext.automaticallyMergesChangesFromParent = automatically
            return container.viewContext.changes
        }
        let saves = container.saves
        try await container.performBackgroundTask { context in
            _ = Player(context: context, name: "Ann")
            try context.save()
        }
        if !automatically {
            let save = await saves.first { _ in true }
            await MainActor.run { container.viewContext.mergeChanges(save?.changes ?? ObjectIDChanges()) }
        }
        let inserted = await changes.first { !$0.inserted.isEmpty }?.inserted.first
        let name = await MainActor.run {
            inserted.flatMap { container.viewContext.registeredObject(for: $0) as? Player }?.name
        }
        expectEqual(name, "Ann")
    }
}
