import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// A batch insertion has the same result as inserting the objects, for each merge policy and for random objects.
///
/// `CHORDATA_BATCH_INSERTIONS` sets the number of stores for each model and policy, and `CHORDATA_SEED` the first seed.
struct BatchInsertLawTests {
    @Test(arguments: ChangedModel.all, MergePolicyTests.all)
    func batchInsertionsAgreeWithInsertedObjects(model: ChangedModel, type: MergePolicyType) throws {
        let count = setting("CHORDATA_BATCH_INSERTIONS", small: 3)
        let first = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(first), \(count) stores of batch insertions, model \(model.testDescription), \(type)")
        var insertedCount = 0
        for seed in first..<first + UInt64(count) {
            try withStorePath { path in
                var changes = try model.changes(SeededGenerator(seed: seed))
                let stores = try model.equalStores(at: path, &changes)
                for _ in 0..<6 {
                    let contexts = stores.map { $0.newContext() }
                    for context in contexts { context.mergePolicy = MergePolicy(merge: type) }
                    let entity = changes.entities.randomElement(using: &changes.random)!
                    let dictionaries = try (0..<4).map { _ in try changes.nextDictionary(entity, contexts[0]) }
                    let before = try StoredObjects(stores[0].store)
                    let isByHandler = Bool.random(using: &changes.random)
                    let result = Result {
                        try Self.execute(dictionaries, entity.name, isByHandler: isByHandler, contexts[0])
                    }
                    let expected = Result {
                        try Self.insert(dictionaries, entity.name, isByHandler: isByHandler, contexts[1])
                    }
                    let after = try StoredObjects(stores[0].store)
                    let expectedObjects = try StoredObjects(stores[1].store)
                    expectEqual(
                        after.without("changedAt"),
                        expectedObjects.without("changedAt"),
                        "seed \(seed): \(entity.name) \(dictionaries) \(result) \(expected)"
                    )
                    switch (result, expected) {
                    case (.success(let result), .success(let ids)):
                        insertedCount += ids.count
                        expectEqual(result.insertedObjectIDs, ids, "seed \(seed)")
                        try Self.check(result.changes, before, after, "seed \(seed)")
                    case (.failure(let error), .failure(let other)):
                        #expect(Swift.type(of: error) == Swift.type(of: other), "seed \(seed): \(error); \(other)")
                    case (.success, .failure), (.failure, .success):
                        Issue.record("seed \(seed): \(result) \(expected)")
                    }
                    // The closure has used a row key for an object that was not inserted.
                    if isByHandler { _ = contexts[1].store.reservedKeys(1, for: contexts[1].schema.runtimeEntities[0]) }
                }
            }
        }
        // Enough objects were inserted, or merged into existing objects.
        #expect(insertedCount > count * 4)
    }

    /// The changes report new objects as inserted, and existing objects whose values changed as updated.
    private static func check(
        _ changes: ObjectIDChanges,
        _ before: StoredObjects,
        _ after: StoredObjects,
        _ comment: Comment
    ) throws {
        let inserted = Set(after.objects.keys).subtracting(before.objects.keys)
        expectEqual(Set(changes.inserted.map(\.key)), Set(inserted.map(\.key)), comment)
        #expect(changes.deleted.isEmpty && changes.inserted.isDisjoint(with: changes.updated), comment)
        let columnsBefore = before.withoutMembers.objects
        let updated = after.withoutMembers.objects.filter { identity, values in
            columnsBefore[identity].map { $0 != values } ?? false
        }
        #expect(Set(updated.keys.map(\.key)).isSubset(of: Set(changes.updated.map(\.key))), comment)
    }

    private static func execute(
        _ dictionaries: [[String: Any?]],
        _ entityName: String,
        isByHandler: Bool,
        _ context: ManagedObjectContext
    ) throws -> BatchInsertResult {
        guard isByHandler else {
            return try context.execute(
                BatchInsertRequest<ManagedObject>(entityName: entityName, objects: dictionaries)
            )
        }
        var rest = dictionaries[...]
        return try context.execute(
            BatchInsertRequest<ManagedObject>(entityName: entityName) { object in
                guard let dictionary = rest.popFirst() else { return true }
                try object.setValues(dictionary)
                return false
            }
        )
    }

