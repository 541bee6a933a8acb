import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Observers that use the notifying context.
struct ReentranceTests {
    private let didChange = ManagedObjectContext.didChangeObjectsNotification
    private let willSave = ManagedObjectContext.willSaveObjectsNotification
    private let didSave = ManagedObjectContext.didSaveObjectsNotification

    private func makeContext() throws -> (PersistentContainer, ManagedObjectContext) {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        return (container, container.newContext())
    }

    @Test func editsByChangeObserversAreReportedInTheNextEvent() throws {
        let (container, context) = try makeContext()
        let recorder = NotificationRecorder(context, [didChange]) { notification in
            for case let team as Team in notification.objects(.insertedObjects) where team.city == nil {
                team.city = "Ulm"
            }
        }
        let team = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1"])
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects updated:1"], "what the observer changed")
        context.processPendingChanges()
        #expect(recorder.take().isEmpty)
        _ = Team(context: context, name: "Blues")
        try context.save()
        expectEqual(team.city, "Ulm")
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1", "DidChangeObjects updated:1"])
        expectEqual(
            try container.newContext().fetch(Team.fetchRequest()).map(\.city),
            ["Ulm", "Ulm"],
            "it is saved along"
        )
        #expect(!context.hasChanges)
    }

    @Test func anObserverThatNeverStopsChangingMakesTheSaveFail() throws {
        let (_, context) = try makeContext()
        let player = Player(context: context, name: "Ann")
        let recorder = NotificationRecorder(context, [didChange]) { _ in player.age = player.age &+ 1 }
        let error = #expect(throws: ChangeLimitExceededError.self) { try context.save() }
        expectEqual(
            error.map { "\($0)" },
            "a notification observer of 'Player' changed objects 1000 times in a row; set a property only if "
                + "the new value differs from the current value"
        )
        recorder.stop()
        try context.save()
        #expect(!context.hasChanges)
    }

