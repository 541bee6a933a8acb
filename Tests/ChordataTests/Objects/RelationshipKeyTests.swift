import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The destinations of relationships as object IDs: only the object's own row is read.
struct RelationshipKeyTests {
    private struct Graph {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let owner: ManagedObject
        let members: [ManagedObjectID]
        let spare: ManagedObjectID

        init(path: String, relationship: String) throws {
            container = try RelationshipGraphTests.definition().testContainer(at: path)
            let setup = container.newContext()
            func insert(_ name: String) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: setup)
                object.setValue(1, forKey: "number")
                return object
            }
            let kind = RelationshipGraphTests.kinds.first { $0.name == relationship }
            let isToMany = kind?.isToMany == true
            let (a, spare) = (insert("A"), insert(kind?.destination ?? "B"))
            let all = (0..<(isToMany ? 3 : 1)).map { _ in insert(kind?.destination ?? "B") }
            a.setValue(isToMany ? all : all[0], forKey: relationship)
            try setup.save()
            context = container.newContext()
            owner = context.object(with: a.objectID)
            members = all.map(\.objectID)
            self.spare = spare.objectID
        }

        var realised: [ManagedObject] { context.registeredObjects.filter { $0 !== owner && !$0.isFault } }
    }

    private static let toMany = RelationshipGraphTests.kinds.filter(\.isToMany).map(\.name)
    private static let toOne = RelationshipGraphTests.kinds.filter { !$0.isToMany }.map(\.name)

    @Test(arguments: toOne)
    func aToOne(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            expectEqual(graph.owner.objectIDs(forRelationshipNamed: name), graph.members)
            expectEqual(graph.context.registeredObjects, [graph.owner])
            let spare = try graph.context.existingObject(with: graph.spare)
            graph.owner.setValue(spare, forKey: name)
            expectEqual(graph.owner.objectIDs(forRelationshipNamed: name), [graph.spare])
            graph.owner.setValue(nil, forKey: name)
            #expect(graph.owner.objectIDs(forRelationshipNamed: name).isEmpty)
        }
    }

    @Test(arguments: toMany)
    func aToMany(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            let isOrdered = RelationshipGraphTests.kinds.first { $0.name == name }?.isOrdered == true
            func expect(_ expected: [ManagedObjectID], _ comment: Comment) {
                let found = graph.owner.objectIDs(forRelationshipNamed: name)
                if isOrdered { expectEqual(found, expected, comment) }
                #expect(Set(found) == Set(expected) && found.count == expected.count, comment)
            }
            expect(graph.members, "stored")
            expectEqual(graph.context.registeredObjects, [graph.owner])
            let spare = graph.context.object(with: graph.spare)
            graph.owner.mutableSetValue(forKey: name).add(spare)
            expect(graph.members + [graph.spare], "added")
            graph.owner.mutableSetValue(forKey: name).remove(graph.context.object(with: graph.members[1]))
            expect([graph.members[0], graph.members[2], graph.spare], "removed")
            graph.context.delete(graph.context.object(with: graph.members[0]))
            expect([graph.members[2], graph.spare], "deleted")
            _ = graph.owner.mutableSetValue(forKey: name).allObjects
            expect([graph.members[2], graph.spare], "read")
            try graph.context.save()
            expect([graph.members[2], graph.spare], "saved")
        }
    }

    @Test(arguments: toMany)
    func aToManyOfWhichNothingIsInMemory(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            let doomed = graph.context.object(with: graph.members[1])
            graph.context.delete(doomed)
            #expect(!graph.owner.objectIDs(forRelationshipNamed: name).contains(doomed.objectID))
        }
    }

    @Test func objectsOfSubentitiesAndNewObjects() throws {
        try withStorePath { path in
            let container = try EverythingModel.definition.testContainer(at: path)
            let context = container.newContext()
            let book = Book(context: context, createdAt: .init(), title: "Emma")
            let shelf = Shelf(context: context, name: "A")
            #expect(shelf.objectIDs(forRelationshipNamed: "media").isEmpty)
            shelf.addToMedia(book)
            expectEqual(shelf.objectIDs(forRelationshipNamed: "media"), [book.objectID])
            try context.save()
            let fresh = container.newContext()
            let ids = fresh.object(with: shelf.objectID).objectIDs(forRelationshipNamed: "media")
            #expect(ids == [book.objectID] && ids.map(\.entityName) == ["Book"])
            expectEqual(fresh.object(with: book.objectID).objectIDs(forRelationshipNamed: "shelf"), [shelf.objectID])
        }
    }
}
