import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

struct ContextTests {
    private func makeLeague() throws -> (PersistentContainer, ManagedObjectContext) {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        return (container, container.newContext())
    }

    @Test func oneObjectPerRow() throws {
        let (_, context) = try makeLeague()
        let team = Team(context: context, name: "Reds")
        try context.save()
        let found = try context.fetch(Team.fetchRequest())
        expectEqual(found.count, 1)
        #expect(found.first === team)
        #expect(try context.existingObject(with: team.objectID) === team)
    }

    @Test func unsavedChangesCountInFetches() throws {
        let (_, context) = try makeLeague()
        let ann = Player(context: context, name: "Ann")
        let bob = Player(context: context, name: "Bob")
        try context.save()
        ann.age = 40
        context.delete(bob)
        _ = Player(context: context, name: "Cid")
        let request = Player.fetchRequest().sorted(by: \.name)
        expectEqual(try context.fetch(request).map(\.name), ["Ann", "Cid"])
        expectEqual(try context.fetch(request.where(format: "age > 30")).map(\.name), ["Ann"])
        expectEqual(try context.count(for: request), 2)
        expectEqual(try context.fetch(request.limit(1).offset(1)).map(\.name), ["Cid"])
        var stored = request
        stored.includesPendingChanges = false
        expectEqual(try context.fetch(stored).map(\.name), ["Ann", "Bob"])
    }

    @Test func predicatesCrossToOnes() throws {
        let (_, context) = try makeLeague()
        let reds = Team(context: context, name: "Reds")
        for name in ["Ann", "Bob"] { Player(context: context, name: name).team = name == "Ann" ? reds : nil }
        let request = try Player.fetchRequest().where(format: "team.name == %@", "Reds")
        expectEqual(try context.fetch(request).map(\.name), ["Ann"])
        try context.save()
        expectEqual(try context.fetch(request).map(\.name), ["Ann"])
        reds.name = "Blues"
        #expect(try context.fetch(request).isEmpty)
        expectEqual(try context.fetch(Player.fetchRequest().where(format: "team != %@", reds)).map(\.name), ["Bob"])
    }

    /// D8: a rollback also restores deleted objects and the relationships that were nullified.
    @Test func rollbackRestoresEverything() throws {
        let (_, context) = try makeLeague()
        let reds = Team(context: context, name: "Reds")
        let ann = Player(context: context, name: "Ann")
        ann.team = reds
        try context.save()
        ann.name = "Anna"
        ann.team = nil
        #expect(reds.players.isEmpty)
        let bob = Player(context: context, name: "Bob")
        bob.team = reds
        context.delete(ann)
        context.rollback()
        #expect(!context.hasChanges)
        expectEqual(ann.name, "Ann")
        #expect(ann.team === reds)
        expectEqual(reds.players, [ann])
        #expect(bob.managedObjectContext == nil)
        expectEqual(try context.fetch(Player.fetchRequest()).map(\.name), ["Ann"])
    }

    /// D8: a rollback also restores values that were set after the deletion, and values that were not read before it.
    @Test func rollbackRestoresValuesSetAfterADeletion() throws {
        let (container, context) = try makeLeague()
        let reds = Team(context: context, name: "Reds")
        let ann = Player(context: context, name: "Ann")
        ann.team = reds
        try context.save()
        for other in [context, container.newContext()] {
            let player = try #require(try other.fetch(Player.fetchRequest()).first)
            other.delete(player)
            player.name = "Anna"
            #expect(player.committedValues(forKeys: ["name"])["name"] as? String == "Ann")
            other.rollback()
            expectEqual(player.name, "Ann")
            expectEqual(player.team?.name, "Reds")
            #expect(!player.isDeleted && !other.hasChanges)
            player.name = "Anne"
            expectEqual(player.changedValues().keys.sorted(), ["name"])
            other.rollback()
        }
    }

