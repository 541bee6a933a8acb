import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// All reads of a context within an event see one state of the store.
struct ReadTransactionTests {
    private func withTwoTeams(_ body: (PersistentContainer, [ManagedObjectID]) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let teams = [Team(context: context, name: "Reds"), Team(context: context, name: "Blues")]
            try context.save()
            try body(container, teams.map(\.objectID))
        }
    }

    private func rename(_ id: ManagedObjectID, to name: String, in container: PersistentContainer) throws {
        let context = container.newContext()
        (try context.existingObject(with: id) as? Team)?.name = name
        try context.save()
    }

    @Test func anEventSeesOneState() throws {
        try withTwoTeams { container, ids in
            let context = container.newContext()
            try context.performAndWait {
                let first = try #require(try context.existingObject(with: ids[0]) as? Team)
                try rename(ids[1], to: "Greens", in: container)
                let second = try #require(
                    try context.performAndWait { try context.existingObject(with: ids[1]) } as? Team
                )
                #expect(first.name == "Reds" && second.name == "Blues")
                context.refresh(second, mergeChanges: false)
                expectEqual(second.name, "Greens")
                try rename(ids[0], to: "Whites", in: container)
                context.processPendingChanges()
                context.refreshAllObjects()
                expectEqual(first.name, "Whites")
                try rename(ids[1], to: "Blacks", in: container)
                context.refreshAllObjects()
                expectEqual(second.name, "Blacks")
                try rename(ids[1], to: "Yellows", in: container)
            }
            expectEqual(try context.count(for: Team.fetchRequest().where(\.name == "Yellows")), 1)
        }
    }

    @Test func withoutEventsEachReadSeesTheNewest() throws {
        try withTwoTeams { container, ids in
            let context = container.newContext()
            _ = try context.existingObject(with: ids[0])
            try rename(ids[1], to: "Greens", in: container)
            #expect((try context.existingObject(with: ids[1]) as? Team)?.name == "Greens")
        }
    }

    @Test func aSaveWithinAnEventIsSeenByIt() throws {
        try withTwoTeams { container, ids in
            let context = container.newContext()
            context.executor.beginTurns()
            _ = try context.existingObject(with: ids[0])
            _ = Player(context: context, name: "Ann")
            try context.save()
            context.reset()
            expectEqual(try context.count(for: Player.fetchRequest()), 1)
        }
    }

    @Test(.onlySQLite(.engine)) func aContextThatEndsGivesItsConnectionBack() throws {
        try withTwoTeams { container, ids in
            let sqlite = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            for _ in 0..<3 {
                let context = container.newContext()
                context.executor.beginTurns()
                _ = try context.existingObject(with: ids[0])
            }
            expectEqual(sqlite.readers.statistics.idleCount, 1)
        }
    }
}

/// A context that merges saves of other contexts has one state within an event, in memory and in its reads.
struct MergingEventTests {
    enum Scope: CaseIterable {
        case closure, turn
    }

    @Test(arguments: Scope.allCases, [false, true])
    fileprivate func eventsDoNotMergeInTheMiddle(_ scope: Scope, isChild: Bool) throws {
        if skipsCase(if: isChild, .childContexts) { return }
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let setup = container.newContext()
            let team = Team(context: setup, name: "Reds")
            try setup.save()
            let parent = container.newContext()
            parent.automaticallyMergesChangesFromParent = true
            let child = ManagedObjectContext(isolation: nil)
            child.parent = parent
            child.automaticallyMergesChangesFromParent = true
            let context = isChild ? child : parent
            let object = try #require(try context.existingObject(with: team.objectID) as? Team)
            func saveElsewhere(_ name: String) throws {
                let other = container.newContext()
                try #require(try other.existingObject(with: team.objectID) as? Team).name = name
                _ = Team(context: other, name: name)
                try other.save()
            }
            func event(_ name: String) throws {
                let before = (object.name, try context.count(for: Team.fetchRequest()))
                try saveElsewhere(name)
                let after = (try context.count(for: Team.fetchRequest()), object.name)
                #expect(before.0 == after.1 && before.1 == after.0)
                let names = try context.fetch(Team.fetchRequest()).map(\.name)
                #expect(!names.contains(name) && object.name == before.0)
            }
            for round in 1...3 {
                try saveElsewhere("\(round)")
                switch scope {
                case .closure: try context.performAndWait { try event("\(round) within") }
                case .turn:
                    parent.executor.beginTurns()
                    child.executor.beginTurns()
                    try event("\(round) within")
                }
                parent.processPendingChanges()
                context.processPendingChanges()
                expectEqual(object.name, "\(round) within")
                expectEqual(try context.count(for: Team.fetchRequest()), 1 + 2 * round)
            }
        }
    }

    /// Saves from before the closure are merged when the closure begins.
    @Test func eventsBeginWithTheNewestState() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        context.automaticallyMergesChangesFromParent = true
        let there = Team(context: other, name: "Reds")
        try other.save()
        let team = try #require(try context.existingObject(with: there.objectID) as? Team)
        there.name = "Greens"
        try other.save()
        expectEqual(team.name, "Reds")
        context.performAndWait { expectEqual(team.name, "Greens") }
    }
}
