import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Rare cases between a context and its parent: events that read older states, object IDs that are already known or
/// change, and undo across levels.
@Suite(.onlySQLite(.childContexts))
struct ChildContextEdgeTests: ChildContextFixture {
    /// The parent's event reads an older state.
    @Test func lostUpdateByOldSnapshot() throws {
        try withFamily { parent, child, container in
            let other = container.newContext()
            try parent.performAndWait {
                _ = try names(parent)
                _ = Player(context: other, name: "Dee")
                try other.save()
                let dee: Player = try find("Dee", child)
                dee.age = 7
                try child.save()
                #expect(!child.hasChanges)
                #expect(parent.hasChanges, "update lost")
            }
        }
    }

    /// A restored object has its former references, and the relationship of its owner contains it again.
    @Test func undoOfPushedDeletionOfAMember() throws {
        try withFamily { parent, child, container in
            child.undoManager = ContextUndoManager()
            let redsThere: Team = try find("Reds", parent)
            expectEqual(redsThere.players.count, 2)
            child.delete(try find("Ann", child) as Player)
            child.processPendingChanges()
            try child.save()
            expectEqual(redsThere.players.map(\.name), ["Bob"])
            child.undo()
            try child.save()
            expectEqual(redsThere.players.map(\.name).sorted(), ["Ann", "Bob"])
            try parent.save()
            let other = container.newContext()
            let stored: Team = try find("Reds", other)
            expectEqual(stored.players.map(\.name).sorted(), ["Ann", "Bob"])
        }
    }

    /// A parent's change that is older than the child's change of the same row is not merged after it.
    @Test func parentChangesOlderThanAChildSave() throws {
        try withFamily { parent, child, container in
            parent.automaticallyMergesChangesFromParent = true
            child.automaticallyMergesChangesFromParent = true
            let (ann, annThere): (Player, Player) = (try find("Ann", child), try find("Ann", parent))
            ann.age = 2
            // A hook of the save could do the same.
            child.processPendingChanges()
            annThere.age = 5
            parent.processPendingChanges()
            try child.save()
            #expect(ann.age == 2 && annThere.age == 2)
        }
    }

    /// Observers of a child are notified of objects that a refetch changed.
    @Test func refetchedObjects() throws {
        try withFamily { parent, child, _ in
            var request = Player.fetchRequest().sorted(by: \.name)
            request.shouldRefreshRefetchedObjects = true
            let players = try child.fetch(request)
            (try find("Bob", parent) as Player).age = 7
            let recorder = NotificationRecorder(child)
            _ = try child.fetch(request)
            child.processPendingChanges()
            expectEqual(players.map(\.age), [0, 7])
            let key = ManagedObjectContext.NotificationKey.refreshedObjects.rawValue
            let refreshed = recorder.notifications.compactMap { $0.userInfo?[key] as? Set<ManagedObject> }
            expectEqual(refreshed, [[players[1]]])
        }
    }

    /// The child undoes a deletion that it has saved to the parent.
    @Test func undoOfPushedDeletion() throws {
        try withFamily { parent, child, container in
            child.undoManager = ContextUndoManager()
            let ann: Player = try find("Ann", child)
            child.delete(ann)
            child.processPendingChanges()
            try child.save()
            child.undo()
            try child.save()
            expectEqual(try names(parent), ["Ann", "Bob"])
            #expect(throws: Never.self) { try parent.save() }
            expectEqual(try names(container.newContext()), ["Ann", "Bob"])
        }
    }

    /// Rows whose changes the parent has merged, but whose objects are not registered in it.
    @Test func mergedRowsThatTheParentDoesNotHold() throws {
        try withFamily { parent, _, container in
            let fresh = container.newContext()
            fresh.automaticallyMergesChangesFromParent = true
            let child = makeChild(of: fresh)
            child.automaticallyMergesChangesFromParent = true
            let (ann, bob): (Player, Player) = (try find("Ann", child), try find("Bob", child))
            let (controller, table) = try showPlayers(of: child)
            let other = container.newContext()
            (try find("Ann", other) as Player).age = 9
            other.delete(try find("Bob", other) as Player)
            try other.save()
            child.processPendingChanges()
            expectEqual(ann.age, 9)
            #expect(bob.managedObjectContext == nil)
            expectEqual(controller.fetchedObjects?.map(\.name), ["Ann"])
            expectEqual(table.rows, [[ann.objectID]])
        }
    }

