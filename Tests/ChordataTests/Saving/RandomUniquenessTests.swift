import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Objects with values that must be unique, changed at random in two contexts.
struct RandomUniquenessTests {
    private static let words = ["a", "b", "c", "d", "e"]

    /// Changes tags and references to them, and returns the inserted tags.
    static func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws
        -> [ManagedObject]
    {
        var inserted: [ManagedObject] = []
        func all(_ name: String) throws -> [ManagedObject] {
            try context.fetch(FetchRequest<ManagedObject>(entityName: name)).sorted {
                $0.objectID.key < $1.objectID.key
            }
        }
        for _ in 0..<6 {
            let word = words.randomElement(using: &random)!  // The array is not empty.
            let tags = try all("Tag")
            switch Int.random(in: 0..<10, using: &random) {
            case 0...2:
                let tag = EntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                tag.setValue(word, forKey: "word")
                if Bool.random(using: &random) { tag.setValue(words.randomElement(using: &random), forKey: "other") }
                inserted.append(tag)
            case 3: tags.randomElement(using: &random)?.setValue(word, forKey: "word")
            case 4: if let tag = tags.randomElement(using: &random) { context.delete(tag) }
            case 5:
                if Bool.random(using: &random), let text = try all("Text").randomElement(using: &random) {
                    context.delete(text)
                }
                let text = EntityDescription.insertNewObject(forEntityName: "Text", into: context)
                if let tag = tags.randomElement(using: &random) { tag.setValue([text], forKey: "likes") }
            default:
                guard let tag = tags.randomElement(using: &random),
                    let text = try all("Text").randomElement(using: &random)
                else { continue }
                switch Int.random(in: 0..<8, using: &random) {
                case 0: text.mutableSetValue(forKey: "tags").add(tag)
                case 1: tag.mutableSetValue(forKey: "shelves").add(text)
                case 2: text.setValue(tag, forKey: "root")
                case 3: text.setValue(tag, forKey: "twin")
                case 4: text.setValue(tag, forKey: "star")
                case 5: text.mutableSetValue(forKey: "stars").add(tag)
                case 6: text.setValue(tags.filter { !$0.isDeleted }.shuffled(using: &random), forKey: "row")
                default: tag.mutableSetValue(forKey: "likes").add(text)
                }
            }
        }
        return inserted
    }

    @Test(
        arguments: MergePolicyTests.all,
        Array(1...setting("CHORDATA_CONFLICT_SEEDS", small: UInt64(1))) + [112, 147, 194]
    )
    func everySaveIsUniqueAndConsistent(type: MergePolicyType, seed: UInt64) throws {
        try withStorePath { path in
            var random = SeededGenerator(seed: seed)
            let store = try ConflictStore(path: path, usesTwoEngines: true, hasCells: seed.isMultiple(of: 2))
            for number in 0..<3 { _ = try store.save("Text", ["id": number]) }
            var saves = 0
            for round in 0..<25 {
                let comment: Comment = "\(type), seed \(seed), round \(round)"
                let (here, there) = (store.container.newContext(), store.container.newContext())
                here.mergePolicy = MergePolicy(merge: type)
                there.mergePolicy = .mergeByPropertyStoreTrump
                let inserted = try Self.change(here, &random)
                if Bool.random(using: &random) {
                    _ = try Self.change(there, &random)
                    try there.save()
                }
                let before = (
                    inserted: here.insertedObjects, updated: here.updatedObjects, deleted: here.deletedObjects
                )
                do {
                    try here.save()
                    saves += 1
                    #expect(!here.hasChanges, comment)
                    for tag in inserted where before.inserted.contains(tag) {
                        #expect(try store.exists(tag.objectID), comment)
                    }
                } catch let error where type != .mergeByPropertyStoreTrump && type != .rollback {
                    #expect(error is UniquenessConflictError || error is SaveConflictError, comment)
                    if type == .error {
                        #expect(
                            before.inserted == here.insertedObjects && before.updated == here.updatedObjects,
                            comment
                        )
                        expectEqual(before.deleted, here.deletedObjects, comment)
                    }
                }
                try check(store, here, comment)
            }
            if type != .error { #expect(saves > 1) }
        }
    }

    private func check(_ store: ConflictStore, _ here: ManagedObjectContext, _ comment: Comment) throws {
        let persistent = try #require(store.container.persistentStoreCoordinator.persistentStores.first)
        #expect(try persistent.hasOnlyValidReferences(), comment)
        try store.engines?.check(persistent.schema, comment)
        let context = store.container.newContext()
        for name in ["Tag", "Text"] {
            for object in try context.fetch(FetchRequest<ManagedObject>(entityName: name)) {
                try expectInverses(of: object, in: context, comment)
                guard !here.hasChanges, let known = here.registeredObject(for: object.objectID), !known.isFault,
                    known.version == object.version
                else { continue }
                for field in object.runtimeEntity.columnFields where field.relationship == nil {
                    expectEqual(value(known, field.name), value(object, field.name), "\(comment): '\(field.name)'")
                }
            }
        }
    }
}
