import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Another context deleted an object that relationships here reference (5E: N4, H1).
struct MergedDeletionTests {
    /// A store with an `A` and two `B`s, one of them a member of all relationships, and two contexts that have read
    /// all.
    private struct Graph {
        let container: PersistentContainer
        let here: ManagedObjectContext
        let there: ManagedObjectContext
        let owner: ManagedObject
        let doomed: ManagedObject
        let spare: ManagedObject

        init(path: String, relationship: String?) throws {
            container = try RelationshipGraphTests.definition().testContainer(at: path)
            (here, there) = (container.newContext(), container.newContext())
            let setup = container.newContext()
            func insert(_ name: String) -> ManagedObject {
                let object = EntityDescription.insertNewObject(forEntityName: name, into: setup)
                object.setValue(1, forKey: "number")
                return object
            }
            let (a, b, c) = (insert("A"), insert("B"), insert("B"))
            if let relationship {
                let isToMany = RelationshipGraphTests.kinds.first { $0.name == relationship }?.isToMany == true
                a.setValue(isToMany ? [b] : b, forKey: relationship)
            }
            try setup.save()
            here.automaticallyMergesChangesFromParent = true
            owner = try here.existingObject(with: a.objectID)
            doomed = try here.existingObject(with: b.objectID)
            spare = try here.existingObject(with: c.objectID)
        }

        func deleteInOtherContextAndMerge() throws {
            there.delete(try there.existingObject(with: doomed.objectID))
            try there.save()
            here.processPendingChanges()
        }

        func members(_ name: String) -> [ManagedObject] { owner.mutableSetValue(forKey: name).allObjects }
    }

    private static let toMany = RelationshipGraphTests.kinds.filter { $0.isToMany && $0.destination == "B" }.map(\.name)
    private static let toOne = RelationshipGraphTests.kinds.filter { !$0.isToMany && $0.destination == "B" }.map(\.name)

    @Test(arguments: toMany)
    func aMemberOfAnEditedRelationship(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            expectEqual(graph.members(name), [graph.doomed])
            graph.owner.mutableSetValue(forKey: name).add(graph.spare)
            try graph.deleteInOtherContextAndMerge()
            expectEqual(graph.members(name), [graph.spare])
            try graph.here.save()
            let fresh = graph.container.newContext()
            let found = try fresh.existingObject(with: graph.owner.objectID)
            expectEqual(found.mutableSetValue(forKey: name).allObjects.map(\.objectID), [graph.spare.objectID])
        }
    }

    @Test(arguments: toMany)
    func aMemberThatWasAddedUnread(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: nil)
            graph.owner.mutableSetValue(forKey: name).add(graph.doomed)
            try graph.deleteInOtherContextAndMerge()
            #expect(graph.members(name).isEmpty)
            try graph.here.save()
        }
    }

    @Test(arguments: toMany)
    func aMemberOfARelationshipWithoutChanges(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            expectEqual(graph.members(name), [graph.doomed])
            try graph.deleteInOtherContextAndMerge()
            #expect(graph.members(name).isEmpty)
            #expect(!graph.here.hasChanges)
        }
    }

    @Test(arguments: toOne)
    func theDestinationOfAnEditedToOne(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: nil)
            graph.owner.setValue(graph.doomed, forKey: name)
            try graph.deleteInOtherContextAndMerge()
            #expect(graph.owner.value(forKey: name) == nil)
            try graph.here.save()
            #expect(graph.owner.value(forKey: name) == nil)
        }
    }

    @Test(arguments: toOne)
    func theDestinationOfAToOneWithoutChanges(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            #expect(graph.owner.value(forKey: name) as? ManagedObject === graph.doomed)
            try graph.deleteInOtherContextAndMerge()
            #expect(graph.owner.value(forKey: name) == nil)
            #expect(!graph.here.hasChanges)
        }
    }

    /// H1: unsaved changes are kept until they are saved, which then causes a conflict.
    @Test func anObjectWithChangesOfItsOwnStays() throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: "oneToMany")
            graph.owner.setValue(7, forKey: "number")
            graph.doomed.setValue(8, forKey: "number")
            try graph.deleteInOtherContextAndMerge()
            expectEqual(graph.here.updatedObjects, [graph.owner, graph.doomed])
            #expect(
                graph.doomed.managedObjectContext === graph.here && graph.doomed.value(forKey: "number") as? Int64 == 8
            )
            for _ in 0..<2 {
                let error = #expect(throws: SaveConflictError.self) { try graph.here.save() }
                expectEqual(error?.conflicts.map(\.objectID), [graph.doomed.objectID])
                expectEqual(graph.here.updatedObjects, [graph.owner, graph.doomed])
            }
            graph.here.mergePolicy = .mergeByPropertyStoreTrump
            try graph.here.save()
            #expect(graph.doomed.managedObjectContext == nil && graph.members("oneToMany").isEmpty)
            #expect(graph.owner.value(forKey: "number") as? Int64 == 7)
        }
    }

    /// H1: the object is detached when its changes are discarded.
    @Test(arguments: ["rollback", "refresh"])
    func deletedObjectIsDetachedOnceChangesAreDiscarded(way: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: "oneToMany")
            graph.doomed.setValue(8, forKey: "number")
            try graph.deleteInOtherContextAndMerge()
            if way == "rollback" {
                graph.here.rollback()
            } else {
                graph.here.refresh(graph.doomed, mergeChanges: false)
            }
            graph.here.processPendingChanges()
            #expect(graph.doomed.managedObjectContext == nil && graph.members("oneToMany").isEmpty)
            #expect(!graph.here.hasChanges)
        }
    }

    /// The object has no inverse to the objects that reference it, so the save searches for them.
    @Test(arguments: ["oneWayToMany", "oneWayOrdered"])
    func aDeletionHereWithoutAnInverse(name: String) throws {
        try withStorePath { path in
            let graph = try Graph(path: path, relationship: name)
            expectEqual(graph.members(name), [graph.doomed])
            graph.here.delete(graph.doomed)
            try graph.here.save()
            #expect(graph.members(name).isEmpty)
        }
    }
}
