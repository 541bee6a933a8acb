import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Batch deletions, which delete rows without creating objects (D10).
struct BatchDeleteTests {
    private func names(_ container: PersistentContainer) throws -> [String] {
        let players: [Player.Values] = try container.newContext().fetchValues(Player.fetchRequest().sorted(by: \.name))
        return players.map(\.name)
    }

    // MARK: Selections

    @Test(arguments: [":memory:", "file"]) func deletedRowsAreThoseOfThePredicate(_ place: String) throws {
        try withLeague(place) { context, container in
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            let result = try context.execute(
                BatchDeleteRequest(fetchRequest: Player.fetchRequest().where(\.age >= 30))
            )
            #expect(result.deletedObjectsCount == 2 && result.updatedObjectIDs == [])
            expectEqual(result.deletedObjectIDs, players[1...].map(\.objectID))
            expectEqual(try names(container), ["Ann"])
            // Objects do not change until the changes are merged.
            #expect(players.map(\.name) == ["Ann", "Bob", "Cem"] && !context.hasChanges)
            context.mergeChanges(result.changes)
            expectEqual(players.map { $0.managedObjectContext == nil }, [false, true, true])
            expectEqual(try context.fetch(Team.fetchRequest().where(\.name == "Reds")).first?.players.count, 1)
        }
    }

    @Test func theLimitAndTheOffsetCountInTheOrder() throws {
        try withLeague { context, container in
            let second = Player.fetchRequest().sorted(by: \.name, .descending).limit(1).offset(1)
            let one = try context.execute(BatchDeleteRequest(fetchRequest: second))
            expectEqual(one.deletedObjectsCount, 1)
            expectEqual(try names(container), ["Ann", "Cem"])
            let all = BatchDeleteRequest(fetchRequest: Player.fetchRequest())
            expectEqual(try context.execute(all).deletedObjectsCount, 2)
            expectEqual(try context.execute(all).deletedObjectsCount, 0)
        }
    }

    @Test func objectIDs() throws {
        try withLeague { context, container in
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            let ids = [players[0].objectID, players[2].objectID]
            let first = [ObjectID<Player>(key: ids[0].key), ObjectID<Player>(key: ids[0].key)]
            expectEqual(try context.execute(BatchDeleteRequest(objectIDs: first)).deletedObjectsCount, 1)
            let team = try #require(try context.fetch(Team.fetchRequest()).first?.objectID)
            let mixed = BatchDeleteRequest(entityName: "Player", objectIDs: ids + [team])
            #expect(throws: FetchPredicateError.self) { try context.execute(mixed) }
            // One of the objects no longer has a row.
            let result = try context.execute(BatchDeleteRequest(entityName: "Player", objectIDs: ids))
            expectEqual(result.deletedObjectIDs, [ids[1]])
            expectEqual(try names(container), ["Bob"])
            expectEqual(try context.execute(BatchDeleteRequest<Player>(objectIDs: [])).deletedObjectsCount, 0)
            expectEqual(try container.newContext().count(for: Team.fetchRequest()), 2)
        }
    }

    /// The number of statements does not depend on the number of rows: one statement deletes all rows of a table.
    @Test(.onlySQLite(.statements)) func oneStatementDeletesTheRowsOfATable() throws {
        func statements(rowCount: Int) throws -> [String] {
            try withStorePath { path in
                let log = StatementLog()
                let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
                let container = try EverythingModel.definition.testContainer(at: path, options: options)
                let context = container.newContext()
                let author = Author(context: context, birthplace: EverythingModel.Place(), name: "Ann")
                for number in 0..<rowCount {
                    let book = Book(context: context, createdAt: .now, title: "\(number)")
                    book.addToAuthors(author)
                    for _ in 0..<3 { _ = Chapter(context: context, book: book) }
                }
                try context.save()
                _ = log.take()
                let result = try context.execute(BatchDeleteRequest(fetchRequest: Book.fetchRequest()))
                expectEqual(result.deletedObjectsCount, 4 * rowCount)
                return log.take().map(\.sql)
            }
        }
        let few = try statements(rowCount: 2)
        let deletions = few.filter { $0.hasPrefix("DELETE") }
        expectEqual(deletions.count, 2)
        #expect(["Media", "Chapter"].allSatisfy { table in deletions.contains { $0.contains("\"\(table)\"") } })
        expectEqual(try statements(rowCount: 200), few)
    }

