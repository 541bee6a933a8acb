import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Merging of changes from a notification, or from another source (5E: N4, H1, H2).
struct ExplicitMergeTests {
    /// Two contexts of one store, the second of which merges on request.
    private struct Pair {
        let container: PersistentContainer
        let sender: ManagedObjectContext
        let receiver: ManagedObjectContext
        let saves: NotificationRecorder

        /// - Parameter variant: The name of the notification, which has objects or object IDs.
        init(_ variant: Notification.Name, path: String = ":memory:") throws {
            container = try LeagueModel.definition.testContainer(at: path)
            (sender, receiver) = (container.newContext(), container.newContext())
            saves = NotificationRecorder(sender, [variant])
        }

        func team(_ original: Team) throws -> Team {
            try #require(try receiver.existingObject(with: original.objectID) as? Team)
        }

        func merge() throws {
            receiver.mergeChanges(fromContextDidSave: try #require(saves.notifications.last))
        }
    }

    private static let variants = [
        ManagedObjectContext.didSaveObjectsNotification, ManagedObjectContext.didSaveObjectIDsNotification,
    ]

    @Test(arguments: variants)
    func n4InsertedObjectsAreRegistered(_ variant: Notification.Name) throws {
        let pair = try Pair(variant)
        let heard = NotificationRecorder(pair.receiver)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        #expect(pair.receiver.registeredObject(for: team.objectID) == nil)
        try pair.merge()
        let merged = try #require(heard.notifications.first?.objects(.insertedObjects).first as? Team)
        #expect(merged === pair.receiver.registeredObject(for: team.objectID))
        #expect(!merged.isFault && merged.name == "Reds")
        expectEqual(heard.take(), ["DidChangeObjects inserted:1", "DidMergeChangesObjectIDs inserted_objectIDs:1"])
    }

    /// A context that has deleted a row ignores an earlier report of its insertion.
    @Test(arguments: variants, [false, true])
    func locallyDeletedRowsAreNotReinserted(_ variant: Notification.Name, mergesByItself: Bool) throws {
        let pair = try Pair(variant)
        // From now on, the receiver is sent the saves of other contexts.
        #expect(try pair.receiver.fetch(Team.fetchRequest()).isEmpty)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        pair.receiver.delete(try pair.team(team))
        try pair.receiver.save()
        if mergesByItself {
            pair.receiver.automaticallyMergesChangesFromParent = true
            pair.receiver.processPendingChanges()
        } else {
            try pair.merge()
        }
        #expect(pair.receiver.registeredObject(for: team.objectID) == nil)
    }

    @Test(arguments: variants)
    func n4ReadObjectsAreRefreshed(_ variant: Notification.Name) throws {
        let pair = try Pair(variant)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        let copy = try pair.team(team)
        let heard = NotificationRecorder(pair.receiver)
        team.name = "Blues"
        try pair.sender.save()
        expectEqual(copy.name, "Reds", "nothing merges by itself here")
        try pair.merge()
        #expect(copy.name == "Blues" && !copy.hasChanges)
        expectEqual(heard.take(), ["DidChangeObjects refreshed:1", "DidMergeChangesObjectIDs updated_objectIDs:1"])
    }

    @Test(arguments: variants)
    func n4FaultsAndUnregisteredObjectsAreUnchanged(_ variant: Notification.Name) throws {
        let pair = try Pair(variant)
        let (team, stranger) = (Team(context: pair.sender, name: "Reds"), Team(context: pair.sender, name: "Blues"))
        try pair.sender.save()
        try pair.merge()
        pair.receiver.reset()
        let fault = pair.receiver.object(with: team.objectID)
        let heard = NotificationRecorder(pair.receiver, [ManagedObjectContext.didChangeObjectsNotification])
        team.city = "Ulm"
        stranger.city = "Ulm"
        try pair.sender.save()
        try pair.merge()
        #expect(fault.isFault && heard.take().isEmpty)
        #expect(pair.receiver.registeredObject(for: stranger.objectID) == nil)
        #expect((fault as? Team)?.city == "Ulm")
    }