    /// The read transaction of an event began before the save of an observer; reads after the save see its changes.
    @Test func readsAfterASaveOfAnObserverSeeIt() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let (first, last) = (Team(context: context, name: "first"), Team(context: context, name: "last"))
            try context.save()
            func names() throws -> [String] { try context.fetch(Team.fetchRequest()).map(\.name).sorted() }
            var seen: [[String]] = []
            let recorder = NotificationRecorder(context, [didChange]) { _ in
                guard seen.isEmpty else { return }
                seen.append(try names())
                _ = Team(context: context, name: "made")
                context.delete(last)
                try context.save()
                seen.append(try names())
            }
            try context.performAndWait {
                first.name = "changed"
                context.processPendingChanges()
                seen.append(try names())
            }
            recorder.stop()
            expectEqual(seen, [["changed", "last"], ["changed", "made"], ["changed", "made"]])
        }
    }

    /// An observer saves after each change.
    @Test func anObserverOfAChangeSaves() throws {
        let (container, context) = try makeContext()
        let recorder = NotificationRecorder(context) { notification in
            guard notification.name == ManagedObjectContext.didChangeObjectsNotification else { return }
            try context.save()
        }
        let team = Team(context: context, name: "Reds")
        context.processPendingChanges()
        let one = [
            "DidChangeObjects inserted:1", "WillSaveObjects", "DidSaveObjects inserted:1",
            "DidSaveObjectIDs inserted_objectIDs:1",
        ]
        expectEqual(recorder.take(), one)
        #expect(!context.hasChanges && recorder.errors.isEmpty)
        team.name = "Blues"
        try context.save()
        expectEqual(
            recorder.take(),
            one.map {
                $0.replacingOccurrences(of: "inserted", with: "updated")
            },
            "one save, not two"
        )
        #expect(recorder.errors.isEmpty)
        expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.name), ["Blues"])
    }

    @Test func objectsInsertedByObserversAreReportedAsInserted() throws {
        let (_, context) = try makeContext()
        var inserted: Team?
        let recorder = NotificationRecorder(context, [didChange, didSave]) { notification in
            guard inserted == nil else { return }
            inserted = Team(context: context, name: "Blues")
            try context.save()
        }
        _ = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1", "DidSaveObjects inserted:2"])
        context.processPendingChanges()
        expectEqual(recorder.notifications.first?.objects(.insertedObjects), inserted.map { [$0] })
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1"])
        context.processPendingChanges()
        #expect(recorder.take().isEmpty && recorder.errors.isEmpty)
    }

    /// 5B step 2.
    @Test func changesByWillSaveObserversAreSaved() throws {
        let (container, context) = try makeContext()
        let recorder = NotificationRecorder(context) { notification in
            guard notification.name == ManagedObjectContext.willSaveObjectsNotification else { return }
            for case let team as Team in context.insertedObjects { team.city = "Ulm" }
            _ = Player(context: context, name: "Ann")
        }
        _ = Team(context: context, name: "Reds")
        try context.save()
        expectEqual(
            recorder.take(),
            [
                "DidChangeObjects inserted:1", "WillSaveObjects", "DidChangeObjects inserted:1 updated:1",
                "DidSaveObjects inserted:2", "DidSaveObjectIDs inserted_objectIDs:2",
            ]
        )
        #expect(!context.hasChanges)
        expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.city), ["Ulm"])
        expectEqual(try container.newContext().count(for: Player.fetchRequest()), 1)
    }

    @Test func anObserverOfWillSaveCannotSave() throws {
        let (_, context) = try makeContext()
        let recorder = NotificationRecorder(context, [willSave, didSave]) { notification in
            if notification.userInfo == nil { try context.save() }
        }
        _ = Team(context: context, name: "Reds")
        try context.save()
        expectEqual(recorder.take(), ["WillSaveObjects", "DidSaveObjects inserted:1"])
        #expect(recorder.errors.map { $0 is RecursiveSaveError } == [true])
        #expect(recorder.errors.first?.localizedDescription.hasPrefix("save() was called during a save") == true)
    }

    /// A hook that saves, before or after the rows are written, changes nothing about the save that it is part of.
    @Test func aHookCannotSave() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            other.automaticallyMergesChangesFromParent = true
            let photo = Photo(context: context)
            photo.caption = "first"
            try context.save()
            let copy = try #require(try other.existingObject(with: photo.objectID) as? Photo)
            log.then = { object, line in
                guard line.hasSuffix("Save"), object.managedObjectContext === context else { return }
                if line.hasSuffix("didSave"), photo.caption == "second" { photo.caption = "third" }
                try context.save()
            }
            let recorder = NotificationRecorder(context, [willSave, didSave])
            photo.caption = "second"
            try context.save()
            expectEqual(recorder.take(), ["WillSaveObjects", "DidSaveObjects updated:1"])
            #expect(log.errors.count == 2 && log.errors.allSatisfy { $0 is RecursiveSaveError })
            other.processPendingChanges()
            #expect(copy.caption == "second" && photo.caption == "third" && photo.isUpdated)
            log.then = nil
            try context.save()
            other.processPendingChanges()
            expectEqual(copy.caption, "third")
        }
    }

    /// A hook that merges saves of another context during the save.
    @Test func aHookMerges() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            let (mine, theirs) = (Photo(context: context), Photo(context: context))
            try context.save()
            let saves = NotificationRecorder(other, [didSave])
            try #require(try other.existingObject(with: theirs.objectID) as? Photo).caption = "merged"
            try other.save()
            log.then = { object, line in
                guard line.hasSuffix("willSave"), object === mine, let save = saves.notifications.last else { return }
                context.mergeChanges(fromContextDidSave: save)
            }
            let recorder = NotificationRecorder(context, [didChange, didSave])
            mine.caption = "mine"
            try context.save()
            #expect(theirs.caption == "merged" && mine.caption == "mine" && !context.hasChanges)
            expectEqual(
                recorder.take(),
                [
                    "DidChangeObjects updated:1", "DidChangeObjects refreshed:1", "DidSaveObjects updated:1",
                ]
            )
        }
    }

    @Test func anObserverOfDidSaveEditsAndSaves() throws {
        let (container, context) = try makeContext()
        let recorder = NotificationRecorder(context) { notification in
            guard notification.name == ManagedObjectContext.didSaveObjectsNotification else { return }
            for case let team as Team in notification.objects(.insertedObjects) { team.city = "Ulm" }
            try context.save()
        }
        let team = Team(context: context, name: "Reds")
        try context.save()
        expectEqual(
            recorder.take(),
            [
                "DidChangeObjects inserted:1", "WillSaveObjects", "DidSaveObjects inserted:1",
                "DidChangeObjects updated:1", "WillSaveObjects", "DidSaveObjects updated:1",
                "DidSaveObjectIDs updated_objectIDs:1", "DidSaveObjectIDs inserted_objectIDs:1",
            ]
        )
        #expect(recorder.errors.isEmpty && !context.hasChanges)
        expectEqual(team.city, "Ulm")
        expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.city), ["Ulm"])
    }

    @Test func recursiveSavesAreLimited() throws {
        let (container, context) = try makeContext()
        let player = Player(context: context, name: "Ann")
        let recorder = NotificationRecorder(context, [didSave]) { _ in
            player.age += 1
            try context.save()
        }
        try context.save()
        expectEqual(recorder.notifications.count, 100)
        #expect(recorder.errors.map { $0 is RecursiveSaveError } == [true])
        #expect(context.hasChanges && player.age == 100, "nothing is lost")
        recorder.stop()
        try context.save()
        expectEqual(try container.newContext().fetch(Player.fetchRequest()).map(\.age), [100])
    }

    @Test func observersAreAddedAndRemovedDuringNotifications() throws {
        let (_, context) = try makeContext()
        var later: NotificationRecorder?
        var first: NotificationRecorder?
        first = NotificationRecorder(context, [didChange]) { _ in
            later = NotificationRecorder(context, [ManagedObjectContext.didChangeObjectsNotification])
            first?.stop()
        }
        let team = Team(context: context, name: "Reds")
        context.processPendingChanges()
        expectEqual(first?.take(), ["DidChangeObjects inserted:1"])
        expectEqual(later?.take(), [])
        team.city = "Ulm"
        context.processPendingChanges()
        expectEqual(first?.take(), [])
        expectEqual(later?.take(), ["DidChangeObjects updated:1"])
    }

    @Test func anObserverResetsOrRollsBack() throws {
        let (container, context) = try makeContext()
        let recorder = NotificationRecorder(context, [didChange]) { notification in
            if !notification.objects(.insertedObjects).isEmpty { context.rollback() }
        }
        let team = Team(context: context, name: "Reds")
        try context.save()
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1", "DidChangeObjects deleted:1"])
        #expect(team.managedObjectContext == nil && !context.hasChanges)
        recorder.stop()
        let resetting = NotificationRecorder(context, [didChange]) { notification in
            if !notification.objects(.insertedObjects).isEmpty { context.reset() }
        }
        _ = Team(context: context, name: "Blues")
        try context.save()
        expectEqual(resetting.take(), ["DidChangeObjects inserted:1", "DidChangeObjects invalidatedAll:1"])
        expectEqual(try container.newContext().count(for: Team.fetchRequest()), 0)
    }

    /// A context may merge into another context from within its notification, and the other context may then save.
    @Test func aChainOfContexts() throws {
        let (container, first) = try makeContext()
        let second = container.newContext()
        let team = Team(context: first, name: "Reds")
        try first.save()
        let copy = try #require(try second.existingObject(with: team.objectID) as? Team)
        let merging = NotificationRecorder(first, [didSave]) { second.mergeChanges(fromContextDidSave: $0) }
        let answering = NotificationRecorder(second, [didChange, didSave]) { notification in
            guard !notification.objects(.refreshedObjects).isEmpty, copy.city != "Jena" else { return }
            copy.city = "Jena"
            try second.save()
        }
        let back = NotificationRecorder(second, [didSave]) { first.mergeChanges(fromContextDidSave: $0) }
        team.city = "Ulm"
        try first.save()
        #expect(merging.take().count == 1 && back.take().count == 1)
        expectEqual(answering.take(), ["DidChangeObjects refreshed:1", "DidSaveObjects updated:1"])
        #expect(team.city == "Jena" && copy.city == "Jena")
        #expect(!first.hasChanges && !second.hasChanges && answering.errors.isEmpty)
    }
}
