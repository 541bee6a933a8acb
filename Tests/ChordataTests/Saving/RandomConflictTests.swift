import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Two contexts that change the same rows at random, compared with the table of 5C.
struct RandomConflictTests {
    /// The values of a row, by property; `nil` if it was deleted.
    private typealias Row = [String: Int64]

    private static let keys = ["a", "b", "owner", "place"]

    /// Returns the row after `here`, which was read as `base`, is saved over `there`, which another context saved.
    private static func resolved(_ type: MergePolicyType, _ base: Row, here: Row?, there: Row?) -> Row?? {
        guard let here else { return type == .rollback && there != base ? .some(there) : .some(nil) }
        guard let there else {
            switch type {
            case .mergeByPropertyStoreTrump, .rollback: return .some(nil)
            case .overwrite: return .some(here)
            case .mergeByPropertyObjectTrump, .error: return nil
            }
        }
        if there == base { return .some(here) }
        switch type {
        case .error: return nil
        case .overwrite: return .some(here)
        case .rollback: return .some(there)
        case .mergeByPropertyObjectTrump:
            return .some(Row(uniqueKeysWithValues: keys.map { ($0, here[$0] != base[$0] ? here[$0]! : there[$0]!) }))
        case .mergeByPropertyStoreTrump:
            return .some(Row(uniqueKeysWithValues: keys.map { ($0, there[$0] != base[$0] ? there[$0]! : here[$0]!) }))
        }
    }

    private static func read(_ object: ManagedObject) -> Row {
        var row: Row = [:]
        for key in keys {
            switch value(object, key) {
            case .number(let number): row[key] = number
            case .keys(let keys): row[key] = keys.first ?? 0
            case .nothing, .text: row[key] = 0
            }
        }
        return row
    }

    private static func edit(
        _ row: Row,
        _ object: ManagedObject,
        _ owners: [ManagedObjectID],
        _ random: inout SeededGenerator
    )
        throws -> Row?
    {
        let context = try #require(object.managedObjectContext)
        if Int.random(in: 0..<8, using: &random) == 0 {
            context.delete(object)
            return nil
        }
        var row = row
        for key in keys where Int.random(in: 0..<3, using: &random) == 0 {
            if key == "a" || key == "b" {
                let number = Int64.random(in: 10..<1_000_000, using: &random)
                row[key] = number
                object.setValue(number, forKey: key)
            } else {
                let owner = owners.filter { $0.key != row[key] }.randomElement(using: &random)!  // There are several.
                row[key] = owner.key
                object.setValue(try context.existingObject(with: owner), forKey: key)
            }
        }
        return row
    }