    @Test func requestsThatDoNotMatchTheModelAreErrors() throws {
        try withLeague { context, container in
            #expect(throws: FetchError.self) {
                try context.execute(BatchDeleteRequest(entityName: "Plaier", objectIDs: []))
            }
            let unknown = BatchDeleteRequest(fetchRequest: try Player.fetchRequest().where(format: "size > 3"))
            #expect(throws: FetchPredicateError.self) { try context.execute(unknown) }
            expectEqual(try names(container).count, 3)
        }
    }

    // MARK: Other rows

    /// To-one relationships of other rows are set to NULL, and these rows are reported as updated.
    @Test func referencesAreEmptied() throws {
        try withLeague { context, container in
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            let team = try #require(players[0].team)
            let result = try context.execute(
                BatchDeleteRequest(fetchRequest: Team.fetchRequest().where(\.name == "Reds"))
            )
            expectEqual(result.deletedObjectIDs, [team.objectID])
            expectEqual(result.updatedObjectIDs, players.map(\.objectID))
            // Saving an object that still has the former reference causes a conflict.
            players[0].age += 1
            #expect(throws: SaveConflictError.self) { try context.save() }
            context.rollback()
            context.mergeChanges(result.changes)
            expectEqual(players.map { $0.team == nil }, [true, true, true])
            players[0].age += 1
            try context.save()
            expectEqual(try container.newContext().count(for: Player.fetchRequest().where(\.age == 21)), 1)
        }
    }

    /// The delete rule Deny causes an error that names the object and the relationship, and nothing is deleted.
    @Test func denialIsAnError() throws {
        try withStorePath { path in
            let container = try DeleteRuleTests.definition().testContainer(at: path)
            let context = container.newContext()
            let nodes = ["a", "b"].map { name in
                let node = EntityDescription.insertNewObject(forEntityName: "Node", into: context)
                node.setValue(name, forKey: "name")
                return node
            }
            let lock = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            lock.setValue(nodes[1], forKey: "lockedNode")
            try context.save()
            let all = FetchRequest<ManagedObject>(entityName: "Node")
            let things = FetchRequest<ManagedObject>(entityName: "Thing")
            let error = #expect(throws: ValidationError.self) {
                try context.execute(BatchDeleteRequest(fetchRequest: all))
            }
            expectEqual(error?.failures.map(\.objectID), [nodes[1].objectID])
            expectEqual(error?.failures.map(\.propertyName), ["locks"])
            expectEqual(error?.failures.map(\.code), [.relationshipDeniedDelete])
            expectEqual(try container.newContext().count(for: all), 2)
            // After the objects of the relationship are deleted, the rule no longer denies the deletion.
            expectEqual(try context.execute(BatchDeleteRequest(fetchRequest: things)).deletedObjectsCount, 1)
            expectEqual(try context.execute(BatchDeleteRequest(fetchRequest: all)).deletedObjectsCount, 2)
        }
    }

    /// A long chain of objects with the delete rule Cascade is deleted, including the external data and join rows.
    @Test func cascadesAreFollowedToTheirEnd() throws {
        try withStorePath { path in
            let container = try DeleteRuleTests.definition().testContainer(at: path)
            let context = container.newContext()
            var nodes: [ManagedObject] = []
            for number in 0..<500 {
                let node = EntityDescription.insertNewObject(forEntityName: "Node", into: context)
                node.setValue("\(number)", forKey: "name")
                let mark = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                node.setValue([mark], forKey: "marks")
                if let last = nodes.last { last.setValue(node, forKey: "next") }
                nodes.append(node)
            }
            // A cycle of parents does not cause an endless loop.
            nodes[0].setValue(nodes[499], forKey: "parent")
            try context.save()
            let first = BatchDeleteRequest(entityName: "Node", objectIDs: [nodes[0].objectID])
            let result = try context.execute(first)
            expectEqual(result.deletedObjectIDs, nodes.map(\.objectID))
            expectEqual(try container.store.integer("SELECT count(*) FROM \"Node_marks\""), 0)
            expectEqual(try container.store.integer("SELECT count(*) FROM \"Thing\""), 500)
        }
    }

    /// Rows of different tables can have the same key, as in stores that were imported.
    @Test(.onlySQLite(.files)) func equalKeysOfOtherTablesAreNotMistaken() throws {
        try withStorePath { path in
            let definition = try DeleteRuleTests.definition()
            do {
                let context = try definition.testContainer(at: path).newContext()
                for name in ["a", "b"] {
                    let node = EntityDescription.insertNewObject(forEntityName: "Node", into: context)
                    node.setValue(name, forKey: "name")
                    let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
                    thing.setValue(node, forKey: name == "a" ? "lockedNode" : "notedNode")
                }
                try context.save()
            }
            // The nodes have the row keys 1 and 2, and so do the things.
            try run(
                """
                UPDATE "Thing" SET "lockedNode" = 1 WHERE "lockedNode" IS NOT NULL;
                UPDATE "Thing" SET "notedNode" = 2 WHERE "notedNode" IS NOT NULL;
                UPDATE "Thing" SET "_id" = CASE WHEN "lockedNode" = 1 THEN 1 ELSE 2 END;
                UPDATE "Node" SET "_id" = CASE "name" WHEN 'a' THEN 1 ELSE 2 END
                """,
                at: path
            )
            let container = try definition.testContainer(at: path, options: StoreOptions(tracksPersistentHistory: true))
            let context = container.newContext()
            let nodes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Node").sorted(by: "name"))
            func delete(_ node: ManagedObject) throws -> BatchDeleteResult {
                try context.execute(BatchDeleteRequest(entityName: "Node", objectIDs: [node.objectID]))
            }
            expectEqual(nodes.map(\.objectID.key), [1, 2])
            #expect(throws: ValidationError.self) { try delete(nodes[0]) }
            let result = try delete(nodes[1])
            expectEqual(result.updatedObjectIDs.map(\.entityName), ["Thing"])
            // A save of a node and of a thing with the same key is recorded as two changes.
            let thing = try #require(try context.fetch(FetchRequest<ManagedObject>(entityName: "Thing")).first)
            expectEqual(thing.objectID.key, nodes[0].objectID.key)
            thing.setValue("t", forKey: "name")
            nodes[0].setValue("n", forKey: "name")
            try context.save()
            let transactions = try context.execute(.fetchHistory(after: PersistentHistoryToken?.none))
            expectEqual(transactions.map { $0.changes.count }, [2, 2])
        }
    }

    // MARK: Derived attributes

    @Test(arguments: [":memory:", "file"]) func derivedAttributesOfOtherRowsFollow(_ place: String) throws {
        try withStorePath { path in
            let container = try LedgerModel.definition().testContainer(at: place == "file" ? path : place)
            let context = container.newContext()
            let account = EntityDescription.insertNewObject(forEntityName: "Account", into: context)
            account.setValue("A", forKey: "title")
            for amount in [1, 2, 4] {
                let entry = EntityDescription.insertNewObject(forEntityName: "Entry", into: context)
                entry.setValue(amount, forKey: "amount")
                entry.setValue(account, forKey: "account")
            }
            try context.save()
            let entries = try FetchRequest<ManagedObject>(entityName: "Entry").where(format: "amount < 4")
            let result = try context.execute(BatchDeleteRequest(fetchRequest: entries))
            #expect(result.deletedObjectsCount == 2 && result.updatedObjectIDs == [account.objectID])
            context.mergeChanges(result.changes)
            #expect(account.value(forKey: "total") as? Int64 == 4)
        }
    }

    // MARK: Other contexts

    /// Changes that other contexts have not merged yet are corrected: a new row that is then deleted never appears.
    @Test func unmergedSavesDoNotReviveRows() throws {
        try withLeague { context, container in
            let reader = container.newContext()
            let cem = try #require(try reader.fetch(Player.fetchRequest().where(\.name == "Cem")).first)
            _ = Player(context: context, name: "Dee")
            let known = try #require(try context.fetch(Player.fetchRequest().where(\.name == "Cem")).first)
            known.age = 41
            try context.save()
            _ = try context.execute(BatchDeleteRequest(fetchRequest: Player.fetchRequest().where(\.age > 40)))
            _ = try context.execute(BatchDeleteRequest(fetchRequest: Player.fetchRequest().where(\.name == "Dee")))
            reader.automaticallyMergesChangesFromParent = true
            reader.processPendingChanges()
            #expect(cem.managedObjectContext == nil)
            expectEqual(reader.registeredObjects, [])
        }
    }

    @Test func resultsControllersFollowTheMerge() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            context.automaticallyMergesChangesFromParent = true
            for name in ["Ann", "Bob", "Cem"] { _ = Player(context: context, name: name) }
            try context.save()
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().sorted(by: \.name),
                managedObjectContext: context
            )
            let table = ResultsTable<Player>()
            controller.delegate = table
            try controller.performFetch()
            table.show(controller)
            let result = try container.newContext().execute(
                BatchDeleteRequest(fetchRequest: Player.fetchRequest().where(\.name == "Bob"))
            )
            context.processPendingChanges()
            expectEqual(table.willCount, 0)
            context.mergeChanges(result.changes)
            expectEqual(table.willCount, 1)
            expectEqual(controller.fetchedObjects?.map(\.name), ["Ann", "Cem"])
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
        }
    }

    @Test(.onlySQLite(.readOnly)) func readOnlyStoresRefuse() throws {
        try withStorePath { path in
            do { _ = try LeagueModel.definition.testContainer(at: path) }
            let container = try LeagueModel.definition.testContainer(at: path, options: StoreOptions(isReadOnly: true))
            #expect(throws: StoreError.self) {
                try container.newContext().execute(BatchDeleteRequest(fetchRequest: Player.fetchRequest()))
            }
        }
    }
}