    /// A fault in the parent for an object that the child inserts.
    @Test func faultInTheParent() throws {
        try withFamily { parent, child, container in
            let cem = Player(context: child, name: "Cem")
            let fault = try #require(parent.object(with: cem.objectID) as? Player)
            try child.save()
            let there = try #require(try parent.fetchOne(Player.fetchRequest().where(\.name == "Cem")))
            #expect(there === fault)
            #expect(parent.object(with: cem.objectID) === there)
            expectEqual(fault.name, "Cem")
            cem.age = 3
            try child.save()
            expectEqual(there.age, 3)
            try parent.save()
            let request = Player.fetchRequest().where(\.name == "Cem")
            let values: [Player.Values] = try container.newContext().fetchValues(request)
            expectEqual(values.map(\.age), [3])
        }
    }

    /// Provisional row keys, with a child that merges automatically.
    @Test func phantomOfProvisionalNumber() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            let container = try LeagueModel.definition.testContainer(at: path)
            let parent = container.newContext()
            let child = makeChild(of: parent)
            child.automaticallyMergesChangesFromParent = true
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let eve = try withConcurrentWriter(store) { Player(context: parent, name: "Eve") }
            try parent.save()
            child.processPendingChanges()
            let all = child.registeredObjects
            #expect(all.allSatisfy { $0.objectID.key < PersistentStore.firstProvisionalKey })
            _ = eve
        }
    }

    /// Transient values of any type.
    @Test func transientAny() throws {
        try withStorePath { path in
            var note = AttributeDescription(name: "note", attributeType: .undefined)
            note.isTransient = true
            note.isOptional = true
            let name = AttributeDescription(name: "name", attributeType: .string)
            let definition = ModelDefinition(
                name: "Photos",
                versionName: "Photos",
                model: try ManagedObjectModel(entities: [EntityDescription(name: "Photo", attributes: [name, note])])
            )
            let container = try definition.testContainer(at: path)
            let parent = container.newContext()
            let child = makeChild(of: parent)
            let photo = EntityDescription.insertNewObject(forEntityName: "Photo", into: child)
            photo.setValue("x", forKey: "name")
            photo.setValue([1, 2], forKey: "note")
            try child.save()
            let there = try parent.existingObject(with: photo.objectID)
            #expect(there.value(forKey: "note") as? [Int] == [1, 2])
        }
    }

    /// The parent is reset.
    @Test func resetOfTheParent() throws {
        try withFamily { parent, child, container in
            child.automaticallyMergesChangesFromParent = true
            let (ann, annThere): (Player, Player) = (try find("Ann", child), try find("Ann", parent))
            annThere.age = 5
            _ = Player(context: parent, name: "Cem")
            child.processPendingChanges()
            parent.reset()
            child.processPendingChanges()
            expectEqual(ann.age, 0)
            expectEqual(try names(child), ["Ann", "Bob"])
            #expect(!child.registeredObjects.contains { ($0 as? Player)?.name == "Cem" })
        }
    }

    /// The parent rolls back an insertion of one child, which another child has fetched.
    @Test func siblingInsertionRolledBack() throws {
        try withFamily { parent, child, container in
            let sibling = makeChild(of: parent)
            let cem = Player(context: child, name: "Cem")
            try child.save()
            let cemThere: Player = try find("Cem", sibling)
            cemThere.age = 3
            parent.rollback()
            #expect(throws: SaveConflictError.self) { try sibling.save() }
            cem.age = 4
            #expect(throws: SaveConflictError.self) { try child.save() }
        }
    }
    /// An unsaved insertion is saved to the parent, then deleted in the child, and the deletion is undone.
    @Test func undoOfInsertAndDelete() throws {
        try withFamily { parent, child, container in
            child.undoManager = ContextUndoManager()
            let cem = Player(context: child, name: "Cem")
            child.processPendingChanges()
            try child.save()
            child.delete(cem)
            child.processPendingChanges()
            try child.save()
            child.undo()
            try child.save()
            expectEqual(try names(parent), ["Ann", "Bob", "Cem"])
            try parent.save()
            expectEqual(try names(container.newContext()), ["Ann", "Bob", "Cem"])
        }
    }

    @Test func undoOfPushedDeletionWithPolicy() throws {
        try withFamily { parent, child, container in
            parent.mergePolicy = .mergeByPropertyObjectTrump
            child.undoManager = ContextUndoManager()
            let ann: Player = try find("Ann", child)
            child.delete(ann)
            child.processPendingChanges()
            try child.save()
            child.undo()
            try child.save()
            try parent.save()
            expectEqual(try names(container.newContext()), ["Ann", "Bob"])
        }
    }

    @Test func replacedByUniqueness() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .mergeByPropertyObjectTrump)
            let id = try store.save("Tag", ["word": "x", "note": "old"])
            let parent = store.here
            let held = try parent.existingObject(with: id)
            let child = makeChild(of: parent)
            child.automaticallyMergesChangesFromParent = true
            let tag = try child.existingObject(with: id)
            let new = store.insert("Tag", ["word": "x", "note": "new"], into: parent)
            child.processPendingChanges()
            try parent.save()
            child.processPendingChanges()
            #expect(held.managedObjectContext != nil && new.managedObjectContext == nil)
            #expect(tag.managedObjectContext === child, "the kept object left the child")
            expectEqual(child.registeredObjects.count, 1, "\(child.registeredObjects.map { $0.objectID.key })")
            expectEqual(try store.count("Tag"), 1)
        }
    }

    @Test func closingWithAChildCheckpointsTheLog() throws {
        try withStorePath { path in
            func use(_ nested: Bool) throws {
                var child: ManagedObjectContext?
                do {
                    let container = try LeagueModel.definition.testContainer(at: path)
                    let parent = container.newContext()
                    _ = Team(context: parent, name: "Reds")
                    try parent.save()
                    child = nested ? makeChild(of: parent) : parent
                    _ = try child?.count(for: Team.fetchRequest())
                }
                child = nil
            }
            try use(false)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "without a child")
            try use(true)
            #expect(!FileManager.default.fileExists(atPath: path + "-wal"), "with a child")
        }
    }

    @Test func deletedMemberOfAnOrder() throws {
        try withStorePath { path in
            let name = AttributeDescription(name: "name", attributeType: .string)
            var back = RelationshipDescription(name: "list", destinationEntityName: "List", inverseName: "entries")
            back.deleteRule = .noAction
            let entries = RelationshipDescription(
                name: "entries",
                destinationEntityName: "Entry",
                inverseName: "list",
                isToMany: true,
                isOrdered: true
            )
            let definition = ModelDefinition(
                name: "Lists",
                versionName: "Lists",
                model: try ManagedObjectModel(entities: [
                    EntityDescription(name: "List", attributes: [name], relationships: [entries]),
                    EntityDescription(name: "Entry", attributes: [name], relationships: [back]),
                ])
            )
            let container = try definition.testContainer(at: path)
            let parent = container.newContext()
            let list = EntityDescription.insertNewObject(forEntityName: "List", into: parent)
            list.setValue("l", forKey: "name")
            var all: [ManagedObject] = []
            for index in 0..<3 {
                let entry = EntityDescription.insertNewObject(forEntityName: "Entry", into: parent)
                entry.setValue("e\(index)", forKey: "name")
                entry.setValue(list, forKey: "list")
                all.append(entry)
            }
            try parent.save()
            let field = try #require(list.runtimeEntity.field(named: "entries"))
            parent.editor.setToMany([all[2], all[1], all[0]], of: list, field: field.index)
            parent.delete(all[1])
            let child = makeChild(of: parent)
            let request = FetchRequest<ManagedObject>(entityName: "Entry")
            expectEqual(try parent.count(for: request), 2)
            expectEqual(try child.count(for: request), 2)
        }
    }

    @Test func grandchildAndNumbers() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            let container = try LeagueModel.definition.testContainer(at: path)
            let parent = container.newContext()
            let child = makeChild(of: parent)
            let grandchild = makeChild(of: child)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let eve = try withConcurrentWriter(store) { Player(context: grandchild, name: "Eve") }
            try grandchild.save()
            try child.save()
            try parent.save()
            #expect(eve.objectID.key < PersistentStore.firstProvisionalKey)
            eve.age = 8
            #expect(throws: Never.self) { try grandchild.save() }
        }
    }
    /// A new object of the parent without its required values.
    @Test func unsetRequiredValues() throws {
        try withFamily { parent, child, container in
            let player = Player(context: parent)
            let there = try #require(try child.existingObject(with: player.objectID) as? Player)
            let format = "name == nil"
            let request = try Player.fetchRequest().where(format: format)
            let (inParent, inChild) = (try parent.count(for: request), try child.count(for: request))
            expectEqual(inParent, inChild)
            there.age = 3
            #expect(throws: ValidationError.self) { try child.save() }
        }
    }

    @Test func addressOfOneWayReferences() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let parent = store.here
            let (a, b) = (store.insert("Item", ["id": 1 as Int64]), store.insert("Item", ["id": 2 as Int64]))
            a.setValue(b, forKey: "link")
            try parent.save()
            parent.refreshAllObjects()
            let child = makeChild(of: parent)
            let (ca, cb) = (try child.existingObject(with: a.objectID), try child.existingObject(with: b.objectID))
            _ = ca.value(forKey: "link")
            child.delete(cb)
            try child.save()
            #expect(ca.value(forKey: "link") == nil)
            let fresh = makeChild(of: parent)
            let fa = try fresh.existingObject(with: a.objectID)
            expectEqual(value(fa, "link"), .keys([]), "fresh child")
            fa.setValue(9 as Int64, forKey: "a")
            try fresh.save()
            try parent.save()
            expectEqual(try store.stored(a.objectID, "link"), .keys([]))
        }
    }
}