    @Test(arguments: variants)
    func n4DeletedObjectsLeave(_ variant: Notification.Name) throws {
        let pair = try Pair(variant)
        let team = Team(context: pair.sender, name: "Reds")
        let player = Player(context: pair.sender, name: "Ann")
        player.team = team
        try pair.sender.save()
        let copy = try pair.team(team)
        let member = try #require(copy.players.first)
        let heard = NotificationRecorder(pair.receiver)
        pair.sender.delete(team)
        try pair.sender.save()
        try pair.merge()
        expectEqual(heard.notifications.first?.objects(.deletedObjects), [copy])
        #expect(copy.managedObjectContext == nil && copy.name == "Reds", "H1: it reads as it did")
        #expect(member.team == nil)
        expectEqual(
            heard.take(),
            [
                "DidChangeObjects deleted:1 refreshed:1",
                "DidMergeChangesObjectIDs deleted_objectIDs:1 updated_objectIDs:1",
            ]
        )
        #expect(pair.receiver.registeredObject(for: team.objectID) == nil)
    }

    @Test(arguments: variants)
    func n4LocalEditsAreKept(_ variant: Notification.Name) throws {
        let pair = try Pair(variant)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        let copy = try pair.team(team)
        copy.city = "Jena"
        team.name = "Blues"
        team.city = "Ulm"
        try pair.sender.save()
        try pair.merge()
        #expect(copy.name == "Blues" && copy.city == "Jena" && copy.isUpdated)
        #expect(copy.committedValues(forKeys: ["city"])["city"] as? String == "Ulm")
        try pair.receiver.save()
        expectEqual(try pair.container.newContext().fetch(Team.fetchRequest()).map(\.city), ["Jena"])
    }

    /// The values that were sent with the save are used: the store is not read, and nothing is merged again.
    @Test func nothingIsReadTwiceNorMergedTwice() throws {
        try withStorePath { path in
            let pair = try Pair(ManagedObjectContext.didSaveObjectsNotification, path: path)
            let team = Team(context: pair.sender, name: "Reds")
            try pair.sender.save()
            let copy = try pair.team(team)
            try pair.merge()
            team.name = "Blues"
            try pair.sender.save()
            // A change that is not reported to this program, and does not increase the row version.
            try pair.container.store.execute("UPDATE \"Team\" SET \"name\" = 'Others'")
            try pair.merge()
            expectEqual(copy.name, "Blues")
            #expect(pair.receiver.inbox.isEmpty)
            let heard = NotificationRecorder(pair.receiver)
            pair.receiver.automaticallyMergesChangesFromParent = true
            pair.receiver.processPendingChanges()
            #expect(heard.take().isEmpty)
        }
    }