    private static func insert(
        _ dictionaries: [[String: Any?]],
        _ entityName: String,
        isByHandler: Bool,
        _ context: ManagedObjectContext
    ) throws -> [ManagedObjectID] {
        let objects = try dictionaries.map { dictionary in
            let object = EntityDescription.insertNewObject(forEntityName: entityName, into: context)
            try object.setValues(dictionary)
            // An explicit nil counts as set, which the setter of a new object does not record for a relationship.
            if !isByHandler { object.recordEmptyToOnes(dictionary.keys) }
            return object
        }
        try context.save()
        return objects.map(\.objectID)
    }

    @Test(arguments: MergePolicyTests.all)
    func insertedValuesAgreeWithInsertedObjects(type: MergePolicyType) throws {
        let count = setting("CHORDATA_BATCH_INSERTIONS", small: 3)
        let first = setting("CHORDATA_SEED", small: UInt64(1))
        print("seed \(first), \(count) stores of inserted values, \(type)")
        for seed in first..<first + UInt64(count) {
            var random = SeededGenerator(seed: seed)
            let containers = try (0..<2).map { _ in try VocabularyModel.definition.testContainer(at: ":memory:") }
            let languages = try containers.map { container in
                let context = container.newContext()
                let languages = (0..<2).map { Language(context: context, code: "\($0)") }
                try context.save()
                return languages
            }
            for _ in 0..<8 {
                let values = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                    let hasLanguage = Bool.random(using: &random)
                    return Word.Values(
                        objectID: ObjectID(),
                        count: .random(in: 0..<4, using: &random),
                        note: Bool.random(using: &random) ? "\(Int.random(in: 0..<4, using: &random))" : nil,
                        text: "\(Int.random(in: 0..<12, using: &random))",
                        language: hasLanguage ? languages[0].randomElement(using: &random).map { ObjectID($0) } : nil
                    )
                }
                let contexts = containers.map { $0.newContext() }
                for context in contexts { context.mergePolicy = MergePolicy(merge: type) }
                let ids = Result { try contexts[0].insertValues(values).map(\.key) }
                let expected = Result {
                    let words = try values.map { value in
                        let word = Word(context: contexts[1], text: value.text)
                        (word.count, word.note) = (value.count, value.note)
                        word.language = try value.language.flatMap { id in
                            try contexts[1].fetch(Language.fetchRequest()).first { $0.objectID.key == id.key }
                        }
                        word.recordEmptyToOnes(["language"])
                        return word
                    }
                    try contexts[1].save()
                    return words.map(\.objectID.key)
                }
                // Row keys of refused values are not reused, so the words are compared by their texts.
                let rows = try containers.map { container -> [Word.Values] in
                    try container.newContext().fetchValues(Word.fetchRequest().sorted(by: \.text))
                }
                func texts(_ rows: [Word.Values]) -> [String] {
                    rows.map { "\($0.text) \($0.count) \($0.note ?? "-") \($0.language?.key ?? 0)" }
                }
                expectEqual(texts(rows[0]), texts(rows[1]), "seed \(seed)")
                switch (ids, expected) {
                case (.success(let ids), .success(let expected)):
                    func texts(_ keys: [Int64], _ rows: [Word.Values]) -> [String?] {
                        keys.map { key in rows.first { $0.objectID.key == key }?.text }
                    }
                    #expect(texts(ids, rows[0]) == values.map(\.text) && texts(expected, rows[1]) == values.map(\.text))
                case (.failure(let error), .failure(let other)):
                    #expect(Swift.type(of: error) == Swift.type(of: other), "seed \(seed): \(error); \(other)")
                case (.success, .failure), (.failure, .success): Issue.record("seed \(seed): \(ids) \(expected)")
                }
            }
        }
    }
}

extension ManagedObject {
    /// Records that to-one relationships of a new object were set to nil.
    fileprivate func recordEmptyToOnes(_ names: some Sequence<String>) {
        for name in names {
            guard let field = runtimeEntity.field(named: name), field.kind.base == .toOne, value(forKey: name) == nil
            else {
                continue
            }
            managedObjectContext?.editor.recordChange(of: self, field: field.index)
        }
    }
}
