import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Values that another program wrote and that do not have their attribute's type: reported where possible, never
/// misread, and never overwritten.
@Suite(.onlySQLite(.mistypedValues))
struct UnreadableValueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        var attribute: String
        /// The value that another program writes, as SQL.
        var sql: String
        var type: String

        var testDescription: String { "\(attribute) = \(sql)" }
    }

    /// `Reading` has an attribute of each type; some are required, and others are optional.
    static let cases = [
        Case(attribute: "int16", sql: "32768", type: "Integer 16"),
        Case(attribute: "int16", sql: "-32769", type: "Integer 16"),
        Case(attribute: "int32", sql: "2147483648", type: "Integer 32"),
        Case(attribute: "flag", sql: "2", type: "Boolean"),
        Case(attribute: "ratio", sql: "1e300", type: "Float"),
        Case(attribute: "identifier", sql: "x'0102'", type: "UUID"),
        Case(attribute: "identifier", sql: "zeroblob(17)", type: "UUID"),
        Case(attribute: "price", sql: "'twelve'", type: "Decimal"),
        Case(attribute: "price", sql: "'12 EUR'", type: "Decimal"),
        Case(attribute: "price", sql: "''", type: "Decimal"),
        Case(attribute: "price", sql: "'1.00000000000000000000000000000000000000000000000001'", type: "Decimal"),
        Case(attribute: "link", sql: "'http://['", type: "URI"),
        Case(attribute: "link", sql: "''", type: "URI"),
        Case(attribute: "link", sql: "'a b'", type: "URI"),
    ]

    private func withReading(
        _ attribute: String,
        _ sql: String,
        _ body: (PersistentContainer, SQLiteStore, ManagedObjectID) throws -> Void
    ) throws {
        try withStorePath { path in
            let container = try EverythingModel.definition.testContainer(at: path)
            let context = container.newContext()
            let reading = Reading(context: context, bytes: Data([1]), day: .init(), identifier: UUID())
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            try store.write { try $0.execute("UPDATE \"Reading\" SET \"\(attribute)\" = \(sql)") }
            try body(container, store, reading.objectID)
        }
    }

    private func expectError(_ attribute: String, _ type: String, _ id: ManagedObjectID, _ body: () throws -> Void) {
        let error = #expect(throws: UnreadableValueError.self) { try body() }
        #expect(error?.attributeName == attribute && error?.objectID == id)
        let sentence = "the value of '\(attribute)' of 'Reading' (\(id)) cannot be read as \(type)"
        #expect(error?.description.hasPrefix(sentence) == true, "\(error.map { "\($0)" } ?? "")")
        expectEqual(error?.localizedDescription, error?.description)
    }

    @Test(arguments: cases)
    func throwingReadsReportTheValue(row: Case) throws {
        try withReading(row.attribute, row.sql) { container, _, id in
            let context = container.newContext()
            expectError(row.attribute, row.type, id) { _ = try context.fetch(Reading.fetchRequest()) }
            expectError(row.attribute, row.type, id) { _ = try context.existingObject(with: id) }
            expectError(row.attribute, row.type, id) { _ = try context.fetch(Reading.fetchRequest().dictionaries) }
            expectError(row.attribute, row.type, id) {
                let values: [Reading.Values] = try context.fetchValues(Reading.fetchRequest())
                _ = values
            }
            // A fault that a fetch would fill stays a fault.
            let fault = context.object(with: id)
            expectError(row.attribute, row.type, id) { _ = try context.fetch(Reading.fetchRequest()) }
            #expect(fault.isFault)
            expectError(row.attribute, row.type, id) { _ = try context.existingObject(with: id) }
        }
    }

    /// A getter cannot throw: it returns nil, and the value in the row is kept.
    @Test(arguments: cases)
    func gettersReturnNilAndSavesKeepTheStoredValue(row: Case) throws {
        try withReading(row.attribute, row.sql) { container, store, id in
            func stored() throws -> String? {
                try store.read { try $0.text("SELECT quote(\"\(row.attribute)\") FROM \"Reading\"") }
            }
            let before = try stored()
            let context = container.newContext()
            let fault = try #require(context.object(with: id) as? Reading)
            #expect(fault.value(forKey: row.attribute) == nil)
            expectEqual(fault.bytes, Data([1]))
            fault.bytes = Data([2])
            if fault.runtimeEntity.field(named: row.attribute)?.isRequired == true {
                let error = #expect(throws: ValidationError.self) { try context.save() }
                expectEqual(error?.failures.map(\.propertyName), [row.attribute])
            } else {
                try context.save()
            }
            expectEqual(try stored(), before)
            // Reading the row again, as a refresh does, has the same result.
            context.refresh(fault, mergeChanges: true)
            #expect(fault.value(forKey: row.attribute) == nil)
            expectEqual(fault.bytes, Data([2]))
            // The next fetch that reads the row throws the error; a fetch without the row does not.
            expectError(row.attribute, row.type, id) {
                _ = try container.newContext().fetch(Reading.fetchRequest())
            }
            try store.write { try $0.execute("DELETE FROM \"Reading\"") }
            #expect(try container.newContext().fetch(Reading.fetchRequest()).isEmpty)
        }
    }

    @Test func anUnreadableValueCanBeReplaced() throws {
        try withReading("identifier", "x'01'") { container, _, id in
            let context = container.newContext()
            let fault = try #require(context.object(with: id) as? Reading)
            let uuid = UUID()
            fault.identifier = uuid
            try context.save()
            #expect((try container.newContext().fetch(Reading.fetchRequest())).map(\.identifier) == [uuid])
        }
    }

    @Test func textThatIsInvalidUTF8() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let id = Player(context: context, name: "Ann").objectID
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            // An emoji, cut after three of its four bytes, is as long as its replacement; a lone byte is not.
            for bytes in ["F09F98", "41FF42"] {
                try store.write { try $0.execute("UPDATE \"Player\" SET \"name\" = CAST(x'\(bytes)' AS TEXT)") }
                let error = #expect(throws: UnreadableValueError.self) {
                    try container.newContext().fetch(Player.fetchRequest())
                }
                #expect(error?.attributeName == "name" && error?.objectID == id)
            }
            for text in ["😀", "\u{FFFD}", "e\u{301}", ""] {
                try store.write { try $0.execute("UPDATE \"Player\" SET \"name\" = '\(text)'") }
                let names = try container.newContext().fetch(Player.fetchRequest()).map(\.name)
                expectEqual(names.map { Array($0.utf8) }, [Array(text.utf8)])
            }
        }
    }

    /// Members and prefetched objects with an unreadable value, while the requested object can be read.
    @Test func membersAndPrefetchedObjects() throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let team = Team(context: context, name: "Reds")
            let player = Player(context: context, name: "Ann")
            player.team = team
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            try store.write { try $0.execute("UPDATE \"Player\" SET \"age\" = 70000") }
            let fresh = container.newContext()
            #expect(throws: UnreadableValueError.self) {
                try fresh.fetch(Team.fetchRequest().prefetching("players"))
            }
            let found = try #require(try fresh.fetch(Team.fetchRequest()).first)
            expectEqual(found.players.map(\.name), ["Ann"])
            #expect(found.players.first?.value(forKey: "age") == nil)
        }
    }

    /// A refetch that refreshes registered objects reports the object with the unreadable value.
    @Test func oneOfSeveralRefetchedRows() throws {
        try withReading("int16", "7") { container, store, broken in
            let context = container.newContext()
            for number in 0..<3 {
                let reading = Reading(context: context, bytes: Data(), day: .init(), identifier: UUID())
                reading.int16 = Int16(number)
            }
            try context.save()
            var request = Reading.fetchRequest()
            request.shouldRefreshRefetchedObjects = true
            let known = try context.fetch(request)
            try store.write { connection in
                try connection.execute(
                    """
                    UPDATE "Reading" SET "int16" = CASE WHEN "_id" = \(broken.key) THEN 70000 ELSE 8 END,
                    "_version" = "_version" + 1
                    """
                )
            }
            expectError("int16", "Integer 16", broken) { _ = try context.fetch(request) }
            try store.write { try $0.execute("UPDATE \"Reading\" SET \"int16\" = 9, \"_version\" = 9") }
            expectEqual(try context.fetch(request), known)
            #expect(known.allSatisfy { $0.value(forKey: "int16") as? Int16 == 9 })
        }
    }

    /// A save does not read the value, and may be about to replace it.
    @Test(arguments: [false, true]) func aConflictOverARowWithAnUnreadableValue(isReplaced: Bool) throws {
        try withReading("identifier", "x'0102030405060708090a0b0c0d0e0f10'") { container, store, id in
            let context = container.newContext()
            context.mergePolicy = .mergeByPropertyObjectTrump
            let reading = try #require(try context.existingObject(with: id) as? Reading)
            try store.write {
                try $0.execute("UPDATE \"Reading\" SET \"identifier\" = x'01', \"_version\" = \"_version\" + 1")
            }
            reading.bytes = Data([7])
            let uuid = UUID()
            if isReplaced { reading.identifier = uuid }
            if !isReplaced {
                // The attribute is required, and the value in its row could not be read.
                let error = #expect(throws: ValidationError.self) { try context.save() }
                expectEqual(error?.failures.map(\.propertyName), ["identifier"])
                reading.identifier = uuid
            }
            try context.save()
            let saved = try container.newContext().fetch(Reading.fetchRequest())
            #expect(saved.map(\.identifier) == [uuid] && saved.map(\.bytes) == [Data([7])])
        }
    }

    /// A table that another program rebuilt, so that SQLite does not check types.
    @Test(arguments: [
        ("\"age\" = 'old'", "age"), ("\"name\" = x'41'", "name"), ("\"team\" = 'Reds'", "team"),
        ("\"age\" = 1.5", "age"),
    ])
    func aTableThatIsNotStrict(assignment: String, attribute: String) throws {
        try withStorePath { path in
            func makePlayer() throws -> ObjectID<Player> {
                let context = try LeagueModel.definition.testContainer(at: path).newContext()
                let player = Player(context: context, name: "Ann")
                try context.save()
                return ObjectID(player)
            }
            let id = try makePlayer()
            do {
                let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
                try connection.execute("PRAGMA foreign_keys=OFF")
                let sql = try #require(try connection.text("SELECT sql FROM sqlite_schema WHERE name = 'Player'"))
                let loose = sql.replacing("\"Player\"", with: "\"Copy\"", maxReplacements: 1)
                    .replacing(" STRICT", with: "")
                try connection.execute(loose)
                try connection.execute("INSERT INTO \"Copy\" SELECT * FROM \"Player\"; DROP TABLE \"Player\"")
                try connection.execute("ALTER TABLE \"Copy\" RENAME TO \"Player\"; UPDATE \"Player\" SET \(assignment)")
            }
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            let error = #expect(throws: UnreadableValueError.self) { try context.fetch(Player.fetchRequest()) }
            #expect(error?.attributeName == attribute && error?.objectID.key == id.key)
            #expect(throws: UnreadableValueError.self) {
                let values: [Player.Values] = try context.fetchValues(Player.fetchRequest())
                _ = values
            }
            let fault = try #require(context.object(with: id))
            #expect(fault.value(forKey: attribute) == nil)
            context.refresh(fault, mergeChanges: true)
            #expect(fault.value(forKey: attribute) == nil)
        }
    }

    /// A reference to a row of another entity is nil, because its object does not have the class of the property.
    @Test func aToOneToAnotherEntity() throws {
        try withStorePath { path in
            let container = try AddressBookModel.definition.testContainer(at: path)
            let context = container.newContext()
            let clerk = Employee(context: context, firstName: "B", surName: "B")
            let friend = Person(context: context, firstName: "A", surName: "A")
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            try store.write { connection in
                try connection.execute(
                    "UPDATE \"Person\" SET \"manager\" = \(friend.objectID.key) WHERE \"_entity\" = 'Employee'"
                )
            }
            let fresh = container.newContext()
            let found = try fresh.existingObject(with: ObjectID(clerk))
            #expect(found.manager == nil)
            expectEqual(found.objectIDs(forRelationshipNamed: "manager").map(\.key), [friend.objectID.key])
            found.firstName = "C"
            try fresh.save()
            let kept = try store.read { try $0.integer("SELECT \"manager\" FROM \"Person\" WHERE \"firstName\" = 'C'") }
            expectEqual(kept, friend.objectID.key)
        }
    }
}