    /// A late merge uses and reports the current state.
    @Test(arguments: variants, [true, false])
    func lateMergesIncludeLaterChanges(_ variant: Notification.Name, wasUsed: Bool) throws {
        let pair = try Pair(variant)
        if wasUsed { _ = try pair.receiver.count(for: Team.fetchRequest()) }  // Otherwise nothing was passed on to it.
        let (kept, lost) = (Team(context: pair.sender, name: "Reds"), Team(context: pair.sender, name: "Blues"))
        try pair.sender.save()
        kept.city = "Ulm"
        pair.sender.delete(lost)
        try pair.sender.save()
        let heard = NotificationRecorder(pair.receiver)
        pair.receiver.mergeChanges(fromContextDidSave: try #require(pair.saves.notifications.first))
        #expect((pair.receiver.registeredObject(for: kept.objectID) as? Team)?.city == "Ulm")
        #expect(pair.receiver.registeredObject(for: lost.objectID) == nil)
        expectEqual(
            heard.take(),
            [
                "DidChangeObjects inserted:1",
                "DidMergeChangesObjectIDs \(wasUsed ? "deleted_objectIDs:1 " : "")inserted_objectIDs:1",
            ]
        )
        try pair.merge()
        expectEqual(heard.take().last, "DidMergeChangesObjectIDs deleted_objectIDs:1 updated_objectIDs:1")
    }

    @Test(arguments: variants)
    func repeatedMergesHaveNoEffect(_ variant: Notification.Name) throws {
        let pair = try Pair(variant)
        let (team, lost) = (Team(context: pair.sender, name: "Reds"), Team(context: pair.sender, name: "Blues"))
        try pair.sender.save()
        let (copy, gone) = (try pair.team(team), try pair.team(lost))
        let new = Team(context: pair.sender, name: "Greens")
        team.city = "Ulm"
        pair.sender.delete(lost)
        try pair.sender.save()
        for _ in 0..<3 {
            try pair.merge()
            #expect(copy.city == "Ulm" && !copy.isFault && !copy.hasChanges)
            #expect(gone.managedObjectContext == nil)
            #expect(pair.receiver.registeredObject(for: new.objectID) is Team)
            expectEqual(try pair.receiver.count(for: Team.fetchRequest()), 2)
        }
        copy.city = "Jena"
        try pair.merge()
        expectEqual(copy.city, "Jena", "a local edit is not undone")
        try pair.receiver.save()
    }

    /// If the inbox has no values, the rows are read, with the same result.
    @Test func rowsMissingFromTheInboxAreRead() throws {
        try withStorePath { path in
            let here = try LeagueModel.definition.testContainer(at: path)
            let there = try LeagueModel.definition.testContainer(at: path)
            let (receiver, sender) = (here.newContext(), there.newContext())
            let (team, edited) = (Team(context: sender, name: "Reds"), Team(context: sender, name: "Blues"))
            let (lost, unread) = (Team(context: sender, name: "Greens"), Team(context: sender, name: "Pinks"))
            try sender.save()
            func copy(_ original: Team) throws -> Team {
                try #require(try receiver.existingObject(with: original.objectID) as? Team)
            }
            let copies = try [team, edited, lost].map(copy)
            let fault = receiver.object(with: unread.objectID)
            copies[1].city = "Jena"
            for team in [team, edited, unread] { team.city = "Ulm" }
            edited.name = "Blacks"
            sender.delete(lost)
            let new = Team(context: sender, name: "Whites")
            Player(context: sender, name: "Ann").team = team
            #expect(copies[0].players.isEmpty)
            receiver.processPendingChanges()
            let heard = NotificationRecorder(receiver)
            let saves = NotificationRecorder(sender, [ManagedObjectContext.didSaveObjectIDsNotification])
            try sender.save()
            receiver.mergeChanges(fromContextDidSave: try #require(saves.notifications.last))
            #expect(copies[0].city == "Ulm" && copies[0].players.map(\.name) == ["Ann"])
            #expect(copies[1].city == "Jena" && copies[1].name == "Blacks")
            #expect(copies[2].managedObjectContext == nil)
            #expect(fault.isFault)
            expectEqual(
                heard.take(),
                [
                    "DidChangeObjects deleted:1 inserted:2 refreshed:2",
                    "DidMergeChangesObjectIDs deleted_objectIDs:1 inserted_objectIDs:2 updated_objectIDs:3",
                ]
            )
            #expect((receiver.registeredObject(for: new.objectID) as? Team)?.name == "Whites")
            try receiver.save()
            expectEqual(copies[1].city, "Jena")
        }
    }

    /// After its deletion is undone, an object has the values that other contexts saved in the meantime.
    @Test(arguments: ["a save", "a save elsewhere", "a batch update"], ["rollback", "undo"])
    func restoredObjectsHaveCurrentStoreValues(_ change: String, _ wayBack: String) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            context.undoManager = ContextUndoManager()
            let team = Team(context: context, name: "Reds")
            try context.save()
            context.processPendingChanges()
            context.undoManager?.removeAllActions()
            context.delete(team)
            context.processPendingChanges()
            switch change {
            case "a batch update":
                let result = try context.execute(BatchUpdateRequest<Team>().setting(\.city, to: "Ulm"))
                context.mergeChanges(result.changes)
            default:
                let other = change == "a save" ? container : try LeagueModel.definition.testContainer(at: path)
                let sender = other.newContext()
                let saves = NotificationRecorder(sender, [ManagedObjectContext.didSaveObjectIDsNotification])
                try #require(try sender.fetch(Team.fetchRequest()).first).city = "Ulm"
                try sender.save()
                context.mergeChanges(fromContextDidSave: try #require(saves.notifications.last))
            }
            if wayBack == "undo" { context.undo() } else { context.rollback() }
            #expect(!team.isDeleted && team.city == "Ulm")
            team.name = "Blues"
            try context.save()
            let stored = try container.newContext().fetch(Team.fetchRequest())
            #expect(stored.map(\.name) == ["Blues"] && stored.map(\.city) == ["Ulm"])
        }
    }

    /// The inbox does not keep the values of so many rows.
    @Test func manyRowsAreMergedByReadingThem() throws {
        let pair = try Pair(ManagedObjectContext.didSaveObjectIDsNotification)
        let teams = (0..<10_050).map { Team(context: pair.sender, name: "T\($0)") }
        try pair.sender.save()
        let copies = try pair.receiver.fetch(Team.fetchRequest())
        try pair.merge()
        copies[10_049].city = "Jena"
        for team in teams { team.name += "!" }
        try pair.sender.save()
        pair.receiver.processPendingChanges()
        let heard = NotificationRecorder(pair.receiver, [ManagedObjectContext.didChangeObjectsNotification])
        try pair.merge()
        #expect(copies.allSatisfy { !$0.isFault && $0.name.hasSuffix("!") })
        #expect(copies[10_049].city == "Jena" && copies[10_049].isUpdated)
        expectEqual(heard.take(), ["DidChangeObjects refreshed:10050"])
        try pair.receiver.save()
    }

    /// The merged values may be older than the fetched values.
    @Test func anOlderRowDoesNotReplaceANewerOne() throws {
        let pair = try Pair(ManagedObjectContext.didSaveObjectsNotification)
        let team = Team(context: pair.sender, name: "first")
        try pair.sender.save()
        let receiver = pair.receiver
        let copy = try pair.team(team)
        func drain() throws -> ChangeSet.Row { try #require(receiver.inbox.drain().first) }
        _ = receiver.inbox.drain()
        team.name = "second"
        try pair.sender.save()
        let second = try drain()
        team.name = "third"
        try pair.sender.save()
        let third = try drain()
        receiver.automaticallyMergesChangesFromParent = true
        for row in [third, second] {
            receiver.inbox.post(ChangeSet(rows: [row]))
            receiver.processPendingChanges()
            #expect(copy.name == "third" && copy.version == third.version)
        }
    }

    @Test func objectsOfOtherStoresAreIgnored() throws {
        let pair = try Pair(ManagedObjectContext.didSaveObjectsNotification)
        let stranger = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let saves = NotificationRecorder(stranger, [ManagedObjectContext.didSaveObjectsNotification])
        _ = Team(context: stranger, name: "Reds")
        try stranger.save()
        let heard = NotificationRecorder(pair.receiver)
        pair.receiver.mergeChanges(fromContextDidSave: try #require(saves.notifications.first))
        #expect(heard.take().isEmpty && pair.receiver.registeredObjects.isEmpty)
    }

    @Test func itsOwnSaveChangesNothing() throws {
        let pair = try Pair(ManagedObjectContext.didSaveObjectsNotification)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        let heard = NotificationRecorder(pair.sender)
        pair.sender.mergeChanges(fromContextDidSave: try #require(pair.saves.notifications.first))
        #expect(heard.take().isEmpty && !team.isFault)
    }

    @Test func aNotificationOfSomethingElseIsRefused() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let name = ManagedObjectContext.didChangeObjectsNotification
            context.mergeChanges(fromContextDidSave: Notification(name: name, object: nil))
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("does not contain the saved objects; merge didSaveObjectsNotification"))
    }

    /// An object that is a fault here when it is merged as inserted is reported, because lists were not notified of it.
    @Test func insertedObjectsThatAreFaultsAreReported() throws {
        let pair = try Pair(ManagedObjectContext.didSaveObjectsNotification)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        let fault = pair.receiver.object(with: team.objectID)
        let heard = NotificationRecorder(pair.receiver, [ManagedObjectContext.didChangeObjectsNotification])
        try pair.merge()
        expectEqual(heard.notifications.first?.objects(.insertedObjects), [fault])
        expectEqual(heard.take(), ["DidChangeObjects inserted:1"])
    }

    @Test func mergeInvalidatesAllObjects() throws {
        let pair = try Pair(ManagedObjectContext.didSaveObjectsNotification)
        let team = Team(context: pair.sender, name: "Reds")
        try pair.sender.save()
        let copy = try pair.team(team)
        pair.receiver.mergeChanges(ObjectIDChanges(invalidatesAll: true))
        #expect(copy.isFault)
    }
}
