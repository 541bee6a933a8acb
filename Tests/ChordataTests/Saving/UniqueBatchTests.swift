import Chordata
import ChordataTestStores
import ChordataTestSupport
import Testing

/// Values that are inserted without objects and must be unique (U12).
struct UniqueBatchTests {
    private static func values(_ text: String, _ count: Int64, _ note: String?, _ language: ObjectID<Language>? = nil)
        -> Word.Values
    {
        Word.Values(objectID: ObjectID(), count: count, note: note, text: text, language: language)
    }

    @Test func errorPolicyRejectsTheEntireBatch() throws {
        let container = try VocabularyModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let old = try context.insertValues([Self.values("a", 1, "old")])
        let error = try #require(throws: UniquenessConflictError.self) {
            try context.insertValues([Self.values("b", 2, nil), Self.values("a", 2, nil), Self.values("b", 3, nil)])
        }
        #expect(Set(error.conflicts.map(\.propertyNames)) == [["text"]] && error.conflicts.count == 2)
        expectEqual(error.conflicts.compactMap { $0.databaseObjectID?.key }, old.map(\.key))
        expectEqual(try context.count(for: Word.fetchRequest()), 1)
        #expect(!context.hasChanges)
    }

    @Test(arguments: MergePolicyTests.resolving)
    func withOtherPoliciesItIsAnUpsert(type: MergePolicyType) throws {
        let container = try VocabularyModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let language = Language(context: context, code: "la")
        try context.save()
        let id = ObjectID<Language>(key: language.objectID.key)
        let old = try context.insertValues([Self.values("a", 1, "old", id), Self.values("z", 1, "z")])
        context.mergePolicy = MergePolicy(merge: type)
        let new = try context.insertValues([
            Self.values("b", 2, "new"), Self.values("a", 2, nil), Self.values("c", 4, nil, id),
            Self.values("b", 3, "newer"),
        ])
        #expect(new[1] == old[0] && new[0] == new[3] && Set(new).count == 3)
        let rows: [Word.Values] = try container.newContext().fetchValues(Word.fetchRequest().sorted(by: \.text))
        expectEqual(rows.map(\.text), ["a", "b", "c", "z"])
        expectEqual(rows.map(\.objectID), [old[0], new[0], new[2], old[1]])
        let storeWins = UniquenessTests.storeWins.contains(type)
        // All properties of values count as set.
        expectEqual(rows.map(\.count), storeWins ? [1, 2, 4, 1] : [2, 3, 4, 1])
        expectEqual(rows.map(\.note), storeWins ? ["old", "new", nil, "z"] : [nil, "newer", nil, "z"])
        expectEqual(rows.map(\.language), storeWins ? [id, nil, id, nil] : [nil, nil, id, nil])
        #expect(!context.hasChanges)
    }
}
