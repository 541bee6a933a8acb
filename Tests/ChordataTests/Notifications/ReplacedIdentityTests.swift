import ChordataTestStores
import ChordataTestSupport
import Dispatch
import Foundation
import Testing

@testable import Chordata

/// The reports of inserted objects that get the object ID of a saved object when they are saved.
struct ReplacedIdentityTests {
    private static let resolving = MergePolicyTests.resolving
    private let didChange = ManagedObjectContext.didChangeObjectsNotification

    /// The reports of a context until it was reset.
    private static func changes(_ stream: AsyncStream<ObjectIDChanges>) async -> [ObjectIDChanges] {
        var changes: [ObjectIDChanges] = []
        for await change in stream {
            if change.invalidatesAll { break }
            changes.append(change)
        }
        return changes
    }

    private static func union(_ changes: [ObjectIDChanges], _ key: KeyPath<ObjectIDChanges, Set<ManagedObjectID>>)
        -> Set<ManagedObjectID>
    {
        changes.reduce(into: []) { $0.formUnion($1[keyPath: key]) }
    }

    @Test(arguments: resolving, [false, true])
    func aNewObjectAndASavedOne(type: MergePolicyType, isKnown: Bool) async throws {
        try await withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Tag", ["word": "x", "note": "saved"])
            let known = isKnown ? try store.here.existingObject(with: id) : nil
            let (stream, saves, ofStore) = (store.here.changes, store.here.saves, store.container.saves)
            let new = store.insert("Tag", ["word": "x", "other": "new"])
            let before = new.objectID
            store.here.processPendingChanges()
            let recorder = NotificationRecorder(store.here, [didChange])
            try await store.here.save()
            let isWritten = UniquenessTests.objectWins.contains(type)
            #expect(recorder.notifications.flatMap { $0.objects(.insertedObjects) }.isEmpty)
            expectEqual(recorder.notifications.flatMap { $0.objects(.deletedObjects) }, isKnown ? [new] : [])
            store.here.reset()
            let changes = await Self.changes(stream)
            expectEqual(Self.union(changes, \.inserted), [before])
            expectEqual(Self.union(changes, \.deleted), [before])
            // A registered object that the save does not write has not changed.
            let touched = Self.union(changes, \.updated).union(Self.union(changes, \.refreshed))
            expectEqual(touched, isWritten || !isKnown ? [id] : [])
            store.insert("Group")
            try await store.here.save()
            var told: [ObjectIDChanges] = []
            for await save in saves {
                guard save.inserted.isEmpty else { break }
                told.append(save)
            }
            for await save in ofStore {
                guard save.changes.inserted.isEmpty else { break }
                told.append(save.changes)
            }
            expectEqual(told, isWritten ? Array(repeating: ObjectIDChanges(updated: [id]), count: 2) : [])
            withExtendedLifetime(known) {}
        }
    }

    @Test(arguments: resolving)
    func newObjectsAmongThemselves(type: MergePolicyType) async throws {
        try await withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let stream = store.here.changes
            let new = (0..<3).map { store.insert("Tag", ["word": "x", "note": "\($0)"]) }
            let ids = new.map(\.objectID)
            try await store.here.save()
            let kept = UniquenessTests.storeWins.contains(type) ? ids[0] : ids[2]
            expectEqual(new.map(\.objectID), [kept, kept, kept])
            store.here.reset()
            let changes = await Self.changes(stream)
            expectEqual(Self.union(changes, \.inserted), Set(ids))
            expectEqual(Self.union(changes, \.deleted), Set(ids).subtracting([kept]))
        }
    }

    /// An object that an observer inserts and saves immediately was never reported.
    @Test(arguments: resolving, [false, true])
    func unreportedNewObject(type: MergePolicyType, isKnown: Bool) async throws {
        try await withStorePath { path in
            let store = try ConflictStore(path: path, policy: MergePolicy(merge: type))
            let id = try store.save("Tag", ["word": "x", "note": "saved"])
            let known = isKnown ? try store.here.existingObject(with: id) : nil
            let stream = store.here.changes
            var new: ManagedObject?
            let recorder = NotificationRecorder(store.here, [didChange]) { _ in
                guard new == nil else { return }
                new = store.insert("Tag", ["word": "x", "other": "new"])
                try store.here.save()
            }
            let first = store.insert("Group")
            store.here.processPendingChanges()
            store.here.processPendingChanges()
            #expect(recorder.errors.isEmpty && new?.objectID == id)
            store.here.reset()
            let changes = await Self.changes(stream)
            expectEqual(Self.union(changes, \.inserted), [first.objectID])
            #expect(Self.union(changes, \.deleted).isEmpty)
            let touched = Self.union(changes, \.updated).union(Self.union(changes, \.refreshed))
            expectEqual(touched, isKnown && UniquenessTests.storeWins.contains(type) ? [] : [id])
            withExtendedLifetime(known) {}
        }
    }

    /// An event reports the object IDs at its end, even if its observers save.
    @Test func newObjectSavedByAnObserver() async throws {
        try await withStorePath { path in
            let store = try ConflictStore(path: path, policy: .overwrite)
            let id = try store.save("Tag", ["word": "x"])
            let stream = store.here.changes
            let recorder = NotificationRecorder(store.here, [didChange]) { _ in try store.here.save() }
            let new = store.insert("Tag", ["word": "x"])
            let before = new.objectID
            store.here.processPendingChanges()
            recorder.stop()
            store.here.processPendingChanges()
            #expect(new.objectID == id && recorder.errors.isEmpty)
            store.here.reset()
            let changes = await Self.changes(stream)
            #expect(changes.map(\.inserted) == [[before], []] && changes.map(\.deleted) == [[], [before]])
        }
    }

    /// A row key that was reported although the store did not assign it.
    @Test(arguments: [false, true], [false, true])
    func aProvisionalIdentity(isKnown: Bool, failsFirst: Bool) async throws {
        try await withStorePath { path in
            let store = try ConflictStore(path: path, policy: failsFirst ? .error : .overwrite)
            let id = try store.save("Tag", ["word": "x"])
            let known = isKnown ? try store.here.existingObject(with: id) : nil
            let other = try ConflictModel.definition().testContainer(at: path)
            let context = other.newContext()
            context.mergePolicy = store.here.mergePolicy
            _ = isKnown ? try context.existingObject(with: id) : nil
            let stream = context.changes
            let new = try withConcurrentWriter(other.store) { store.insert("Tag", ["word": "x"], into: context) }
            let before = new.objectID
            #expect(before.key > PersistentStore.firstProvisionalKey)
            if failsFirst {
                #expect(throws: UniquenessConflictError.self) { try context.save() }
                #expect(new.objectID != before)
                context.mergePolicy = .overwrite
            }
            try await context.save()
            expectEqual(new.objectID, id)
            context.reset()
            let changes = await Self.changes(stream)
            #expect(Self.union(changes, \.inserted) == [before] && Self.union(changes, \.deleted) == [before])
            withExtendedLifetime(known) {}
        }
    }

    /// A reported object ID has a row if it was reported as inserted and not as deleted.
    @Test(arguments: resolving, UInt64(1)...6)
    func reportedObjectIDsExist(type: MergePolicyType, seed: UInt64) async throws {
        try await withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let store = try ConflictStore(path: path)
            for number in 0..<3 { _ = try store.save("Text", ["id": number]) }
            for round in 0..<15 {
                let (here, there) = (store.container.newContext(), store.container.newContext())
                here.mergePolicy = MergePolicy(merge: type)
                there.mergePolicy = .mergeByPropertyStoreTrump
                let stream = here.changes
                _ = try RandomUniquenessTests.change(here, &random)
                _ = try RandomUniquenessTests.change(there, &random)
                try await there.save()
                do {
                    try await here.save()
                } catch is UniquenessConflictError {
                    continue
                } catch is SaveConflictError {
                    continue
                }
                here.reset()
                var exists: [ManagedObjectID: Bool] = [:]
                for change in await Self.changes(stream) {
                    for id in change.inserted { exists[id] = true }
                    // An object that was deleted here may be restored.
                    for id in change.updated.union(change.refreshed) where exists[id] == false { exists[id] = true }
                    for id in change.deleted { exists[id] = false }
                }
                for (id, exists) in exists {
                    expectEqual(try store.exists(id), exists, "\(type), seed \(seed), round \(round): \(id)")
                }
            }
        }
    }
}
