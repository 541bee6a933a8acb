import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Threads that save into one store concurrently (C3).
struct ConflictRaceTests {
    private static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws {
        let failures = Mutex<[String]>([])
        let threads = (0..<count).map { number in
            let thread = Thread {
                do {
                    try body(number)
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            thread.start()
            return thread
        }
        // Only joining threads shows when they have ended.
        while !threads.allSatisfy(\.isFinished) { Thread.sleep(forTimeInterval: 0.002) }
        expectEqual(failures.withLock { $0 }, [])
    }

    /// With the error policy and retries, no increment is lost.
    @Test func countingWithErrors() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let id = try store.save("Item", ["id": 1, "a": 0])
            let container = store.container
            let conflicts = Mutex(0)
            try Self.run(8) { _ in
                let context = container.newContext()
                let object = try context.existingObject(with: id)
                for _ in 0..<40 {
                    while true {
                        object.setValue((object.value(forKey: "a") as? Int64 ?? 0) + 1, forKey: "a")
                        do {
                            try context.save()
                            break
                        } catch is SaveConflictError {
                            conflicts.withLock { $0 += 1 }
                            context.refresh(object, mergeChanges: false)
                        }
                    }
                }
            }
            expectEqual(try store.stored(id, "a"), 320)
            #expect(conflicts.withLock { $0 } > 0)
        }
    }