    /// The last step of 5B.
    @Test func failedSaveKeepsEveryChangeAndSucceedsAfterTheRepair() throws {
        let (_, context) = try makeLeague()
        let team = Team(context: context)
        let ann = Player(context: context, name: "Ann")
        ann.team = team
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName), ["name"])
        expectEqual(error?.failures.map(\.code), [.missingMandatoryProperty])
        #expect(error?.description.contains("'name' of 'Team'") == true)
        expectEqual(context.insertedObjects, [team, ann])
        team.name = "Reds"
        try context.save()
        #expect(!context.hasChanges)
        expectEqual(try context.count(for: Team.fetchRequest()), 1)
    }

    @Test func aConcurrentEditIsNotOverwritten() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let first = container.newContext()
            let second = container.newContext()
            let ann = Player(context: first, name: "Ann")
            try first.save()
            let same = try #require(try second.fetch(Player.fetchRequest()).first)
            ann.age = 1
            try first.save()
            same.age = 2
            #expect(throws: SaveConflictError.self) { try second.save() }
            expectEqual(same.age, 2)
            #expect(same.isUpdated)
            // After the merge, the local edit is kept and the save succeeds.
            second.automaticallyMergesChangesFromParent = true
            second.processPendingChanges()
            expectEqual(same.age, 2)
            try second.save()
            expectEqual(try container.newContext().fetch(Player.fetchRequest()).map(\.age), [2])
        }
    }

    @Test func objectsKeepValuesAfterContextDeallocation() throws {
        let (container, _) = try makeLeague()
        var context: ManagedObjectContext? = container.newContext()
        var team: Team?
        if let context {
            let reds = Team(context: context, name: "Reds")
            Player(context: context, name: "Ann").team = reds
            try context.save()
            team = reds
        }
        context = nil
        #expect(team?.managedObjectContext == nil)
        expectEqual(team?.name, "Reds")
        team = nil
    }

    /// Objects in every state outlive their context, keep their values, and may be released by another thread.
    @Test func objectsOutliveTheirContext() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            var objects: [ManagedObject] = []
            do {
                let context = container.newContext()
                let teams = (0..<200).map { Team(context: context, name: "T\($0)") }
                let players = (0..<200).map { Player(context: context, name: "P\($0)") }
                for (player, team) in zip(players, teams) { player.team = team }
                try context.save()
                context.reset()
                let found = try context.fetch(Player.fetchRequest().sorted(by: \.age))
                // Clean, updated, deleted and inserted objects, faults, and both ends of relationships that were read.
                for (index, player) in found.enumerated() {
                    if index % 4 == 1 { player.age = 7 }
                    if index % 4 == 2 { context.delete(player) }
                    if index % 4 == 3, let team = player.team { objects += Array(team.players) + [team] }
                }
                objects += found as [ManagedObject]
                objects.append(Team(context: context, name: "new"))
                objects.append(context.object(with: teams[0].objectID))
            }
            #expect(objects.allSatisfy { $0.managedObjectContext == nil })
            #expect(objects.contains { $0.isFault })
            for case let player as Player in objects where !player.isFault { #expect(player.name.hasPrefix("P")) }
            // The last release may happen in an isolation other than that of the context.
            let box = LastHolder(objects)
            objects = []
            let thread = Thread { box.release() }
            thread.start()
            box.wait()
            expectEqual(try container.newContext().count(for: Player.fetchRequest()), 200)
        }
    }

    @Test func resetUnregistersAndDetachesObjects() throws {
        let (container, _) = try makeLeague()
        let context = container.newContext()
        for index in 0..<100 {
            let team = Team(context: context, name: "T\(index)")
            Player(context: context, name: "P\(index)").team = team
        }
        try context.save()
        let kept = try #require(try context.fetch(Team.fetchRequest().limit(1)).first)
        context.reset()
        #expect(context.registeredObjects.isEmpty)
        #expect(kept.managedObjectContext == nil)
    }

    @Test func aSaveInOneContextReachesTheViewContext() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        try await MainActor.run {
            let team = Team(context: container.viewContext, name: "Reds")
            try container.viewContext.save()
            #expect(team.players.isEmpty)
        }
        try await container.performBackgroundTask { context in
            let team = try context.fetch(Team.fetchRequest()).first
            team?.name = "Blues"
            Player(context: context, name: "Ann").team = team
            try context.save()
        }
        try await MainActor.run {
            container.viewContext.processPendingChanges()
            let team = try container.viewContext.fetch(Team.fetchRequest()).first
            expectEqual(team?.name, "Blues")
            expectEqual(team?.players.map(\.name), ["Ann"])
        }
    }
}

