import ChordataModel
import Foundation
import Synchronization
import Testing

@testable import Chordata
@testable import ChordataPostgres

/// Saves of other programs, each of which is a container with connections of its own.
struct ChangeFeedTests {
    private func request(_ format: String = "TRUEPREDICATE") throws -> FetchRequest<ManagedObject> {
        try FetchRequest<ManagedObject>(entityName: "Book").where(format: format)
            .sorted(by: "year").sorted(by: "title")
    }

    /// Insertions, updates and deletions are merged, and rows that lose their references too.
    @Test func merging() throws {
        let schema = newSchemaName()
        let (first, second) = (try feedContainer(schema: schema), try feedContainer(schema: schema))
        let writer = first.newContext()
        let person = writer.insert("Person", ["name": "Ada", "age": 36])
        let tag = writer.insert("Tag", ["name": "old"])
        let book = writer.insert("Book", ["title": "A", "year": 1])
        book.setValue(person, forKey: "author")
        book.setValue([tag] as Set<ManagedObject>, forKey: "tags")
        try writer.save()
        let reader = second.newContext()
        reader.automaticallyMergesChangesFromParent = true
        let list = FetchedResultsController(fetchRequest: try request(), managedObjectContext: reader)
        let shown = try ShownList(list)
        let known = try #require(list.fetchedObjects?.first)
        #expect((known.value(forKey: "tags") as? Set<ManagedObject>)?.count == 1)
        person.setValue(37, forKey: "age")
        _ = writer.insert("Book", ["title": "B", "year": 0])
        try writer.save()
        try second.reportAll()
        reader.processPendingChanges()
        #expect(shown.rows.count == 2 && shown.rows.last == known.objectID)
        #expect((known.value(forKey: "author") as? ManagedObject)?.value(forKey: "age") as? Int16 == 37)
        writer.delete(person)
        writer.delete(tag)
        try writer.save()
        try second.reportAll()
        reader.processPendingChanges()
        #expect(known.value(forKey: "author") == nil)
        #expect((known.value(forKey: "tags") as? Set<ManagedObject>)?.isEmpty == true)
        writer.delete(book)
        try writer.save()
        try second.reportAll()
        reader.processPendingChanges()
        #expect(shown.rows.count == 1)
    }

