import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The resolution of each policy for a row that another context has changed (5C).
struct MergePolicyTests {
    static let all: [MergePolicyType] = [
        .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]
    static let resolving = all.filter { $0 != .error }

    /// The values of a property before the save, here and there, and after the save with each policy.
    struct Case: CustomTestStringConvertible {
        let name: String
        var here: Int?
        var there: Int?
        let after: [MergePolicyType: Int]
        var testDescription: String { name }
    }

    static let cases = [
        Case(
            name: "both",
            here: 1,
            there: 2,
            after: [
                .mergeByPropertyStoreTrump: 2, .mergeByPropertyObjectTrump: 1, .overwrite: 1, .rollback: 2,
            ]
        ),
        Case(
            name: "only here",
            here: 1,
            after: [
                .mergeByPropertyStoreTrump: 1, .mergeByPropertyObjectTrump: 1, .overwrite: 1, .rollback: 0,
            ]
        ),
        Case(
            name: "only there",
            there: 2,
            after: [
                .mergeByPropertyStoreTrump: 2, .mergeByPropertyObjectTrump: 2, .overwrite: 0, .rollback: 2,
            ]
        ),
        Case(
            name: "neither",
            after: [
                .mergeByPropertyStoreTrump: 0, .mergeByPropertyObjectTrump: 0, .overwrite: 0, .rollback: 0,
            ]
        ),
    ]

