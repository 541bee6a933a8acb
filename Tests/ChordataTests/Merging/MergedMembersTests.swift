import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// To-many relationships that two contexts change at the same time.
struct MergedMembersTests {
    /// A relationship with unsaved changes has both these changes and the changes of other contexts.
    @Test func savesMergeOtherChangesOfTheSameRelationship() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let writer = container.newContext()
        let reds = Team(context: writer, name: "Reds")
        let (ann, bob) = (Player(context: writer, name: "Ann"), Player(context: writer, name: "Bob"))
        bob.team = reds
        try writer.save()

        let context = container.newContext()
        context.automaticallyMergesChangesFromParent = true
        let team = try #require(try context.fetch(Team.fetchRequest()).first)
        expectEqual(team.players.map(\.name), ["Bob"])
        let cem = Player(context: context, name: "Cem")
        cem.team = team
        ann.team = reds
        bob.team = nil
        try writer.save()
        context.processPendingChanges()
        #expect(team.players.contains(cem))
        try context.save()
        expectEqual(team.players.map(\.name).sorted(), ["Ann", "Cem"])
    }
}

/// Another context changes rows that are faults here; the relationships to them were read, and must be updated.
struct MergedFaultTests {
    /// Checks that a change in a context that has registered only the player is merged by another context, where the
    /// player is a fault in a relationship that was read.
    private func check(_ expected: [String], _ change: (ManagedObjectContext, Player) throws -> Void) throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let first = container.newContext()
        let ann = Player(context: first, name: "Ann")
        ann.team = Team(context: first, name: "Reds")
        try first.save()

        let reader = container.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let team = try #require(try reader.fetch(Team.fetchRequest()).first)
        let player = try #require(team.players.first)
        reader.refresh(player, mergeChanges: false)
        #expect(player.isFault)

        let writer = container.newContext()
        try change(writer, try #require(try writer.existingObject(with: ann.objectID) as? Player))
        try writer.save()
        reader.processPendingChanges()
        expectEqual(team.players.map(\.name), expected)
    }

    @Test func deletedMemberThatIsAFault() throws { try check([]) { context, player in context.delete(player) } }
    @Test func removedMemberThatIsAFault() throws { try check([]) { _, player in player.team = nil } }
    @Test func changedMemberThatIsAFault() throws { try check(["Bob"]) { _, player in player.name = "Bob" } }

    /// An object that is read again before the change is merged has no reference to its old owner; the owner still has
    /// the member.
    @Test(arguments: [false, true], [false, true])
    func memberReadBeforeTheMerge(keepsChanges: Bool, isDeletedHere: Bool) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let (here, there) = (container.newContext(), container.newContext())
            here.automaticallyMergesChangesFromParent = true
            let (reds, blues) = (Team(context: here, name: "Reds"), Team(context: here, name: "Blues"))
            let player = Player(context: here, name: "Ann")
            player.team = reds
            try here.save()
            #expect(reds.players == [player] && blues.players.isEmpty)
            let other = try #require(try there.existingObject(with: player.objectID) as? Player)
            other.team = try there.existingObject(with: blues.objectID) as? Team
            try there.save()
            here.refresh(player, mergeChanges: keepsChanges)
            #expect(player.team === blues)
            if isDeletedHere {
                here.delete(player)
                try here.save()
            }
            here.processPendingChanges()
            #expect(reds.players.isEmpty && blues.players == (isDeletedHere ? [] : [player]))
        }
    }

    /// The actions that end the unsaved changes of a list.
    enum Undoing: CaseIterable { case rollback, refresh, setBack, deletion, deletionOfANewOne, save }

    /// Changes of other contexts to a to-many with unsaved changes are merged at the next save at the latest, even if
    /// the unsaved changes are undone.
    @Test(arguments: Undoing.allCases, [(false, false), (false, true), (true, false), (true, true)])
    func toManyWhoseChangesAreUndone(_ undoing: Undoing, _ row: (isDeletedThere: Bool, isFault: Bool)) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let (here, there) = (container.newContext(), container.newContext())
            here.automaticallyMergesChangesFromParent = true
            let reds = Team(context: here, name: "Reds")
            let (ann, bob) = (Player(context: here, name: "Ann"), Player(context: here, name: "Bob"))
            ann.team = reds
            try here.save()
            expectEqual(reds.players, [ann])
            if undoing == .deletionOfANewOne { Player(context: here, name: "Cem").team = reds } else { bob.team = reds }
            if row.isFault { here.refresh(ann, mergeChanges: false) }
            let other = try #require(try there.existingObject(with: ann.objectID) as? Player)
            if row.isDeletedThere { there.delete(other) } else { other.team = nil }
            try there.save()
            here.processPendingChanges()
            switch undoing {
            case .rollback: here.rollback()
            case .refresh: here.refresh(bob, mergeChanges: false)
            case .setBack: bob.team = nil
            case .deletion: here.delete(bob)
            case .deletionOfANewOne: for player in here.insertedObjects { here.delete(player) }
            case .save: break
            }
            try here.save()
            #expect(!here.hasChanges && reds.players == (undoing == .save ? [bob] : []))
        }
    }

    /// A context that removes a member that it never read in the to-many does not report the owner.
    @Test func memberRemovedFromAnOutdatedToMany() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let (first, here, there) = (container.newContext(), container.newContext(), container.newContext())
            let (team, player) = (Team(context: first, name: "Reds"), Player(context: first, name: "Ann"))
            try first.save()
            let outdated = try #require(try there.existingObject(with: team.objectID) as? Team)
            #expect(outdated.players.isEmpty)
            player.team = team
            try first.save()

            here.automaticallyMergesChangesFromParent = true
            let reds = try #require(try here.existingObject(with: team.objectID) as? Team)
            let ann = try #require(reds.players.first)
            here.refresh(ann, mergeChanges: false)
            let other = try #require(try there.existingObject(with: player.objectID) as? Player)
            #expect(other.team === outdated)
            other.team = nil
            try there.save()
            here.processPendingChanges()
            #expect(reds.players.isEmpty)
        }
    }
}
