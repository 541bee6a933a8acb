import Chordata
import ChordataTestStores
import Foundation
import Testing

/// Programming errors that trap with a message.
struct MisuseTests {
    private func check(_ result: ExitTest.Result?, _ sentence: String) {
        let text = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(text.contains(sentence), "\(text)")
    }

    @Test func aValueOutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setValue(70_000, forKey: "age")
        }
        check(
            result,
            "'age' of 'Player' expects Integer 16, but got a value of type Int that does not match or is out of range"
        )
    }

    /// The property is a `Set` of one class, so objects of other classes must not be added.
    @Test func aMemberOfAnotherEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let team = Team(context: context, name: "Reds")
            team.mutableSetValue(forKey: "players").add(Team(context: context, name: "Blues"))
        }
        check(result, "'players' of 'Team' expects an object of 'Player'")
    }

    private func checkRange(_ result: ExitTest.Result?, _ attribute: String, _ type: String, _ given: String) {
        let sentence =
            "'\(attribute)' of 'Reading' expects \(type), but got a value of type \(given) that does not match or is "
            + "out of range"
        check(result, sentence)
    }

    @Test func anInteger32OutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Reading(context: context).setValue(Int(Int32.max) + 1, forKey: "int32")
        }
        checkRange(result, "int32", "Integer 32", "Int")
    }

    @Test func anInteger64OutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Reading(context: context).setValue(UInt64.max, forKey: "int64")
        }
        checkRange(result, "int64", "Integer 64", "UInt64")
    }

    @Test func aFractionAsAnInteger() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Reading(context: context).setValue(1.5, forKey: "int64")
        }
        checkRange(result, "int64", "Integer 64", "Double")
    }

    @Test func aFloatOutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Reading(context: context).setValue(1e300, forKey: "ratio")
        }
        checkRange(result, "ratio", "Float", "Double")
    }

    @Test func anInfiniteDecimal() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Reading(context: context).setValue(Double.infinity, forKey: "price")
        }
        checkRange(result, "price", "Decimal", "Double")
    }

    @Test func aDecimalOutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Reading(context: context).setValue(1e300, forKey: "price")
        }
        checkRange(result, "price", "Decimal", "Double")
    }

    @Test func anIntThatTheModelsTypeDoesNotHold() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            Book(context: context).pageCount = Int(Int32.max) + 1
        }
        check(result, "'pageCount' has 2147483648, which does not fit into Int32")
    }

    @Test func aValueOfAnotherType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setValue("old", forKey: "age")
        }
        check(result, "'age' of 'Player' expects Integer 16, but got a value of type String")
    }

    @Test func anUnknownKey() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            Player(context: context, name: "Ann").setValue(1, forKey: "height")
        }
        check(result, "entity 'Player' has no property 'height'")
    }

    @Test func anObjectOfAnotherEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let player = Player(context: context, name: "Ann")
            player.setValue(player, forKey: "team")
        }
        check(result, "'team' of 'Player' expects an object of 'Team', but got a value of type Player")
    }

    @Test func anObjectOfAnotherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
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
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            Team(context: context, name: "Reds").addToPlayers(Player(context: other, name: "Ann"))
        }
        check(result, "an object of 'Player' from another context cannot be put into a relationship")
    }

    @Test func aDeletionInAnotherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
            let (context, other) = (container.newContext(), container.newContext())
            other.delete(Team(context: context, name: "Reds"))
        }
        check(result, "an object of 'Team' can only be deleted in its own context")
    }

    @Test func anIdentityOfAnotherStore() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let other = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            _ = other.object(with: Team(context: context, name: "Reds").objectID)
        }
        check(result, "belongs to another store than those of this context (")
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
            _ = TodoList(context: try LeagueModel.definition.testContainer(at: ":memory:").newContext())
        }
        check(result, "no entity of this context's model has the class TodoList")
    }

    @Test func anObjectOfAnAbstractClass() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Media(context: try EverythingModel.definition.testContainer(at: ":memory:").newContext())
        }
        check(result, "entity 'Media' is abstract and cannot be instantiated; insert an object of a subentity: 'Book'")
    }

    @Test func anObjectOfAnAbstractEntity() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try EverythingModel.definition.testContainer(at: ":memory:").newContext()
            _ = EntityDescription.insertNewObject(forEntityName: "Media", into: context)
        }
        check(result, "entity 'Media' is abstract and cannot be instantiated; insert an object of a subentity: 'Book'")
    }

    // MARK: Objects without a context

    @Test func aRelationshipBeforeTheInsertion() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let entity = try #require(EntityDescription.entity(forEntityName: "Player", in: context))
            Player(entity: entity, insertInto: nil).team = Team(context: context, name: "Reds")
        }
        check(result, "relationship of an object of 'Player' was changed before the object was inserted into a context")
    }

    @Test func anObjectInARelationshipBeforeItsInsertion() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let entity = try #require(EntityDescription.entity(forEntityName: "Player", in: context))
            Team(context: context, name: "Reds").addToPlayers(Player(entity: entity, insertInto: nil))
        }
        check(
            result,
            "an object of 'Player' cannot be put into a relationship before it is inserted; call insert(_:) first"
        )
    }

    @Test func anInsertionIntoAnotherContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let container = try LeagueModel.definition.testContainer(at: ":memory:")
            container.newContext().insert(Team(context: container.newContext(), name: "Reds"))
        }
        check(result, "an object of 'Team' is in another context, or its context was reset or released")
    }

    @Test func anInsertionOfADeletedObject() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
            let team = Team(context: context, name: "Reds")
            try context.save()
            context.delete(team)
            context.insert(team)
        }
        check(
            result,
            "an object of 'Team' is marked for deletion, so it cannot be inserted; undo the deletion with rollback()"
        )
    }

    @Test func anInsertionOfAnotherModel() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entity = try #require(LeagueModel.definition.model.entity(named: "Team"))
            try DoneModel.definition.testContainer(at: ":memory:").newContext().insert(
                Team(entity: entity, insertInto: nil)
            )
        }
        check(result, "an object of 'Team' was created with a different model than this context's")
    }

    @Test func anUnknownEntityWithoutAContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = ManagedObject(entity: EntityDescription(name: "Ghost"), insertInto: nil)
        }
        check(
            result,
            "entity 'Ghost' belongs neither to a model with generated code nor to the model of an open container"
        )
    }

    @Test func anAbstractEntityWithoutAContext() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entity = try #require(EverythingModel.definition.model.entity(named: "Media"))
            _ = ManagedObject(entity: entity, insertInto: nil)
        }
        check(result, "entity 'Media' is abstract and cannot be instantiated; insert an object of a subentity: 'Book'")
    }

    @Test func aClassThatIsNotTheEntitys() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let entity = try #require(LeagueModel.definition.model.entity(named: "Team"))
            _ = Player(entity: entity, insertInto: nil)
        }
        check(result, "an object of 'Team' has class Team, not Player")
    }
}
