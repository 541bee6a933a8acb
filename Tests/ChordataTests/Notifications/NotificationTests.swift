import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The notifications of contexts, their time and order (N1–N3).
struct NotificationTests {
    private let didChange = ManagedObjectContext.didChangeObjectsNotification
    private let willSave = ManagedObjectContext.willSaveObjectsNotification
    private let didSave = ManagedObjectContext.didSaveObjectsNotification

    private func makeContext() throws -> (PersistentContainer, ManagedObjectContext) {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        return (container, container.newContext())
    }

    @Test func n1EventsAreReportedOnce() throws {
        let (_, context) = try makeContext()
        let recorder = NotificationRecorder(context, [didChange])
        let team = Team(context: context, name: "Reds")
        team.city = "Ulm"
        #expect(recorder.take().isEmpty, "the event has not ended")
        context.processPendingChanges()
        expectEqual(recorder.notifications.first?.objects(.insertedObjects), [team])
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1"])
        context.processPendingChanges()
        #expect(recorder.take().isEmpty)
        team.city = "Jena"
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects updated:1"], "it was reported as inserted before")
        try context.save()
        team.city = "Bonn"
        let other = Team(context: context, name: "Blues")
        context.processPendingChanges()
        expectEqual(recorder.notifications.last?.objects(.updatedObjects), [team])
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1 updated:1"])
        context.delete(other)
        context.delete(team)
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects deleted:2"])
    }

    @Test func n1FetchesPostNoNotifications() throws {
        let (container, context) = try makeContext()
        for index in 0..<3 { _ = Team(context: context, name: "T\(index)") }
        try context.save()
        let reader = container.newContext()
        let recorder = NotificationRecorder(reader)
        expectEqual(try reader.fetch(Team.fetchRequest()).count, 3)
        reader.processPendingChanges()
        #expect(recorder.take().isEmpty)
    }

    @Test func n1UnreportedInsertionsAreNotReportedAsDeleted() throws {
        let (_, context) = try makeContext()
        let recorder = NotificationRecorder(context, [didChange])
        context.delete(Team(context: context, name: "Reds"))
        context.processPendingChanges()
        #expect(recorder.take().isEmpty)
        let team = Team(context: context, name: "Blues")
        context.processPendingChanges()
        context.delete(team)
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1", "DidChangeObjects deleted:1"])
    }

    @Test func n1RefreshedAndRolledBack() throws {
        let (_, context) = try makeContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        let recorder = NotificationRecorder(context, [didChange])
        context.refresh(team, mergeChanges: true)
        context.processPendingChanges()
        expectEqual(recorder.notifications.first?.objects(.refreshedObjects), [team])
        expectEqual(recorder.take(), ["DidChangeObjects refreshed:1"])
        team.city = "Ulm"
        let other = Team(context: context, name: "Blues")
        context.rollback()
        expectEqual(
            recorder.take(),
            ["DidChangeObjects inserted:1 updated:1", "DidChangeObjects deleted:1 refreshed:1"]
        )
        #expect(other.managedObjectContext == nil)
        team.city = "Jena"
        context.refresh(team, mergeChanges: true)
        context.processPendingChanges()
        expectEqual(recorder.take(), ["DidChangeObjects updated:1"], "each object once")
    }

    @Test func resettingInvalidatesAll() throws {
        let (_, context) = try makeContext()
        let ids = Set((0..<2).map { Team(context: context, name: "T\($0)") }.map(\.objectID))
        let recorder = NotificationRecorder(context, [didChange])
        context.reset()
        expectEqual(recorder.notifications.first?.ids(.invalidatedAllObjects), ids)
        expectEqual(recorder.take(), ["DidChangeObjects invalidatedAll:2"])
    }