struct MergeTests {
    /// A row that another context added, and that is not registered, is added to a loaded to-many.
    @Test func aLoadedToManyGrowsByAnotherContextsEdit() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let writer = container.newContext()
        let reds = Team(context: writer, name: "Reds")
        let ann = Player(context: writer, name: "Ann")
        try writer.save()
        let reader = container.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let team = try #require(try reader.fetch(Team.fetchRequest()).first)
        #expect(team.players.isEmpty)
        ann.team = reds
        try writer.save()
        reader.processPendingChanges()
        expectEqual(team.players.map(\.name), ["Ann"])
        ann.team = nil
        try writer.save()
        reader.processPendingChanges()
        #expect(team.players.isEmpty)
    }

    /// Changes of more rows than the inbox keeps values for are merged correctly, too.
    @Test func manyRowsAreMergedByIdentity() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let writer = container.newContext()
        let teams = (0..<10_100).map { Team(context: writer, name: "T\($0)") }
        try writer.save()
        let reader = container.newContext()
        let found = try reader.fetch(Team.fetchRequest())
        for team in teams { team.name += "!" }
        try writer.save()
        expectEqual(found.last?.name, "T10099")
        reader.automaticallyMergesChangesFromParent = true
        reader.processPendingChanges()
        expectEqual(found.first?.name, "T0!")
        expectEqual(found.last?.name, "T10099!")
        #expect(found.last?.isFault == false)
    }

    @Test func aTransientAttributeChangesTheObjectAndNotTheRow() throws {
        try withStorePath { path in
            let container = try DiaryModel.definition.testContainer(at: path)
            let context = container.newContext()
            let note = Note(context: context)
            try context.save()
            let other = container.newContext()
            let same = try #require(try other.existingObject(with: note.objectID) as? Note)
            note.words = 3
            #expect(note.isUpdated && !note.hasPersistentChangedValues)
            expectEqual(note.changedValues().keys.sorted(), ["words"])
            try context.save()
            #expect(!context.hasChanges && note.words == 3)
            same.text = "other"
            try other.save()
            let fault = container.newContext()
            let unread = try #require(fault.object(with: note.objectID) as? Note)
            expectEqual(unread.words, 1, "awakeFromFetch has counted them")
        }
    }

    @Test func refreshing() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = Team(context: context, name: "Reds")
            try context.save()
            let other = container.newContext()
            let same = try #require(try other.existingObject(with: team.objectID) as? Team)
            same.name = "Blues"
            same.city = "Ulm"
            try other.save()
            team.city = "Jena"
            context.refresh(team, mergeChanges: true)
            #expect(team.name == "Blues" && team.city == "Jena" && team.isUpdated)
            #expect(team.committedValues(forKeys: ["city"])["city"] as? String == "Ulm")
            try context.save()
            team.name = "Greens"
            context.refresh(team, mergeChanges: false)
            #expect(team.isFault && !context.hasChanges)
            #expect(team.name == "Blues" && team.city == "Jena")
            let player = Player(context: context, name: "Ann")
            context.refreshAllObjects()
            #expect(team.isFault && !player.isFault)
            context.delete(team)
            context.refresh(team, mergeChanges: false)
            #expect(team.isDeleted)
        }
    }

    @Test func missingObjectsThrow() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let team = Team(context: context, name: "Reds")
        let id = team.objectID
        context.rollback()
        let error = #expect(throws: MissingObjectError.self) { try context.existingObject(with: id) }
        let ending = "; the object was deleted, was never saved, or is of another entity (133000)"
        #expect(error.map { "\($0)" }?.hasSuffix(ending) == true)
        #expect(context.registeredObject(for: id) == nil)
    }

    @Test func changedAndCommittedValues() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let player = Player(context: context, name: "Ann")
        #expect(player.committedValues(forKeys: ["name"]) as? [String: String?] == ["name": nil])
        try context.save()
        #expect(player.changedValues().isEmpty)
        let team = Team(context: context, name: "Reds")
        player.name = "Bea"
        player.age = 0
        player.team = team
        expectEqual(player.changedValues().keys.sorted(), ["name", "team"], "the age is what it was")
        #expect(player.changedValues()["name"] as? String == "Bea")
        let committed = player.committedValues(forKeys: nil)
        #expect(committed["name"] as? String == "Ann" && committed.keys.contains("team"))
        player.name = "Ann"
        player.team = nil
        #expect(player.changedValues().isEmpty && !player.hasPersistentChangedValues && player.hasChanges)
    }
}

/// Passes objects to another thread, which only releases them; the semaphore orders the accesses of both threads.
private final class LastHolder: @unchecked Sendable {
    private var objects: [ManagedObject]
    private let isReleased = DispatchSemaphore(value: 0)

    init(_ objects: [ManagedObject]) { self.objects = objects }

    func release() {
        objects = []
        isReleased.signal()
    }

    func wait() { isReleased.wait() }
}
