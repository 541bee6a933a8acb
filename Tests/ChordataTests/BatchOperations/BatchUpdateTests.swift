import Chordata
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// Batch updates, which update rows without creating objects (S23, F18).
struct BatchUpdateTests {
    private func players(_ context: ManagedObjectContext) throws -> [Player.Values] {
        try context.fetchValues(Player.fetchRequest().sorted(by: \.name))
    }

    private func ages(_ container: PersistentContainer) throws -> [Int16] {
        try players(container.newContext()).map(\.age)
    }

    @Test(arguments: [":memory:", "file"]) func constants(_ place: String) throws {
        try withLeague(place) { context, container in
            let players = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            let result = try context.execute(BatchUpdateRequest<Player>().where(\.age >= 30).setting(\.age, to: 50))
            expectEqual(result.updatedObjectsCount, 2)
            expectEqual(result.updatedObjectIDs, players[1...].map(\.objectID))
            expectEqual(try ages(container), [20, 50, 50])
            expectEqual(players.map(\.age), [20, 30, 40], "objects stay as they are")
            #expect(!context.hasChanges)
            context.mergeChanges(result.changes)
            expectEqual(players.map(\.age), [20, 50, 50])
        }
    }

    /// All values are computed from the rows before the update, including the values of rows that are written later.
    @Test func computedValuesUseTheOriginalRows() throws {
        try withLeague { context, container in
            let older = BatchUpdateRequest<Player>()
                .setting(\.age, to: try FetchExpression(format: "team.players.@max.age + 1"))
                .setting(\.name, to: try FetchExpression(format: "uppercase:(name)"))
            expectEqual(try context.execute(older).updatedObjectsCount, 3)
            expectEqual(try ages(container), [41, 41, 41])
            expectEqual(try players(container.newContext()).map(\.name), ["ANN", "BOB", "CEM"])
            // The fraction is dropped, as in every conversion of a number.
            let half = BatchUpdateRequest<Player>().setting("age", to: try FetchExpression(format: "age * 1.5"))
            try context.execute(half)
            expectEqual(try ages(container), [61, 61, 61])
            // One property is set to a constant, and the other to a computed value.
            let city = BatchUpdateRequest<Team>().where(\.name == "Blues").setting(\.city, to: "Ulm")
                .setting(\.name, to: try FetchExpression(format: "lowercase:(name)"))
            try context.execute(city)
            let teams: [Team.Values] = try container.newContext().fetchValues(Team.fetchRequest())
            let blues = try #require(teams.last)
            expectEqual(blues.name, "blues")
            expectEqual(blues.city, "Ulm")
        }
    }

