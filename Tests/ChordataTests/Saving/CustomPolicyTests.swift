import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Custom policies, and the behavior of a save with any policy.
struct CustomPolicyTests {
    private struct Refusal: Error {}

    /// Adds up the changes that both sides made to `a`; all other properties keep the store's values.
    private final class Sum: MergePolicy {
        var snapshots: [[String: Any]?] = []

        override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
            for conflict in conflicts {
                snapshots = [conflict.objectSnapshot, conflict.cachedSnapshot, conflict.persistedSnapshot]
            }
            let ours = conflicts.map { $0.sourceObject.value(forKey: "a") as? Int64 ?? 0 }
            try super.resolve(optimisticLockingConflicts: conflicts)
            for (conflict, ours) in zip(conflicts, ours) {
                let base = conflict.objectSnapshot?["a"] as? Int64 ?? 0
                let theirs = conflict.persistedSnapshot?["a"] as? Int64 ?? 0
                conflict.sourceObject.setValue(theirs + ours - base, forKey: "a")
            }
        }
    }

    /// Records the conflicts that it is given, and does nothing or throws.
    private final class Watch: MergePolicy {
        var asked: [String] = []
        var isRefusing = false
        var body: () throws -> Void = {}

        override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
            asked.append("rows \(conflicts.count)")
            try body()
            if isRefusing { throw Refusal() }
        }

        override func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
            asked.append("values \(conflicts.count)")
            if isRefusing { throw Refusal() }
        }
    }

    @Test func customPolicyAddsBothValues() throws {
        try withStorePath { path in
            let policy = Sum(merge: .mergeByPropertyStoreTrump)
            let store = try ConflictStore(path: path, policy: policy)
            let owner = try store.save("Owner", ["id": 1])
            let id = try store.save("Item", ["id": 1, "a": 10, "b": 0])
            let object = try store.here.existingObject(with: id)
            object.setValue(13, forKey: "a")
            try store.change(id, ["a": 20, "b": 1, "owner": try store.there.existingObject(with: owner)])
            try store.here.save()
            #expect(try store.stored(id, "a") == 23 && store.stored(id, "b") == 1)
            #expect(policy.snapshots[0]?["a"] as? Int64 == 10 && policy.snapshots[0]?["b"] as? Int64 == 0)
            #expect(policy.snapshots[0]?["owner"] == nil)
            #expect(policy.snapshots[1]?["a"] as? Int64 == 20)
            #expect(policy.snapshots[2]?["a"] as? Int64 == 20)
            #expect((policy.snapshots[2]?["owner"] as? ManagedObject)?.objectID == owner)
            try store.check()
        }
    }

    @Test func policyWithoutEffectWritesTheObjectValues() throws {
        try withStorePath { path in
            let policy = Watch(merge: .error)
            let store = try ConflictStore(path: path, policy: policy)
            let (id, gone) = (try store.save("Item", ["id": 1, "a": 0, "b": 0]), try store.save("Item", ["id": 2]))
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.here.existingObject(with: gone).setValue(1, forKey: "a")
            try store.change(id, ["a": 2, "b": 2])
            try store.delete(gone)
            try store.here.save()
            expectEqual(policy.asked, ["rows 2"])
            #expect(try store.stored(id, "a") == 1 && store.stored(id, "b") == 0 && store.stored(gone, "a") == 1)
            try store.check()
        }
    }

    @Test func policyWithoutEffectOnDuplicatesIsCalledOnce() throws {
        try withStorePath { path in
            let policy = Watch(merge: .overwrite)
            let store = try ConflictStore(path: path, policy: policy)
            _ = try store.save("Tag", ["word": "x"])
            let tag = store.insert("Tag", ["word": "x"])
            #expect(throws: UniquenessConflictError.self) { try store.here.save() }
            #expect(policy.asked == ["values 1"] && tag.isInserted)
        }
    }

    /// 5B step 5, U11: conflicts of rows are resolved first, and then conflicts of values.
    @Test func rowsComeBeforeValues() throws {
        try withStorePath { path in
            let policy = Watch(merge: .overwrite)
            let store = try ConflictStore(path: path, policy: policy)
            let id = try store.save("Tag", ["word": "x"])
            let tag = try store.here.existingObject(with: id)
            tag.setValue("note", forKey: "note")
            store.insert("Tag", ["word": "x"])
            try store.change(id, ["note": "other"])
            #expect(throws: UniquenessConflictError.self) { try store.here.save() }
            expectEqual(policy.asked, ["rows 1", "values 1"])
        }
    }

    @Test func throwingPolicySavesNothingAndKeepsItsChanges() throws {
        try withStorePath { path in
            let policy = Watch(merge: .overwrite)
            let store = try ConflictStore(path: path, policy: policy)
            let (id, other) = (try store.save("Item", ["id": 1, "a": 0]), try store.save("Item", ["id": 2, "a": 0]))
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            let second = try store.here.existingObject(with: other)
            second.setValue(1, forKey: "a")
            try store.change(id, ["a": 2])
            policy.isRefusing = true
            policy.body = { object.setValue(7, forKey: "b") }
            #expect(throws: Refusal.self) { try store.here.save() }
            #expect(value(object, "a") == 1 && value(object, "b") == 7)
            expectEqual(store.here.updatedObjects, [object, second])
            expectEqual(try store.stored(other, "a"), 0)
            policy.isRefusing = false
            try store.here.save()
            #expect(try store.stored(other, "a") == 1 && store.stored(id, "b") == 7)
        }
    }

    /// No transaction is open while a policy runs, and the next attempt finds the saves that were made in the meantime.
    @Test func aPolicyMayUseOtherContexts() throws {
        try withStorePath { path in
            let policy = Watch(merge: .overwrite)
            let store = try ConflictStore(path: path, policy: policy)
            let id = try store.save("Item", ["id": 1, "a": 0, "b": 0])
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.change(id, ["a": 2])
            var rounds = 0
            policy.body = {
                rounds += 1
                if rounds < 4 { try store.change(id, ["b": rounds]) }
            }
            try store.here.save()
            #expect(rounds == 4 && object.value(forKey: "a") as? Int64 == 1)
            #expect(try store.stored(id, "a") == 1 && store.stored(id, "b") == 0)
            try store.check()
        }
    }

    /// Merged values are validated, because the store may have no value for an attribute that the model requires.
    @Test func mergedValuesAreValidated() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .mergeByPropertyStoreTrump)
            let id = try store.save("Item", ["id": 1, "a": 0])
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.container.store.execute("UPDATE \"Item\" SET \"id\" = NULL, \"_version\" = 2")
            let error = try #require(throws: ValidationError.self) { try store.here.save() }
            expectEqual(error.failures.map(\.propertyName), ["id"])
            #expect(object.isUpdated && value(object, "a") == 1)
            object.setValue(5, forKey: "id")
            try store.here.save()
            #expect(try store.stored(id, "id") == 5 && store.stored(id, "a") == 1)
        }
    }

    /// U4.
    @Test func constraintConflictsDescribeDuplicateValues() throws {
        final class Look: MergePolicy {
            var seen: ConstraintConflict?
            override func resolve(constraintConflicts conflicts: [ConstraintConflict]) throws {
                seen = conflicts.first
                for conflict in conflicts { conflict.conflictingObjects[0].setValue("free", forKey: "word") }
            }
        }
        try withStorePath { path in
            let policy = Look(merge: .error)
            let store = try ConflictStore(path: path, policy: policy)
            let id = try store.save("Tag", ["word": "x", "note": "saved"])
            let tag = store.insert("Tag", ["word": "x", "note": "new"])
            try store.here.save()
            let conflict = try #require(policy.seen)
            #expect(conflict.constraint == ["word"] && conflict.constraintValues["word"] as? String == "x")
            #expect(conflict.conflictingObjects == [tag] && conflict.databaseObject?.objectID == id)
            #expect(conflict.databaseSnapshot?["note"] as? String == "saved")
            #expect(conflict.conflictingSnapshots.map { $0["word"] as? String } == ["x"])
            #expect(try store.stored(tag.objectID, "word") == "free" && store.count("Tag") == 2)
            try store.check()
        }
    }

    // MARK: Observers

    private final class Log: FetchedResultsControllerDelegate {
        var changes: [String] = []
        func controller(
            _ controller: FetchedResultsController<ManagedObject>,
            didChange object: ManagedObject,
            at indexPath: IndexPath?,
            for type: FetchedResultsChangeType,
            newIndexPath: IndexPath?
        ) {
            let name = object.primitiveValue(forKey: "note") as? String ?? "-"
            changes.append("\(type) \(name)")
        }
    }

    @Test func resultsControllersFollowResolvedConflicts() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .mergeByPropertyStoreTrump)
            let (x, y, z) = (
                try store.save("Tag", ["word": "x", "note": "1"]), try store.save("Tag", ["word": "y", "note": "2"]),
                try store.save("Tag", ["word": "z", "note": "3"])
            )
            let request = FetchRequest<ManagedObject>(entityName: "Tag").sorted(by: "note")
            let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: store.here)
            let log = Log()
            controller.delegate = log
            try controller.performFetch()
            let held = try [x, y, z].map { try store.here.existingObject(with: $0) }
            held[1].setValue("b", forKey: "other")
            held[2].setValue("c", forKey: "other")
            let new = store.insert("Tag", ["word": "x", "note": "9"])
            store.here.processPendingChanges()
            expectEqual(controller.fetchedObjects?.count, 4)
            log.changes = []
            try store.change(y, ["note": "8"])
            try store.delete(z)
            try store.here.save()
            expectEqual(log.changes.sorted(), ["delete 3", "delete 9", "update 8"])
            expectEqual(controller.fetchedObjects, [held[0], held[1]])
            expectEqual(controller.fetchedObjects, try store.here.fetch(request))
            #expect(store.here.registeredObjects == [held[0], held[1]] && new.objectID == x)
        }
    }

    // MARK: Row keys

    /// A commit that fails also undoes the reservation of row keys.
    @Test func aFailedCommitReservesNoNumbers() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let owner = try store.save("Owner", ["id": 1])
            let item = store.insert("Item", ["id": 1])
            item.setValue(try store.here.existingObject(with: owner), forKey: "owner")
            try store.delete(owner)
            for number in 0..<900 { store.insert("Item", ["id": number]) }
            #expect(throws: SaveConflictError.self) { try store.here.save() }
            let other = try ConflictModel.definition().testContainer(at: path)
            let context = other.newContext()
            let theirs = (0..<1_500).map { store.insert("Item", ["id": $0], into: context).objectID.key }
            try context.save()
            item.setValue(nil, forKey: "owner")
            let ours = (0..<1_500).map { store.insert("Item", ["id": $0]).objectID.key }
            #expect(Set(ours).isDisjoint(with: theirs))
            try store.here.save()
        }
    }
}