    /// 5B steps 1, 2, 7 and 8.
    @Test func n2N3TheOrderOfASave() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let recorder = NotificationRecorder(context) { notification in
                log.lines.append(describe(notification))
                #expect(notification.object as? ManagedObjectContext === context)
                if notification.name == ManagedObjectContext.willSaveObjectsNotification {
                    #expect(notification.userInfo == nil, "N2")
                    #expect(context.hasChanges)
                }
                if notification.name == ManagedObjectContext.didSaveObjectsNotification {
                    #expect(!context.hasChanges)
                    let inserted = notification.objects(.insertedObjects)
                    #expect(inserted.allSatisfy { $0.objectID.key < PersistentStore.firstProvisionalKey })
                }
            }
            let note = Note(context: context)
            _ = log.take()
            try context.save()
            expectEqual(
                log.take(),
                [
                    "DidChangeObjects inserted:1", "WillSaveObjects", "Note willSave inserted",
                    "Note didSave without changes", "DidSaveObjects inserted:1",
                    "DidSaveObjectIDs inserted_objectIDs:1",
                ]
            )
            note.text = "two words"
            try context.save()
            expectEqual(
                recorder.take().suffix(4),
                [
                    "DidChangeObjects updated:1", "WillSaveObjects", "DidSaveObjects updated:1",
                    "DidSaveObjectIDs updated_objectIDs:1",
                ]
            )
            context.delete(note)
            try context.save()
            expectEqual(
                recorder.take(),
                [
                    "DidChangeObjects deleted:1", "WillSaveObjects", "DidSaveObjects deleted:1",
                    "DidSaveObjectIDs deleted_objectIDs:1",
                ]
            )
            try context.save()
            #expect(recorder.take().isEmpty, "there was nothing to save")
        }
    }

    @Test func n3TheSetsOfASave() throws {
        let (_, context) = try makeContext()
        let (kept, lost) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
        try context.save()
        kept.city = "Ulm"
        context.delete(lost)
        let new = Team(context: context, name: "Greens")
        let recorder = NotificationRecorder(
            context,
            [didSave, ManagedObjectContext.didSaveObjectIDsNotification]
        )
        try context.save()
        let (objects, ids) = (try #require(recorder.notifications.first), try #require(recorder.notifications.last))
        expectEqual(objects.objects(.insertedObjects), [new])
        expectEqual(objects.objects(.updatedObjects), [kept])
        expectEqual(objects.objects(.deletedObjects), [lost])
        expectEqual(ids.ids(.insertedObjectIDs), [new.objectID])
        expectEqual(ids.ids(.updatedObjectIDs), [kept.objectID])
        expectEqual(ids.ids(.deletedObjectIDs), [lost.objectID])
    }

    @Test func failedSavesPostNoDidSave() throws {
        let (_, context) = try makeContext()
        let team = Team(context: context)
        let recorder = NotificationRecorder(context)
        #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(recorder.take(), ["DidChangeObjects inserted:1", "WillSaveObjects"])
        team.name = "Reds"
        try context.save()
        expectEqual(
            recorder.take(),
            [
                "DidChangeObjects updated:1", "WillSaveObjects", "DidSaveObjects inserted:1",
                "DidSaveObjectIDs inserted_objectIDs:1",
            ]
        )
    }

    /// An observer without an object receives the notifications of the program's contexts, not of private contexts.
    @Test func privateContextsPostNoNotifications() throws {
        let (container, context) = try makeContext()
        let team = Team(context: context, name: "Reds")
        try context.save()
        let stranger = ManagedObjectContext(for: context.merger, readsThrough: false)
        let recorder = NotificationRecorder(stranger)
        (stranger.object(with: team.objectID) as? Team)?.city = "Ulm"
        try stranger.save()
        stranger.reset()
        #expect(recorder.take().isEmpty)
        expectEqual(try container.newContext().fetch(Team.fetchRequest()).map(\.city), ["Ulm"])
    }

    /// The flags are global to the process, so this test needs a process of its own.
    @Test func nothingIsPostedUntilItsNameIsAccessed() async {
        await #expect(processExitsWith: .success) {
            let count = Counter()
            let token = NotificationCenter.default.addObserver(forName: nil, object: nil, queue: nil) {
                if $0.name.rawValue.hasPrefix("Chordata") { count.add() }
            }
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let team = Team(context: context, name: "Reds")
            try context.save()
            precondition(count.value == 0)
            _ = ManagedObjectContext.didSaveObjectsNotification
            team.name = "Blues"
            try context.save()
            precondition(count.value == 1, "the other names were not accessed")
            context.reset()
            precondition(count.value == 1)
            NotificationCenter.default.removeObserver(token)
        }
    }

    @Test func theRawValuesAreCoreDatas() {
        expectEqual(
            ManagedObjectContext.NotificationKey.allCases.map(\.rawValue),
            [
                "inserted", "updated", "deleted", "refreshed", "invalidated", "invalidatedAll", "inserted_objectIDs",
                "updated_objectIDs", "deleted_objectIDs", "refreshed_objectIDs", "invalidated_objectIDs",
            ]
        )
    }
}

private final class Counter: @unchecked Sendable {  // No lock: there is one thread.
    private(set) var value = 0
    func add() { value += 1 }
}