    @Test(arguments: resolving, cases)
    func attributes(type: MergePolicyType, row: Case) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Item", ["id": 1, "a": 0, "b": 0])
            let object = try store.here.existingObject(with: id)
            if let here = row.here { object.setValue(here, forKey: "a") }
            object.setValue(5, forKey: "b")
            try store.change(id, row.there.map { ["a": $0, "id": 2] } ?? ["id": 2])
            try store.here.save()
            #expect(object.value(forKey: "a") as? Int64 == row.after[type].map { Int64($0) })
            #expect(object.value(forKey: "b") as? Int64 == (type == .rollback ? 0 : 5))
            #expect(object.value(forKey: "id") as? Int64 == (type == .overwrite ? 1 : 2))
            #expect(object.changedValues().isEmpty && store.here.updatedObjects.isEmpty)
            try store.check()
            // The object has the row version of the store, so the next save finds no conflict.
            object.setValue(9, forKey: "a")
            store.here.mergePolicy = .error
            try store.here.save()
            expectEqual(try store.stored(id, "a"), 9)
        }
    }

    @Test(arguments: resolving, cases)
    func toOnes(type: MergePolicyType, row: Case) throws {
        for key in ["owner", "place", "partner", "link"] {
            for isLoaded in [false, true] {
                try withStorePath { path in
                    let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
                    let entityName = key == "owner" || key == "place" ? "Owner" : "Item"
                    let targets = try (0...2).map { try store.save(entityName, ["id": $0 + 10]) }
                    let id = try store.save("Item", ["id": 1, "b": 0])
                    try store.change(id, [key: try store.there.existingObject(with: targets[0])])
                    let object = try store.here.existingObject(with: id)
                    let held = try targets.map { try store.here.existingObject(with: $0) }
                    if isLoaded {
                        for target in held {
                            for name in ["items", "line"] where entityName == "Owner" { _ = value(target, name) }
                        }
                        _ = object.value(forKey: key)
                    }
                    if let here = row.here { object.setValue(held[here], forKey: key) }
                    object.setValue(5, forKey: "b")
                    var changes: [String: Any?] = ["id": 2]
                    if let there = row.there { changes[key] = try store.there.existingObject(with: targets[there]) }
                    try store.change(id, changes)
                    try store.here.save()
                    let comment: Comment = "\(key), loaded: \(isLoaded)"
                    let expected = row.after[type].map { targets[$0].key }
                    expectEqual(value(object, key), .keys(expected.map { [$0] } ?? []), comment)
                    #expect((object.value(forKey: key) as? ManagedObject)?.objectID.key == expected, comment)
                    expectEqual(try store.stored(id, key), .keys(expected.map { [$0] } ?? []), comment)
                    // Refreshes the other ends, so that the context has their current rows.
                    for target in held { store.here.refresh(target, mergeChanges: true) }
                    try store.check(comment)
                    try checkInverses(store, comment)
                }
            }
        }
    }

    /// Checks that both ends of each relationship reference each other in the store.
    private func checkInverses(_ store: ConflictStore, _ comment: Comment) throws {
        let context = store.container.newContext()
        for name in ["Item", "Owner"] {
            for object in try context.fetch(FetchRequest<ManagedObject>(entityName: name)) {
                try expectInverses(of: object, in: context, comment)
            }
        }
    }

    /// 5B step 5: nothing is written.
    @Test func theDefaultIsAnErrorThatNamesAllConflictsAndChangesNothing() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            #expect(store.here.mergePolicy === MergePolicy.error)
            let ids = try (0...3).map { try store.save("Item", ["id": $0, "a": 0, "b": 0]) }
            let objects = try ids.map { try store.here.existingObject(with: $0) }
            objects[0].setValue(1, forKey: "a")
            objects[0].setValue(1, forKey: "b")
            objects[1].setValue(1, forKey: "a")
            store.here.delete(objects[2])
            objects[3].setValue(1, forKey: "a")
            let new = store.insert("Item", ["id": 9])
            try store.change(ids[0], ["b": 2])
            try store.delete(ids[1])
            try store.change(ids[2], ["b": 2])
            let error = try #require(throws: SaveConflictError.self) { try store.here.save() }
            expectEqual(error.conflicts.map(\.objectID), Array(ids.prefix(3)))
            expectEqual(error.conflicts.map(\.propertyNames), [["b"], ["a"], []])
            expectEqual(error.conflicts.map(\.isDeleted), [false, true, false])
            expectEqual(error.conflicts.map(\.oldVersion), [1, 1, 1])
            expectEqual(error.conflicts.map(\.newVersion), [2, 0, 2])
            #expect(error.conflicts.allSatisfy { $0.missingDestination == nil })
            expectEqual(
                error.description,
                "nothing was saved, because the store was changed after it was read: \(ids[0]) was changed in "
                    + "the store, and 'b' changed in this context; "
                    + "\(ids[1]) was deleted, and 'a' changed in this context; \(ids[2]) was changed in the store; read "
                    + "the new values with refresh(_:mergeChanges:), or discard changes with rollback() and read all objects "
                    + "again with refreshAllObjects(), or set a mergePolicy that resolves the conflicts, then save again "
                    + "(133020)"
            )
            expectEqual(store.here.updatedObjects, [objects[0], objects[1], objects[3]])
            #expect(store.here.deletedObjects == [objects[2]] && store.here.insertedObjects == [new])
            expectEqual(objects[0].changedValues().keys.sorted(), ["a", "b"])
            #expect(objects[0].committedValues(forKeys: ["b"])["b"] as? Int64 == 0)
            expectEqual(try store.stored(ids[3], "a"), 0)
            // With a policy that resolves the conflicts, the save succeeds.
            store.here.mergePolicy = .mergeByPropertyStoreTrump
            try store.here.save()
            #expect(try store.stored(ids[0], "a") == 1 && store.stored(ids[0], "b") == 2)
            try store.check()
        }
    }

    @Test func refreshingResolvesAConflict() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let id = try store.save("Item", ["id": 1, "a": 0, "b": 0])
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.change(id, ["a": 2, "b": 2])
            #expect(throws: SaveConflictError.self) { try store.here.save() }
            store.here.refresh(object, mergeChanges: true)
            try store.here.save()
            #expect(try store.stored(id, "a") == 1 && store.stored(id, "b") == 2)
        }
    }

    @Test(arguments: all)
    func changesOfDifferentObjectsDoNotConflict(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let ids = try (0...1).map { try store.save("Item", ["id": $0, "a": 0]) }
            try store.here.existingObject(with: ids[0]).setValue(1, forKey: "a")
            try store.change(ids[1], ["a": 2])
            try store.here.save()
            #expect(try store.stored(ids[0], "a") == 1 && store.stored(ids[1], "a") == 2)
        }
    }

    // MARK: Deletions

    @Test(arguments: all)
    func changedObjectDeletedInAnotherContext(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let owner = try store.save("Owner", ["id": 1])
            let id = try store.save("Item", ["id": 1, "a": 0])
            let others = try (2...4).map { try store.save("Item", ["id": $0]) }
            let object = try store.here.existingObject(with: id)
            let held = try store.here.existingObject(with: owner)
            let (edited, clean) = (
                try store.here.existingObject(with: others[0]), try store.here.existingObject(with: others[1])
            )
            let linked = store.there
            try store.change(
                others[1],
                ["link": try linked.existingObject(with: id), "friends": [try linked.existingObject(with: id)]]
            )
            store.here.refresh(clean, mergeChanges: false)
            #expect(clean.value(forKey: "link") as? ManagedObject === object && value(clean, "friends") == [id.key])
            object.setValue(1, forKey: "a")
            object.setValue(held, forKey: "owner")
            edited.setValue(object, forKey: "link")
            edited.setValue([object], forKey: "friends")
            try store.delete(id)
            switch type {
            case .error, .mergeByPropertyObjectTrump:
                let error = try #require(throws: SaveConflictError.self) { try store.here.save() }
                #expect(error.conflicts.map(\.objectID) == [id] && error.conflicts[0].isDeleted)
                #expect(object.value(forKey: "a") as? Int64 == 1 && value(held, "items") == [id.key])
                #expect(value(edited, "friends") == [id.key] && object.isUpdated)
                store.here.mergePolicy = .rollback
                try store.here.save()
                #expect(object.managedObjectContext == nil)
            case .mergeByPropertyStoreTrump, .rollback:
                try store.here.save()
                #expect(object.managedObjectContext == nil && !store.here.registeredObjects.contains(object))
                #expect(try !store.exists(id))
                #expect(value(held, "items") == [] && edited.value(forKey: "link") == nil)
                #expect(value(edited, "friends") == [] && value(clean, "friends") == [])
                #expect(clean.value(forKey: "link") == nil)
            case .overwrite:
                try store.here.save()
                #expect(object.objectID == id && object.managedObjectContext === store.here)
                #expect(try store.stored(id, "a") == 1 && store.stored(id, "owner") == [owner.key])
                expectEqual(try store.stored(others[0], "link"), [id.key])
                #expect(value(edited, "friends") == [id.key] && clean.value(forKey: "link") == nil)
                // The row version is increased further: version 1 was deleted.
                #expect(object.version > 2)
            }
            try store.check()
        }
    }

    @Test(arguments: all)
    func deletedObjectChangedInAnotherContext(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let ids = try (0...2).map { try store.save("Item", ["id": $0, "a": 0]) }
            let owner = try store.save("Owner", ["id": 1])
            let there = try ids.map { try store.there.existingObject(with: $0) }
            try store.change(
                ids[0],
                ["owner": try store.there.existingObject(with: owner), "friends": [there[1]], "partner": there[2]]
            )
            let held = try store.here.existingObject(with: owner)
            let object = try store.here.existingObject(with: ids[0])
            let (friend, partner) = (
                try store.here.existingObject(with: ids[1]), try store.here.existingObject(with: ids[2])
            )
            #expect(value(held, "items") == [ids[0].key] && value(friend, "friends") == [ids[0].key])
            store.here.delete(object)
            try store.change(ids[0], ["a": 2])
            switch type {
            case .error:
                #expect(throws: SaveConflictError.self) { try store.here.save() }
                #expect(object.isDeleted && store.here.deletedObjects == [object])
                store.here.rollback()
                #expect(!object.isDeleted && value(held, "items") == [ids[0].key])
            case .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite:
                try store.here.save()
                #expect(try !store.exists(ids[0]) && object.managedObjectContext == nil)
                #expect(value(held, "items") == [] && value(friend, "friends") == [])
                try store.check()
            case .rollback:
                try store.here.save()
                #expect(!object.isDeleted && object.value(forKey: "a") as? Int64 == 2)
                #expect(value(held, "items") == [ids[0].key] && value(friend, "friends") == [ids[0].key])
                #expect(partner.value(forKey: "partner") as? ManagedObject === object)
                #expect(object.value(forKey: "partner") as? ManagedObject === partner)
                try store.check()
                try checkInverses(store, "rollback")
            }
        }
    }

    @Test(arguments: resolving)
    func deletedInBothIsDeleted(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Item", ["id": 1])
            let object = try store.here.existingObject(with: id)
            store.here.delete(object)
            try store.delete(id)
            try store.here.save()
            #expect(object.managedObjectContext == nil && store.here.deletedObjects.isEmpty)
            try store.check()
        }
    }

    @Test(arguments: all)
    func referenceToADeletedRow(type: MergePolicyType) throws {
        for key in ["owner", "link", "partner", "friends"] {
            for isNew in [false, true] {
                try withStorePath { path in
                    let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
                    let target = try store.save(key == "owner" ? "Owner" : "Item", ["id": 7])
                    let id = try store.save("Item", ["id": 1])
                    let object = isNew ? store.insert("Item", ["id": 2]) : try store.here.existingObject(with: id)
                    let destination = try store.here.existingObject(with: target)
                    object.setValue(key == "friends" ? [destination] : destination, forKey: key)
                    object.setValue(3, forKey: "a")
                    try store.delete(target)
                    let comment: Comment = "\(key), new: \(isNew)"
                    switch type {
                    case .mergeByPropertyStoreTrump, .rollback:
                        try store.here.save()
                        expectEqual(value(object, key), [], comment)
                        expectEqual(try store.stored(object.objectID, "a"), 3, comment)
                        #expect(destination.managedObjectContext == nil, comment)
                        try store.check(comment)
                    case .error, .mergeByPropertyObjectTrump, .overwrite:
                        // The other end of a one-to-one is itself a row that was changed here and deleted.
                        let isChangedItself = key == "partner"
                        if type == .overwrite, isChangedItself {
                            try store.here.save()
                            #expect(try store.exists(target), comment)
                            return try store.check(comment)
                        }
                        let error = try #require(throws: SaveConflictError.self, comment) { try store.here.save() }
                        if isChangedItself {
                            expectEqual(error.conflicts.map(\.objectID), [target], comment)
                        } else {
                            expectEqual(error.conflicts.map(\.objectID), [object.objectID], comment)
                            expectEqual(error.conflicts[0].missingDestination, target, comment)
                            expectEqual(error.conflicts[0].propertyNames, [key], comment)
                            #expect(
                                error.description.contains(
                                    "'\(key)' of \(object.objectID) references \(target), which was deleted;"
                                ),
                                comment
                            )
                        }
                        expectEqual(value(object, key), [target.key], comment)
                        object.setValue(key == "friends" ? [ManagedObject]() : nil, forKey: key)
                        store.here.mergePolicy = .mergeByPropertyStoreTrump
                        try store.here.save()
                        if destination.managedObjectContext != nil {
                            store.here.refresh(destination, mergeChanges: false)
                        }
                        try store.check(comment)
                    }
                }
            }
        }
    }

    /// If the store's state reverts a deletion, the references removed by delete rules are restored, read or not.
    @Test(arguments: [false, true])
    func revertedDeletionRestoresMembers(isRead: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: .rollback))
            let id = try store.save("Owner", ["id": 1])
            let items = try (0..<3).map { try store.save("Item", ["id": $0]) }
            let theirs = try store.there.existingObject(with: id)
            for key in ["items", "line"] {
                theirs.setValue(try items.map { try store.there.existingObject(with: $0) }, forKey: key)
            }
            try store.there.save()
            let owner = try store.here.existingObject(with: id)
            if isRead { for key in ["items", "line"] { _ = value(owner, key) } }
            store.here.delete(owner)
            try store.change(id, ["id": 2])
            try store.here.save()
            #expect(!owner.isDeleted && owner.managedObjectContext === store.here)
            expectEqual(value(owner, "id"), 2)
            for key in ["items", "line"] {
                let (held, stored) = (value(owner, key), try store.stored(id, key))
                expectEqual(held, stored, "\(key)")
            }
            try store.check()
            expectEqual(try store.count("Owner"), 1)
        }
    }

    /// Objects that reference each other and whose rows were deleted together are inserted again together.
    @Test(arguments: [false, true])
    func overwriteKeepsBothEndsOfDeletedPartners(changesFirstOnly: Bool) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .overwrite, usesTwoEngines: true)
            let ids = [try store.save("Item", ["id": 1]), try store.save("Item", ["id": 2])]
            let items = try ids.map { try store.here.existingObject(with: $0) }
            items[0].setValue(items[1], forKey: "partner")
            try store.here.save()
            for id in ids { try store.delete(id) }
            items[0].setValue(3, forKey: "a")
            if changesFirstOnly {
                // The partner is not saved again, so nothing may reference it.
                #expect(throws: SaveConflictError.self) { try store.here.save() }
                items[0].setValue(nil, forKey: "partner")
                try store.here.save()
                expectEqual(try store.stored(ids[0], "partner"), [])
                return
            }
            items[1].setValue(4, forKey: "a")
            try store.here.save()
            expectEqual(try store.stored(ids[0], "partner"), [ids[1].key])
            expectEqual(try store.stored(ids[1], "partner"), [ids[0].key])
            try store.check()
        }
    }
}
