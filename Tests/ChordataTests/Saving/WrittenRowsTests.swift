import ChordataSQL
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Rows that SQLite reads from memory, and rows that SQLite passes in function calls, at the limits of both.
@Suite(.onlySQLite(.engine))
struct WrittenRowsTests {
    /// More columns than SQLite can pass in a function call.
    private static let width = SQLiteDialect.maximumColumnCount + 30

    private static func definition() throws -> ModelDefinition {
        ModelDefinition(
            name: "Sheet",
            versionName: "Sheet",
            model: try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Sheet",
                    attributes: [AttributeDescription(name: "title", attributeType: .string, isOptional: true)],
                    relationships: [
                        RelationshipDescription(
                            name: "rows",
                            destinationEntityName: "Row",
                            inverseName: "sheet",
                            isToMany: true
                        )
                    ]
                ),
                EntityDescription(
                    name: "Row",
                    attributes: (0..<width).map {
                        AttributeDescription(name: "cell\($0)", attributeType: .integer64, isOptional: true)
                    },
                    relationships: [
                        RelationshipDescription(name: "sheet", destinationEntityName: "Sheet", inverseName: "rows")
                    ]
                ),
            ])
        )
    }

    @Test(arguments: [1, 7, 8, 100]) func wideRows(_ count: Int) throws {
        try withStorePath { path in
            let container = try Self.definition().testContainer(at: path)
            let context = container.newContext()
            let sheet = EntityDescription.insertNewObject(forEntityName: "Sheet", into: context)
            for number in 0..<count {
                let row = EntityDescription.insertNewObject(forEntityName: "Row", into: context)
                for cell in 0..<Self.width where cell % 3 != 0 {
                    row.setValue(Int64(number * 1_000 + cell), forKey: "cell\(cell)")
                }
                row.setValue(sheet, forKey: "sheet")
            }
            try context.save()
            let last = "cell\(Self.width - 1)"
            let saved = try context.fetch(FetchRequest<ManagedObject>(entityName: "Row"))
            // In the reverse order of the row keys, so that the rows have to be sorted.
            for row in saved.reversed() { row.setValue(Int64(-1), forKey: last) }
            try context.save()

            var request = FetchRequest<ManagedObject>(entityName: "Sheet")
            request.relationshipKeyPathsForPrefetching = ["rows"]
            let other = container.newContext()
            let sheets = try other.fetch(request)
            let rows = try other.fetch(FetchRequest<ManagedObject>(entityName: "Row"))
            #expect(sheets.count == 1 && rows.count == count)
            for (number, row) in rows.enumerated() {
                for cell in 0..<(Self.width - 1) {
                    let value = row.value(forKey: "cell\(cell)") as? Int64
                    expectEqual(value, cell % 3 == 0 ? nil : Int64(number * 1_000 + cell))
                }
                #expect(row.value(forKey: last) as? Int64 == -1)
                #expect(row.value(forKey: "sheet") as? ManagedObject === sheets[0])
            }
            for row in rows { other.delete(row) }
            try other.save()
            expectEqual(try other.count(for: FetchRequest<ManagedObject>(entityName: "Row")), 0)
        }
    }

    /// A batch with one changed row fails as a whole, and is written after the conflict is resolved; few rows are
    /// written one by one.
    @Test(arguments: [3, 50]) func oneOutdatedRowOfMany(count: Int) throws {
        try withStorePath { path in
            let container = try LeagueModel.definition.testContainer(at: path)
            let context = container.newContext()
            for number in 0..<count { _ = Team(context: context, name: "\(number)") }
            try context.save()
            let teams = try context.fetch(Team.fetchRequest())
            for team in teams { team.name += "!" }

            let other = container.newContext()
            let theirs = try other.existingObject(with: ObjectID<Team>(teams[count / 2]))
            theirs.name = "theirs"
            try other.save()

            #expect(throws: SaveConflictError.self) { try context.save() }
            let names = try container.newContext().fetchValues(Team.fetchRequest()).map { (values: Team.Values) in
                values.name
            }
            #expect(names.filter { $0.hasSuffix("!") }.isEmpty && names.contains("theirs"))
            context.refresh(teams[count / 2], mergeChanges: true)
            try context.save()
            let saved = try container.newContext().fetchValues(Team.fetchRequest()).map { (values: Team.Values) in
                values.name
            }
            #expect(saved.allSatisfy { $0.hasSuffix("!") })
        }
    }

    /// Rows between unchanged ones, in the order of their keys or not, near each other or far apart.
    @Test(arguments: [1, 2, 3, 7], [8, 40]) func interleavedRows(step: Int, count: Int) throws {
        try withStorePath { path in
            let container = try AddressBookModel.definition.testContainer(at: path)
            let context = container.newContext()
            let people = (0..<(step * count)).map { number in
                number % 2 == 0
                    ? Person(context: context, firstName: "\(number)", surName: "")
                    : Contact(context: context, firstName: "\(number)", surName: "")
            }
            try context.save()
            let changed = stride(from: 0, to: people.count, by: step).map { people[$0] }
            for person in changed.reversed() { person.surName = "new" }
            try context.save()
            for person in changed.reversed() { context.delete(person) }
            let kept = people.filter { !$0.isDeleted }
            let values: [Person.Values] = try container.newContext().fetchValues(Person.fetchRequest())
            let stored = Dictionary(uniqueKeysWithValues: values.map { ($0.firstName, $0) })
            expectEqual(stored.count, people.count)
            for (number, person) in people.enumerated() {
                expectEqual(stored["\(number)"]?.surName, number % step == 0 ? "new" : "")
                expectEqual(person.version, number % step == 0 ? 2 : 1)
            }
            try context.save()
            expectEqual(try context.count(for: Person.fetchRequest()), kept.count)
            expectEqual(
                Set(try container.newContext().fetch(Person.fetchRequest()).map(\.firstName)),
                Set(kept.map(\.firstName))
            )
        }
    }

    /// A property that is not a column of the row is not in its statement.
    @Test func changesOfColumnsAloneMakeBatches() throws {
        let context = try LeagueModel.definition.testContainer(at: ":memory:").newContext()
        let teams = (0..<9).map { Team(context: context, name: "\($0)") }
        let player = Player(context: context, name: "Ann")
        try context.save()
        for team in teams { team.name += "!" }
        teams[4].addToPlayers(player)
        let updates = SavePlan(of: context.graph.changedObjects, in: context.schema).updates
        expectEqual(updates.filter { $0.type.entity.name == "Team" }.map(\.objects.count), [9])
    }

    /// A column of another entity in the table may have a DEFAULT from a migration.
    @Test func aNewRowHasNothingInColumnsOfOtherEntities() throws {
        try withStorePath { path in
            func insertPeople() throws {
                let context = try AddressBookModel.definition.testContainer(at: path).newContext()
                _ = Person(context: context, firstName: "A", surName: "A")
                _ = Employee(context: context, firstName: "B", surName: "B")
                try context.save()
                try context.insertValues([Person.Values(objectID: ObjectID(), firstName: "C", surName: "C", age: nil)])
            }
            try insertPeople()
            let connection = try SQLiteConnection(path: path, mode: .readWriteCreate)
            let sql = try #require(try connection.text("SELECT sql FROM sqlite_schema WHERE name = 'Person'"))
            let changed = sql.replacing("\"Person\"", with: "\"Copy\"", maxReplacements: 1)
                .replacing("\"email\" TEXT", with: "\"email\" TEXT DEFAULT 'none'")
            #expect(changed.contains("DEFAULT"))
            try connection.execute("PRAGMA foreign_keys=OFF")
            try connection.execute(changed)
            try connection.execute("INSERT INTO \"Copy\" SELECT * FROM \"Person\"; DROP TABLE \"Person\"")
            try connection.execute("ALTER TABLE \"Copy\" RENAME TO \"Person\"")
            try insertPeople()
            expectEqual(try connection.integer("SELECT count(*) FROM \"Person\""), 6)
            expectEqual(try connection.integer("SELECT count(*) FROM \"Person\" WHERE \"email\" IS NOT NULL"), 0)
        }
    }

    /// The number of cached statements is limited, and a statement in use outlives its removal from the cache.
    @Test func manyDifferentStatements() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        let first = try connection.statement("SELECT value FROM json_each('[1,2,3]')")
        var values: [Int64] = []
        while try first.step() {
            values.append(first.integer(at: 0))
            for number in 0..<600 { expectEqual(try connection.integer("SELECT \(number)"), Int64(number)) }
        }
        expectEqual(values, [1, 2, 3])
        first.reset()
        expectEqual(try connection.text("SELECT value FROM json_each('[1,2,3]')"), "1")
    }
}
