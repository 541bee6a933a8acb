import ChordataTestSupport
import Observation
import Synchronization
import Testing

@testable import Chordata

/// Before a save changes objects whose rows other contexts have changed (5C), observers are notified.
struct ObservedConflictTests {
    private static let resolving = MergePolicyTests.resolving

    /// A store whose first context is observed.
    static func withStore(_ type: MergePolicyType, _ body: (ConflictStore) throws -> Void) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            store.here.isObservationEnabled = true
            try body(store)
        }
    }

    // MARK: Rows that other contexts have changed

    @Test(arguments: resolving, MergePolicyTests.cases)
    func attributes(type: MergePolicyType, row: MergePolicyTests.Case) throws {
        try Self.withStore(type) { store in
            let id = try store.save("Item", ["id": 1, "a": 0, "b": 0])
            let object = try store.here.existingObject(with: id)
            if let here = row.here { object.setValue(here, forKey: "a") }
            object.setValue(5, forKey: "b")
            try store.change(id, row.there.map { ["a": $0, "id": 2] } ?? ["id": 2])
            var watch = PropertyWatch()
            for name in ["id", "a", "b"] { watch.add(name, object, name) }
            try store.here.save()
            let after = try #require(row.after[type])
            expectEqual(value(object, "a"), .number(Int64(after)))
            var expected: Set<String> = after == row.here ?? 0 ? [] : ["a"]
            if type == .rollback { expected.insert("b") }
            if type != .overwrite { expected.insert("id") }
            let (changed, told) = watch.look()
            #expect(changed == expected && told == expected, "an unchanged value is not reported")
        }
    }

    @Test func observersSeeTheOldValue() throws {
        try Self.withStore(.mergeByPropertyStoreTrump) { store in
            let id = try store.save("Item", ["id": 1, "a": 0])
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.change(id, ["a": 2])
            let seen = Mutex<[Held]>([])
            nonisolated(unsafe) let observed = object
            withObservationTracking {
                _ = observed.value(forKey: "a")
            } onChange: {
                seen.withLock { $0.append(value(observed, "a")) }
            }
            try store.here.save()
            #expect(seen.withLock { $0 } == [1] && value(object, "a") == 2)
        }
    }

    @Test(arguments: resolving, MergePolicyTests.cases)
    func toOnesAndTheirOtherEnds(type: MergePolicyType, row: MergePolicyTests.Case) throws {
        for key in ["owner", "place", "partner", "link"] {
            for isRead in [false, true] {
                try Self.withStore(type) { store in
                    let entityName = key == "owner" || key == "place" ? "Owner" : "Item"
                    let targets = try (0...2).map { try store.save(entityName, ["id": $0 + 10]) }
                    let id = try store.save("Item", ["id": 1, "b": 0])
                    try store.change(id, [key: try store.there.existingObject(with: targets[0])])
                    let object = try store.here.existingObject(with: id)
                    // The targets that are not read are faults.
                    let held = targets.map { store.here.object(with: $0) }
                    if let here = row.here { object.setValue(held[here], forKey: key) }
                    object.setValue(5, forKey: "b")
                    var watch = PropertyWatch()
                    watch.add("own", object, key)
                    for (index, target) in held.enumerated() {
                        if entityName == "Owner" {
                            for name in ["items", "line"] {
                                watch.add("\(name) \(index)", target, name, isRead ? .read : .counted)
                            }
                        } else if isRead {
                            watch.add("partner \(index)", target, "partner")
                        }
                    }
                    var changes: [String: Any?] = ["id": 2]
                    if let there = row.there { changes[key] = try store.there.existingObject(with: targets[there]) }
                    try store.change(id, changes)
                    try store.here.save()
                    let after = try #require(row.after[type])
                    #expect(object.value(forKey: key) as? ManagedObject === held[after])
                    let (changed, told) = watch.look()
                    let comment: Comment = "\(key), read: \(isRead)"
                    #expect(changed.isSubset(of: told), comment)
                    expectEqual(changed.contains("own"), after != row.here ?? 0, comment)
                    // A value that overwrites the store's value counts as set.
                    #expect(told.contains("own") == changed.contains("own") || type == .overwrite, comment)
                }
            }
        }
    }

    @Test(arguments: resolving, PropertyWatch.Way.allCases)
    func pairs(type: MergePolicyType, way: PropertyWatch.Way) throws {
        try Self.withStore(type) { store in
            let ids = try (0...2).map { try store.save("Item", ["id": $0]) }
            let there = try ids.map { try store.there.existingObject(with: $0) }
            try store.change(ids[0], ["friends": [there[1]]])
            let held = try ids.map { try store.here.existingObject(with: $0) }
            let friends = held[0].mutableSetValue(forKey: "friends")
            friends.remove(held[1])
            friends.add(held[2])
            try store.change(ids[0], ["a": 1])
            held[0].setValue(2, forKey: "a")
            var watch = PropertyWatch()
            for (index, item) in held.enumerated() { watch.add("\(index)", item, "friends", way) }
            try store.here.save()
            let changed = watch.expectAllChangesReported()
            expectEqual(friends.allObjects, [held[type == .rollback ? 1 : 2]])
            // The number of friends is the same after one friend replaces another.
            expectEqual(changed, type != .rollback ? [] : way == .counted ? ["1", "2"] : ["0", "1", "2"])
        }
    }

    // MARK: Deletions

    @Test(arguments: resolving, PropertyWatch.Way.allCases)
    func changedObjectDeletedInAnotherContext(type: MergePolicyType, way: PropertyWatch.Way) throws {
        try Self.withStore(type) { store in
            let owner = try store.save("Owner", ["id": 1])
            let ids = try (1...3).map { try store.save("Item", ["id": $0, "a": 0]) }
            let there = try ids.map { try store.there.existingObject(with: $0) }
            try store.change(ids[0], ["place": try store.there.existingObject(with: owner)])
            try store.change(ids[2], ["link": there[0], "friends": [there[0]]])
            let held = try store.here.existingObject(with: owner)
            let items = try ids.map { try store.here.existingObject(with: $0) }
            items[0].setValue(1, forKey: "a")
            items[0].setValue(held, forKey: "owner")
            items[1].setValue(items[0], forKey: "link")
            items[1].mutableSetValue(forKey: "friends").add(items[0])
            func watch() -> PropertyWatch {
                var watch = PropertyWatch()
                watch.add("a", items[0], "a")
                for name in ["items", "line"] { watch.add(name, held, name, way) }
                watch.add("its friends", items[0], "friends", way)
                for (name, item) in [("edited", items[1]), ("clean", items[2])] {
                    watch.add("link of \(name)", item, "link")
                    watch.add("friends of \(name)", item, "friends", way)
                }
                return watch
            }
            let before = watch()
            if type == .mergeByPropertyObjectTrump { store.here.mergePolicy = .mergeByPropertyStoreTrump }
            try store.delete(ids[0])
            // Numbers of members that are read from the store have changed by now.
            let between = watch()
            try store.here.save()
            let changed = before.expectAllChangesReported("before")
            between.expectAllChangesReported("between")
            if type == .overwrite {
                #expect(changed.contains("link of clean") && changed.isDisjoint(with: ["a", "items", "line"]))
            } else {
                #expect(changed.isSuperset(of: ["a", "items", "line", "link of edited", "friends of edited"]))
                #expect(changed.contains("link of clean") && items[0].managedObjectContext == nil)
            }
        }
    }

    /// The references to the row were nullified when it was deleted; a save inserts it again without members.
    @Test(arguments: PropertyWatch.Way.allCases)
    func ownerWhoseRowIsReinserted(way: PropertyWatch.Way) throws {
        try Self.withStore(.overwrite) { store in
            let (id, item) = (try store.save("Owner", ["id": 1]), try store.save("Item", ["id": 1]))
            try store.change(item, ["owner": try store.there.existingObject(with: id)])
            let (owner, member) = (try store.here.existingObject(with: id), try store.here.existingObject(with: item))
            owner.setValue(2, forKey: "id")
            var watch = PropertyWatch()
            watch.add("items", owner, "items", way)
            watch.add("owner", member, "owner")
            try store.delete(id)
            try store.here.save()
            expectEqual(watch.expectAllChangesReported(), ["items", "owner"])
            #expect(value(owner, "items") == [] && value(member, "owner") == [] && value(owner, "id") == 2)
        }
    }

    @Test(arguments: PropertyWatch.Way.allCases)
    func deletedObjectChangedInAnotherContext(way: PropertyWatch.Way) throws {
        try Self.withStore(.rollback) { store in
            let ids = try (0...2).map { try store.save("Item", ["id": $0, "a": 0]) }
            let owner = try store.save("Owner", ["id": 1])
            let there = try ids.map { try store.there.existingObject(with: $0) }
            try store.change(
                ids[0],
                ["owner": try store.there.existingObject(with: owner), "friends": [there[1]], "partner": there[2]]
            )
            let held = try store.here.existingObject(with: owner)
            let items = try ids.map { try store.here.existingObject(with: $0) }
            store.here.delete(items[0])
            try store.change(ids[0], ["a": 2])
            var watch = PropertyWatch()
            watch.add("a", items[0], "a")
            watch.add("items", held, "items", way)
            watch.add("friends", items[1], "friends", way)
            watch.add("partner", items[2], "partner")
            try store.here.save()
            expectEqual(watch.expectAllChangesReported(), ["a", "items", "friends", "partner"])
            #expect(value(items[0], "a") == 2 && value(held, "items") == [ids[0].key])
        }
    }

    /// A relationship without an inverse has not changed, but a read during the deletion of a member did not include
    /// the member.
    @Test(arguments: PropertyWatch.Way.allCases)
    func memberWhoseDeletionIsReverted(way: PropertyWatch.Way) throws {
        try Self.withStore(.rollback) { store in
            let (tag, text) = (try store.save("Tag", ["note": "old"]), try store.save("Text", ["id": 1]))
            try store.change(text, ["stars": [try store.there.existingObject(with: tag)]])
            let (member, held) = (try store.here.existingObject(with: tag), try store.here.existingObject(with: text))
            store.here.delete(member)
            try store.change(tag, ["note": "new"])
            var watch = PropertyWatch()
            watch.add("stars", held, "stars", way)
            try store.here.save()
            // The member is counted until its deletion is saved.
            expectEqual(watch.expectAllChangesReported(), way == .counted ? [] : ["stars"])
            #expect(held.value(forKey: "stars") as? Set<ManagedObject> == [member])
        }
    }

    @Test(arguments: [MergePolicyType.mergeByPropertyStoreTrump, .rollback])
    func referencesToDeletedRows(type: MergePolicyType) throws {
        try Self.withStore(type) { store in
            let (owner, friend) = (try store.save("Owner", ["id": 1]), try store.save("Item", ["id": 2]))
            let item = store.insert("Item", ["id": 1])
            item.setValue(try store.here.existingObject(with: owner), forKey: "owner")
            item.setValue([try store.here.existingObject(with: friend)], forKey: "friends")
            try store.delete(owner)
            try store.delete(friend)
            var watch = PropertyWatch()
            for name in ["id", "owner", "friends"] { watch.add(name, item, name) }
            try store.here.save()
            expectEqual(watch.expectAllChangesReported(), ["owner", "friends"])
            #expect(value(item, "owner") == [] && value(item, "friends") == [])
        }
    }
}
