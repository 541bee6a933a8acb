import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Relationships of all kinds, changed in two contexts and a child, with merges, deletions and undo between them.
struct MergedEndsLawTests {
    private static var seeds: Range<UInt64> {
        let first = setting("CHORDATA_MERGING_SEED", small: UInt64(1))
        return first..<first + setting("CHORDATA_MERGING_SEEDS", small: 2)
    }

    /// The kind of merge by which a context gets changes of other contexts.
    enum Merging: CaseIterable {
        case automatic, explicit
        /// As changes of another process: the rows are read from the store.
        case remote
    }

    @Test(arguments: MergePolicyTests.resolving, Merging.allCases)
    fileprivate func bothEndsAgreeInMemoryAndInTheStore(policy: MergePolicyType, merging: Merging) throws {
        // On a server, the events in the child context are skipped.
        _ = skipsCase(if: true, .childContexts)
        for seed in Self.seeds {
            try withStorePath { path in
                var game = try MergingGame(path: path, policy: policy, merging: merging, seed: seed)
                for step in 0..<60 {
                    try game.playEvent()
                    try game.check("\(policy), \(merging), seed \(seed), step \(step)")
                }
            }
        }
    }
}

/// A context that merges, another context that saves, and a child of the first context.
private struct MergingGame {
    private let container: PersistentContainer
    private let here: ManagedObjectContext
    private let child = ManagedObjectContext(isolation: nil)
    private let merging: MergedEndsLawTests.Merging
    private let undoManager = ContextUndoManager()
    private var random: SeededGenerator
    private var wasSaved = false
    private var number = 0

    init(path: String, policy: MergePolicyType, merging: MergedEndsLawTests.Merging, seed: UInt64) throws {
        self.merging = merging
        random = SeededGenerator(seed: seed)
        container = try RelationshipGraphTests.definition().testContainer(at: path)
        here = container.newContext()
        here.mergePolicy = MergePolicy(merge: policy)
        here.automaticallyMergesChangesFromParent = merging == .automatic
        // A store on a server does not support child contexts.
        if !TestStore.isOnServer { child.parent = here }
        child.mergePolicy = .mergeByPropertyStoreTrump
        child.automaticallyMergesChangesFromParent = true
        for name in ["A", "A", "A", "A", "B", "B", "B", "B"] { insert(name, into: here) }
        try here.save()
        here.undoManager = undoManager
    }

    // MARK: Events

    mutating func playEvent() throws {
        wasSaved = false
        switch random(15) {
        case 0, 1, 2:
            let there = container.newContext()
            for _ in 0...random(3) { try change(in: there) }
            try save(there)
        case 3: try save()
        case 4: here.rollback()
        case 5: if undoManager.canUndo { here.undo() }
        case 6: if undoManager.canRedo { here.redo() }
        case 7 where !TestStore.isOnServer:
            for _ in 0...random(2) { try change(in: child) }
            try child.save()
        case 8: here.refreshAllObjects()
        case 9: insert(["A", "B"][random(2)], into: here)
        case 10:
            // A deletion is undone after another context has changed relationships of the object.
            guard let object = try object("A", in: here) else { break }
            try change(object, in: here)
            here.processPendingChanges()
            here.delete(object)
            here.processPendingChanges()
            let there = container.newContext()
            let request = FetchRequest<ManagedObject>(entityName: "A")
            let counterpart = try there.fetch(request).first { $0.objectID == object.objectID }
            guard let counterpart else { break }
            try change(counterpart, in: there)
            try save(there)
            here.processPendingChanges()
            if undoManager.canUndo { here.undo() }
        default: try change(in: here)
        }
        if random(2) == 0 { here.processPendingChanges() }
    }

    private mutating func save() throws {
        do {
            try here.save()
            wasSaved = true
        } catch is SaveConflictError {
            // A row that has unsaved changes here was deleted.
            here.rollback()
        }
    }

