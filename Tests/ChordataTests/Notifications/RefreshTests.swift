import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The reading of rows again, and its conditions (N5–N7, N9).
struct RefreshTests {
    /// Contexts of two containers with the same file, which are not notified of each other's saves.
    private struct Strangers {
        let here: ManagedObjectContext
        let there: ManagedObjectContext

        init(path: String) throws {
            here = try LeagueModel.definition.testContainer(at: path).newContext()
            there = try LeagueModel.definition.testContainer(at: path).newContext()
        }

        func copy(_ original: Team) throws -> Team {
            try #require(try here.existingObject(with: original.objectID) as? Team)
        }
    }

    @Test func n5UnreferencedUnchangedObjectsAreReleased() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        var teams = (0..<10).map { Team(context: context, name: "T\($0)") }
        let kept = teams[3]
        try context.save()
        teams = []
        kept.city = "Ulm"
        try context.save()
        _ = Team(context: context, name: "new")
        try context.save()
        #expect(context.registeredObjects.contains(kept))
        #expect(context.registeredObjects.count < 11)
        context.graph.sweep()
        expectEqual(context.registeredObjects, [kept])
    }

    /// An object that only a released object referenced is notified of its release too.
    @Test func n5DependentObjectsAreNotifiedOfTheirRelease() throws {
        try HookLog.withLog { log in
            let container = try DiaryModel.definition.testContainer(at: ":memory:")
            let (setup, context) = (container.newContext(), container.newContext())
            let attachment = Attachment(context: setup)
            attachment.note = Note(context: setup)
            try setup.save()
            let texts = try context.fetch(Attachment.fetchRequest()).map { $0.note?.text }
            expectEqual(texts, ["new!"])
            _ = log.take()
            context.graph.sweep()
            expectEqual(log.take(), ["Note willTurnIntoFault new!", "Note didTurnIntoFault true"])
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test func n6CleanObjectsBecomeFaultsAndDirtyOnesStay() throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let (clean, dirty) = (
                Team(context: strangers.there, name: "Reds"), Team(context: strangers.there, name: "Blues")
            )
            let player = Player(context: strangers.there, name: "Ann")
            let member = Player(context: strangers.there, name: "Bob")
            try strangers.there.save()
            let (a, b) = (try strangers.copy(clean), try strangers.copy(dirty))
            let deleted = try strangers.here.existingObject(with: player.objectID)
            b.city = "Jena"
            strangers.here.delete(deleted)
            let new = Team(context: strangers.here, name: "Greens")
            strangers.here.processPendingChanges()
            #expect(a.players.isEmpty)
            for team in [clean, dirty] { team.name += "!" }
            member.team = clean
            try strangers.there.save()
            let heard = NotificationRecorder(strangers.here, [ManagedObjectContext.didChangeObjectsNotification])
            strangers.here.refreshAllObjects()
            strangers.here.processPendingChanges()
            expectEqual(heard.notifications.first?.objects(.refreshedObjects), [a])
            expectEqual(heard.take(), ["DidChangeObjects refreshed:1"])
            #expect(a.isFault && !b.isFault && !new.isFault)
            #expect(deleted.isDeleted && new.isInserted && b.isUpdated)
            #expect(a.name == "Reds!" && a.players.count == 1)
            #expect(b.name == "Blues" && b.city == "Jena")
            expectEqual(new.name, "Greens")
        }
    }

    /// F34: a list treats refreshed objects as changed ones.
    @Test func f34ListsReportRefreshedObjectsAsUpdates() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        for index in 0..<3 { _ = Team(context: context, name: "T\(index)") }
        try context.save()
        let controller = FetchedResultsController(
            fetchRequest: Team.fetchRequest().sorted(by: \.name),
            managedObjectContext: context
        )
        let screen = UpdateCounter()
        controller.delegate = screen
        try controller.performFetch()
        context.refreshAllObjects()
        context.processPendingChanges()
        expectEqual(screen.types, Array(repeating: .update, count: 3))
    }

    /// There is no row cache: a fault is read from the store at each access, as with a staleness interval of 0.
    @Test func n7FaultsAreReadAgainEachTime() throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let team = Team(context: strangers.there, name: "0")
            try strangers.there.save()
            let copy = try strangers.copy(team)
            for index in 1..<4 {
                team.name = "\(index)"
                try strangers.there.save()
                expectEqual(copy.name, "\(index - 1)")
                strangers.here.refresh(copy, mergeChanges: false)
                #expect(copy.isFault && copy.name == "\(index)")
            }
        }
    }

    @Test func n7AFetchRefreshesUnchangedObjects() throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let teams = (0..<4).map { Team(context: strangers.there, name: "\($0)") }
            try strangers.there.save()
            let copies = try teams.map(strangers.copy)
            #expect(copies[0].players.isEmpty)
            copies[1].city = "Jena"
            strangers.here.delete(copies[2])
            for team in teams.dropLast() { team.name += "!" }
            Player(context: strangers.there, name: "Ann").team = teams[0]
            try strangers.there.save()
            strangers.here.processPendingChanges()
            let heard = NotificationRecorder(strangers.here, [ManagedObjectContext.didChangeObjectsNotification])
            var request = Team.fetchRequest().sorted(by: \.name)
            expectEqual(try strangers.here.fetch(request).map(\.name), ["0", "1", "3"])
            #expect(heard.take().isEmpty)
            for batchSize in [0, 2] {
                request.fetchBatchSize = batchSize
                request.shouldRefreshRefetchedObjects = true
                expectEqual(try strangers.here.fetch(request).map(\.name), ["0!", "1", "3"])
                #expect(copies[0].players.map(\.name) == ["Ann"] && !copies[0].hasChanges)
                #expect(copies[1].name == "1" && copies[1].city == "Jena" && copies[1].isUpdated)
                #expect(copies[2].isDeleted && copies[2].name == "2")
            }
            strangers.here.processPendingChanges()
            expectEqual(heard.notifications.first?.objects(.refreshedObjects), [copies[0]])
            expectEqual(
                heard.take(),
                ["DidChangeObjects refreshed:1"],
                "once, and nothing of those that are as they were"
            )
        }
    }

    /// Members that a refreshing fetch reads for its predicate have their new values when it is evaluated.
    @Test func n7PredicatesOfRefreshingFetchesSeeNewMembers() throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let team = Team(context: strangers.there, name: "Reds")
            let player = Player(context: strangers.there, name: "Ann")
            player.age = 30
            player.team = team
            try strangers.there.save()
            let copy = try strangers.copy(team)
            expectEqual(copy.players.map(\.age), [30])
            player.age = 50
            try strangers.there.save()
            // Because of a pending change, the predicate is evaluated in memory.
            _ = Player(context: strangers.here, name: "New")
            var request = try Team.fetchRequest().where(format: "ANY players.age > 40")
            request.shouldRefreshRefetchedObjects = true
            expectEqual(try strangers.here.fetch(request), [copy])
        }
    }

    /// A list whose request refreshes its objects is notified only once.
    @Test func n7RefreshingListsAreNotifiedOnce() throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let team = Team(context: strangers.there, name: "Reds")
            try strangers.there.save()
            let copy = try strangers.copy(team)
            var request = Team.fetchRequest().sorted(by: \.name).limit(5)
            request.shouldRefreshRefetchedObjects = true
            let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: strangers.here)
            let screen = UpdateCounter()
            controller.delegate = screen
            try controller.performFetch()
            team.name = "Blues"
            try strangers.there.save()
            try controller.performFetch()
            for _ in 0..<3 { strangers.here.processPendingChanges() }
            #expect(copy.name == "Blues" && screen.types == [.update])
        }
    }

    /// N9: an object whose row was deleted has the zero values of its properties, whereas an inaccessible fault of Core
    /// Data has no values.
    @Test func n9FaultWhoseRowWasDeleted() throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let team = Team(context: strangers.there, name: "Reds")
            try strangers.there.save()
            let fault = try #require(strangers.here.object(with: team.objectID) as? Team)
            #expect(fault.isFault, "nobody has looked")
            strangers.there.delete(team)
            try strangers.there.save()
            #expect(fault.name == "" && fault.city == nil && fault.players.isEmpty)
            #expect(!fault.isFault && !fault.isDeleted && !fault.hasChanges)
            #expect(throws: MissingObjectError.self) { try strangers.here.existingObject(with: fault.objectID) }
            #expect(strangers.here.registeredObject(for: fault.objectID) === fault)
            fault.city = "Ulm"
            #expect(throws: SaveConflictError.self) { try strangers.here.save() }
            strangers.here.rollback()
            try strangers.here.save()
        }
    }

    /// The same holds for an object that had values before.
    @Test(arguments: [true, false])
    func n9RefreshedObjectWhoseRowWasDeleted(refreshesAll: Bool) throws {
        try withStorePath { path in
            let strangers = try Strangers(path: path)
            let team = Team(context: strangers.there, name: "Reds")
            let player = Player(context: strangers.there, name: "Ann")
            player.team = team
            try strangers.there.save()
            let copy = try strangers.copy(team)
            let member = try #require(try strangers.here.existingObject(with: player.objectID) as? Player)
            #expect(copy.name == "Reds" && member.team === copy)
            for object in [team, player] { strangers.there.delete(object) }
            try strangers.there.save()
            if refreshesAll {
                strangers.here.refreshAllObjects()
            } else {
                for object in [copy, member] { strangers.here.refresh(object, mergeChanges: false) }
            }
            #expect(copy.name == "" && copy.players.isEmpty && member.name == "" && member.team == nil)
            for object in [copy, member] {
                #expect(throws: MissingObjectError.self) { try strangers.here.existingObject(with: object.objectID) }
            }
        }
    }

    private final class UpdateCounter: FetchedResultsControllerDelegate {
        private(set) var types: [FetchedResultsChangeType] = []

        func controller(
            _ controller: FetchedResultsController<Team>,
            didChange object: Team,
            at indexPath: IndexPath?,
            for type: FetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) { types.append(type) }
    }
}
