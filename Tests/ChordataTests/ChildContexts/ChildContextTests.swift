import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Contexts whose parents are other contexts (N11).
@Suite(.onlySQLite(.childContexts))
struct ChildContextTests: ChildContextFixture {
    private func isProvisional(_ object: ManagedObject) -> Bool { object.key > PersistentStore.firstProvisionalKey }

    /// Every kind of read includes the unsaved changes of the parent.
    @Test(arguments: [":memory:", "file"])
    func readsUnsavedChangesOfTheParent(_ place: String) throws {
        try withFamily(place) { parent, child, container in
            let reds: Team = try find("Reds", parent)
            let (ann, bob): (Player, Player) = (try find("Ann", parent), try find("Bob", parent))
            ann.name = "Anna"
            parent.delete(bob)
            let cem = Player(context: parent, name: "Cem")
            cem.team = reds
            expectEqual(try names(child), ["Anna", "Cem"])
            expectEqual(try child.count(for: Player.fetchRequest()), 2)
            #expect(try child.exists(Player.fetchRequest().where(\.name == "Cem")))
            #expect(try !child.exists(Player.fetchRequest().where(\.name == "Bob")))
            let values: [Player.Values] = try child.fetchValues(Player.fetchRequest().sorted(by: \.name))
            expectEqual(values.map(\.name), ["Anna", "Cem"])
            let members = try Player.fetchRequest().where(format: "team.name == 'Reds' AND team.players.@count == 2")
            expectEqual(try child.count(for: members), 2)
            let rows = try child.fetch(Player.fetchRequest().sorted(by: \.name).dictionaries)
            #expect(rows.map { $0["name"] as? String } == ["Anna", "Cem"])
            let batched = try child.fetch(Player.fetchRequest().sorted(by: \.name).batches(of: 1))
            expectEqual(batched.map(\.name), ["Anna", "Cem"])
            let team = try child.existingObject(with: reds.objectID) as? Team
            expectEqual(team?.players.map(\.name).sorted(), ["Anna", "Cem"])
            let fault = child.object(with: cem.objectID) as? Player
            #expect(fault?.name == "Cem" && fault?.team === team && fault !== cem)
            #expect(throws: MissingObjectError.self) { try child.existingObject(with: bob.objectID) }
            // Each read returns the current state of the parent.
            ann.name = "Annika"
            expectEqual(try child.count(for: Player.fetchRequest().where(\.name == "Annika")), 1)
            parent.rollback()
            expectEqual(try child.count(for: Player.fetchRequest().where(\.name == "Ann")), 1)
            #expect(!child.hasChanges && !parent.hasChanges)
        }
    }

