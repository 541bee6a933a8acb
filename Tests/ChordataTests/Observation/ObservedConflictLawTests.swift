import ChordataTestStores
import ChordataTestSupport
import Testing

@testable import Chordata

/// Each property that a save changes is reported before, with random changes in two contexts and each policy.
struct ObservedConflictLawTests {
    /// Tracks all properties of some of the registered objects of a context.
    private static func watch(_ context: ManagedObjectContext, _ random: inout SeededGenerator) -> PropertyWatch {
        // In an order that depends only on the seed.
        let objects = context.registeredObjects.sorted {
            ($0.objectID.entityName, $0.objectID.key) < ($1.objectID.entityName, $1.objectID.key)
        }
        var watch = PropertyWatch()
        for object in objects where Int.random(in: 0..<4, using: &random) > 0 {
            watch.addAll(of: object) { Bool.random(using: &random) ? .read : .counted }
        }
        return watch
    }

    /// Relationships of every kind, with changes and deletions in both contexts.
    @Test(arguments: MergePolicyTests.resolving, 1...setting("CHORDATA_CONFLICT_SEEDS", small: UInt64(1)))
    func relationships(type: MergePolicyType, seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let container = try RelationshipGraphTests.definition().testContainer(at: path)
            var changes = 0
            for round in 0..<12 {
                let setup = container.newContext()
                for name in ["A", "B"] {
                    let count = try setup.count(for: FetchRequest<ManagedObject>(entityName: name))
                    for number in count..<max(5, count) {
                        EntityDescription.insertNewObject(forEntityName: name, into: setup)
                            .setValue(number, forKey: "number")
                    }
                }
                try setup.save()
                let (here, there) = (container.newContext(), container.newContext())
                here.mergePolicy = MergePolicy(merge: type)
                here.isObservationEnabled = true
                for _ in 0..<8 {
                    try Self.change(here, &random)
                    try Self.change(there, &random)
                }
                try there.save()
                here.processPendingChanges()
                let watch = Self.watch(here, &random)
                do { try here.save() } catch is SaveConflictError {}
                changes += watch.expectAllChangesReported("\(type), seed \(seed), round \(round)").count
            }
            #expect(changes > 5)
        }
    }

    private static func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        func all(_ name: String) throws -> [ManagedObject] {
            try context.fetch(FetchRequest<ManagedObject>(entityName: name)).sorted {
                $0.objectID.key < $1.objectID.key
            }
        }
        let kind = RelationshipGraphTests.kinds.randomElement(using: &random)!  // The array is not empty.
        guard let owner = try all("A").randomElement(using: &random),
            let target = try all(kind.destination).randomElement(using: &random)
        else { return }
        switch Int.random(in: 0..<12, using: &random) {
        case 0: context.delete(Bool.random(using: &random) ? owner : target)
        case 1...3: owner.setValue(Int.random(in: 0..<99, using: &random), forKey: "number")
        default:
            if kind.isToMany {
                let members = owner.mutableSetValue(forKey: kind.name)
                if Bool.random(using: &random) { members.add(target) } else { members.remove(target) }
            } else {
                owner.setValue(Bool.random(using: &random) ? target : nil, forKey: kind.name)
            }
        }
    }

    /// Objects with values that must be unique.
    @Test(arguments: MergePolicyTests.resolving, 1...setting("CHORDATA_CONFLICT_SEEDS", small: UInt64(1)))
    func uniqueValues(type: MergePolicyType, seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let store = try ConflictStore(path: path)
            for number in 0..<3 { _ = try store.save("Text", ["id": number]) }
            var changes = 0
            for round in 0..<15 {
                let (here, there) = (store.container.newContext(), store.container.newContext())
                here.mergePolicy = MergePolicy(merge: type)
                here.isObservationEnabled = true
                there.mergePolicy = .mergeByPropertyStoreTrump
                _ = try RandomUniquenessTests.change(here, &random)
                _ = try RandomUniquenessTests.change(there, &random)
                try there.save()
                here.processPendingChanges()
                let watch = Self.watch(here, &random)
                do {
                    try here.save()
                } catch let error {
                    #expect(error is UniquenessConflictError || error is SaveConflictError)
                }
                changes += watch.expectAllChangesReported("\(type), seed \(seed), round \(round)").count
            }
            #expect(changes > 5)
        }
    }
}
