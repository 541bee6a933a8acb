import ChordataTestSupport
import Testing

@testable import Chordata

/// Before a save changes objects with a uniqueness conflict (5D), observers are notified.
struct ObservedUniquenessTests {
    @Test(arguments: UniquenessTests.resolving, [false, true])
    func aNewObjectWithTheValuesOfASavedOne(type: MergePolicyType, isKnown: Bool) throws {
        try ObservedConflictTests.withStore(type) { store in
            let groups = try (1...2).map { try store.save("Group", ["id": $0]) }
            let old = try store.save("Text", ["id": 1])
            let id = try store.save("Tag", ["word": "x", "weight": 5, "note": "saved"])
            let oldText = try store.there.existingObject(with: old)
            try store.change(
                id,
                ["group": try store.there.existingObject(with: groups[0]), "texts": [oldText], "likes": [oldText]]
            )
            let known = isKnown ? try store.here.existingObject(with: id) : nil
            let group = try store.here.existingObject(with: groups[1])
            let new = store.insert("Tag", ["word": "x", "other": "new"])
            let text = store.insert("Text", ["id": 2])
            new.setValue(group, forKey: "group")
            new.setValue([text], forKey: "likes")
            for name in ["tags", "stars", "row"] { text.setValue([new], forKey: name) }
            for name in ["root", "star", "twin"] { text.setValue(new, forKey: name) }
            var watch = PropertyWatch()
            for name in ["note", "weight", "group", "texts", "likes", "leaves", "twin"] {
                watch.add("new \(name)", new, name)
                if let known { watch.add("known \(name)", known, name) }
            }
            for name in ["tags", "stars", "row", "root", "star", "twin"] { watch.add(name, text, name) }
            watch.add("group", group, "tags")
            try store.here.save()
            let changed = watch.expectAllChangesReported("\(type)")
            let isKept = UniquenessTests.storeWins.contains(type)
            let expected = isKnown ? ["tags", "row", "star", "known texts"] : ["new texts", "new likes"]
            #expect(changed.isSuperset(of: expected))
            expectEqual(changed.contains("group"), isKept || isKnown)
            let saved = known ?? new
            #expect(value(saved, "weight") == (isKept ? 5 : 1) && value(text, "tags") == [id.key])
            expectEqual(value(saved, "texts"), .keys([old.key, text.objectID.key].sorted()))
        }
    }

    @Test(arguments: UniquenessTests.storeWins)
    func aChangedObjectWithTheValuesOfASavedOne(type: MergePolicyType) throws {
        try ObservedConflictTests.withStore(type) { store in
            _ = try store.save("Tag", ["word": "x"])
            let tag = try store.here.existingObject(with: try store.save("Tag", ["word": "y", "note": "n"]))
            let text = try store.here.existingObject(with: try store.save("Text", ["id": 1]))
            tag.setValue("x", forKey: "word")
            tag.setValue("m", forKey: "note")
            tag.setValue(text, forKey: "twin")
            var watch = PropertyWatch()
            for name in ["word", "note", "twin", "weight"] { watch.add(name, tag, name) }
            watch.add("back", text, "twin")
            try store.here.save()
            let (changed, told) = watch.look()
            expectEqual(changed, type == .rollback ? ["word", "note", "twin", "back"] : ["word"])
            // The other end is written again, which counts as setting it.
            #expect(told.subtracting(changed).isSubset(of: ["back"]) && changed.isSubset(of: told))
            expectEqual(value(tag, "word"), "y")
        }
    }
}
