import Chordata
import Foundation
import Testing

/// Mistakes of a program, which end it with a sentence that says what it was.
struct MisuseTests {
    private func check(_ result: ExitTest.Result?, _ sentence: String) {
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains(sentence), "\(text)")
    }

    @Test func aValueOutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setValue(70_000, forKey: "age")
        }
        check(result, "'age' of 'Player' is Integer 16; a value of type Int was given that is none or out of its range")
    }

    @Test func aValueOfAnotherType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setValue("old", forKey: "age")
        }
        check(result, "'age' of 'Player' is Integer 16; a value of type String was given")
    }

    @Test func anUnknownKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setValue(1, forKey: "height")
        }
        check(result, "entity 'Player' has no property 'height'")
    }

    @Test func anObjectOfAnotherEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            let player = Player(context: context, name: "Ann")
            player.setValue(player, forKey: "team")
        }
        check(result, "'team' of 'Player' is an object of 'Team'; a value of type Player was given")
    }

    @Test func anObjectOfAnotherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.container(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            Player(context: context, name: "Ann").team = Team(context: other, name: "Reds")
        }
        check(
            result,
            "an object of 'Team' from another context cannot be put into a relationship; fetch it in this context"
        )
    }

    @Test func anObjectOfAnotherContextInAToMany() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.container(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            Team(context: context, name: "Reds").addToPlayers(Player(context: other, name: "Ann"))
        }
        check(result, "an object of 'Player' from another context cannot be put into a relationship")
    }

    @Test func aDeletionInAnotherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.container(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            other.delete(Team(context: context, name: "Reds"))
        }
        check(result, "an object of 'Team' can only be deleted in its own context")
    }

    @Test func aChangeAfterDeletion() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            let team = Team(context: context, name: "Reds")
            try context.save()
            context.delete(team)
            try context.save()
            team.name = "Blues"
        }
        check(result, "an object of 'Team' was changed after its context was released or its deletion saved")
    }

    @Test func aFaultAfterItsContextDied() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.container(at: ":memory:")
            let first = container.newContext()
            let id = Team(context: first, name: "Reds").objectID
            try first.save()
            var context: ManagedObjectContext? = container.newContext()
            let fault = context?.object(with: id) as? Team
            context = nil
            _ = fault?.name
        }
        check(result, "an object of 'Team' was read after its context was released or its deletion saved")
    }

    @Test func anIdentityOfAnotherStore() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            let other = try LeagueModel.container(at: ":memory:").newContext()
            _ = other.object(with: Team(context: context, name: "Reds").objectID)
        }
        check(result, "is of another store than this context's")
    }

    @Test func aContextWithoutACoordinator() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Team(context: ManagedObjectContext(), name: "Reds")
        }
        check(result, "the context has no persistentStoreCoordinator; set it before the context is used")
    }

    @Test func aCoordinatorWithoutAStore() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = ManagedObjectContext()
            context.persistentStoreCoordinator = PersistentStoreCoordinator(managedObjectModel: LeagueModel.definition)
            _ = Team(context: context, name: "Reds")
        }
        check(result, "the context's coordinator has no store; call addPersistentStore before the context is used")
    }

    @Test func aClassOfAnotherModel() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = TodoList(context: try LeagueModel.container(at: ":memory:").newContext())
        }
        check(result, "class TodoList is not of an entity of this context's model")
    }

    @Test func aRelationshipAsAPrimitiveValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.container(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setPrimitiveValue(nil, forKey: "team")
        }
        check(result, "'team' of 'Player' is a relationship, whose inverse would not follow; use setValue(_:forKey:)")
    }
}
