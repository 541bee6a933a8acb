import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The resolution of uniqueness conflicts by each policy (5D).
struct UniquenessTests {
    static let resolving = MergePolicyTests.resolving
    static let storeWins: [MergePolicyType] = [.mergeByPropertyStoreTrump, .rollback]
    static let objectWins: [MergePolicyType] = [.mergeByPropertyObjectTrump, .overwrite]

    // MARK: Errors

    /// U5, U6: conflicts with saved rows and among unsaved objects are reported together.
    @Test func aClashIsAnErrorThatNamesAllAndChangesNothing() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let saved = try store.save("Tag", ["word": "x"])
            let tag = store.insert("Tag", ["word": "x"])
            let (first, second) = (store.insert("Tag", ["word": "y"]), store.insert("Tag", ["word": "y"]))
            let seats = (0...1).map { _ in store.insert("Seat", ["row": 1, "side": "left"]) }
            let error = try #require(throws: UniquenessConflictError.self) { try store.here.save() }
            expectEqual(Set(error.conflicts.map(\.entityName)), ["Tag", "Seat"])
            let words = error.conflicts.filter { $0.entityName == "Tag" }
            expectEqual(words.map(\.propertyNames), [["word"], ["word"]])
            expectEqual(words.map(\.objectIDs), [[tag.objectID], [first.objectID, second.objectID]])
            expectEqual(words.map(\.databaseObjectID), [saved, nil])
            expectEqual(error.conflicts.first { $0.entityName == "Seat" }?.propertyNames, ["row", "side"])
            expectEqual(error.conflicts.first { $0.entityName == "Seat" }?.objectIDs, seats.map(\.objectID))
            #expect(error.description.contains("\(tag.objectID) has the same 'word' of 'Tag' as the saved \(saved);"))
            #expect(
                error.description.contains(
                    "\(first.objectID), \(second.objectID) have the same 'word' of 'Tag' in common;"
                )
            )
            #expect(error.description.hasSuffix("conflicts, then save again (133021)"))
            #expect(!error.description.contains("left"))
            // S6, U6
            let bridged = error as NSError
            #expect(bridged.code == 133_021 && bridged.localizedDescription == error.description)
            #expect(bridged.userInfo["conflictList"] as? [UniquenessConflictError.Conflict] == error.conflicts)
            expectEqual(store.here.insertedObjects, [tag, first, second, seats[0], seats[1]])
            expectEqual(try store.count("Tag"), 1)
            tag.setValue("z", forKey: "word")
            store.here.delete(second)
            seats[1].setValue("right", forKey: "side")
            try store.here.save()
            try store.check()
        }
    }

    /// U2.
    @Test(arguments: MergePolicyTests.all)
    func valuesThatAreMissingNeverClash(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            _ = try store.save("Seat", ["row": 1])
            for _ in 0...1 { store.insert("Seat", ["row": 1]) }
            for _ in 0...1 { store.insert("Tag") }
            try store.here.save()
            #expect(try store.count("Seat") == 3 && store.count("Tag") == 2)
        }
    }

    /// Foundation distinguishes URLs also by their base URLs.
    @Test func addressesAreComparedByTheirText() throws {
        try withStorePath { path in
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Link",
                    attributes: [AttributeDescription(name: "address", attributeType: .uri, isOptional: true)],
                    uniquenessConstraints: [["address"]]
                )
            ])
            let container = try ModelDefinition(name: "Links", versionName: "Links", model: model).testContainer(
                at: path
            )
            let context = container.newContext()
            let addresses = [
                URL(string: "http://example.org/a"), URL(string: "a", relativeTo: URL(string: "http://example.org/")),
            ]
            for address in addresses {
                EntityDescription.insertNewObject(forEntityName: "Link", into: context).setValue(
                    address,
                    forKey: "address"
                )
            }
            let error = #expect(throws: UniquenessConflictError.self) { try context.save() }
            expectEqual(error?.conflicts.map(\.objectIDs.count), [2])
            context.mergePolicy = .mergeByPropertyObjectTrump
            try context.save()
            let stored = try context.count(for: FetchRequest<ManagedObject>(entityName: "Link"))
            expectEqual(stored, 1)
        }
    }

    /// U2.
    @Test func textIsComparedByItsBytes() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            store.insert("Tag", ["word": "\u{E9}"])
            store.insert("Tag", ["word": "e\u{301}"])
            try store.here.save()
            store.insert("Tag", ["word": "\u{E9}"])
            let error = try #require(throws: UniquenessConflictError.self) { try store.here.save() }
            expectEqual(error.conflicts.count, 1)
        }
    }

    /// U3: stores in memory enforce constraints, too, so no kind of store has to refuse them.
    @Test func storesInMemory() throws {
        let store = try ConflictStore(path: ":memory:")
        let saved = try store.save("Tag", ["word": "x"])
        let tag = store.insert("Tag", ["word": "x"])
        let error = #expect(throws: UniquenessConflictError.self) { try store.here.save() }
        expectEqual(error?.conflicts.map(\.databaseObjectID), [saved])
        store.here.mergePolicy = .mergeByPropertyStoreTrump
        try store.here.save()
        #expect(try tag.objectID == saved && store.count("Tag") == 1)
    }

    // MARK: Free values

    @Test(arguments: MergePolicyTests.all)
    func valuesThatTheSameSaveFreesAreFree(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let ids = try ["a", "b", "c", "d"].map { try store.save("Tag", ["word": $0, "note": $0]) }
            let tags = try ids.map { try store.here.existingObject(with: $0) }
            // Two objects swap values, one is deleted and replaced, and one gets a new value and leaves its own to a
            // new one.
            tags[0].setValue("b", forKey: "word")
            tags[1].setValue("a", forKey: "word")
            store.here.delete(tags[2])
            let new = store.insert("Tag", ["word": "c"])
            tags[3].setValue("e", forKey: "word")
            let next = store.insert("Tag", ["word": "d"])
            try store.here.save()
            #expect(try store.stored(ids[0], "word") == "b" && store.stored(ids[1], "word") == "a")
            #expect(try !store.exists(ids[2]) && store.stored(new.objectID, "word") == "c")
            #expect(try store.stored(ids[3], "word") == "e" && store.stored(next.objectID, "word") == "d")
            #expect(new.objectID != ids[2] && next.objectID != ids[3])
            try store.check()
        }
    }

    @Test func partsOfAConstraintSwap() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let ids = try [1, 2].map { try store.save("Seat", ["row": $0, "side": "left"]) }
            let seats = try ids.map { try store.here.existingObject(with: $0) }
            seats[0].setValue(2, forKey: "row")
            seats[1].setValue(1, forKey: "row")
            try store.here.save()
            #expect(try store.stored(ids[0], "row") == 2 && store.stored(ids[0], "side") == "left")
            try store.check()
        }
    }

    /// A unique index that another program created, and whose violations no policy can resolve.
    @Test func anIndexOfAnotherProgramIsAStoreError() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .overwrite)
            try store.container.store.execute("CREATE UNIQUE INDEX foreign_index ON \"Tag\" (\"note\")")
            _ = try store.save("Tag", ["note": "n"])
            let tag = store.insert("Tag", ["note": "n"])
            let error = try #require(throws: StoreError.self) { try store.here.save() }
            #expect(error.code == .statementFailed && tag.isInserted)
        }
    }

    // MARK: A new object and a saved one

    @Test(arguments: resolving, [false, true])
    func aNewObjectWithTheValuesOfASavedOne(type: MergePolicyType, isKnown: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Tag", ["word": "x", "weight": 5, "note": "saved"])
            let known = isKnown ? try store.here.existingObject(with: id) : nil
            let new = store.insert("Tag", ["word": "x", "other": "new"])
            let other = store.insert("Tag", ["word": "y"])
            let before = new.objectID
            try store.here.save()
            // U7: the new object has the object ID of the saved one.
            #expect(new.objectID == id && before != id)
            expectEqual(try store.count("Tag"), 2)
            expectEqual(store.here.registeredObjects, known.map { [$0, other] } ?? [new, other])
            #expect((new.managedObjectContext == nil) == isKnown)
            let object = known ?? new
            #expect(object === store.here.registeredObject(for: id))
            let isKept = Self.storeWins.contains(type)
            expectEqual(value(object, "other"), isKept ? .nothing : "new")
            // U8: a default counts as set, and unset values are kept; U9: unless the whole object is written.
            expectEqual(value(object, "weight"), isKept ? 5 : 1)
            expectEqual(value(object, "note"), type == .overwrite ? .nothing : "saved")
            #expect(!object.hasChanges)
            try store.check()
            object.setValue("again", forKey: "note")
            try store.here.save()
            expectEqual(try store.stored(id, "note"), "again")
        }
    }

    @Test(arguments: resolving, [false, true])
    func referencesToAReplacedObjectAreRedirected(type: MergePolicyType, isKnown: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let (group, own) = (try store.save("Group", ["id": 1]), try store.save("Group", ["id": 2]))
            let old = try store.save("Text", ["id": 1])
            let id = try store.save("Tag", ["word": "x"])
            try store.change(
                id,
                [
                    "group": try store.there.existingObject(with: group),
                    "texts": [try store.there.existingObject(with: old)],
                    "leaves": [try store.there.existingObject(with: old)],
                ]
            )
            let known = isKnown ? try store.here.existingObject(with: id) : nil
            let newGroup = try store.here.existingObject(with: own)
            let between = [store.insert("Tag", ["word": "1"]), store.insert("Tag", ["word": "2"])]
            let new = store.insert("Tag", ["word": "x"])
            let text = store.insert("Text", ["id": 2])
            for member in [between[0], new, between[1]] { member.setValue(newGroup, forKey: "group") }
            text.setValue([between[0], new], forKey: "tags")
            text.setValue(new, forKey: "root")
            text.setValue(new, forKey: "star")
            text.setValue([new, between[0]], forKey: "stars")
            text.setValue([between[0], new, between[1]], forKey: "row")
            text.setValue(new, forKey: "twin")
            new.setValue([text], forKey: "shelves")
            new.setValue([text], forKey: "likes")
            try store.here.save()
            let saved = known ?? new
            let isKept = Self.storeWins.contains(type)
            let (first, last) = (between[0].objectID.key, between[1].objectID.key)
            expectEqual(new.objectID, id)
            // References of other objects are redirected to the saved object, at the same position.
            expectEqual(value(text, "tags"), .keys([id.key, first].sorted()))
            #expect(value(text, "root") == [id.key] && value(text, "star") == [id.key])
            expectEqual(value(text, "stars"), .keys([id.key, first].sorted()))
            expectEqual(value(text, "row"), [first, id.key, last])
            expectEqual(value(text, "shelf"), [id.key])
            expectEqual(value(saved, "texts"), .keys([old.key, text.objectID.key].sorted()))
            expectEqual(value(saved, "leaves"), .keys([old.key, text.objectID.key].sorted()))
            // Relationships that only the new object had are kept if the new object wins.
            expectEqual(value(saved, "group"), [isKept ? group.key : own.key])
            expectEqual(value(newGroup, "tags"), isKept ? [first, last] : [first, id.key, last])
            expectEqual(value(saved, "likes"), isKept ? [] : [text.objectID.key])
            expectEqual(value(text, "twin"), isKept ? [] : [id.key])
            try store.check()
        }
    }

    @Test(arguments: resolving)
    func severalNewObjectsAndASavedOne(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Tag", ["word": "x", "note": "saved"])
            let new = ["1", "2", "3"].map { store.insert("Tag", ["word": "x", "note": $0]) }
            try store.here.save()
            #expect(new.allSatisfy { $0.objectID == id })
            expectEqual(try store.stored(id, "note"), Self.storeWins.contains(type) ? "saved" : "3")
            expectEqual(try store.count("Tag"), 1)
            try store.check()
        }
    }

    /// U10: the result is determined by the order of the first changes.
    @Test(arguments: resolving)
    func newObjectsAmongThemselves(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let new = ["1", "2", "3"].map { store.insert("Tag", ["word": "x", "note": $0]) }
            let text = store.insert("Text", ["id": 1])
            text.setValue(new, forKey: "tags")
            text.setValue([new[2], new[0], new[1]], forKey: "row")
            try store.here.save()
            let kept = Self.storeWins.contains(type) ? new[0] : new[2]
            expectEqual(store.here.registeredObjects, [kept, text])
            #expect(new.allSatisfy { $0.objectID == kept.objectID })
            #expect(value(text, "tags") == [kept.objectID.key] && value(text, "row") == [kept.objectID.key])
            expectEqual(try store.stored(kept.objectID, "note"), Self.storeWins.contains(type) ? "1" : "3")
            expectEqual(try store.count("Tag"), 1)
            try store.check()
        }
    }

    // MARK: Changed objects

    @Test(arguments: resolving)
    func aChangedObjectWithTheValuesOfASavedOne(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let (x, y) = (try store.save("Tag", ["word": "x"]), try store.save("Tag", ["word": "y", "note": "n"]))
            let tag = try store.here.existingObject(with: y)
            tag.setValue("x", forKey: "word")
            tag.setValue("m", forKey: "note")
            if Self.objectWins.contains(type) {
                let error = try #require(throws: UniquenessConflictError.self) { try store.here.save() }
                #expect(error.conflicts.map(\.objectIDs) == [[y]] && error.conflicts.map(\.databaseObjectID) == [x])
                #expect(value(tag, "word") == "x" && value(tag, "note") == "m" && tag.isUpdated)
                return
            }
            try store.here.save()
            #expect(value(tag, "word") == "y" && value(tag, "note") == (type == .rollback ? "n" : "m"))
            #expect(store.here.updatedObjects.isEmpty)
            try store.check()
        }
    }

    @Test(arguments: resolving, [false, true])
    func aChangedObjectAndANewOne(type: MergePolicyType, newIsFirst: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Tag", ["word": "y", "note": "saved"])
            let tag = try store.here.existingObject(with: id)
            func change() { tag.setValue("x", forKey: "word") }
            if !newIsFirst { change() }
            let new = store.insert("Tag", ["word": "x", "note": "new"])
            if newIsFirst { change() }
            if Self.objectWins.contains(type), !newIsFirst {
                #expect(throws: UniquenessConflictError.self) { try store.here.save() }
                #expect(tag.isUpdated && new.isInserted)
                return
            }
            try store.here.save()
            #expect(new.objectID == id && value(tag, "word") == "x" && value(tag, "note") == "saved")
            expectEqual(try store.count("Tag"), 1)
            try store.check()
        }
    }

    /// A reverted object takes its former value again, so an object that was given this value is reverted, too.
    @Test(arguments: storeWins)
    func aChain(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let (x, y) = (try store.save("Tag", ["word": "x"]), try store.save("Tag", ["word": "y"]))
            let tag = try store.here.existingObject(with: y)
            tag.setValue("x", forKey: "word")
            let new = store.insert("Tag", ["word": "y"])
            try store.here.save()
            #expect(value(tag, "word") == "y" && new.objectID == y)
            #expect(try store.stored(x, "word") == "x" && store.count("Tag") == 2)
            try store.check()
        }
    }

    @Test(arguments: resolving)
    func oneNewObjectWithTheValuesOfTwoSavedOnes(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let (x, y) = (try store.save("Tag", ["word": "x"]), try store.save("Tag", ["other": "y"]))
            let new = store.insert("Tag", ["word": "x", "other": "y"])
            if Self.objectWins.contains(type) {
                let error = try #require(throws: UniquenessConflictError.self) { try store.here.save() }
                #expect(Set(error.conflicts.map(\.databaseObjectID)) == [x, y] && new.isInserted)
                return
            }
            try store.here.save()
            #expect([x, y].contains(new.objectID))
            expectEqual(try store.count("Tag"), 2)
            try store.check()
        }
    }

    // MARK: Hierarchies

    /// U1: subentities inherit the constraint.
    @Test(arguments: resolving)
    func aHierarchySharesItsConstraint(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Book", ["code": "1", "title": "saved"])
            let new = store.insert("Disc", ["code": "1", "title": "new"])
            if Self.objectWins.contains(type) {
                // A book cannot become a disc.
                let error = try #require(throws: UniquenessConflictError.self) { try store.here.save() }
                #expect(error.conflicts.map(\.entityName) == ["Medium"] && new.isInserted)
                #expect(error.description.contains("in the place of a saved object of another entity), then save"))
                return
            }
            try store.here.save()
            #expect(new.managedObjectContext == nil && new.objectID.key == id.key)
            #expect(try store.count("Medium") == 1 && store.stored(id, "title") == "saved")
            try store.check()
        }
    }
}
