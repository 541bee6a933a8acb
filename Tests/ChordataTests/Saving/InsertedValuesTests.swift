import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

private final class Watcher: FetchedResultsControllerDelegate {
    var changes = 0
    func controllerDidChangeContent(_ controller: FetchedResultsController<Player>) {
        changes += 1
    }
}

/// Rows that are inserted from `Values`, without objects.
struct InsertedValuesTests {
    @Test func rowsAreInsertedAndSeen() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let merging = container.newContext()
            merging.automaticallyMergesChangesFromParent = true
            let team = Team(context: context, name: "Reds")
            try context.save()
            #expect(team.players.isEmpty)
            let seen = try #require(try merging.fetch(Team.fetchRequest()).first)
            #expect(seen.players.isEmpty)
            let pending = Player(context: context, name: "Pending")
            let ids = try context.insertValues([
                Player.Values(objectID: ObjectID(), name: "Ann", age: 1, team: ObjectID(team)),
                Player.Values(objectID: ObjectID(key: 77), name: "Bob", age: .min, team: nil),
            ])
            #expect(ids.count == 2 && Set(ids).count == 2 && !ids.contains(ObjectID(key: 77)))
            #expect(!ids.contains(ObjectID(pending)))
            // Unsaved changes remain unsaved.
            expectEqual(context.insertedObjects, [pending])
            let saved: [Player.Values] = try context.fetchValues(Player.fetchRequest().sorted(by: \.name))
            #expect(saved.map(\.objectID) == ids && saved.map(\.name) == ["Ann", "Bob"])
            expectEqual(team.players.map(\.name), ["Ann"])
            merging.processPendingChanges()
            expectEqual(seen.players.map(\.name), ["Ann"])
            let found = try context.existingObject(with: ids[1])
            found.age += 1
            try context.save()
            expectEqual(try container.newContext().count(for: Player.fetchRequest()), 3)
            #expect(try context.insertValues([Player.Values]()).isEmpty)
        }
    }

    @Test func aResultsControllerShowsThem() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let context = container.newContext()
        let controller = FetchedResultsController(
            fetchRequest: Player.fetchRequest().sorted(by: \.name),
            managedObjectContext: context
        )
        // Without a delegate nothing is tracked (F15).
        let watcher = Watcher()
        controller.delegate = watcher
        try controller.performFetch()
        try context.insertValues([Player.Values(objectID: ObjectID(), name: "Ann", age: 1, team: nil)])
        expectEqual(controller.fetchedObjects?.map(\.name), ["Ann"])
        let other = container.newContext()
        try other.insertValues([Player.Values(objectID: ObjectID(), name: "Bob", age: 1, team: nil)])
        context.automaticallyMergesChangesFromParent = true
        context.processPendingChanges()
        expectEqual(controller.fetchedObjects?.map(\.name), ["Ann", "Bob"])
        expectEqual(watcher.changes, 2)
    }

    @Test func invalidValuesInsertNothing() throws {
        try withStorePath { path in
            let container = try EverythingModel.definition.testContainer(at: path)
            let context = container.newContext()
            let day = Date(timeIntervalSinceReferenceDate: 1)
            func reading(_ day: Date, _ temperature: Double) -> Reading.Values {
                Reading.Values(
                    objectID: ObjectID(),
                    bytes: Data(),
                    day: day,
                    flag: nil,
                    identifier: UUID(),
                    int16: nil,
                    int32: 0,
                    int64: 0,
                    link: nil,
                    price: 0,
                    ratio: nil,
                    _raw: nil,
                    temperature: temperature
                )
            }
            let error = #expect(throws: ValidationError.self) {
                try context.insertValues([
                    reading(day, 1), reading(day, .nan), reading(Date(timeIntervalSinceReferenceDate: .nan), 1),
                ])
            }
            expectEqual(error?.failures.map(\.propertyName), ["temperature", "day"])
            expectEqual(error?.failures.map(\.code), [.managedObjectValidation, .invalidDate])
            #expect(error?.failures.first?.reason.hasPrefix("of the values at index 1 is not a number") == true)
            // The bounds of the model apply to values, too.
            let early = #expect(throws: ValidationError.self) { try context.insertValues([reading(.distantPast, 1)]) }
            #expect(early?.failures.map(\.code) == [.dateTooSoon] && early?.failures.first?.propertyName == "day")
            let missing = #expect(throws: ValidationError.self) {
                try context.insertValues([Chapter.Values(objectID: ObjectID(), heading: "1", book: nil)])
            }
            expectEqual(missing?.failures.map(\.code), [.missingMandatoryProperty])
            expectEqual(try context.count(for: Reading.fetchRequest()), 0)
            expectEqual(try context.count(for: Chapter.fetchRequest()), 0)
        }
    }

    @Test func toOneToAMissingRow() throws {
        try withStorePath { path in
            let context = try LeagueModel.definition.testContainer(at: path).newContext()
            let team = Team(context: context, name: "Reds")
            try context.save()
            let error = #expect(throws: ValidationError.self) {
                try context.insertValues([
                    Player.Values(objectID: ObjectID(), name: "Ann", age: 1, team: ObjectID(team)),
                    Player.Values(objectID: ObjectID(), name: "Bob", age: 1, team: ObjectID(key: 999)),
                ])
            }
            expectEqual(error?.failures.map(\.propertyName), ["team"])
            let reason = "of the values at index 1 references an object that is not in the store; "
            #expect(error?.failures.first?.reason.hasPrefix(reason) == true, "\(error.map { "\($0)" } ?? "")")
            expectEqual(try context.count(for: Player.fetchRequest()), 0)
        }
    }

    /// To-one or ordered inverses, and derived attributes, require more than inserting the row.
    @Test func valuesThatAffectOtherObjects() throws {
        try withStorePath { path in
            let container = try EverythingModel.definition.testContainer(at: path)
            let context = container.newContext()
            let first = Book(context: context, createdAt: .init(), title: "First")
            let opening = Chapter(context: context, book: first)
            try context.save()
            expectEqual(Array(first.chapters), [opening])
            let (id, chapters) = (ObjectID(first), ["Two", "Three"])
            try context.insertValues(chapters.map { Chapter.Values(objectID: ObjectID(), heading: $0, book: id) })
            expectEqual(first.chapters.map(\.heading), ["Untitled", "Two", "Three"])
            let books = try context.insertValues([
                Book.Values(
                    objectID: ObjectID(),
                    createdAt: .init(),
                    isDeleted_: false,
                    title: "Żółw",
                    cover: nil,
                    _format: 2,
                    isbn: nil,
                    _keywords: nil,
                    _mood: nil,
                    _pageCount: nil,
                    searchTitle: "wrong",
                    subtitle: nil,
                    shelf: nil,
                    sequel: nil,
                    prequel: id
                )
            ])
            let second = try context.existingObject(with: books[0])
            #expect(second.prequel === first && second.format == .paperback)
            expectEqual(second.searchTitle, "zołw")
            let fresh = container.newContext()
            expectEqual(try fresh.existingObject(with: id).sequel?.title, "Żółw")
            #expect(throws: ValidationError.self) {
                try context.insertValues([Chapter.Values(objectID: ObjectID(), heading: "x", book: ObjectID(key: 999))])
            }
        }
    }

    @Test func unrelatedToManysStayLoaded() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let (reds, blues) = (Team(context: context, name: "Reds"), Team(context: context, name: "Blues"))
        try context.save()
        #expect(reds.players.isEmpty && blues.players.isEmpty)
        try context.insertValues([Player.Values(objectID: ObjectID(), name: "Ann", age: 1, team: ObjectID(reds))])
        #expect(reds.primitiveValue(forKey: "players") == nil, "it is read again")
        #expect(blues.primitiveValue(forKey: "players") != nil)
        expectEqual(reds.players.map(\.name), ["Ann"])
    }

    @Test func objectIDsOfObjectsAndRowsAreDistinct() throws {
        let container = try LeagueModel.definition.testContainer(at: ":memory:")
        let (context, other) = (container.newContext(), container.newContext())
        var keys: [Int64] = []
        for count in [1, 3, 256, 257, 1, 600, 200, 200, 200, 200, 200] {
            let player = Player(context: other, name: "P")
            let values = (0..<count).map { Player.Values(objectID: ObjectID(), name: "V\($0)", age: 0, team: nil) }
            keys += try context.insertValues(values).map(\.key)
            try other.save()
            keys.append(player.objectID.key)
        }
        expectEqual(Set(keys).count, keys.count)
        expectEqual(try context.count(for: Player.fetchRequest()), keys.count)
    }

    @Test func hooksAreNotCalled() throws {
        try HookLog.withLog { log in
            let context = try DiaryModel.definition.testContainer(at: ":memory:").newContext()
            let ids = try context.insertValues([Note.Values(objectID: ObjectID(), saves: 0, text: "endless")])
            #expect(log.take().isEmpty && ids.count == 1)
        }
    }
}
