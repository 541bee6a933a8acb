import ChordataModel
import ChordataPredicate
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// The persistent history of a store (H3, H4, H5).
@Suite(.onlySQLite(.history))
struct PersistentHistoryTests {
    private static let tracking = StoreOptions(tracksPersistentHistory: true)

    private func withLeague(
        _ place: String = "file",
        options: StoreOptions = tracking,
        _ body: (_ context: ManagedObjectContext, _ container: PersistentContainer) throws -> Void
    ) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(
                at: place == "file" ? path : place,
                options: options
            )
            try body(container.newContext(), container)
        }
    }

    /// The cost of recording a save is proportional to its number of rows.
    @Test func textsOfManyRows() throws {
        try withLeague { _, container in
            let type = try #require(container.store.schema.runtimeEntity(named: "Team"))
            func cost(_ count: Int64) throws -> Duration {
                var changes = HistoryChanges()
                for key in 1...count { changes.addUpdate(of: key, type, version: 2, PropertyMask()) }
                let start = threadTime()
                let text = try changes.text()
                #expect(text.hasSuffix(",[\(count),2]]}}"))
                return threadTime() - start
            }
            _ = try cost(4_000)
            let few = try cost(4_000)
            let many = try cost(64_000)
            #expect(many < few * 48, "\(few), \(many)")
        }
    }

    private func history(_ context: ManagedObjectContext, after token: PersistentHistoryToken? = nil) throws
        -> [PersistentHistoryTransaction]
    {
        try context.execute(.fetchHistory(after: token))
    }

    /// The changes without row keys, such as `insert Player` or `update Player name team`.
    private func texts(_ transactions: [PersistentHistoryTransaction]) -> [[String]] {
        transactions.map { transaction in
            transaction.changes.map { change in
                (["\(change.changeType)", change.changedObjectID.entityName] + change.updatedProperties.sorted())
                    .joined(separator: " ")
            }
        }
    }

    // MARK: Recording

    @Test(arguments: [":memory:", "file"]) func savesAreRecorded(_ place: String) throws {
        try withLeague(place) { context, container in
            context.name = "import"
            context.transactionAuthor = "Ada"
            let team = Team(context: context, name: "Reds")
            let player = Player(context: context, name: "Ann")
            let start = Date.now
            try context.save()
            context.transactionAuthor = nil
            player.team = team
            player.age = 3
            try context.save()
            player.age = 3
            context.delete(team)
            try context.save()
            // Nothing is written, so nothing is recorded.
            try context.save()
            let transactions = try history(context)
            expectEqual(
                texts(transactions),
                [
                    ["insert Player", "insert Team"], ["update Player age team", "update Team players"],
                    ["update Player age team", "delete Team"],
                ]
            )
            expectEqual(transactions.map(\.author), ["Ada", nil, nil])
            expectEqual(transactions.map(\.contextName), ["import", "import", "import"])
            expectEqual(transactions.map(\.transactionNumber), [1, 2, 3])
            #expect(transactions.allSatisfy { !$0.isRemote && $0.timestamp >= start && $0.timestamp <= .now })
            expectEqual(transactions[0].objectIDChanges.inserted, [team.objectID, player.objectID])
            let token = try container.store.currentPersistentHistoryToken()
            expectEqual(token, transactions.last?.token)
            expectEqual(try history(context, after: transactions[1].token).map(\.transactionNumber), [3])
            #expect(try history(context, after: token).isEmpty)
        }
    }

    @Test func batchOperationsAreRecorded() throws {
        try withLeague { context, container in
            let team = Team(context: context, name: "Reds")
            try context.save()
            context.transactionAuthor = "batch"
            let players = (0..<3).map { Player.Values(objectID: ObjectID(), name: "P\($0)", age: 0, team: nil) }
            try context.insertValues(players)
            try context.execute(BatchInsertRequest<Player>(objects: [["name": "D", "team": team.objectID]]))
            try context.execute(BatchUpdateRequest<Player>().where(\.name == "P1").setting(\.age, to: 9))
            try context.execute(BatchDeleteRequest(fetchRequest: Team.fetchRequest()))
            let transactions = try history(context).dropFirst()
            expectEqual(
                texts(Array(transactions)),
                [
                    ["insert Player", "insert Player", "insert Player"], ["insert Player", "update Team players"],
                    ["update Player age"], ["update Player team", "delete Team"],
                ]
            )
            expectEqual(Set(transactions.map(\.author)), ["batch"])
        }
    }

    /// A save that fails records nothing, and neither does a store that does not track its history.
    @Test func nothingIsRecordedWithoutATransaction() throws {
        try withLeague { context, container in
            _ = try Player(entityWithoutName: context)
            #expect(throws: ValidationError.self) { try context.save() }
            #expect(try history(context).isEmpty)
        }
        try withLeague(options: StoreOptions()) { context, container in
            _ = Team(context: context, name: "Reds")
            try context.save()
            let path = container.store.path
            #expect(throws: PersistentHistoryError.notTracked(path: path)) { try history(context) }
            #expect(throws: PersistentHistoryError.notTracked(path: path)) {
                try container.store.currentPersistentHistoryToken()
            }
            expectEqual(
                "\(PersistentHistoryError.notTracked(path: path))",
                "store '\(path)' does not track its history; open it with StoreOptions.tracksPersistentHistory"
            )
        }
    }

    /// The history belongs to the store: open containers notice when another container starts or stops recording it.
    @Test func allContainersRecord() throws {
        try withStorePath { path in
            let first = try LeagueModel.definition.testContainer(at: path)
            let context = first.newContext()
            _ = Team(context: context, name: "Before")
            try context.save()
            let second = try LeagueModel.definition.testContainer(at: path, options: Self.tracking)
            _ = Team(context: context, name: "After")
            try context.save()
            let other = second.newContext()
            expectEqual(texts(try history(other)), [["insert Team"]])
            #expect(try history(other).map(\.isRemote) == [true] && history(context).map(\.isRemote) == [false])
            let token = try second.store.currentPersistentHistoryToken()
            try second.store.stopTrackingHistory()
            try second.store.stopTrackingHistory()
            _ = Team(context: context, name: "Unrecorded")
            try context.save()
            #expect(throws: PersistentHistoryError.notTracked(path: first.store.path)) { try history(context) }
            // Transaction numbers are not reused.
            let third = try LeagueModel.definition.testContainer(at: path, options: Self.tracking)
            #expect(throws: PersistentHistoryError.tokenExpired(token)) {
                try history(third.newContext(), after: token)
            }
            _ = Team(context: context, name: "Again")
            try context.save()
            expectEqual(try history(context).map(\.transactionNumber), [token.transactionNumber + 2])
        }
    }

    @Test func deletedObjectsLeaveTheValuesThatTheModelPreserves() throws {
        try withStorePath { path in
            var name = AttributeDescription(name: "name", attributeType: .string, isOptional: true)
            name.preservesValueInHistoryOnDeletion = true
            var size = AttributeDescription(name: "size", attributeType: .decimal, isOptional: true)
            size.preservesValueInHistoryOnDeletion = true
            let note = AttributeDescription(name: "note", attributeType: .string, isOptional: true)
            let definition = ModelDefinition(
                name: "Things",
                versionName: "1",
                model: try ManagedObjectModel(entities: [
                    EntityDescription(name: "Thing", attributes: [name, size, note])
                ])
            )
            let container = try definition.testContainer(at: path, options: Self.tracking)
            let context = container.newContext()
            for text in ["a", "b", "c \"'\u{0}ä"] {
                let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                thing.setValue(text, forKey: "name")
                thing.setValue(Decimal(string: "1.50"), forKey: "size")
                thing.setValue("secret", forKey: "note")
            }
            try context.save()
            let things = try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing"))
            // Tombstones have the saved values, not the unsaved ones.
            things[0].setValue("changed", forKey: "name")
            context.delete(things[0])
            try context.save()
            let rest = try FetchRequest<ManagedObject>(entityName: "Thing").where(format: "name != 'b'")
            try context.execute(BatchDeleteRequest(fetchRequest: rest))
            let deletions = try history(context).dropFirst().flatMap(\.changes)
            expectEqual(
                deletions.map(\.tombstone),
                [
                    ["name": .string("a"), "size": .decimal(1.5)],
                    ["name": .string("c \"'\u{0}ä"), "size": .decimal(1.5)],
                ]
            )
            expectEqual(try query("SELECT count(*) FROM \"_save\" WHERE \"changes\" LIKE '%secret%'", at: path), ["0"])
        }
    }

    /// All elements of a preserved composite are preserved, and so is a preserved element of another composite.
    @Test func tombstonesHaveElementsOfComposites() throws {
        try withStorePath { path in
            func composite(_ name: String, isPreserved: Bool, element: Bool) -> AttributeDescription {
                var city = AttributeDescription(name: "city", attributeType: .string, isOptional: true)
                city.preservesValueInHistoryOnDeletion = element
                let zip = AttributeDescription(name: "zip", attributeType: .integer32, isOptional: true)
                return AttributeDescription(
                    name: name,
                    attributeType: .composite,
                    isOptional: true,
                    elements: [city, zip],
                    preservesValueInHistoryOnDeletion: isPreserved
                )
            }
            let definition = ModelDefinition(
                name: "Places",
                versionName: "Places",
                model: try ManagedObjectModel(entities: [
                    EntityDescription(
                        name: "Place",
                        attributes: [
                            composite("home", isPreserved: true, element: false),
                            composite("work", isPreserved: false, element: true),
                        ]
                    )
                ])
            )
            let context = try definition.testContainer(at: path, options: Self.tracking).newContext()
            let place = EntityDescription.insertNewObject(forEntityName: "Place", into: context)
            for (key, value) in [("home.city", "a"), ("work.city", "b")] { place.setValue(value, forKey: key) }
            for (key, value) in [("home.zip", 1), ("work.zip", 2)] { place.setValue(value, forKey: key) }
            try context.save()
            context.delete(place)
            try context.save()
            let tombstone = try #require(try history(context).last?.changes.first?.tombstone)
            expectEqual(tombstone, ["home.city": .string("a"), "home.zip": .integer(1), "work.city": .string("b")])
        }
    }

    /// A migration deletes the history, because its names are those of the earlier version, and all tokens expire.
    @Test func migrationsDeleteTheHistory() throws {
        try withStorePath { path in
            let title = AttributeDescription(name: "title", attributeType: .string, isOptional: true)
            var heading = AttributeDescription(name: "heading", attributeType: .string, isOptional: true)
            heading.renamingIdentifier = "title"
            let versions = try Versions([
                [EntityDescription(name: "Book", attributes: [title])],
                [EntityDescription(name: "Book", attributes: [heading])],
            ])
            let token: PersistentHistoryToken
            do {
                let old = try versions.definition(upTo: 1).testContainer(at: path, options: Self.tracking)
                let context = old.newContext()
                let book = EntityDescription.insertNewObject(forEntityName: "Book", into: context)
                book.setValue("Ulysses", forKey: "title")
                try context.save()
                token = try old.store.currentPersistentHistoryToken()
            }
            let container = try versions.definition().testContainer(at: path)
            let context = container.newContext()
            #expect(throws: PersistentHistoryError.tokenExpired(token)) { try history(context, after: token) }
            #expect(try history(context).isEmpty)
            // The next transactions are recorded with the new names.
            let book = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")).first)
            book.setValue("Dubliners", forKey: "heading")
            try context.save()
            expectEqual(texts(try history(context)), [["update Book heading"]])
        }
    }

    /// References that the store nullifies are recorded, even if no context of the program has read the rows.
    @Test func emptiedReferencesAreRecorded() throws {
        try withStorePath { path in
            let container = try DeleteRuleTests.definition().testContainer(at: path, options: Self.tracking)
            let context = container.newContext()
            let node = EntityDescription.insertNewObject(forEntityName: "Node", into: context)
            let other = EntityDescription.insertNewObject(forEntityName: "Node", into: context)
            other.setValue(node, forKey: "oneWay")
            for key in ["node", "topNode"] {
                EntityDescription.insertNewObject(forEntityName: "Thing", into: context).setValue(node, forKey: key)
            }
            try context.save()
            other.managedObjectContext?.refreshAllObjects()
            context.delete(node)
            try context.save()
            let changes = try #require(try history(context).last?.changes)
            expectEqual(
                Set(texts(try history(context))[1]),
                ["delete Node", "update Node oneWay", "update Thing node", "update Thing topNode"]
            )
            expectEqual(changes.count, 4)
            expectEqual(try query("SELECT sum(_version) FROM Thing", at: path), ["4"])
        }
    }

    @Test func tablesOfOthersAreNotTheHistory() throws {
        try withStorePath { path in
            do { _ = try LeagueModel.definition.testContainer(at: path) }
            try run("CREATE TABLE \"_save\" (\"id\" INTEGER PRIMARY KEY, \"name\" TEXT)", at: path)
            let error = #expect(throws: StoreError.self) {
                try LeagueModel.definition.testContainer(at: path, options: Self.tracking)
            }
            #expect(error?.code == .storeDrifted && error?.message.contains("'_save'") == true)
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            _ = Team(context: context, name: "Reds")
            try context.save()
            #expect(throws: PersistentHistoryError.self) { try history(context) }
        }
        // A store in memory has no other writers, so the option does not begin a history.
        let memory = try LeagueModel.definition.testContainer(
            at: ":memory:",
            options: StoreOptions(reportsRemoteChanges: true)
        )
        #expect(throws: PersistentHistoryError.self) { try memory.store.currentPersistentHistoryToken() }
    }

    // MARK: Requests

    @Test func requestsSelectTransactions() throws {
        try withLeague { context, container in
            for (author, name) in [("a", "1"), ("b", "2"), ("a", "3"), ("c", "4")] {
                context.transactionAuthor = author
                _ = Team(context: context, name: name)
                try context.save()
            }
            let all = try history(context)
            func numbers(_ request: PersistentHistoryChangeRequest) throws -> [Int64] {
                try context.execute(request).map(\.transactionNumber)
            }
            let whole = PersistentHistoryChangeRequest.fetchHistory(after: all.first?.token)
            expectEqual(try numbers(whole.where(FetchPredicate(format: "author == 'a'"))), [3])
            expectEqual(try numbers(whole.where(FetchPredicate(format: "author IN {'b', 'c'}"))), [2, 4])
            let late = try FetchPredicate(format: "timestamp >= %@ AND contextName == nil", all[2].timestamp)
            expectEqual(try numbers(whole.where(late).where(FetchPredicate(format: "transactionNumber < 4"))), [3])
            var limited = whole
            limited.fetchLimit = 2
            expectEqual(try numbers(limited), [2, 3])
            expectEqual(try numbers(.fetchHistory(after: all[1].timestamp)).suffix(3), [2, 3, 4])
            expectEqual(try numbers(.fetchHistory(after: all[2])), [4])
            expectEqual(try numbers(.fetchHistory(after: Date.distantFuture)), [])
            #expect(throws: FetchPredicateError.self) { try numbers(whole.where(FetchPredicate(format: "size == 3"))) }
        }
    }

    /// H5: deleting transactions makes earlier tokens expire, which is an error; tokens can be stored.
    @Test func earlierTokensExpire() throws {
        try withLeague { context, container in
            var tokens: [PersistentHistoryToken] = []
            for name in ["1", "2", "3", "4"] {
                _ = Team(context: context, name: name)
                try context.save()
                tokens.append(try container.store.currentPersistentHistoryToken())
            }
            let stored = try JSONDecoder().decode([PersistentHistoryToken].self, from: JSONEncoder().encode(tokens))
            expectEqual(stored, tokens)
            expectEqual(try context.execute(.deleteHistory(before: stored[2])), 2)
            expectEqual(try history(context).map(\.transactionNumber), [3, 4])
            // All transactions after the second one still exist.
            expectEqual(try history(context, after: stored[1]).map(\.transactionNumber), [3, 4])
            #expect(throws: PersistentHistoryError.tokenExpired(stored[0])) { try history(context, after: stored[0]) }
            expectEqual(try context.execute(.deleteHistory(before: Date.distantFuture)), 2)
            #expect(throws: PersistentHistoryError.tokenExpired(stored[2])) { try history(context, after: stored[2]) }
            #expect(try history(context, after: stored[3]).isEmpty)
            _ = Team(context: context, name: "5")
            try context.save()
            expectEqual(try history(context, after: stored[3]).map(\.transactionNumber), [5])
            expectEqual(try context.execute(.deleteHistory(before: Date.distantPast)), 0)
            let foreign = PersistentHistoryToken(storeID: UUID(), transactionNumber: 1, origin: 1)
            let error = PersistentHistoryError.tokenOfAnotherStore(foreign, storeID: container.store.identifier)
            #expect(throws: error) { try history(context, after: foreign) }
            // As if the store were an earlier copy, which lacks this transaction, or has another one with its number.
            for (number, origin) in [(Int64(99), tokens[0].origin), (5, 7)] {
                let other = PersistentHistoryToken(
                    storeID: container.store.identifier,
                    transactionNumber: number,
                    origin: origin
                )
                #expect(throws: PersistentHistoryError.tokenExpired(other)) { try history(context, after: other) }
            }
            #expect((error as any Error as NSError).code == 134_301)
        }
    }

    /// A transaction that cannot be read causes an error that names it.
    @Test func damageIsAnError() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path, options: Self.tracking)
            let context = container.newContext()
            _ = Team(context: context, name: "1")
            try context.save()
            for text in [
                "", "[]", "{\"Gone\":{}}", "{\"Team\":{\"updated\":[[1025,2,7]]}}", "{\"Team\":{\"deleted\":[[3]]}}",
                "{\"Team\":{\"deleted\":[[0,1]]}}", "{\"Team\":{\"inserted\":[[9,-1]]}}",
            ] {
                try run("UPDATE \"_save\" SET \"changes\" = '\(text)'", at: path)
                let error = #expect(throws: StoreError.self) { try history(context) }
                #expect(error?.code == .incompleteStore && error?.message.contains("transaction 1") == true)
            }
        }
    }
}

extension Player {
    /// A player whose required name is missing.
    fileprivate convenience init(entityWithoutName context: ManagedObjectContext) throws { self.init(context: context) }
}