    @Test(arguments: MergePolicyTests.resolving, 1...setting("CHORDATA_CONFLICT_SEEDS", small: UInt64(1)))
    func theTableOfPolicies(type: MergePolicyType, seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let store = try ConflictStore(
                path: path,
                policy: MergePolicy(merge: type),
                usesTwoEngines: true,
                hasCells: seed.isMultiple(of: 2)
            )
            let owners = try (0..<4).map { try store.save("Owner", ["id": $0]) }
            var rows: [ManagedObjectID: Row] = [:]
            for round in 0..<25 {
                let comment: Comment = "\(type), seed \(seed), round \(round)"
                while rows.count < 6 {
                    rows[try store.save("Item", ["id": 1, "a": 0, "b": 0])] = ["a": 0, "b": 0, "owner": 0, "place": 0]
                }
                let ids = rows.keys.sorted { $0.key < $1.key }
                let (here, there) = (store.here, store.container.newContext())
                here.refreshAllObjects()
                if Bool.random(using: &random) {
                    for owner in owners { _ = value(try here.existingObject(with: owner), "line") }
                    for owner in owners { _ = try here.existingObject(with: owner).value(forKey: "items") }
                }
                var (ours, theirs): ([ManagedObjectID: Row?], [ManagedObjectID: Row?]) = ([:], [:])
                let held = try ids.map { try here.existingObject(with: $0) }
                for (id, object) in zip(ids, held) {
                    ours[id] = .some(try Self.edit(try #require(rows[id]), object, owners, &random))
                    let other = try there.existingObject(with: id)
                    theirs[id] = .some(
                        Bool.random(using: &random)
                            ? try Self.edit(try #require(rows[id]), other, owners, &random) : rows[id]
                    )
                }
                try there.save()
                var expected: [ManagedObjectID: Row] = [:]
                var isRefused = false
                for id in ids {
                    let (base, our, their) = (try #require(rows[id]), ours[id] ?? nil, theirs[id] ?? nil)
                    // An object without changes here is not part of the save.
                    guard our != base else {
                        expected[id] = their
                        continue
                    }
                    switch Self.resolved(type, base, here: our, there: their) {
                    case .some(let row): expected[id] = row
                    case nil: isRefused = true
                    }
                }
                if isRefused {
                    #expect(throws: SaveConflictError.self, comment) { try here.save() }
                    here.rollback()
                    expected = theirs.compactMapValues { $0 }
                } else {
                    try here.save()
                    for (id, object) in zip(ids, held) where ours[id] != rows[id] {
                        #expect((object.managedObjectContext == nil) == (expected[id] == nil), comment)
                        guard object.managedObjectContext != nil else { continue }
                        expectEqual(Self.read(object), expected[id], comment)
                    }
                }
                let fresh = store.container.newContext()
                let saved = try fresh.fetch(FetchRequest<ManagedObject>(entityName: "Item"))
                expectEqual(
                    Dictionary(uniqueKeysWithValues: saved.map { ($0.objectID, Self.read($0)) }),
                    expected,
                    comment
                )
                try store.engines?.check(fresh.schema, comment)
                // In the objects that are up to date, both ends agree.
                for object in here.registeredObjects where object.state == .clean && !object.isFault {
                    if object.runtimeEntity.entity.name == "Item", expected[object.objectID] != Self.read(object) {
                        here.refresh(object, mergeChanges: false)
                    }
                }
                rows = expected
                here.refreshAllObjects()
                for object in here.registeredObjects
                where rows[object.objectID] == nil
                    && object.runtimeEntity.entity.name == "Item"
                {
                    // Another context deleted the object, and this context was not notified.
                    here.refresh(object, mergeChanges: false)
                }
            }
        }
    }

    /// Relationships of all kinds, changed in both contexts: with any policy, the store is consistent, and both ends
    /// agree in the store.
    @Test(
        arguments: MergePolicyTests.resolving,
        Array(1...setting("CHORDATA_CONFLICT_SEEDS", small: UInt64(1))) + [36]
    )
    func bothEndsAgree(type: MergePolicyType, seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let (container, engines) = try TwoEngines.container(
                try RelationshipGraphTests.definition(),
                path: path,
                hasCells: seed.isMultiple(of: 2)
            )
            let setup = container.newContext()
            var ids: [String: [ManagedObjectID]] = [:]
            for (name, count) in [("A", 5), ("B", 5)] {
                ids[name] = (0..<count).map { number in
                    let object = EntityDescription.insertNewObject(forEntityName: name, into: setup)
                    object.setValue(number, forKey: "number")
                    return object.objectID
                }
            }
            try setup.save()
            func object(_ id: ManagedObjectID, _ context: ManagedObjectContext) throws -> ManagedObject? {
                do { return try context.existingObject(with: id) } catch is MissingObjectError { return nil }
            }
            func change(_ context: ManagedObjectContext, deletes: Bool) throws {
                for _ in 0..<8 {
                    let kind = RelationshipGraphTests.kinds.randomElement(using: &random)!  // The array is not empty.
                    guard let owner = try object(ids["A"]!.randomElement(using: &random)!, context), !owner.isDeleted,
                        let target = try object(ids[kind.destination]!.randomElement(using: &random)!, context),
                        !target.isDeleted
                    else { continue }
                    if deletes, Int.random(in: 0..<20, using: &random) == 0 {
                        context.delete(owner)
                    } else if kind.isToMany {
                        let members = owner.mutableSetValue(forKey: kind.name)
                        if Bool.random(using: &random) { members.add(target) } else { members.remove(target) }
                    } else {
                        owner.setValue(Bool.random(using: &random) ? target : nil, forKey: kind.name)
                    }
                    if Bool.random(using: &random) {
                        owner.setValue(Int.random(in: 0..<99, using: &random), forKey: "number")
                    }
                }
            }
            for round in 0..<20 {
                let comment: Comment = "\(type), seed \(seed), round \(round)"
                let (here, there) = (container.newContext(), container.newContext())
                here.mergePolicy = MergePolicy(merge: type)
                for id in (ids["A"]! + ids["B"]!).shuffled(using: &random).prefix(6) {
                    guard let held = try object(id, here) else { continue }
                    for field in held.runtimeEntity.fields where field.kind.base == .toMany {
                        _ = value(held, field.name)
                    }
                }
                try change(here, deletes: true)
                try change(there, deletes: true)
                try there.save()
                do {
                    try here.save()
                    #expect(!here.hasChanges, comment)
                    try checkVersions(here, container, comment)
                } catch is SaveConflictError where type == .mergeByPropertyObjectTrump || type == .overwrite {
                    here.rollback()
                }
                try check(container, comment)
                try engines?.check(here.schema, comment)
            }
        }
    }

    /// Checks that an object with the row version of the store has the values of the store.
    private func checkVersions(_ context: ManagedObjectContext, _ container: PersistentContainer, _ comment: Comment)
        throws
    {
        let fresh = container.newContext()
        let stored = try ["A", "B"].flatMap { try fresh.fetch(FetchRequest<ManagedObject>(entityName: $0)) }
        for other in stored {
            guard let held = context.registeredObject(for: other.objectID), !held.isFault, held.version == other.version
            else { continue }
            for field in other.runtimeEntity.columnFields where field.relationship != nil {
                // SQLite nullifies references that the deleting context had not read, without a new row version.
                let target = held.objectIDs(forRelationshipNamed: field.name).first
                if let target, !stored.contains(where: { $0.objectID == target }) { continue }
                expectEqual(
                    value(held, field.name),
                    value(other, field.name),
                    "\(comment): '\(field.name)' of \(other.objectID)"
                )
            }
            expectEqual(value(held, "number"), value(other, "number"), comment)
        }
    }

    private func check(_ container: PersistentContainer, _ comment: Comment) throws {
        let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
        #expect(try store.hasOnlyValidReferences(), comment)
        let context = container.newContext()
        for name in ["A", "B"] {
            for object in try context.fetch(FetchRequest<ManagedObject>(entityName: name)) {
                try expectInverses(of: object, in: context, comment)
            }
        }
    }
}