    /// Saves another context, and merges what it saved.
    private func save(_ there: ManagedObjectContext) throws {
        there.processPendingChanges()
        let (inserted, updated, deleted) = (there.insertedObjects, there.updatedObjects, there.deletedObjects)
        let deletedIDs = Set(deleted.map(\.objectID))
        try there.save()
        let (insertedIDs, updatedIDs) = (Set(inserted.map(\.objectID)), Set(updated.map(\.objectID)))
        switch merging {
        case .automatic: break
        case .explicit:
            here.mergeChanges(ObjectIDChanges(inserted: insertedIDs, updated: updatedIDs, deleted: deletedIDs))
        case .remote:
            let changes: [AnyHashable: Any] = [
                ManagedObjectContext.NotificationKey.insertedObjectIDs.rawValue: insertedIDs,
                ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue: updatedIDs,
                ManagedObjectContext.NotificationKey.deletedObjectIDs.rawValue: deletedIDs,
            ]
            try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [here])
        }
    }

    private mutating func random(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    @discardableResult
    private mutating func insert(_ name: String, into context: ManagedObjectContext) -> ManagedObject {
        let object = EntityDescription.insertNewObject(forEntityName: name, into: context)
        number += 1
        object.setValue(number, forKey: "number")
        return object
    }

    private mutating func object(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject? {
        let all = try context.fetch(FetchRequest<ManagedObject>(entityName: name).sorted(by: "number"))
        return all.isEmpty ? nil : all[random(all.count)]
    }

    private mutating func change(in context: ManagedObjectContext) throws {
        guard let object = try object(["A", "B"][random(2)], in: context) else { return }
        if random(8) == 0 { return context.delete(object) }
        try change(object, in: context)
    }

    private mutating func change(_ object: ManagedObject, in context: ManagedObjectContext) throws {
        let relationships = object.runtimeEntity.relationships.compactMap { $0 }
        // One-to-one relationships, which are the hardest to keep consistent, are chosen more often.
        let oneToOnes = relationships.filter { !$0.description.isToMany && !$0.isInverseToMany }
        let relationship =
            random(2) == 0 ? oneToOnes[random(oneToOnes.count)] : relationships[random(relationships.count)]
        let key = relationship.description.name
        guard random(6) > 0, let member = try self.object(relationship.description.destinationEntityName, in: context)
        else {
            number += 1
            return object.setValue(number, forKey: "number")
        }
        guard relationship.description.isToMany else {
            return object.setValue(random(4) > 0 ? member : nil, forKey: key)
        }
        context.changeMembers(of: object, relationship, by: member, &random)
    }

    // MARK: Checks

    mutating func check(_ comment: String) throws {
        if wasSaved {
            let stored = try picture(container.newContext())
            checkEnds(stored, "\(comment): the store")
            expect(try picture(here), stored, "\(comment): the context after its save")
        }
        here.processPendingChanges()
        guard here.graph.remote.deferredDeletions.isEmpty else { return }
        // An ordered relationship with unsaved changes includes the changes of other contexts only after its save.
        var picture = try picture(here)
        for members in here.graph.remote.staleToManys {
            let name = members.object.runtimeEntity.fields[members.field].name
            picture["\(members.object.objectID.key) \(name)"] = nil
        }
        checkEnds(picture, "\(comment): the context")
    }

    private func checkEnds(_ picture: [String: [Int64]], _ comment: String) {
        for (end, keys) in picture {
            let parts = end.split(separator: " ")
            guard let kind = ends[String(parts[1])] else { continue }
            for key in keys {
                guard let back = picture["\(key) \(kind)"], !back.contains(Int64(parts[0]) ?? 0) else { continue }
                Issue.record("\(comment): \(end) is \(keys), but \(key) \(kind) is \(back)")
            }
        }
    }

    private func expect(_ picture: [String: [Int64]], _ expected: [String: [Int64]], _ comment: String) {
        for key in Set(picture.keys).union(expected.keys) where picture[key] != expected[key] {
            Issue.record("\(comment): \(key) is \(picture[key] ?? []), not \(expected[key] ?? [])")
        }
    }

    /// The name of the inverse for each relationship that has one.
    private var ends: [String: String] {
        var ends: [String: String] = [:]
        for kind in RelationshipGraphTests.kinds {
            guard let inverse = kind.inverse else { continue }
            ends[kind.name] = inverse
            ends[inverse] = kind.name
        }
        return ends
    }

    /// The row keys that each relationship of each object references, by the object's row key and the relationship.
    private func picture(_ context: ManagedObjectContext) throws -> [String: [Int64]] {
        try context.performAndWait {
            let objects = try ["A", "B"].flatMap {
                try context.fetch(FetchRequest<ManagedObject>(entityName: $0))
            }
            let present = Set(objects.map(\.objectID.key))
            var picture: [String: [Int64]] = [:]
            for object in objects {
                for case let relationship? in object.runtimeEntity.relationships {
                    let name = relationship.description.name
                    var keys = object.objectIDs(forRelationshipNamed: name).map(\.key).filter(present.contains)
                    if !relationship.description.isOrdered { keys.sort() }
                    picture["\(object.objectID.key) \(name)"] = keys
                }
            }
            return picture
        }
    }
}
