import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Nested contexts with random changes in all of them: a child reads the state of its parent, and after a save of the
/// child, the parent has the state of the child.
@Suite(.onlySQLite(.childContexts))
struct ChildContextLawTests {
    private static var seeds: Range<UInt64> {
        let first = setting("CHORDATA_CHILD_CONTEXT_SEED", small: UInt64(1))
        return first..<first + setting("CHORDATA_CHILD_CONTEXT_SEEDS", small: 1)
    }

    @Test(arguments: [":memory:", "file"], [true, false])
    func childrenReadTheStateOfTheirParents(_ place: String, merges: Bool) throws {
        for seed in Self.seeds {
            try withStorePath { path in
                var game = try RandomChildContextEvents(
                    path: place == "file" ? path : place,
                    seed: seed,
                    merges: merges
                )
                for step in 0..<60 {
                    try game.playEvent()
                    try game.check("seed \(seed), step \(step)")
                }
            }
        }
    }
}

/// Three contexts, each the child of the previous one, in which random changes are made.
struct RandomChildContextEvents {
    private let store: ConflictStore
    private let contexts: [ManagedObjectContext]
    /// Whether children merge their parents' changes automatically; otherwise they find these changes when they read.
    private let merges: Bool
    private var random: SeededGenerator
    private var number: Int64 = 0

    init(path: String, seed: UInt64, merges: Bool) throws {
        self.merges = merges
        store = try ConflictStore(path: path)
        random = SeededGenerator(seed: seed)
        let (child, grandchild) = (ManagedObjectContext(isolation: nil), ManagedObjectContext(isolation: nil))
        child.parent = store.here
        grandchild.parent = child
        contexts = [store.here, child, grandchild]
        for context in contexts { context.mergePolicy = .mergeByPropertyStoreTrump }
        for context in [child, grandchild] { context.automaticallyMergesChangesFromParent = merges }
        for name in ["Item", "Item", "Owner", "Tag", "Text", "Text", "Group"] { insert(name, into: store.here) }
        try store.here.save()
    }

    // MARK: Events

    /// Changes one of the contexts, or saves it.
    mutating func playEvent() throws {
        let context = contexts[random(contexts.count)]
        switch random(12) {
        case 0: try save(context)
        case 1: context.rollback()
        case 2: context.refreshAllObjects()
        case 3: insert(names[random(names.count)], into: context)
        case 4: if let object = try object("Item", in: context) { context.delete(object) }
        case 5: if let object = try object(names[random(names.count)], in: context) { context.delete(object) }
        case 6:
            // Adds an unread member to a relationship of an object that is deleted before its first save.
            let pairs = [("Text", "tags", "Tag"), ("Text", "shelf", "Tag"), ("Item", "friends", "Item")]
            let (name, key, destination) = pairs[random(pairs.count)]
            guard let member = try object(destination, in: context) else { break }
            context.refresh(member, mergeChanges: false)
            let object = insert(name, into: context)
            object.mutableSetValue(forKey: key).add(member)
            context.delete(object)
            if random(2) == 0 { try context.save() }
        default: try change(in: context)
        }
        if random(2) == 0 { context.processPendingChanges() }
    }

    /// After a save, the parent of a child that merges automatically has the state that the child had before the save.
    private func save(_ context: ManagedObjectContext) throws {
        for context in contexts { context.processPendingChanges() }
        let before = try picture(context)
        // Unsaved changes keep objects that a parent deleted, until the save finds the conflict.
        let isKeeping = sequence(first: context) { $0.parent }.contains { !$0.graph.remote.deferredDeletions.isEmpty }
        let isUpToDate = merges && !isKeeping && context.graph.remote.staleToManys.isEmpty
        try context.save()
        #expect(!context.hasChanges)
        if isUpToDate, let parent = context.parent { expect(try picture(parent), before, "saved") }
    }

