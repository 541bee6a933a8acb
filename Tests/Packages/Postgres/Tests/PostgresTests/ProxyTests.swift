import ChordataModel
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Saves whose connection is lost at any message, or that the server rejects.
///
/// A save that returns was executed exactly once, and one that throws was not executed, or can be repeated.
@Suite(.serialized) struct ProxyTests {
    /// A store that is used through a proxy, and directly.
    private struct Stores {
        let proxy: Proxy
        let container: PersistentContainer
        let direct: PersistentContainer
        let person: ManagedObjectID
        private let schema = "store_\(UUID().uuidString)"

        init(_ model: ManagedObjectModel, _ change: (inout PostgresConfiguration) -> Void = { _ in }) throws {
            proxy = try Proxy(server: TestServer.string)
            let definition = ModelDefinition(name: "Test", versionName: "Test", model: model)
            var configuration = PostgresConfiguration(proxy.string, schema: schema)
            // A reader of recorded changes would use connections during a save.
            configuration.reportsRemoteChanges = false
            change(&configuration)
            container = try PersistentContainer(model: definition, postgres: configuration)
            direct = try PersistentContainer(
                model: definition,
                postgres: PostgresConfiguration(TestServer.string, schema: schema)
            )
            let context = container.newContext()
            let person = context.insert("Person", ["name": "Ada"])
            try context.save()
            self.person = person.objectID
        }

        /// Changes the store in one event: inserts a book, adds the person's books to it, and deletes the book before.
        func change(_ context: ManagedObjectContext, title: String) throws {
            let person = try context.existingObject(with: person)
            let old = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book"))
            let book = context.insert("Book", ["title": title, "author": person])
            if context.persistentStoreCoordinator?.managedObjectModel.entity(named: "Tag") != nil {
                person.setValue((person.value(forKey: "age") as? Int16 ?? 0) + 1, forKey: "age")
                book.setValue([context.insert("Tag", ["name": title])] as Set<ManagedObject>, forKey: "tags")
                let chapters = (0..<3).map { context.insert("Chapter", ["title": "\(title) \($0)"]) }
                book.setValue(OrderedSet(chapters), forKey: "chapters")
            }
            for book in old.dropLast() { context.delete(book) }
        }

        /// The contents of the store: the numbers of books, of saves and, if the model has them, the age and the tags.
        func contents(title: String) throws -> [Int] {
            let context = direct.newContext()
            func count(_ entity: String, _ format: String, _ argument: String) throws -> Int {
                try context.count(for: FetchRequest<ManagedObject>(entityName: entity).where(format: format, argument))
            }
            let person = try context.existingObject(with: try #require(direct.id(person)))
            var contents = [try count("Book", "title == %@ AND author.name == 'Ada'", title)]
            if direct.persistentStoreCoordinator.managedObjectModel.entity(named: "Tag") == nil {
                contents.append(Int(person.value(forKey: "bookCount") as? Int64 ?? -1))
            } else {
                contents.append(Int(person.value(forKey: "age") as? Int16 ?? -1))
                contents.append(try count("Tag", "name == %@ AND books.@count == 1", title))
                contents.append(try count("Chapter", "book.title == %@", title))
            }
            let engine = try #require(direct.store.engine as? ServerEngine)
            let connection = try engine.database.take(for: "a test")
            defer { engine.database.release(connection) }
            let rows = try connection.rows("SELECT count(*) FROM \"\(engine.schemaName)\".\"_save\"")
            return contents + [Int(rows[0][0] ?? "") ?? -1]
        }
    }

    /// A save of rows of each kind, one that computes derived attributes in further round trips, and one that copies
    /// new rows.
    private static let models = [
        "library": TestModels.library, "derived": TestModels.derived, "copied": TestModels.library,
    ]

