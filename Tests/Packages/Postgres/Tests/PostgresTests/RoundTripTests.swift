import ChordataModel
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// The number of round trips of operations, and saves whose responses are lost.
struct RoundTripTests {
    private func container(
        _ database: TestDatabase,
        schema: String = "store_\(UUID().uuidString)"
    ) throws -> PersistentContainer {
        try PersistentContainer(
            model: ModelDefinition(name: "Test", versionName: "Test", model: TestModels.library),
            database: database,
            schemaName: schema
        )
    }

    private func insert(_ entityName: String, into context: ManagedObjectContext) throws -> ManagedObject {
        ManagedObject(
            entity: try #require(TestModels.library.entity(named: entityName)),
            insertInto: context
        )
    }

    @Test func counts() throws {
        let database = TestDatabase(TestServer.configuration())
        let container = try container(database)
        let context = container.newContext()
        // This reserves row keys.
        let person = try insert("Person", into: context)
        person.setValue("Ada", forKey: "name")
        #expect(try database.roundTrips { try context.save() } == 1)
        for index in 0..<20 {
            let book = try insert("Book", into: context)
            book.setValue("\(index)", forKey: "title")
            book.setValue(person, forKey: "author")
        }
        person.setValue(36, forKey: "age")
        #expect(try database.roundTrips { try context.save() } == 1)
        let other = container.newContext()
        let request = FetchRequest<ManagedObject>(entityName: "Book")
        #expect(try database.roundTrips { _ = try other.fetch(request) } == 1)
        // The save removes references, and records the rows that had them.
        context.delete(person)
        #expect(try database.roundTrips { try context.save() } == 1)
        let schema = try #require(container.store.engine as? ServerEngine).schemaName
        #expect(try database.roundTrips { _ = try self.container(database, schema: schema) } == 2)
    }

    /// The server plans the statement that changes one row only five times, like any prepared statement whose best plan
    /// does not depend on its arguments.
    @Test func plansOfOneRow() throws {
        var configuration = TestServer.configuration()
        configuration.maximumConnectionCount = 1
        let database = TestDatabase(configuration)
        let context = try container(database).newContext()
        let person = try insert("Person", into: context)
        for turn in 0..<11 {
            person.setValue("\(turn)", forKey: "name")
            try context.save()
        }
        let connection = try database.take(for: "a test")
        defer { database.release(connection) }
        let plans = try connection.rows(
            "SELECT sum(custom_plans), sum(generic_plans) FROM pg_prepared_statements "
                + "WHERE statement LIKE '%UPDATE \"Person\"%'"
        )
        #expect(plans == [["5", "5"]])
    }

    /// A fetch takes one round trip, and one more for each level of prefetched relationships.
    @Test func prefetching() throws {
        let database = TestDatabase(TestServer.configuration())
        let container = try container(database)
        let context = container.newContext()
        for index in 0..<3 {
            let person = try insert("Person", into: context)
            person.setValue("\(index)", forKey: "name")
            let book = try insert("Book", into: context)
            book.setValue(person, forKey: "author")
            try insert("Chapter", into: context).setValue(book, forKey: "book")
        }
        try context.save()
        let levels: [[String]] = [[], ["books"], ["books.chapters"]]
        for (level, keyPaths) in levels.enumerated() {
            var request = FetchRequest<ManagedObject>(entityName: "Person")
            request.relationshipKeyPathsForPrefetching = keyPaths
            let other = container.newContext()
            #expect(try database.roundTrips { _ = try other.fetch(request) } == 1 + level)
        }
    }

    /// Each save is executed once, whatever happens to its connection.
    @Test(.timeLimit(.minutes(2))) func lostConnections() throws {
        let seed = SeededGenerator.seed
        var generator = SeededGenerator(seed: seed)
        let database = TestDatabase(TestServer.configuration()) {
            TestDatabase.Fate.allCases.randomElement(using: &generator) ?? .executed
        }
        let container = try container(database)
        let context = container.newContext()
        let person = try insert("Person", into: context)
        person.setValue(0, forKey: "age")
        try context.save()
        for age in 1...60 {
            person.setValue(age, forKey: "age")
            try context.save()
        }
        let engine = try #require(container.store.engine as? ServerEngine)
        let connection = try TestServer.connection()
        let schema = "\"\(engine.schemaName)\""
        #expect(try connection.rows("SELECT count(*) FROM \(schema).\"_save\"") == [["61"]], "seed \(seed)")
        let rows = try connection.rows("SELECT \"age\", \"_version\" FROM \(schema).\"Person\"")
        #expect(rows == [["60", "61"]], "seed \(seed)")
    }
}