    /// A parent never gets objects that its child inserts and deletes again before a save.
    ///
    /// The model has no relationship without an inverse and no rule No Action or Deny, because with these, the child
    /// finds such objects in another way.
    @Test(arguments: [true, false], [true, false])
    func insertionsThatAreDeletedAgainStayInTheChild(readsMembers: Bool, isSaved: Bool) throws {
        func relationship(
            _ name: String,
            _ destination: String,
            _ inverse: String,
            isToMany: Bool,
            isOrdered: Bool = false
        )
            -> RelationshipDescription
        {
            RelationshipDescription(
                name: name,
                destinationEntityName: destination,
                inverseName: inverse,
                isToMany: isToMany,
                isOrdered: isOrdered
            )
        }
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Item",
                relationships: [
                    relationship("tags", "Tag", "items", isToMany: true),
                    relationship("row", "Tag", "rowItems", isToMany: true, isOrdered: true),
                    relationship("owner", "Tag", "owned", isToMany: false),
                    relationship("twin", "Tag", "twin", isToMany: false),
                ]
            ),
            EntityDescription(
                name: "Tag",
                relationships: [
                    relationship("items", "Item", "tags", isToMany: true),
                    relationship("rowItems", "Item", "row", isToMany: true),
                    relationship("owned", "Item", "owner", isToMany: true),
                    relationship("twin", "Item", "twin", isToMany: false),
                ]
            ),
        ])
        let definition = ModelDefinition(name: "Pairs", versionName: "Pairs", model: model)
        let parent = try definition.testContainer(at: ":memory:").newContext()
        let tag = EntityDescription.insertNewObject(forEntityName: "Tag", into: parent)
        if isSaved { try parent.save() }
        for key in ["tags", "row", "owner", "twin"] {
            let child = makeChild(of: parent)
            let known = try child.existingObject(with: tag.objectID)
            let inverse = try #require(model.entity(named: "Item")?.relationshipsByName[key]?.inverseName)
            if readsMembers { _ = known.value(forKey: inverse) }
            let item = EntityDescription.insertNewObject(forEntityName: "Item", into: child)
            if ["tags", "row"].contains(key) {
                item.mutableSetValue(forKey: key).add(known)
            } else {
                item.setValue(known, forKey: key)
            }
            child.delete(item)
            try child.save()
            #expect(!child.hasChanges)
            expectEqual(parent.registeredObjects, [tag], "\(key)")
            expectEqual(parent.insertedObjects, isSaved ? [] : [tag], "\(key)")
            #expect(try parent.fetch(FetchRequest<ManagedObject>(entityName: "Item")).isEmpty, "\(key)")
        }
    }

    /// Saves of other contexts are read where the parent has no changes.
    @Test func readsSavesOfOtherContexts() throws {
        try withFamily { parent, child, container in
            Player(context: parent, name: "Cem").age = 1
            expectEqual(try names(child), ["Ann", "Bob", "Cem"])
            let other = container.newContext()
            _ = Player(context: other, name: "Dee")
            try other.save()
            expectEqual(try names(child), ["Ann", "Bob", "Cem", "Dee"])
        }
    }

    /// A save of a child changes only its parent, and does not write to the store.
    @Test(arguments: [":memory:", "file"])
    func savesIntoTheParent(_ place: String) throws {
        try withFamily(place) { parent, child, container in
            let reds: Team = try find("Reds", child)
            let ann: Player = try find("Ann", child)
            let annThere: Player = try find("Ann", parent)
            ann.age = 30
            annThere.team?.city = "Ulm"
            let cem = Player(context: child, name: "Cem")
            cem.team = reds
            child.delete(try find("Bob", child) as Player)
            #expect(parent.registeredObject(for: cem.objectID) == nil && annThere.age != 30)
            try child.save()
            #expect(!child.hasChanges && parent.hasChanges && cem.managedObjectContext === child && !cem.isInserted)
            #expect(annThere.age == 30 && annThere.team?.city == "Ulm" && annThere.hasChanges)
            let cemThere = try #require(parent.registeredObject(for: cem.objectID) as? Player)
            #expect(cemThere.isInserted && cemThere.name == "Cem" && cemThere.team?.name == "Reds")
            #expect(parent.insertedObjects == [cemThere] && parent.deletedObjects.count == 1)
            expectEqual(try names(parent), ["Ann", "Cem"])
            expectEqual(try names(container.newContext()), ["Ann", "Bob"])
            try parent.save()
            expectEqual(try names(container.newContext()), ["Ann", "Cem"])
            // The child continues to use its objects.
            cem.age = 12
            try child.save()
            #expect(cemThere.age == 12 && parent.updatedObjects == [cemThere])
            child.delete(cem)
            try child.save()
            try parent.save()
            expectEqual(try names(container.newContext()), ["Ann"])
            let values: [Player.Values] = try container.newContext().fetchValues(Player.fetchRequest())
            expectEqual(values.map(\.age), [30])
            let teams: [Team.Values] = try container.newContext().fetchValues(Team.fetchRequest())
            expectEqual(teams.map(\.city), ["Ulm"])
        }
    }

    @Test func rollbackDiscardsOnlyChangesOfTheChild() throws {
        try withFamily { parent, child, _ in
            let ann: Player = try find("Ann", child)
            let annThere: Player = try find("Ann", parent)
            annThere.age = 5
            child.refresh(ann, mergeChanges: false)
            ann.name = "Anna"
            _ = Player(context: child, name: "Cem")
            child.rollback()
            #expect(ann.name == "Ann" && ann.age == 5 && !child.hasChanges)
            expectEqual(try names(child), ["Ann", "Bob"])
            expectEqual(parent.updatedObjects, [annThere])
        }
    }

    /// A refused save leaves both contexts unchanged.
    @Test func validatesBeforeItSaves() throws {
        try withFamily { parent, child, _ in
            let ann: Player = try find("Ann", child)
            ann.setValue(nil, forKey: "name")
            ann.age = 9
            #expect(throws: ValidationError.self) { try child.save() }
            #expect(child.updatedObjects == [ann] && !parent.hasChanges)
            ann.name = "Anna"
            try child.save()
            expectEqual(try names(parent), ["Anna", "Bob"])
        }
    }

    /// Only properties that were set in the child are set in the parent; to-manys merge additions and removals.
    @Test func mergesPropertyByProperty() throws {
        try withFamily { parent, child, _ in
            let (reds, redsThere): (Team, Team) = (try find("Reds", child), try find("Reds", parent))
            expectEqual(reds.players.count, 2)
            let cem = Player(context: parent, name: "Cem")
            cem.team = redsThere
            redsThere.city = "Ulm"
            // The child has not read Cem.
            (try find("Ann", child) as Player).team = nil
            Player(context: child, name: "Dee").team = reds
            reds.name = "Red Sox"
            try child.save()
            expectEqual(redsThere.players.map(\.name).sorted(), ["Bob", "Cem", "Dee"])
            #expect(redsThere.name == "Red Sox" && redsThere.city == "Ulm")
            try parent.save()
            child.refreshAllObjects()
            #expect(reds.players.map(\.name).sorted() == ["Bob", "Cem", "Dee"] && reds.city == "Ulm")
        }
    }

    /// An edit is never dropped unless the merge policy requires it.
    @Test(arguments: [
        MergePolicyType.error, .mergeByPropertyObjectTrump, .overwrite, .mergeByPropertyStoreTrump, .rollback,
    ])
    func changesOfObjectsDeletedInTheParent(_ type: MergePolicyType) throws {
        try withFamily { parent, child, _ in
            child.mergePolicy = MergePolicy(merge: type)
            let ann: Player = try find("Ann", child)
            let bob: Player = try find("Bob", child)
            parent.delete(try find("Ann", parent) as Player)
            ann.age = 3
            bob.age = 4
            let isDropped = type == .mergeByPropertyStoreTrump || type == .rollback
            if isDropped {
                try child.save()
                let bobThere: Player = try find("Bob", parent)
                #expect(ann.managedObjectContext == nil && bobThere.age == 4)
            } else {
                let error = #expect(throws: SaveConflictError.self) { try child.save() }
                expectEqual(error?.conflicts.map(\.objectID), [ann.objectID])
                expectEqual(error?.conflicts.map(\.isDeleted), [true])
                #expect(error?.description.hasPrefix("nothing was saved to the parent context, because") == true)
                let bobThere: Player = try find("Bob", parent)
                #expect(child.updatedObjects == [ann, bob] && bobThere.age != 4)
                parent.rollback()
                try child.save()
                let annThere: Player = try find("Ann", parent)
                expectEqual(annThere.age, 3)
            }
        }
    }

    @Test(arguments: [MergePolicyType.error, .mergeByPropertyStoreTrump])
    func relationshipsToObjectsDeletedInTheParent(_ type: MergePolicyType) throws {
        try withFamily { parent, child, _ in
            child.mergePolicy = MergePolicy(merge: type)
            let reds: Team = try find("Reds", child)
            let cem = Player(context: child, name: "Cem")
            cem.team = reds
            parent.delete(try find("Reds", parent) as Team)
            if type == .error {
                let error = #expect(throws: SaveConflictError.self) { try child.save() }
                #expect(error?.conflicts.contains { $0.missingDestination == reds.objectID } == true)
                #expect(error?.isWithParent == true && error?.description.contains("the store") == false)
                #expect(child.hasChanges)
            } else {
                try child.save()
                let cemThere: Player = try find("Cem", parent)
                #expect(cem.team == nil && cemThere.team == nil)
                try parent.save()
            }
        }
    }

    /// A child that merges automatically is notified of its parent's changes immediately; otherwise it finds them when
    /// it reads.
    @Test func followsItsParent() throws {
        try withFamily { parent, child, container in
            let (ann, annThere): (Player, Player) = (try find("Ann", child), try find("Ann", parent))
            annThere.age = 40
            parent.processPendingChanges()
            child.processPendingChanges()
            #expect(ann.age != 40)
            child.refresh(ann, mergeChanges: true)
            expectEqual(ann.age, 40)
            child.automaticallyMergesChangesFromParent = true
            let (controller, table) = try showPlayers(of: child)
            annThere.name = "Zoe"
            annThere.age = 41
            _ = Player(context: parent, name: "Cem")
            child.processPendingChanges()
            #expect(ann.name == "Zoe" && ann.age == 41)
            expectEqual(controller.fetchedObjects?.map(\.name), ["Bob", "Cem", "Zoe"])
            expectEqual(table.rows, [controller.fetchedObjects?.map(\.objectID)])
            // The child receives the saves of other contexts through its parent.
            parent.automaticallyMergesChangesFromParent = true
            let other = container.newContext()
            other.delete(try find("Bob", other) as Player)
            try other.save()
            child.processPendingChanges()
            expectEqual(controller.fetchedObjects?.map(\.name), ["Cem", "Zoe"])
            parent.rollback()
            child.processPendingChanges()
            #expect(ann.name == "Ann" && ann.age == 0 && controller.fetchedObjects?.map(\.name) == ["Ann"])
        }
    }

    /// The parent's lists and observers are notified of a child's save as of any other change.
    @Test func savesNotifyTheParent() throws {
        try withFamily { parent, child, container in
            let (controller, table) = try showPlayers(of: parent)
            let undoManager = ContextUndoManager()
            parent.undoManager = undoManager
            (try find("Ann", child) as Player).name = "Zoe"
            _ = Player(context: child, name: "Cem")
            try child.save()
            #expect(controller.fetchedObjects?.map(\.name) == ["Bob", "Cem", "Zoe"] && table.willCount == 1)
            expectEqual(table.rows, [controller.fetchedObjects?.map(\.objectID)])
            undoManager.undo()
            expectEqual(try names(parent), ["Ann", "Bob"])
            expectEqual(try names(makeChild(of: parent)), ["Ann", "Bob"])
        }
    }

    /// The save of a child is reported as its own, and not among the writes to the store.
    @Test func announcesItsSaves() async throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let parent = container.newContext()
        let child = makeChild(of: parent)
        child.name = "child"
        parent.name = "parent"
        var saves = container.saves.makeAsyncIterator()
        var own = child.saves.makeAsyncIterator()
        let team = Team(context: child, name: "Reds")
        try await child.save()
        expectEqual(await own.next()?.inserted, [team.objectID])
        try await parent.save()
        expectEqual(await saves.next()?.contextName, "parent")
    }

    /// Row keys that the store could not assign in time are replaced when the parent saves.
    @Test func followsItsParentsNumbers() throws {
        try withStorePath { path in
            _ = try LeagueModel.definition.testContainer(at: path)
            let fresh = try LeagueModel.definition.testContainer(at: path)
            let parent = fresh.newContext()
            let child = makeChild(of: parent)
            let store = try #require(fresh.persistentStoreCoordinator.persistentStores.first)
            let (team, player) = try withConcurrentWriter(store) {
                let team = Team(context: child, name: "Blues")
                let player = Player(context: child, name: "Eve")
                player.team = team
                return (team, player)
            }
            #expect(isProvisional(team))
            try child.save()
            #expect(isProvisional(team))
            try parent.save()
            #expect(!isProvisional(team) && !isProvisional(player))
            player.age = 8
            #expect(player.team === team && team.players == [player])
            try child.save()
            try parent.save()
            let other = fresh.newContext()
            let stored: Player = try find("Eve", other)
            #expect(stored.age == 8 && stored.team?.name == "Blues")
        }
    }

    @Test func savesReachOneLevel() throws {
        try withFamily { parent, child, container in
            let grandchild = makeChild(of: child)
            _ = Player(context: parent, name: "Cem")
            _ = Player(context: child, name: "Dee")
            let ann: Player = try find("Ann", grandchild)
            let seen = try names(grandchild)
            expectEqual(seen, ["Ann", "Bob", "Cem", "Dee"])
            ann.name = "Zoe"
            try grandchild.save()
            expectEqual(try names(child), ["Bob", "Cem", "Dee", "Zoe"])
            expectEqual(try names(parent), ["Ann", "Bob", "Cem"])
            try child.save()
            expectEqual(try names(parent), ["Bob", "Cem", "Dee", "Zoe"])
            expectEqual(try names(container.newContext()), ["Ann", "Bob"])
            try parent.save()
            expectEqual(try names(container.newContext()), ["Bob", "Cem", "Dee", "Zoe"])
            #expect(grandchild.parent === child)
            let coordinator = container.persistentStoreCoordinator
            #expect(grandchild.persistentStoreCoordinator === coordinator)
        }
    }

    /// A save of a child includes transient values and the external data of side tables.
    @Test(arguments: [":memory:", "file"])
    func transientValuesAndBytesTravel(_ place: String) throws {
        try withStorePath { path in
            var bytes = AttributeDescription(name: "bytes", attributeType: .binaryData)
            bytes.allowsExternalBinaryDataStorage = true
            bytes.isOptional = true
            var note = AttributeDescription(name: "note", attributeType: .string)
            note.isTransient = true
            note.isOptional = true
            let definition = ModelDefinition(
                name: "Photos",
                versionName: "Photos",
                model: try ManagedObjectModel(entities: [EntityDescription(name: "Photo", attributes: [bytes, note])])
            )
            let container = try definition.testContainer(at: place == "file" ? path : place)
            let parent = container.newContext()
            let child = makeChild(of: parent)
            let photo = EntityDescription.insertNewObject(forEntityName: "Photo", into: child)
            photo.setValue(Data([1, 2, 3]), forKey: "bytes")
            photo.setValue("new", forKey: "note")
            try child.save()
            let there = try parent.existingObject(with: photo.objectID)
            #expect(there.value(forKey: "bytes") as? Data == Data([1, 2, 3]))
            #expect(there.value(forKey: "note") as? String == "new")
            let other = makeChild(of: parent)
            let read = try other.existingObject(with: photo.objectID)
            #expect(read.value(forKey: "bytes") as? Data == Data([1, 2, 3]))
            try parent.save()
            photo.setValue("later", forKey: "note")
            try child.save()
            #expect(there.value(forKey: "note") as? String == "later")
            there.setValue(Data([4]), forKey: "bytes")
            let third = makeChild(of: parent)
            let seen = try third.existingObject(with: photo.objectID)
            #expect(seen.value(forKey: "bytes") as? Data == Data([4]))
            seen.setValue(nil, forKey: "bytes")
            try third.save()
            try parent.save()
            let fresh = container.newContext()
            let stored = try fresh.existingObject(with: photo.objectID)
            #expect(stored.value(forKey: "bytes") == nil)
        }
    }
}
