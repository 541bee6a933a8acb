import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Primitive values of relationships, which are set without recording a change and without updating the inverse.
struct PrimitiveValueTests {
    private func savedTeam(of player: Player, in container: PersistentContainer) throws -> String? {
        let context = container.newContext()
        let found = try #require(try context.existingObject(with: player.objectID) as? Player)
        return found.team?.name
    }

    @Test func aToOne() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
            let ann = Player(context: context, name: "Ann")
            ann.team = reds
            try context.save()
            ann.setPrimitiveValue(blues, forKey: "team")
            #expect(ann.primitiveValue(forKey: "team") as? Team === blues && ann.team === blues)
            #expect(!context.hasChanges && reds.players == [ann] && blues.players.isEmpty)
            // Saving another change does not save the primitive value.
            ann.age = 1
            try context.save()
            expectEqual(try savedTeam(of: ann, in: container), "Reds")
            // Saving a change of the property itself does.
            ann.willChangeValue(forKey: "team")
            ann.setPrimitiveValue(nil, forKey: "team")
            try context.save()
            #expect(try savedTeam(of: ann, in: container) == nil)
        }
    }

    @Test func aNewObjectIsSavedWithThem() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let reds = Team(context: context, name: "Reds")
            let ann = Player(context: context, name: "Ann")
            ann.setPrimitiveValue(reds, forKey: "team")
            try context.save()
            expectEqual(try savedTeam(of: ann, in: container), "Reds")
        }
    }

    @Test(arguments: ["manyToMany", "manyToOrdered", "oneWayToMany", "oneWayOrdered"])
    func aToMany(name: String) throws {
        try withStorePath { path in
            let container = try RelationshipGraphTests.definition().testContainer(at: path)
            let context = container.newContext()
            func insert(_ name: String) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
                object.setValue(1, forKey: "number")
                return object
            }
            let (a, b, c, d) = (insert("A"), insert("B"), insert("B"), insert("B"))
            a.setValue([b, c], forKey: name)
            try context.save()
            let other = container.newContext()
            let owner = other.object(with: a.objectID)
            owner.setPrimitiveValue([d, b].map { other.object(with: $0.objectID) }, forKey: name)
            #expect(!other.hasChanges)
            let isOrdered = name.hasSuffix("Ordered")
            func check(_ context: ManagedObjectContext) {
                let found = context.object(with: a.objectID).mutableSetValue(forKey: name).allObjects.map(\.objectID)
                if isOrdered { expectEqual(found, [d.objectID, b.objectID]) }
                expectEqual(Set(found), [d.objectID, b.objectID])
            }
            check(other)
            owner.willChangeValue(forKey: name)
            try other.save()
            check(other)
            check(container.newContext())
        }
    }
}