    private final class Sum: MergePolicy {
        override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
            for conflict in conflicts {
                let ours = conflict.sourceObject.value(forKey: "a") as? Int64 ?? 0
                let base = conflict.objectSnapshot?["a"] as? Int64 ?? 0
                let theirs = conflict.persistedSnapshot?["a"] as? Int64 ?? 0
                conflict.sourceObject.setValue(theirs + ours - base, forKey: "a")
            }
        }
    }

    /// A policy that adds up both sides needs no retry.
    @Test func countingWithAPolicy() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let id = try store.save("Item", ["id": 1, "a": 0])
            let container = store.container
            try Self.run(8) { _ in
                let context = container.newContext()
                context.mergePolicy = Sum(merge: .overwrite)
                let object = try context.existingObject(with: id)
                for _ in 0..<40 {
                    object.setValue((object.value(forKey: "a") as? Int64 ?? 0) + 1, forKey: "a")
                    try context.save()
                }
            }
            expectEqual(try store.stored(id, "a"), 320)
        }
    }

    /// The conflicts that a policy was given in one save.
    private final class Watched: MergePolicy {
        private(set) var conflicts = 0
        /// The number of conflicts in which both sides had incremented `a`, so that one increment is lost.
        private(set) var collisions = 0

        override func resolve(optimisticLockingConflicts conflicts: [MergeConflict]) throws {
            self.conflicts += conflicts.count
            for conflict in conflicts
            where conflict.objectSnapshot?["a"] as? Int64 != conflict.persistedSnapshot?["a"] as? Int64 {
                collisions += 1
            }
            try super.resolve(optimisticLockingConflicts: conflicts)
        }

        func begin() { (conflicts, collisions) = (0, 0) }
    }

    /// Without retries, increments are lost, depending on the policy.
    ///
    /// All threads but one increment `a`; that thread increments `b`, which the others never change.
    /// - `mergeByPropertyStoreTrump` loses increments of `a` that conflict with another increment, and none of `b`.
    /// - `mergeByPropertyObjectTrump` loses increments of `a` that other contexts wrote in the meantime, never those of
    ///   the saving context, and none of `b`.
    /// - `overwrite` does the same for whole rows.
    /// - `rollback` loses all changes of a save with a conflict.
    @Test(arguments: MergePolicyTests.resolving)
    func countingWithout(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let id = try store.save("Item", ["id": 1, "a": 0, "b": 0])
            let container = store.container
            let (threads, rounds) = (6, 40)
            let noted = Mutex((kept: ["a": 0, "b": 0], conflicts: 0, rows: Set<[Int64]>()))
            try Self.run(threads) { number in
                let context = container.newContext()
                let policy = Watched(merge: type)
                context.mergePolicy = policy
                let object = try context.existingObject(with: id)
                func count(_ key: String) -> Int64 { object.value(forKey: key) as? Int64 ?? -1 }
                let (key, other) = number == 0 ? ("b", "a") : ("a", "b")
                for _ in 0..<rounds {
                    let (before, untouched) = (count(key), count(other))
                    policy.begin()
                    object.setValue(before + 1, forKey: key)
                    try context.save()
                    let row = [count("a"), count("b")]
                    let isLost: Bool
                    switch type {
                    case .error, .mergeByPropertyObjectTrump, .overwrite:
                        isLost = false
                        #expect(count(key) == before + 1 && (type != .overwrite || count(other) == untouched))
                    case .mergeByPropertyStoreTrump:
                        isLost = key == "a" && policy.collisions > 0
                        // A context that loses its increment has the value of another context, which is not smaller.
                        #expect(isLost ? count(key) > before : count(key) == before + 1)
                    case .rollback:
                        isLost = policy.conflicts > 0
                        #expect(isLost ? count(key) >= before : count(key) == before + 1)
                    }
                    noted.withLock {
                        if policy.conflicts > 0 { $0.conflicts += 1 }
                        if !isLost { $0.kept[key, default: 0] += 1 }
                        $0.rows.insert(row)
                    }
                }
            }
            let (kept, conflicts, rows) = noted.withLock { $0 }
            #expect(conflicts > 0)
            let item = try container.newContext().existingObject(with: id)
            let a = try #require(item.value(forKey: "a") as? Int64)
            let b = try #require(item.value(forKey: "b") as? Int64)
            switch type {
            case .error: Issue.record("it has a test of its own")
            case .mergeByPropertyStoreTrump, .rollback:
                #expect(a == kept["a"].map { Int64($0) } && b == kept["b"].map { Int64($0) })
                #expect(type == .rollback || b == rounds)
            case .mergeByPropertyObjectTrump:
                // The context that saved last has kept all of its own increments.
                #expect(a >= rounds && a <= (threads - 1) * rounds && b == rounds)
            case .overwrite: #expect(rows.contains([a, b]) && a <= (threads - 1) * rounds && b <= rounds)
            }
        }
    }

    /// All contexts insert the same few words; each word exists once, and all inserting contexts have its object ID.
    @Test(arguments: MergePolicyTests.resolving)
    func insertingTheSameValues(type: MergePolicyType) throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path)
            let container = store.container
            let identities = Mutex<[String: Set<ManagedObjectID>]>([:])
            try Self.run(6) { number in
                var random = SeededGenerator(seed: UInt64(number))
                let context = container.newContext()
                context.mergePolicy = MergePolicy(merge: type)
                for _ in 0..<15 {
                    var tags: [String: ManagedObject] = [:]
                    for _ in 0..<3 {
                        let word = "w\(Int.random(in: 0..<12, using: &random))"
                        guard tags[word] == nil else { continue }
                        let tag = EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                        tag.setValue(word, forKey: "word")
                        tag.setValue("\(number)", forKey: "note")
                        tags[word] = tag
                    }
                    try context.save()
                    for (word, tag) in tags {
                        _ = identities.withLock { $0[word, default: []].insert(tag.objectID) }
                    }
                }
            }
            #expect(identities.withLock { $0.values.allSatisfy { $0.count == 1 } })
            expectEqual(try store.count("Tag"), identities.withLock { $0.count })
            try store.check()
        }
    }

    /// The values that a save has resolved are newer than the changes that were sent to its context before.
    @Test func laterMergesKeepResolvedValues() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .mergeByPropertyObjectTrump)
            let id = try store.save("Item", ["id": 1, "a": 0, "b": 0])
            let object = try store.here.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.change(id, ["a": 2, "b": 2])
            try store.here.save()
            store.here.automaticallyMergesChangesFromParent = true
            store.here.processPendingChanges()
            #expect(value(object, "a") == 1 && value(object, "b") == 2)
            object.setValue(3, forKey: "a")
            store.here.mergePolicy = .error
            try store.here.save()
        }
    }

    /// The same holds for a row that was inserted again.
    @Test func laterMergesKeepReinsertedRows() throws {
        try withStorePath { path in
            let store = try ConflictStore(path: path, policy: .overwrite)
            let id = try store.save("Item", ["id": 1, "a": 0])
            let object = try store.here.existingObject(with: id)
            let watching = store.container.newContext()
            watching.automaticallyMergesChangesFromParent = true
            let watched = try watching.existingObject(with: id)
            object.setValue(1, forKey: "a")
            try store.delete(id)
            try store.here.save()
            store.here.automaticallyMergesChangesFromParent = true
            store.here.processPendingChanges()
            #expect(object.managedObjectContext === store.here && value(object, "a") == 1)
            watching.processPendingChanges()
            #expect(watched.managedObjectContext === watching && value(watched, "a") == 1)
        }
    }
}
