import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Both ends of a relationship agree after a merge, with any unsaved changes here and objects in other contexts.
struct MergedEndsTests {
    /// Two contexts of a store with two teams, the first of which merges automatically.
    private func withContexts(
        _ body: (_ context: ManagedObjectContext, _ other: ManagedObjectContext, _ reds: Team, _ blues: Team) throws ->
            Void
    ) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        let reds = Team(context: context, name: "Reds")
        let blues = Team(context: context, name: "Blues")
        for name in ["Ann", "Bob"] { Player(context: context, name: name).team = reds }
        try context.save()
        try body(context, container.newContext(), reds, blues)
    }

    private func find<Object: ManagedObject>(_ name: String, _ context: ManagedObjectContext) throws -> Object {
        try #require(try context.fetch(FetchRequest<Object>().where(format: "name == %@", name)).first)
    }

    private func names(_ team: Team) -> [String] { team.players.map(\.name).sorted() }

    /// Members that are merged while a to-many has unsaved changes are visible immediately, and members that the
    /// context has changed are found by their to-ones.
    @Test func editedToManysMergeChangesOfOtherContexts() throws {
        try withContexts { context, other, reds, blues in
            let ann: Player = try find("Ann", context)
            ann.team = blues
            #expect(names(blues) == ["Ann"] && names(reds) == ["Bob"])
            let newcomer = Player(context: other, name: "Cem")
            newcomer.team = try find("Blues", other)
            let bob: Player = try find("Bob", other)
            bob.team = nil
            try other.save()
            context.processPendingChanges()
            #expect(names(blues) == ["Ann", "Cem"] && names(reds) == [])
            try context.save()
            #expect(names(blues) == ["Ann", "Cem"] && names(reds) == [])
        }
    }

    /// A row that references the object in the store, but another object because of an unsaved change, is not a member;
    /// it is a member again after a rollback.
    @Test func reassignedMembersAreExcluded() throws {
        try withContexts { context, other, reds, blues in
            let ann: Player = try find("Ann", context)
            ann.team = nil
            let there: Player = try find("Ann", other)
            there.team = try find("Blues", other)
            try other.save()
            context.processPendingChanges()
            #expect(names(blues) == [] && ann.team == nil)
            context.rollback()
            #expect(ann.team === blues && names(blues) == ["Ann"] && names(reds) == ["Bob"])
        }
    }

    /// A context that deletes an object may not have read the references to it: the store nullifies them, without a
    /// notification.
    @Test(arguments: [false, true]) func deletionsInContextsThatDidNotReadTheMembers(isListRead: Bool) throws {
        try withContexts { context, other, reds, blues in
            let there: Team = try find("Blues", other)
            if isListRead { #expect(there.players.isEmpty) }
            let ann: Player = try find("Ann", context)
            ann.team = blues
            try context.save()
            other.delete(there)
            try other.save()
            context.processPendingChanges()
            #expect(ann.team == nil)
            expectEqual(try context.count(for: Player.fetchRequest().where(format: "team == nil")), 1)
        }
    }

    /// The saving context has not read references that were set after the deletion, either; the contexts that reported
    /// them may be deallocated.
    @Test(arguments: [false, true], [false, true])
    func membersAddedAfterTheDeletion(areEdited: Bool, isAlone: Bool) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        let (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
        for name in ["Ann", "Bob"] { Player(context: context, name: name).team = reds }
        try context.save()
        let third = isAlone ? nil : container.newContext()
        third?.automaticallyMergesChangesFromParent = true
        let annOfThird: Player? = try third.map { try find("Ann", $0) }
        context.delete(blues)
        context.processPendingChanges()
        do {
            let other = container.newContext()
            let there: Player = try find("Ann", other)
            there.team = try find("Blues", other)
            try other.save()
        }
        let ann: Player = try find("Ann", context)
        if areEdited { ann.age = 30 }
        try context.save()
        #expect(ann.team == nil && names(reds) == ["Bob"] && ann.age == (areEdited ? 30 : 0))
        third?.processPendingChanges()
        #expect(annOfThird?.team == nil && annOfThird?.age == (third == nil ? nil : ann.age))
        #expect(try third.map { names(try find("Reds", $0)) } ?? ["Bob"] == ["Bob"])
    }

    /// A context with an outdated version of a nullified row must not save its old reference.
    @Test func nullifiedRowsHaveANewVersion() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other, last) = (container.newContext(), container.newContext(), container.newContext())
        context.automaticallyMergesChangesFromParent = true
        let ann = Player(context: context, name: "Ann")
        let reds = Team(context: context, name: "Reds")
        try context.save()
        other.delete(try find("Reds", other) as Team)
        ann.team = reds
        try context.save()
        let stale: Player = try find("Ann", last)
        expectEqual(stale.team?.name, "Reds")
        try other.save()
        stale.age = 30
        #expect(throws: SaveConflictError.self) { try last.save() }
        last.mergePolicy = .mergeByPropertyObjectTrump
        try last.save()
        context.processPendingChanges()
        #expect(ann.team == nil && ann.age == 30 && stale.team == nil)
    }

    /// An object whose deletion is rolled back has the changes of other contexts, even in lists that were read before.
    @Test(arguments: [false, true], [false, true])
    func revertedDeletions(isUndone: Bool, isListRead: Bool) throws {
        try withContexts { context, other, reds, blues in
            let ann: Player = try find("Ann", context)
            if isListRead { #expect(names(blues) == [] && names(reds) == ["Ann", "Bob"]) }
            context.undoManager = isUndone ? ContextUndoManager() : nil
            context.delete(ann)
            context.processPendingChanges()
            if isListRead { expectEqual(names(reds), ["Bob"]) }
            let there: Player = try find("Ann", other)
            there.team = try find("Blues", other)
            there.age = 30
            try other.save()
            context.processPendingChanges()
            if isListRead { expectEqual(names(blues), []) }
            if isUndone { context.undo() } else { context.rollback() }
            #expect(ann.age == 30 && ann.team === blues && names(blues) == ["Ann"] && names(reds) == ["Bob"])
            #expect(!context.hasChanges || isUndone)
            try context.save()
            #expect(ann.team === blues && names(blues) == ["Ann"] && names(reds) == ["Bob"])
        }
    }

    /// If too many rows were saved to send their values, an edited object keeps its reference, and remains a member of
    /// the referenced object.
    @Test(arguments: [false, true]) func tooManyRowsToSend(isSaved: Bool) throws {
        try withContexts { context, other, reds, blues in
            let ann: Player = try find("Ann", context)
            ann.age = 30
            expectEqual(names(reds), ["Ann", "Bob"])
            let there: Player = try find("Ann", other)
            for number in 0...ContextInbox.valueLimit { _ = Team(context: other, name: "\(number)") }
            there.team = try find("Blues", other)
            try other.save()
            context.processPendingChanges()
            #expect(ann.team === reds && names(reds) == ["Ann", "Bob"] && names(blues) == [])
            expectEqual(reds.count(of: \.players), 2)
            if isSaved {
                context.mergePolicy = .mergeByPropertyObjectTrump
                try context.save()
            } else {
                context.rollback()
            }
            #expect(ann.team === blues && names(reds) == ["Bob"] && names(blues) == ["Ann"])
            expectEqual(ann.age, isSaved ? 30 : 0)
        }
    }

    /// H1: an object with unsaved changes whose row was deleted stays a member until these are saved or discarded.
    @Test func objectsWithoutRows() throws {
        try withContexts { context, other, reds, blues in
            let ann: Player = try find("Ann", context)
            ann.age = 30
            other.delete(try find("Ann", other) as Player)
            try other.save()
            let bob: Player = try find("Bob", other)
            bob.team = try find("Blues", other)
            try other.save()
            context.processPendingChanges()
            #expect(ann.team === reds && names(reds) == ["Ann"] && reds.count(of: \.players) == 1)
            context.rollback()
            #expect(names(reds) == [] && reds.count(of: \.players) == 0)
        }
    }

    /// H1: references of an object whose row was deleted are kept at both ends, even if a related object is deleted.
    @Test func pairsOfObjectsWithoutRows() throws {
        let container = try RelationshipGraphTests.definition().testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        context.automaticallyMergesChangesFromParent = true
        let objects = (0..<3).map { _ in EntityDescription.insertNewObject(forEntityName: "A", into: context) }
        for (number, object) in objects.enumerated() { object.setValue(number, forKey: "number") }
        objects[0].setValue([objects[1], objects[2]], forKey: "friends")
        try context.save()
        func friends(_ index: Int) -> [Int] {
            let friends = objects[index].value(forKey: "friends") as? Set<ManagedObject> ?? []
            return friends.compactMap { objects.firstIndex(of: $0) }.sorted()
        }
        #expect(friends(0) == [1, 2] && friends(1) == [0] && friends(2) == [0])
        objects[0].setValue(5, forKey: "number")
        for index in [0, 1] {
            other.delete(try other.existingObject(with: objects[index].objectID))
            try other.save()
            context.processPendingChanges()
        }
        #expect(friends(0) == [2] && friends(2) == [0])
        context.rollback()
        expectEqual(friends(2), [])
    }

    /// Rows that are faults or not registered here are read if a list may include them now.
    @Test(arguments: [false, true]) func listsIncludeUnregisteredRows(areMergedByHand: Bool) throws {
        try withContexts { context, other, reds, _ in
            try withExtendedLifetime(ResultsTable<Player>()) { table in
                context.automaticallyMergesChangesFromParent = !areMergedByHand
                let young = FetchedResultsController(
                    fetchRequest: try Player.fetchRequest().where(format: "age > 10 OR team.city == 'Ulm'").sorted(
                        by: \.name
                    ),
                    managedObjectContext: context
                )
                young.delegate = table
                try young.performFetch()
                table.show(young)
                context.refreshAllObjects()
                context.graph.sweep()
                func save(_ change: () throws -> Void) throws {
                    try change()
                    let changes = ObjectIDChanges(
                        inserted: Set(other.insertedObjects.map(\.objectID)),
                        updated: Set(other.updatedObjects.map(\.objectID))
                    )
                    try other.save()
                    if areMergedByHand { context.mergeChanges(changes) } else { context.processPendingChanges() }
                }
                try save { (try find("Bob", other) as Player).age = 11 }
                expectEqual(young.fetchedObjects?.map(\.name), ["Bob"])
                try save { (try find("Reds", other) as Team).city = "Ulm" }
                expectEqual(young.fetchedObjects?.map(\.name), ["Ann", "Bob"])
                expectEqual(table.rows.first, young.fetchedObjects?.map(\.objectID))
                expectEqual(reds.city, "Ulm")
            }
        }
    }
}