    /// The position of a save in the order is known when all older transactions have ended, including those that are
    /// older than the store.
    @Test(arguments: [false, true]) func order(isOlderThanStore: Bool) async throws {
        let schema = newSchemaName()
        let older = try TestServer.connection()
        let begin = [ServerStatement("BEGIN"), ServerStatement("SELECT pg_current_xact_id()")]
        if isOlderThanStore { _ = try older.execute(begin) }
        let (first, second) = (try feedContainer(schema: schema), try feedContainer(schema: schema))
        var changes = second.remoteChanges.makeAsyncIterator()
        if !isOlderThanStore { _ = try older.execute(begin) }
        let writer = first.newContext()
        _ = writer.insert("Tag", ["name": "1"])
        try await writer.save()
        #expect(try second.feed().report(to: second.store) == .unplaced)
        let token = try #require(
            try TestServer.connection().rows("SELECT \"id\" FROM \"\(schema)\".\"_save\"").first?[0].flatMap {
                Int64($0)
            }
        )
        #expect(try second.feed().position < token)
        _ = try older.execute([ServerStatement("COMMIT")])
        try second.reportAll()
        let change = await changes.next()
        #expect(change?.token.transactionNumber == token && change?.changes.inserted.count == 1)
    }

    /// A notification arrives without waiting for the next read, even after the connection was lost.
    @Test(.timeLimit(.minutes(3))) func notifications() async throws {
        let schema = newSchemaName()
        let (first, second) = (try feedContainer(schema: schema), try feedContainer(schema: schema))
        let writer = first.newContext(isolation: nil)
        var changes = second.remoteChanges.makeAsyncIterator()
        for round in 0..<3 {
            let deadline = ContinuousClock.now + .seconds(40)
            while try !second.feed().isListening {
                try #require(ContinuousClock.now < deadline)
                try await Task.sleep(for: .milliseconds(5))
            }
            _ = writer.insert("Tag", ["name": "\(round)"])
            try await writer.save()
            #expect(await changes.next()?.changes.inserted.count == 1)
            // All containers of the process share the connection, so other tests lose it too, and must not notice it.
            try second.feed().endConnection()
        }
    }

    /// Without notifications, for example behind a connection pooler, the table is read at intervals.
    @Test(.timeLimit(.minutes(1))) func polling() async throws {
        let schema = newSchemaName()
        let first = try feedContainer(schema: schema)
        let second = try feedContainer(schema: schema, listens: false)
        var changes = second.remoteChanges.makeAsyncIterator()
        let writer = first.newContext(isolation: nil)
        for round in 0..<3 {
            _ = writer.insert("Tag", ["name": "\(round)"])
            try await writer.save()
            #expect(await changes.next()?.changes.inserted.count == 1)
        }
        #expect(try !second.feed().isListening)
    }

    /// Records that were deleted before they were read, and saves without records, are reported as a gap.
    @Test func gaps() async throws {
        let schema = newSchemaName()
        let first = try feedContainer(schema: schema)
        // This container reads only when the test requests it.
        let second = try feedContainer(schema: schema) { $0.reportsRemoteChanges = false }
        let silent = try feedContainer(schema: schema) { $0.recordsChanges = false }
        var changes = second.remoteChanges.makeAsyncIterator()
        func add(_ container: PersistentContainer) throws {
            let context = container.newContext()
            _ = context.insert("Tag")
            try context.save()
        }
        try add(first)
        let deadline = ContinuousClock.now + .seconds(10)
        while try first.feed().deleteOldRecords(before: .distantFuture) == 0 {
            try #require(ContinuousClock.now < deadline)
        }
        try add(first)
        try second.reportAll()
        #expect(await changes.next()?.changes.invalidatesAll == true)
        let added = await changes.next()
        #expect(added?.changes.inserted.count == 1, "\(String(describing: added))")
        try add(silent)
        try second.reportAll()
        #expect(await changes.next()?.changes.invalidatesAll == true)
    }

    /// A save that writes only a to-many relationship of an object, whose row another container has changed since, does
    /// not keep the old values of the object.
    @Test func savesOfOutdatedObjects() throws {
        let schema = newSchemaName()
        let (first, second) = (try feedContainer(schema: schema), try feedContainer(schema: schema))
        let context = first.newContext()
        context.automaticallyMergesChangesFromParent = true
        let book = context.insert("Book", ["title": "old", "year": 1])
        let tag = context.insert("Tag", ["name": "tag"])
        try context.save()
        book.setValue([tag] as Set<ManagedObject>, forKey: "tags")
        context.processPendingChanges()
        let other = second.newContext()
        let same = try other.existingObject(with: try #require(second.id(book.objectID)))
        same.setValue("new", forKey: "title")
        try other.save()
        try first.reportAll()
        context.processPendingChanges()
        #expect(book.value(forKey: "title") as? String == "old")
        try context.save()
        #expect(book.value(forKey: "title") as? String == "new")
        #expect((book.value(forKey: "tags") as? Set<ManagedObject>)?.map(\.objectID) == [tag.objectID])
        book.setValue(2, forKey: "year")
        try context.save()
        #expect(
            try first.newContext().count(
                for: FetchRequest<ManagedObject>(entityName: "Book").where(
                    format: "title == 'new' AND year == 2 AND tags.@count == 1"
                )
            ) == 1
        )
    }

    /// A to-many relationship without unsaved changes is current, although the object has other unsaved changes.
    @Test func toManyRelationshipsOfChangedObjects() throws {
        let schema = newSchemaName()
        let (first, second) = (try feedContainer(schema: schema), try feedContainer(schema: schema))
        let context = first.newContext()
        context.automaticallyMergesChangesFromParent = true
        let (old, new) = (context.insert("Tag", ["name": "old"]), context.insert("Tag", ["name": "new"]))
        let book = context.insert("Book", ["title": "A", "year": 1])
        book.setValue([old] as Set<ManagedObject>, forKey: "tags")
        try context.save()
        book.setValue(2, forKey: "year")
        context.processPendingChanges()
        let other = second.newContext()
        func copy(of object: ManagedObject) throws -> ManagedObject {
            try other.existingObject(with: try #require(second.id(object.objectID)))
        }
        try copy(of: book).setValue([try copy(of: new)] as Set<ManagedObject>, forKey: "tags")
        try other.save()
        try first.reportAll()
        context.processPendingChanges()
        #expect((book.value(forKey: "tags") as? Set<ManagedObject>) == [new])
        #expect(book.value(forKey: "year") as? Int32 == 2)
        try context.save()
        #expect((book.value(forKey: "tags") as? Set<ManagedObject>) == [new])
        #expect((old.value(forKey: "books") as? Set<ManagedObject>)?.isEmpty == true)
    }

    /// An insertion that is reported late together with later changes makes relationships current, although the object
    /// was fetched and saved in the meantime.
    @Test func insertionsWithLaterChanges() throws {
        let schema = newSchemaName()
        let first = try feedContainer(schema: schema)
        let (context, other) = (first.newContext(), try feedContainer(schema: schema).newContext())
        // Nothing is reported before this transaction ends.
        let older = try TestServer.connection()
        _ = try older.execute([ServerStatement("BEGIN"), ServerStatement("SELECT pg_current_xact_id()")])
        let book = other.insert("Book", ["title": "A", "year": 1])
        book.setValue([other.insert("Tag", ["name": "tag"])] as Set<ManagedObject>, forKey: "tags")
        try other.save()
        context.automaticallyMergesChangesFromParent = true
        let same = try context.existingObject(with: try #require(first.id(book.objectID)))
        #expect((same.value(forKey: "tags") as? Set<ManagedObject>)?.count == 1)
        book.setValue([] as Set<ManagedObject>, forKey: "tags")
        try other.save()
        book.setValue("B", forKey: "title")
        try other.save()
        context.mergePolicy = .mergeByPropertyObjectTrump
        same.setValue(2, forKey: "year")
        try context.save()
        _ = try older.rows("COMMIT")
        try first.reportAll()
        context.processPendingChanges()
        #expect((same.value(forKey: "tags") as? Set<ManagedObject>)?.isEmpty == true)
    }

    /// A deletion waits for a save that adds references to the deleted row, then removes them and reports this.
    @Test func referencesThatAreAddedDuringDeletion() throws {
        let schema = newSchemaName()
        let (first, second) = (try feedContainer(schema: schema), try feedContainer(schema: schema))
        let context = second.newContext()
        context.automaticallyMergesChangesFromParent = true
        let (person, tag) = (context.insert("Person", ["name": "Ada"]), context.insert("Tag", ["name": "tag"]))
        let book = context.insert("Book", ["title": "A", "year": 1])
        try context.save()
        let keys = [book, person, tag].map { $0.objectID.uriRepresentation.split(separator: "/p").last ?? "" }
        let other = try TestServer.connection()
        _ = try other.rows("BEGIN")
        _ = try other.rows(
            "UPDATE \"\(schema)\".\"Book\" SET \"author\" = \(keys[1]), \"_version\" = \"_version\" + 1"
        )
        _ = try other.rows("INSERT INTO \"\(schema)\".\"Book_tags\" VALUES (\(keys[0]), \(keys[2]))")
        // As in a commit, the referenced rows are locked.
        _ = try other.rows("SET CONSTRAINTS ALL IMMEDIATE")
        let ids = try [person, tag].map { try #require(first.id($0.objectID)) }
        // The other tests wait for the open transaction, so this test keeps its thread.
        let errors = Mutex<[any Error]>([])
        let group = DispatchGroup()
        DispatchQueue.global().async(group: group) {
            let context = first.newContext()
            context.performAndWait {
                do {
                    for id in ids { context.delete(try context.existingObject(with: id)) }
                    try context.save()
                } catch {
                    errors.withLock { $0.append(error) }
                }
            }
        }
        // The view shows the state of the first read of a transaction.
        let monitor = try TestServer.connection()
        let process = other.processID
        let waiting = "SELECT count(*) FROM pg_stat_activity WHERE pg_blocking_pids(pid) @> ARRAY[\(process)]"
        let deadline = ContinuousClock.now + .seconds(20)
        while try monitor.rows(waiting)[0][0] == "0", ContinuousClock.now < deadline {
            usleep(5_000)
        }
        _ = try other.rows("COMMIT")
        group.wait()
        #expect(errors.withLock { $0.isEmpty }, "\(errors.withLock { $0 })")
        let rows = try other.rows(
            "SELECT \"author\", \"_version\" FROM \"\(schema)\".\"Book\""
        )
        #expect(rows == [[nil, "3"]])
        let parts = try other.rows("SELECT \"changes\" FROM \"\(schema)\".\"_save_part\"").compactMap { $0[0] }
        #expect(parts.contains { $0.contains("\"tags\"") }, "\(parts)")
        #expect(parts.contains { $0.contains("\"author\"") && $0.contains("\(keys[0]),3") }, "\(parts)")
    }

    /// Law: when all containers have finished, each list equals a fresh fetch and the result of its reported changes,
    /// and each container received each save of the others once, in the order of the transactions.
    @Test(.timeLimit(.minutes(5))) func listsAreFreshFetches() async throws {
        let seed = SeededGenerator.seed
        print("ChangeFeedTests.listsAreFreshFetches: seed \(seed)")
        let rounds = ProcessInfo.processInfo.environment["CHORDATA_TEST_FEEDS"].flatMap { Int($0) } ?? 2
        for round in 0..<rounds {
            let schema = newSchemaName()
            // The last container is not notified.
            let containers = try (0..<3).map { try feedContainer(schema: schema, listens: $0 < 2) }
            let streams = containers.map { Received($0.remoteChanges) }
            let unfinished = UnfinishedCount(containers.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, container) in containers.enumerated() {
                    group.addTask {
                        try await container.performBackgroundTask { context in
                            var random = SeededGenerator(seed: seed &+ UInt64(round * 3 + index))
                            try Self.follow(context, container, unfinished, &random)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let rows = try TestServer.connection().rows(
                "SELECT \"id\", \"origin\" FROM \"\(schema)\".\"_save\" ORDER BY \"id\""
            )
            for (container, stream) in zip(containers, streams) {
                try container.reportAll()
                let origin = try #require(container.store.server?.historyOrigin)
                let expected = rows.filter { $0[1] != "\(origin)" }.compactMap { $0[0].flatMap { Int64($0) } }
                #expect(try await stream.numbers(count: expected.count) == expected, "seed \(seed), round \(round)")
            }
        }
    }

    /// The same law for three processes.
    ///
    /// `CHORDATA_TEST_FEED_ROUNDS` is the number of rounds, with 20 saves of each process.
    @Test(.timeLimit(.minutes(10))) func processes() async throws {
        let seed = SeededGenerator.seed
        let rounds = ProcessInfo.processInfo.environment["CHORDATA_TEST_FEED_ROUNDS"].flatMap { Int($0) } ?? 2
        let names = ["A", "B", "C"]
        let schema = newSchemaName()
        let program = Bundle.main.executableURL?.deletingLastPathComponent().appending(path: "feed-program")
        let url = try #require(program)
        let outputs = try await withThrowingTaskGroup(of: (Int32, String, String).self) { group in
            for (index, name) in names.enumerated() {
                let arguments = [
                    TestServer.string, schema, name, names.joined(separator: ","), "\(rounds)",
                    "\(seed &+ UInt64(index))",
                ]
                group.addTask { try await Self.run(url, arguments) }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        for (status, _, errors) in outputs { #expect(status == 0, "seed \(seed): \(errors)") }
        #expect(Set(outputs.map(\.1)).count == 1 && !outputs[0].1.isEmpty, "seed \(seed)")
    }

    private static func run(_ program: URL, _ arguments: [String]) async throws -> (Int32, String, String) {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        (process.standardOutput, process.standardError) = (output, errors)
        return try await withCheckedThrowingContinuation { continuation in
            // The program prints less than a pipe holds.
            process.terminationHandler = { process in
                let texts = [output, errors].map { pipe in
                    String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
                }
                continuation.resume(returning: (process.terminationStatus, texts[0], texts[1]))
            }
            do {
                try process.run()
            } catch {
                continuation.resume(throwing: error)
            }
        }
    }

    private static func follow(
        _ context: ManagedObjectContext,
        _ container: PersistentContainer,
        _ unfinished: UnfinishedCount,
        _ random: inout SeededGenerator
    ) throws {
        context.automaticallyMergesChangesFromParent = true
        context.mergePolicy = .mergeByPropertyObjectTrump
        let request = try FetchRequest<ManagedObject>(entityName: "Book").where(format: "year < 5")
            .sorted(by: "year").sorted(by: "title")
        let list = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
        let shown = try ShownList(list)
        for _ in 0..<40 {
            try change(context, &random)
            context.processPendingChanges()
        }
        unfinished.value.withLock { $0 -= 1 }
        while unfinished.value.withLock({ $0 > 0 }) { usleep(1_000) }
        try container.reportAll()
        context.processPendingChanges()
        let other = container.newContext()
        let fresh = try other.fetch(request)
        #expect(list.fetchedObjects?.map(\.objectID) == fresh.map(\.objectID))
        #expect(list.fetchedObjects?.map(text) == fresh.map(text))
        #expect(shown.rows == list.fetchedObjects?.map(\.objectID))
        withExtendedLifetime(other) {}
    }

    private static func text(_ book: ManagedObject) -> String {
        let author = (book.value(forKey: "author") as? ManagedObject)?.value(forKey: "name")
        let tags = (book.value(forKey: "tags") as? Set<ManagedObject>)?.count ?? 0
        return "\(book.value(forKey: "year") ?? "") \(book.value(forKey: "title") ?? "") \(author ?? "") \(tags)"
    }

    private static func change(_ context: ManagedObjectContext, _ random: inout SeededGenerator) throws {
        func pick(_ entity: String) throws -> ManagedObject? {
            try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).randomElement(using: &random)
        }
        let title = "\(Int.random(in: 0..<9, using: &random))"
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1, 2: _ = context.insert("Book", ["title": title, "year": Int.random(in: 0..<9, using: &random)])
        case 3: _ = context.insert("Person", ["name": "\(UUID())"])
        case 4: _ = context.insert("Tag", ["name": title])
        case 5: try pick("Book")?.setValue(Int.random(in: 0..<9, using: &random), forKey: "year")
        case 6: try pick("Book")?.setValue(try pick("Person"), forKey: "author")
        case 7:
            let tags = try pick("Tag").map { [$0] as Set<ManagedObject> } ?? []
            try pick("Book")?.setValue(tags, forKey: "tags")
        case 8: if let book = try pick("Book") { context.delete(book) }
        default:
            if let object = try pick(Bool.random(using: &random) ? "Person" : "Tag") { context.delete(object) }
        }
        do {
            try context.save()
        } catch is SaveConflictError {
            // Another container has deleted a changed object.
            context.rollback()
        } catch is ValidationError {
            context.rollback()
        }
    }
}

/// The number of containers that are still changing their rows.
private final class UnfinishedCount: Sendable {
    let value: Mutex<Int>

    init(_ value: Int) { self.value = Mutex(value) }
}

/// The numbers of the transactions that a container reports.
private final class Received: Sendable {
    private let known = Mutex<[Int64]>([])

    init(_ stream: AsyncStream<RemoteChange>) {
        Task { [weak self] in
            for await change in stream { self?.known.withLock { $0.append(change.token.transactionNumber) } }
        }
    }

    /// Returns the numbers when there are as many as expected, or after some seconds.
    func numbers(count: Int) async throws -> [Int64] {
        let deadline = ContinuousClock.now + .seconds(10)
        while known.withLock({ $0.count }) < count, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(5))
        }
        return known.withLock { $0 }
    }
}