    /// An update that determines its rows while it writes them returns their object IDs in the order of the row keys.
    @Test func objectIDsAreInTheOrderOfTheRowKeys() throws {
        try withLeague { context, container in
            let objects = try context.fetch(Player.fetchRequest().sorted(by: \.name))
            let ids = objects.map(\.objectID)
            let blues = try #require(try context.fetchOne(Team.fetchRequest().where(\.name == "Blues")))
            let teams = [blues, try #require(objects[1].team)]
            // SQLite finds the rows by the index of the relationship.
            objects[0].team = blues
            try context.save()
            for request in [
                try BatchUpdateRequest<Player>().where(format: "team != NIL").setting(\.name, to: "x"),
                try BatchUpdateRequest<Player>().where(format: "team IN %@", teams).setting(\.age, to: 7),
                BatchUpdateRequest<Player>().setting("age", to: try FetchExpression(format: "age - 1")),
            ] {
                let result = try context.execute(request)
                expectEqual(result.updatedObjectIDs, ids)
                expectEqual(result.updatedObjectsCount, 3)
            }
            expectEqual(try ages(container), [6, 6, 6])
            let none = try context.execute(BatchUpdateRequest<Player>().where(\.age == 50).setting(\.age, to: 1))
            #expect(none.updatedObjectsCount == 0 && none.updatedObjectIDs.isEmpty)
        }
    }

    @Test func toOnes() throws {
        try withLeague { context, container in
            let blues = try #require(try context.fetchOne(Team.fetchRequest().where(\.name == "Blues")))
            let reds = try #require(try context.fetchOne(Team.fetchRequest().where(\.name == "Reds")))
            expectEqual(reds.players.count, 3)
            let moved = try context.execute(
                BatchUpdateRequest<Player>().where(format: "team.name == 'Reds' AND age < 40").setting(
                    \.team,
                    to: blues
                )
            )
            context.mergeChanges(moved.changes)
            expectEqual(reds.players.map(\.name), ["Cem"])
            expectEqual(blues.players.count, 2)
            let id = try context.execute(BatchUpdateRequest<Player>().setting("team", to: reds.objectID))
            expectEqual(id.updatedObjectsCount, 3)
            try context.execute(BatchUpdateRequest<Player>().where(\.age == 40).setting(\.team, to: nil))
            expectEqual(try container.newContext().count(for: Player.fetchRequest().where(format: "team == nil")), 1)
        }
    }

    /// There are no notifications until the object IDs are merged (F18).
    @Test func resultsControllersAreNotifiedByTheMerge() throws {
        try withLeague { context, container in
            context.automaticallyMergesChangesFromParent = true
            let controller = FetchedResultsController(
                fetchRequest: Player.fetchRequest().where(\.age < 35).sorted(by: \.age),
                managedObjectContext: context
            )
            let table = ResultsTable<Player>()
            controller.delegate = table
            try controller.performFetch()
            table.show(controller)
            let result = try container.newContext().execute(
                BatchUpdateRequest<Player>().where(\.age == 40).setting(\.age, to: 10)
            )
            context.processPendingChanges()
            expectEqual(table.willCount, 0)
            let ids = result.updatedObjectIDs
            try ManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue: ids],
                into: [context]
            )
            expectEqual(table.willCount, 1)
            expectEqual(controller.fetchedObjects?.map(\.name), ["Cem", "Ann", "Bob"])
            expectEqual(table.rows.flatMap { $0 }, controller.fetchedObjects?.map(\.objectID))
        }
    }

    /// Earlier saves of other contexts that are not merged yet are treated as older than the update.
    @Test(arguments: [true, false]) func mergesAfterSavesOfOtherContexts(isRemote: Bool) throws {
        try withLeague { context, container in
            let other = container.newContext()
            let dee = Player(context: other, name: "Dee")
            dee.age = 20
            try other.save()
            let here = try #require(try context.fetchOne(Player.fetchRequest().where(\.name == "Dee")))
            expectEqual(here.age, 20)
            let result = try context.execute(BatchUpdateRequest<Player>().setting(\.age, to: 50))
            if isRemote {
                let key = ManagedObjectContext.NotificationKey.updatedObjectIDs.rawValue
                let ids = result.updatedObjectIDs
                try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [key: ids], into: [context, other])
            } else {
                for place in [context, other] { place.mergeChanges(result.changes) }
            }
            expectEqual(here.age, 50)
            expectEqual(dee.age, 50)
            here.age = 51
            try context.save()
        }
    }

    /// The update is written to the store and bypasses the parent contexts.
    @Test(.onlySQLite(.childContexts), arguments: [":memory:", "file"]) func batchUpdateInAChildContext(_ place: String)
        throws
    {
        try withLeague(place) { context, container in
            let child = ManagedObjectContext(isolation: nil)
            child.parent = context
            let ann = try #require(try child.fetchOne(Player.fetchRequest().where(\.name == "Ann")))
            let here = try #require(try context.fetchOne(Player.fetchRequest().where(\.name == "Bob")))
            here.name = "Bobby"
            let result = try child.execute(BatchUpdateRequest<Player>().where(\.age < 35).setting(\.age, to: 9))
            expectEqual(result.updatedObjectsCount, 2)
            expectEqual(try ages(container), [9, 9, 40])
            child.mergeChanges(result.changes)
            context.mergeChanges(result.changes)
            expectEqual(ann.age, 9)
            expectEqual(here.age, 9)
            expectEqual(here.name, "Bobby")
            try context.save()
        }
    }

    /// Values that were read before the update are older than the row.
    @Test func laterSavesDetectTheConflict() throws {
        try withLeague { context, container in
            let ann = try #require(try context.fetchOne(Player.fetchRequest().where(\.name == "Ann")))
            ann.name = "Anna"
            try container.newContext().execute(BatchUpdateRequest<Player>().setting(\.age, to: 1))
            #expect(throws: SaveConflictError.self) { try context.save() }
            context.mergePolicy = .mergeByPropertyObjectTrump
            try context.save()
            expectEqual(ann.age, 1)
            expectEqual(try players(context).first?.name, "Anna")
            expectEqual(try players(context).first?.age, 1)
        }
    }

    /// Later reads of the same event see the update, and unsaved changes are kept.
    @Test func withinAnEvent() throws {
        try withLeague { context, _ in
            try context.performAndWait {
                let ann = try #require(try context.fetchOne(Player.fetchRequest().where(\.name == "Ann")))
                ann.age = 99
                let result = try context.execute(BatchUpdateRequest<Player>().where(\.age < 35).setting(\.age, to: 5))
                expectEqual(result.updatedObjectsCount, 2, "the store's Ann is 20")
                expectEqual(ann.age, 99)
                expectEqual(try players(context).map(\.age), [5, 5, 40])
            }
        }
    }

    @Test(.onlySQLite(.statements)) func constantsTakeOneStatement() throws {
        try withStorePath { path in
            let log = StatementLog()
            let options = StoreOptions(statementLogger: StatementLogger { log.add($0) })
            let container = try LeagueModel.definition.testContainer(at: path, options: options)
            let context = container.newContext()
            for index in 0..<100 { _ = Player(context: context, name: "\(index)") }
            try context.save()
            _ = log.take()
            let result = try context.execute(BatchUpdateRequest<Player>().where(\.name < "5").setting(\.age, to: 7))
            expectEqual(result.updatedObjectsCount, 45)
            expectEqual(log.take().filter { $0.sql.hasPrefix("UPDATE") }.count, 1)
        }
    }

    @Test func subentities() throws {
        try withStorePath { path in
            let container = try EverythingModel.definition.testContainer(at: path)
            let context = container.newContext()
            let book = Book(context: context)
            (book.title, book.createdAt) = ("b", Date(timeIntervalSinceReferenceDate: 0))
            try context.save()
            let all = try context.execute(BatchUpdateRequest<Media>().setting(\.title, to: "Évita"))
            expectEqual(all.updatedObjectIDs, [book.objectID])
            expectEqual(all.updatedObjectIDs.map(\.entityName), ["Book"])
            context.mergeChanges(all.changes)
            expectEqual(book.searchTitle, "evita", "derived attributes follow")
            var own = BatchUpdateRequest<Media>().setting(\.title, to: "None")
            own.includesSubentities = false
            expectEqual(try context.execute(own).updatedObjectsCount, 0)
            let raw = try context.execute(BatchUpdateRequest<Book>().setting(\.format, to: .paperback))
            context.mergeChanges(raw.changes)
            expectEqual(book.format, .paperback)
        }
    }
}