    /// Each number of messages, in both directions, on one connection and on two in a row.
    ///
    /// `CHORDATA_TEST_CUT_STRIDE` sets the distance between the numbers.
    @Test(arguments: ["library", "derived", "copied"], [false, true])
    func everyMessage(model: String, preparesStatements: Bool) throws {
        let stores = try Stores(try #require(Self.models[model])) { configuration in
            configuration.preparesStatements = preparesStatements
            if model == "copied" { configuration.copiedRowCount = 1 }
        }
        defer { stores.proxy.close() }
        /// A message of the transaction of a save; with prepared statements, its text is sent only once.
        let start = preparesStatements ? nil : "ISOLATION LEVEL READ COMMITTED"
        func event(_ title: String, _ cut: Proxy.Cut) throws -> Int {
            let context = stores.container.newContext()
            try stores.change(context, title: title)
            // The context reads in a transaction, which ends with the event.
            context.processPendingChanges()
            stores.proxy.cut(cut)
            defer { stores.proxy.cut(nil) }
            let closedCount = stores.proxy.closedCount
            // The save is repeated by the engine until the server has confirmed it.
            try context.save()
            return stores.proxy.closedCount - closedCount
        }
        // The server and the statements are known afterwards.
        for title in ["first", "second"] {
            _ = try event(title, .init(direction: .toServer, messageCount: .max, start: start))
        }
        let context = stores.container.newContext()
        try stores.change(context, title: "counted")
        context.processPendingChanges()
        stores.proxy.cut(.init(direction: .toServer, messageCount: .max, start: start))
        try context.save()
        let counts = stores.proxy.passedCounts
        stores.proxy.cut(nil)
        let stride = ProcessInfo.processInfo.environment["CHORDATA_TEST_CUT_STRIDE"].flatMap { Int($0) } ?? 29
        var trials = 0
        var allClosedCount = 0
        for direction in Proxy.Direction.allCases {
            let count = try #require(counts[direction])
            #expect(count > 20, "\(direction)")
            let messageCounts = Set(Swift.stride(from: 0, to: count, by: stride)).union([count - 1]).sorted()
            for (messageCount, connectionCount) in messageCounts.flatMap({ [($0, 1), ($0, 2)] }) {
                let title = "\(direction) \(messageCount) \(connectionCount)"
                let before = try stores.contents(title: title)
                let closedCount = try event(
                    title,
                    .init(
                        direction: direction,
                        messageCount: messageCount,
                        connectionCount: connectionCount,
                        start: start
                    )
                )
                let after = try stores.contents(title: title)
                trials += 1
                allClosedCount += closedCount
                // With prepared statements, later saves have fewer messages. A second attempt has fewer messages if the
                // first one was committed.
                #expect(((preparesStatements ? 0 : 1)...connectionCount).contains(closedCount), "\(title)")
                #expect(before[0] == 0 && after[0] == 1, "\(title)")
                #expect(after.last == before[before.count - 1] + 1, "\(title)")
                if model != "derived" {
                    #expect(after[1] == before[1] + 1 && after[2] == 1 && after[3] == 3, "\(title)")
                } else {
                    #expect(after[1] == 2, "\(title)")
                }
            }
        }
        let messages = Proxy.Direction.allCases.map { "\(counts[$0] ?? 0) \($0)" }.joined(separator: ", ")
        print("ProxyTests.everyMessage \(model): \(trials) saves, \(allClosedCount) cuts, messages: \(messages)")
        #expect(allClosedCount >= trials / 2)
    }

    /// Rows are copied from the given number on; if the server rejects that, they are inserted.
    @Test func rejectedCopies() throws {
        let stores = try Stores(TestModels.library) { $0.copiedRowCount = 10 }
        defer { stores.proxy.close() }
        let context = stores.container.newContext()
        for (count, isCopied) in [(9, false), (10, true), (25, true)] {
            stores.proxy.reject(["COPY "])
            for _ in 0..<count { _ = context.insert("Tag", ["name": "\(count)"]) }
            try context.save()
            #expect(stores.proxy.rejectedCount == (isCopied ? 1 : 0), "\(count)")
            let request = try FetchRequest<ManagedObject>(entityName: "Tag").where(format: "name == %@", "\(count)")
            #expect(try stores.direct.newContext().count(for: request) == count)
        }
    }