    private mutating func random(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    private var names: [String] { ["Item", "Owner", "Tag", "Text", "Group"] }

    @discardableResult
    private mutating func insert(_ name: String, into context: ManagedObjectContext) -> ManagedObject {
        let object = store.insert(name, into: context)
        setAttribute(of: object)
        return object
    }

    private mutating func object(_ name: String, in context: ManagedObjectContext) throws -> ManagedObject? {
        let all = try context.fetch(FetchRequest<ManagedObject>(entityName: name).sorted(by: "SELF"))
        return all.isEmpty ? nil : all[random(all.count)]
    }

    private mutating func setAttribute(of object: ManagedObject) {
        number += 1
        let name = object.runtimeEntity.entity.name
        let key = ["Item": "id", "Owner": "id", "Tag": "word", "Text": "id", "Group": "id"][name] ?? ""
        object.setValue(name == "Tag" ? "word \(number)" : number as Any, forKey: key)
    }

    /// Changes a property of an object.
    private mutating func change(in context: ManagedObjectContext) throws {
        guard let object = try object(names[random(names.count)], in: context) else { return }
        let relationships = object.runtimeEntity.relationships.compactMap { $0 }
        let relationship = relationships[random(relationships.count)]
        let key = relationship.description.name
        guard random(4) > 0, let member = try self.object(relationship.description.destinationEntityName, in: context)
        else { return setAttribute(of: object) }
        guard relationship.description.isToMany else {
            return object.setValue(random(3) > 0 ? member : nil, forKey: key)
        }
        context.changeMembers(of: object, relationship, by: member, &random)
    }

    // MARK: Checks

    /// Checks that a new child reads the state of its parent.
    mutating func check(_ comment: String) throws {
        for context in contexts { context.processPendingChanges() }
        // No other context deletes rows of the topmost context, so each of its changed objects has a row.
        #expect(store.here.graph.changedObjects.allSatisfy { !$0.isWithoutRow }, "\(comment)")
        for context in merges ? contexts : [store.here] {
            let child = ManagedObjectContext(isolation: nil)
            child.parent = context
            var held = try picture(context)
            // Unsaved changes of a context keep objects that a parent deleted. Clean objects that reference them are
            // not compared: a new child reads their rows, in which the reference is NULL already.
            let keeping = sequence(first: context) { $0.parent }
            let kept = Set(keeping.flatMap { $0.graph.remote.deferredDeletions.keys.map(\.key) })
            held = held.filter { if case .keys(let keys) = $0.value { kept.isDisjoint(with: keys) } else { true } }
            // An ordered relationship with unsaved changes includes the changes of other contexts only after its save.
            for members in context.graph.remote.staleToManys {
                let (object, field) = (members.object, members.object.runtimeEntity.fields[members.field])
                held["\(object.runtimeEntity.entity.name) \(object.objectID.key).\(field.name)"] = nil
            }
            expect(try picture(child).filter { held[$0.key] != nil }, held, comment)
            let request = FetchRequest<ManagedObject>(entityName: "Item").where(
                try FetchPredicate(format: "id >= 0")
            )
            let (counted, wanted) = (try child.count(for: request), try context.count(for: request))
            expectEqual(counted, wanted, "\(comment)")
        }
    }

    private func expect(_ picture: [String: Held], _ expected: [String: Held], _ comment: String) {
        for key in Set(picture.keys).union(expected.keys) {
            let (value, wanted) = (picture[key], expected[key])
            expectEqual(value, wanted, "\(comment): \(key)")
        }
    }

    /// Returns every property of every object.
    ///
    /// If no delete rule removes a reference to an object that will be deleted, the reference stays until the save.
    private func picture(_ context: ManagedObjectContext) throws -> [String: Held] {
        try context.performAndWait {
            let objects = try names.flatMap { try context.fetch(FetchRequest<ManagedObject>(entityName: $0)) }
            let present = Set(objects.map(\.objectID.key))
            var picture: [String: Held] = [:]
            for object in objects {
                for field in object.runtimeEntity.fields {
                    var held = value(object, field.name)
                    if case .keys(let keys) = held { held = .keys(keys.filter(present.contains)) }
                    picture["\(object.runtimeEntity.entity.name) \(object.objectID.key).\(field.name)"] = held
                }
            }
            return picture
        }
    }
}
