import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Rows are inserted from dictionaries and by closures (U12).
struct BatchInsertTests {
    private func withLeague(_ body: (_ context: ManagedObjectContext, _ team: Team) throws -> Void) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = Team(context: context, name: "Reds")
            try context.save()
            try body(context, team)
        }
    }

    private func names(_ context: ManagedObjectContext) throws -> [String] {
        try context.fetch(Player.fetchRequest().sorted(by: \.name)).map(\.name)
    }

    @Test func dictionaries() throws {
        try withLeague { context, team in
            let result = try context.execute(
                BatchInsertRequest<Player>(objects: [
                    ["name": "Bob", "age": 30, "team": team.objectID], ["name": "Ann", "team": nil],
                    ["name": "Cem", "age": NSNumber(value: 40), "team": NSNull()],
                ])
            )
            #expect(result.insertedObjectsCount == 3 && !context.hasChanges)
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            expectEqual(Set(players.map(\.objectID)), Set(result.insertedObjectIDs))
            #expect(players.map(\.name) == ["Ann", "Bob", "Cem"] && players.map(\.age) == [0, 30, 40])
            expectEqual(players.map { $0.team?.name }, [nil, "Reds", nil])
            // The registered owner has its new member.
            expectEqual(team.players.map(\.name), ["Bob"])
        }
    }

    @Test func closures() throws {
        try withLeague { context, team in
            var count = 0
            let dictionaries = BatchInsertRequest<Player>(dictionaryHandler: { dictionary in
                #expect(dictionary.isEmpty)
                count += 1
                dictionary["name"] = "D\(count)"
                return count == 3
            })
            let first = try context.execute(dictionaries)
            expectEqual(first.insertedObjectsCount, 2)
            var names = ["O1", "O2"].makeIterator()
            let teamID = team.objectID
            let objects = BatchInsertRequest<Player>(managedObjectHandler: { player in
                guard let name = names.next() else { return true }
                player.name = name
                player.team = try player.managedObjectContext?.existingObject(with: teamID) as? Team
                return false
            })
            expectEqual(try context.execute(objects).insertedObjectsCount, 2)
            expectEqual(try self.names(context), ["D1", "D2", "O1", "O2"])
            expectEqual(team.players.map(\.name).sorted(), ["O1", "O2"])
            // A request that inserts nothing is valid, too.
            let nothing = BatchInsertRequest<Player>(managedObjectHandler: { _ in true })
            expectEqual(try context.execute(nothing).insertedObjectIDs, [])
            expectEqual(try context.execute(BatchInsertRequest<Player>(objects: [])).insertedObjectIDs, [])
        }
    }

    /// After any error, nothing is inserted, and the error names the dictionary.
    @Test func errorsInsertNothing() throws {
        try withLeague { context, team in
            func expect(_ error: BatchInsertError, _ text: String, _ dictionary: [String: Any?]) {
                expectEqual("\(error)", "nothing was inserted: " + text)
                #expect(throws: error) {
                    try context.execute(BatchInsertRequest<Player>(objects: [["name": "Ann"], dictionary]))
                }
            }
            expect(
                .unknownProperty("nam", entityName: "Player", index: 1, suggestion: "name"),
                "the dictionary at index 1 has a value for 'nam', but 'Player' has no property of that name; did you mean 'name'?",
                ["nam": "Bob"]
            )
            expect(
                .invalidValue("age", entityName: "Player", typeName: "Integer 16", index: 1),
                "'age' of 'Player' has type Integer 16, but its value in the dictionary at index 1 has another type or is out of "
                    + "range; set another value",
                ["name": "Bob", "age": 40_000]
            )
            let player = Player(context: context, name: "Unsaved")
            expect(
                .invalidValue("team", entityName: "Player", typeName: "ManagedObjectID of 'Team'", index: 1),
                "'team' of 'Player' has type ManagedObjectID of 'Team', but its value in the dictionary at index 1 has another type or "
                    + "is out of range; set another value",
                ["name": "Bob", "team": player.objectID]
            )
            #expect(throws: ValidationError.self) {
                try context.execute(BatchInsertRequest<Player>(objects: [["name": "Ann"], ["age": 3]]))
            }
            struct Stop: Error {}
            #expect(throws: Stop.self) {
                try context.execute(BatchInsertRequest<Player>(dictionaryHandler: { _ in throw Stop() }))
            }
            #expect(throws: FetchError.self) {
                try context.execute(BatchInsertRequest<ManagedObject>(entityName: "Plaier", objects: []))
            }
            // The team is an object of this store, but no longer exists.
            let missing = team.objectID
            context.delete(team)
            try context.save()
            #expect(throws: MissingObjectError.self) {
                try context.execute(BatchInsertRequest<Player>(objects: [["name": "Ann", "team": missing]]))
            }
            expectEqual(try names(context), ["Unsaved"])
        }
    }

    /// Other objects that a closure creates are saved together with its object, and reported with their own entities.
    @Test func closuresMayCreateOtherObjects() async throws {
        try await withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            var saves = container.saves.makeAsyncIterator()
            let context = container.newContext()
            var count = 0
            let result = try context.execute(
                BatchInsertRequest<Player>(managedObjectHandler: { player in
                    count += 1
                    guard count <= 3, let scratch = player.managedObjectContext else { return true }
                    player.name = "P\(count)"
                    player.team = Team(context: scratch, name: "T\(count)")
                    // An object that is deleted again is not inserted.
                    if count == 2 { scratch.delete(player) }
                    // A save here would be a separate save.
                    #expect(throws: WriteError.self) { try scratch.save() }
                    return false
                })
            )
            expectEqual(result.insertedObjectsCount, 2)
            let save = try #require(await saves.next())
            expectEqual(save.changes.inserted.filter { $0.entityName == "Player" }, Set(result.insertedObjectIDs))
            expectEqual(save.changes.inserted.count, 5)
            expectEqual(
                try context.fetch(Player.fetchRequest().sorted(by: \.name)).map { $0.team?.name },
                ["T1", "T3"]
            )
        }
    }

    /// U12: with a policy, rows with equal unique values are updated or kept; the result reports which.
    @Test(arguments: MergePolicyTests.resolving) func withAPolicyItIsAnUpsert(type: MergePolicyType) throws {
        let container = try VocabularyModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let language = Language(context: context, code: "la")
        try context.save()
        func insert(_ dictionaries: [[String: Any?]]) throws -> BatchInsertResult {
            try context.execute(BatchInsertRequest<Word>(objects: dictionaries))
        }
        let old = try insert([
            ["text": "a", "count": 1, "note": "old", "language": language.objectID], ["text": "z", "count": 1],
        ])
        expectEqual(old.changes.inserted, Set(old.insertedObjectIDs))
        #expect(throws: UniquenessConflictError.self) { try insert([["text": "c"], ["text": "a"]]) }
        context.mergePolicy = MergePolicy(merge: type)
        let new = try insert([
            ["text": "b", "note": "new"], ["text": "a", "count": 2, "language": nil],
            ["text": "c", "count": 4, "language": language.objectID], ["text": "b", "count": 3],
        ])
        let ids = new.insertedObjectIDs
        #expect(ids[1] == old.insertedObjectIDs[0] && ids[0] == ids[3] && new.insertedObjectsCount == 4)
        #expect(new.changes.inserted == [ids[0], ids[2]] && new.changes.deleted.isEmpty)
        let rows: [Word.Values] = try container.newContext().fetchValues(Word.fetchRequest().sorted(by: \.text))
        expectEqual(rows.map(\.text), ["a", "b", "c", "z"])
        expectEqual(rows.map(\.objectID.key), [ids[1], ids[0], ids[2], old.insertedObjectIDs[1]].map(\.key))
        let storeWins = UniquenessTests.storeWins.contains(type)
        // A default counts as set.
        expectEqual(rows.map(\.count), storeWins ? [1, 0, 4, 1] : [2, 3, 4, 1])
        // Values that were not set are kept, unless the policy writes the whole object.
        let kept = type == .overwrite ? nil : "old"
        expectEqual(rows.map(\.note), storeWins ? ["old", "new", nil, nil] : [kept, nil, nil, nil])
        let id = ObjectID<Language>(language)
        expectEqual(rows.map(\.language), storeWins ? [id, nil, id, nil] : [nil, nil, id, nil])
        expectEqual(new.changes.updated, storeWins ? [] : [ids[1]])
    }
}