    /// Eight contexts add to one number, while connections are lost at random messages.
    ///
    /// `CHORDATA_TEST_CUT_SAVES` sets the number of saves, and `CHORDATA_TEST_SEED` the seed.
    @Test func cutSavesAddUp() throws {
        let count = ProcessInfo.processInfo.environment["CHORDATA_TEST_CUT_SAVES"].flatMap { Int($0) } ?? 100
        let seed = SeededGenerator.seed
        print("ProxyTests.cutSavesAddUp: seed \(seed), \(count) saves")
        let stores = try Stores(TestModels.derived)
        defer { stores.proxy.close() }
        let random = Mutex(SeededGenerator(seed: seed))
        let remaining = Atomic(count)
        let repeated = Atomic(0)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            while remaining.subtract(1, ordering: .relaxed).newValue >= 0 {
                let title = UUID().uuidString
                while true {
                    let cut = random.withLock { random in
                        Proxy.Cut(
                            direction: Proxy.Direction.allCases[Int.random(in: 0..<2, using: &random)],
                            messageCount: Int.random(in: 0..<60, using: &random)
                        )
                    }
                    stores.proxy.cut(cut)
                    do {
                        let context = stores.container.newContext()
                        let request = try FetchRequest<ManagedObject>(entityName: "Book").where(
                            format: "title == %@",
                            title
                        )
                        // A save that threw may be stored.
                        if try context.count(for: request) == 0 {
                            let person = try context.existingObject(with: stores.person)
                            _ = context.insert("Book", ["title": title, "author": person])
                            try context.save()
                        }
                        break
                    } catch let error as StoreError where [.connectionLost, .outcomeUnknown].contains(error.code) {
                        repeated.add(1, ordering: .relaxed)
                    } catch {
                        Issue.record(error)
                        break
                    }
                }
            }
        }
        stores.proxy.cut(nil)
        let context = stores.direct.newContext()
        let titles = try context.fetch(FetchRequest<ManagedObject>(entityName: "Book")).map {
            $0.value(forKey: "title") as? String
        }
        #expect(titles.count == count && Set(titles).count == count)
        let person = try context.existingObject(with: try #require(stores.direct.id(stores.person)))
        #expect(person.value(forKey: "bookCount") as? Int64 == Int64(count))
        let closedCount = stores.proxy.closedCount
        let repeatedCount = repeated.load(ordering: .relaxed)
        print("ProxyTests.cutSavesAddUp: \(closedCount) connections closed, \(repeatedCount) operations repeated")
        #expect(closedCount > count / 20)
    }

    /// Messages that arrive later than the time limit of a statement, so that the save is cancelled while the server
    /// does not execute it.
    @Test func slowMessages() throws {
        let stores = try Stores(TestModels.library) { $0.statementTimeout = .milliseconds(100) }
        defer { stores.proxy.close() }
        for title in ["first", "second"] {
            let context = stores.container.newContext()
            try stores.change(context, title: title)
            try context.save()
        }
        let context = stores.container.newContext()
        try stores.change(context, title: "slow")
        stores.proxy.delay(by: 0.02)
        try context.save()
        stores.proxy.delay(by: 0)
        #expect(try stores.contents(title: "slow")[0] == 1)
    }

    /// Without LISTEN, a store asks for the changes of others.
    @Test func withoutListen() async throws {
        let proxy = try Proxy(server: TestServer.string)
        defer { proxy.close() }
        proxy.reject(["LISTEN", "pg_notify"])
        let schema = "store_\(UUID().uuidString)"
        let definition = ModelDefinition(name: "Test", versionName: "Test", model: TestModels.derived)
        let container = try PersistentContainer(
            model: definition,
            postgres: PostgresConfiguration(proxy.string, schema: schema)
        )
        let other = try PersistentContainer(
            model: definition,
            postgres: PostgresConfiguration(TestServer.string, schema: schema)
        )
        let receiver = container.newContext()
        receiver.automaticallyMergesChangesFromParent = true
        let writer = other.newContext()
        let person = writer.insert("Person", ["name": "a"])
        func save() throws { try writer.save() }
        try save()
        let known = try receiver.existingObject(with: try #require(container.id(person.objectID)))
        person.setValue("b", forKey: "name")
        try save()
        let end = ContinuousClock.now + .seconds(20)
        while known.value(forKey: "name") as? String != "b", ContinuousClock.now < end {
            try await Task.sleep(for: .milliseconds(20))
            receiver.processPendingChanges()
        }
        #expect(known.value(forKey: "name") as? String == "b")
        #expect(proxy.rejectedCount > 0)
    }

    /// A server that lacks what a save needs is reported by the first operation that needs it, with the SQLSTATE.
    @Test(arguments: ["pg_advisory_xact_lock", "CREATE TABLE", "pg_current_xact_id", "pg_snapshot_xmin"])
    func unsupportedStatements(text: String) throws {
        let proxy = try Proxy(server: TestServer.string)
        defer { proxy.close() }
        proxy.reject([text])
        let definition = ModelDefinition(name: "Test", versionName: "Test", model: TestModels.library)
        let configuration = PostgresConfiguration(proxy.string, schema: "store_\(UUID().uuidString)")
        let error = #expect(throws: StoreError.self) {
            let container = try PersistentContainer(model: definition, postgres: configuration)
            let context = container.newContext()
            _ = context.insert("Person", ["name": "a"])
            try context.save()
        }
        #expect(error?.code == .statementFailed && error?.sqlState == "0A000", "\(text): \(error as Any)")
    }
}
