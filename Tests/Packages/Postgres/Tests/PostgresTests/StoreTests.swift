import ChordataModel
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate

/// Stores on the server, each in a schema of its own.
struct StoreTests {
    private func container(
        _ model: ManagedObjectModel,
        schema: String,
        _ change: (inout PostgresConfiguration) -> Void = { _ in }
    ) throws -> PersistentContainer {
        var configuration = PostgresConfiguration(TestServer.string, schema: schema)
        change(&configuration)
        return try PersistentContainer(
            model: ModelDefinition(name: "Test", versionName: "Test", model: model),
            postgres: configuration
        )
    }

    private func schemaName() -> String { "store_\(UUID().uuidString)" }

    @Test func openingAndMetadata() throws {
        let schema = schemaName()
        let first = try container(TestModels.library, schema: schema)
        let store = first.persistentStoreCoordinator.persistentStores[0]
        #expect(store.type == .postgresql && store.path.hasSuffix("schema '\(schema)'"))
        try store.setMetadata("a", forKey: "key")
        try store.setMetadata("b", forKey: "key")
        let second = try container(TestModels.library, schema: schema)
        let metadata = try second.persistentStoreCoordinator.persistentStores[0].metadata()
        #expect(metadata.storeUUID == store.identifier && metadata.notes == ["key": "b"])
        try store.setMetadata(nil, forKey: "key")
        #expect(try store.metadata().notes.isEmpty)
        let error = #expect(throws: StoreError.self) { try container(TestModels.kinds, schema: schema) }
        #expect(error?.code == .incompatibleModel)
    }

    /// Nothing is written to a store that has no entry for the version of its model.
    @Test func missingVersion() throws {
        let schema = schemaName()
        let container = try container(TestModels.library, schema: schema)
        let context = container.newContext()
        _ = context.insert("Book", ["title": "a"])
        let connection = try TestServer.connection()
        _ = try connection.rows("DELETE FROM \"\(schema)\".\"_metadata\" WHERE \"key\" = 'versionHash'")
        let store = container.persistentStoreCoordinator.persistentStores[0]
        for write in [{ try context.save() }, { try store.setMetadata("a", forKey: "key") }] {
            let error = #expect(throws: StoreError.self, performing: write)
            #expect(error?.code == .incompleteStore)
        }
        #expect(try connection.rows("SELECT count(*) FROM \"\(schema)\".\"Book\"") == [["0"]])
    }

    /// Behind a pooler, a prepared statement can be lost in the middle of an event, even while rows are read.
    @Test(arguments: [false, true]) func lostPreparedStatements(areRowsRead: Bool) throws {
        let database = TestDatabase(TestServer.configuration())
        let container = try PersistentContainer(
            model: ModelDefinition(name: "Test", versionName: "Test", model: TestModels.library),
            database: database,
            schemaName: schemaName()
        )
        let writer = container.newContext()
        for index in 0..<3 { _ = writer.insert("Book", ["title": "\(index)"]) }
        try writer.save()
        let context = container.newContext()
        let request = FetchRequest<ManagedObject>(entityName: "Book")
        #expect(try context.fetch(request).count == 3)
        #expect(try context.fetch(request).count == 3)
        if areRowsRead {
            var counts: [Int] = []
            try context.reader.readRows { reader in
                try reader.forEachRow(of: StoreQuery("SELECT \"_id\" FROM \"Book\" ORDER BY 1")) { _ in
                    counts.append(try context.fetch(request).count)
                    if counts.count == 1 { database.forgetsStatements.withLock { $0 = true } }
                }
            }
            #expect(counts == [3, 3, 3])
        } else {
            database.forgetsStatements.withLock { $0 = true }
            #expect(try context.fetch(request).count == 3)
        }
        #expect(try container.newContext().fetch(request).count == 3)
        #expect(!database.pool.preparesStatements)
    }

    @Test func schemasOfOtherPrograms() throws {
        let schema = schemaName()
        let connection = try TestServer.connection()
        _ = try connection.rows("CREATE SCHEMA \"\(schema)\"")
        _ = try connection.rows("CREATE TABLE \"\(schema)\".other (a int)")
        let error = #expect(throws: StoreError.self) { try container(TestModels.kinds, schema: schema) }
        #expect(error?.code == .notAChordataStore)
    }

    static let values: [String: AttributeValue] = [
        "short": .integer(-32_768), "int": .integer(7), "long": .integer(.max), "flag": .boolean(true),
        "double": .double(0.1), "float": .double(Double(Float(0.1))),
        "price": .decimal(Decimal(string: "-12345678901234567890.123456789")!), "name": .string("Zoë"),
        "date": .date(Date(timeIntervalSinceReferenceDate: 0.1)), "uuid": .uuid(UUID()),
        "page": .url(URL(string: "https://example.com")!), "data": .data(Data([0, 255])),
        "photo": .data(Data(repeating: 7, count: 100_000)),
    ]

    /// The numbers of new rows from which they are copied: a single row, and so many that none is copied.
    private static let copiedRowCounts = [1, .max]

    @Test(arguments: Self.copiedRowCounts) func valuesOfEachKind(copiedRowCount: Int) throws {
        let container = try container(TestModels.kinds, schema: schemaName()) { $0.copiedRowCount = copiedRowCount }
        let context = container.newContext()
        let entity = try #require(TestModels.kinds.entity(named: "Kinds"))
        let object = ManagedObject(entity: entity, insertInto: context)
        let empty = ManagedObject(entity: entity, insertInto: context)
        for (name, value) in Self.values { object.setValue(value.anyValue, forKey: name) }
        try context.save()
        let other = container.newContext()
        let read = try other.existingObject(with: object.objectID)
        for (name, value) in Self.values {
            let expected = name == "float" ? "0.1" : "\(value.anyValue)"
            #expect("\(read.value(forKey: name) ?? "nil")" == expected, "\(name)")
        }
        let readEmpty = try other.existingObject(with: empty.objectID)
        for name in Self.values.keys { #expect(readEmpty.value(forKey: name) == nil, "\(name)") }
    }

    /// A save of many objects copies their rows, and a save of some more writes rows and copies others.
    @Test func copiedRows() throws {
        let container = try container(TestModels.library, schema: schemaName()) { $0.copiedRowCount = 100 }
        let context = container.newContext()
        // The rows are more than libpq passes to the server at a time.
        let text = String(repeating: "é", count: 1_000)
        let people = (0..<200).map { context.insert("Person", ["name": "\($0) \(text)", "age": $0 % 50]) }
        for (index, person) in people.prefix(99).enumerated() {
            _ = context.insert("Book", ["title": "\(index)", "author": person])
        }
        try context.save()
        people[0].setValue("changed", forKey: "name")
        context.delete(people[1])
        let chapters = (0..<100).map { context.insert("Chapter", ["title": "\($0)"]) }
        try context.save()
        let other = container.newContext()
        let read = try other.fetch(FetchRequest<ManagedObject>(entityName: "Person"))
        let names = Set(people.indices.map { $0 == 0 ? "changed" : "\($0) \(text)" }).subtracting(["1 \(text)"])
        #expect(Set(read.compactMap { $0.value(forKey: "name") as? String }) == names)
        let lost = FetchRequest<ManagedObject>(entityName: "Book")
        #expect(try other.count(for: lost.where(format: "author == nil")) == 1)
        #expect(try other.count(for: FetchRequest<ManagedObject>(entityName: "Chapter")) == chapters.count)
    }

    /// The server reports a duplicate in the first row before it has received all rows.
    @Test func duplicateInManyCopiedRows() throws {
        let container = try container(TestModels.library, schema: schemaName()) { $0.copiedRowCount = 100 }
        let context = container.newContext()
        _ = context.insert("Person", ["name": "0"])
        try context.save()
        let text = String(repeating: "x", count: 1_000)
        let people = (0..<3_000).map { context.insert("Person", ["name": $0 == 0 ? "0" : "\($0) \(text)"]) }
        #expect(throws: UniquenessConflictError.self) { try context.save() }
        people[0].setValue("1", forKey: "name")
        try context.save()
        #expect(try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Person")) == 3_001)
    }

    /// A copy that waits for another transaction is cancelled after the time limit of a statement.
    @Test func blockedCopy() throws {
        let schema = schemaName()
        let container = try container(TestModels.library, schema: schema) { configuration in
            configuration.copiedRowCount = 100
            configuration.statementTimeout = .milliseconds(500)
        }
        let other = try TestServer.connection()
        try other.execute([
            ServerStatement("BEGIN"),
            ServerStatement(
                "INSERT INTO \"\(schema)\".\"Person\" (\"_id\", \"_version\", \"_entity\", \"name\") "
                    + "VALUES (1000000, 1, 'Person', '0')"
            ),
        ])
        let context = container.newContext()
        let text = String(repeating: "x", count: 1_000)
        for index in 0..<3_000 { _ = context.insert("Person", ["name": index == 0 ? "0" : "\(index) \(text)"]) }
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .timedOut, "\(error as Any)")
        try other.execute([ServerStatement("ROLLBACK")])
        try context.save()
        #expect(try container.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Person")) == 3_000)
    }

    private func fill(_ container: PersistentContainer) throws {
        let context = container.newContext()
        func make(_ name: String, _ values: [String: Any]) throws -> ManagedObject {
            let entity = try #require(TestModels.library.entity(named: name))
            let object = ManagedObject(entity: entity, insertInto: context)
            for (key, value) in values { object.setValue(value, forKey: key) }
            return object
        }
        let ada = try make("Person", ["name": "Ada", "age": 36])
        let bob = try make("Writer", ["name": "bob", "style": "dry"])
        _ = try make("Person", ["age": 5])
        let tag = try make("Tag", ["name": "old"])
        for (index, author) in [ada, bob, ada].enumerated() {
            let book = try make("Book", ["title": "Title \(index)", "year": 1_900 + index])
            book.setValue(author, forKey: "author")
            if index != 1 { book.setValue([tag] as Set<ManagedObject>, forKey: "tags") }
            let chapters = try (0..<3).map { try make("Chapter", ["title": "\(index).\($0)"]) }
            for chapter in chapters { chapter.setValue(book, forKey: "book") }
        }
        _ = try make("Book", ["title": "no author"])
        try context.save()
    }

    private func names(_ container: PersistentContainer, _ entity: String, _ format: String, _ key: String) throws
        -> [String]
    {
        let request = FetchRequest<ManagedObject>(entityName: entity)
        let filtered = format.isEmpty ? request : try request.where(format: format)
        let objects = try container.newContext().fetch(filtered)
        return objects.map { "\($0.value(forKey: key) ?? "nil")" }.sorted()
    }

    /// The same predicates in PostgreSQL and in SQLite.
    @Test func predicates() throws {
        let server = try container(TestModels.library, schema: schemaName())
        let sqlite = try PersistentContainer(
            model: ModelDefinition(name: "Test", versionName: "Test", model: TestModels.library),
            path: ":memory:"
        )
        try fill(server)
        try fill(sqlite)
        let predicates = [
            (
                "Person",
                [
                    "", "name == 'Ada'", "name != 'Ada'", "name == nil", "age > 5", "age BETWEEN {1, 36}",
                    "name IN {'Ada', 'x'}", "name IN {'Ada', nil}", "name BEGINSWITH 'A'", "name CONTAINS 'o'",
                    "name ENDSWITH 'a'", "name LIKE '*d*'", "name LIKE 'A?a'", "name ==[c] 'BOB'",
                    "name CONTAINS[cd] 'D'",
                    "NOT (age > 5)", "ANY books.year > 1900", "books.@count == 2", "ALL books.year < 1902",
                    "NONE books.title == 'Title 0'", "age + 1 > 6", "age == 36.0", "name MATCHES 'A.*'",
                    "SUBQUERY(books, $b, $b.year > 1900).@count > 0", "entity.name == 'Writer'",
                    "age < 10 OR name == 'bob'",
                ],
                "name"
            ),
            (
                "Book",
                [
                    "author.name == 'Ada'", "author == nil", "author != nil", "ANY tags.name == 'old'",
                    "author.name != 'Ada'", "author.books.@count > 1", "year >= 1901", "title < 'Title 2'",
                    "ANY author.books.year > 1901", "author.age > 5 AND year > 1900",
                ], "title"
            ),
            ("Writer", ["", "style == 'dry'", "name == 'Ada'"], "name"),
        ]
        for (entity, formats, key) in predicates {
            for format in formats {
                let found = try names(server, entity, format, key)
                #expect(try found == names(sqlite, entity, format, key), "\(entity) \(format)")
            }
        }
    }

    @Test func sorting() throws {
        let container = try container(TestModels.library, schema: schemaName())
        try fill(container)
        func names(_ sort: SortKey, limit: Int = 0, offset: Int = 0) throws -> [String] {
            var request = FetchRequest<ManagedObject>(entityName: "Person")
            request.sortKeys = [sort]
            request.fetchLimit = limit
            request.fetchOffset = offset
            return try container.newContext().fetch(request).map { "\($0.value(forKey: "name") ?? "nil")" }
        }
        #expect(try names(SortKey("name")) == ["nil", "Ada", "bob"])
        #expect(try names(SortKey("name", order: .descending)) == ["bob", "Ada", "nil"])
        #expect(try names(SortKey("name"), limit: 1, offset: 1) == ["Ada"])
        #expect(try names(SortKey("name"), offset: 2) == ["bob"])
        // Results are sorted in memory if the server does not support their order.
        let folded = SortKey("name", comparison: .caseInsensitive)
        #expect(try names(folded) == ["nil", "Ada", "bob"])
        #expect(try names(folded, limit: 1, offset: 1) == ["Ada"])
        var faults = FetchRequest<ManagedObject>(entityName: "Person")
        faults.sortKeys = [folded]
        faults.returnsObjectsAsFaults = true
        let context = container.newContext()
        #expect(try context.fetch(faults).map { "\($0.value(forKey: "name") ?? "nil")" } == ["nil", "Ada", "bob"])
    }

    @Test(arguments: Self.copiedRowCounts) func conflicts(copiedRowCount: Int) throws {
        let container = try container(TestModels.library, schema: schemaName()) { $0.copiedRowCount = copiedRowCount }
        try fill(container)
        let (first, second) = (container.newContext(), container.newContext())
        let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "name == 'Ada'")
        let ours = try #require(try first.fetch(request).first)
        let theirs = try #require(try second.fetch(request).first)
        ours.setValue(1, forKey: "age")
        try first.save()
        theirs.setValue(2, forKey: "age")
        #expect(throws: SaveConflictError.self) { try second.save() }
        second.refresh(theirs, mergeChanges: true)
        try second.save()
        #expect(try names(container, "Person", "age == 2", "name") == ["Ada"])
        // The name must be unique.
        let entity = try #require(TestModels.library.entity(named: "Person"))
        let twin = ManagedObject(entity: entity, insertInto: first)
        twin.setValue("Ada", forKey: "name")
        #expect(throws: UniquenessConflictError.self) { try first.save() }
    }

    @Test func deletions() throws {
        let container = try container(TestModels.library, schema: schemaName())
        try fill(container)
        let context = container.newContext()
        let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "name == 'Ada'")
        let ada = try #require(try context.fetch(request).first)
        context.delete(ada)
        try context.save()
        #expect(try names(container, "Person", "", "name") == ["bob", "nil"])
        #expect(try names(container, "Book", "author == nil", "title") == ["Title 0", "Title 2", "no author"])
    }

    @Test(arguments: Self.copiedRowCounts) func nulCharacters(copiedRowCount: Int) throws {
        let container = try container(TestModels.library, schema: schemaName()) { $0.copiedRowCount = copiedRowCount }
        let context = container.newContext()
        let entity = try #require(TestModels.library.entity(named: "Person"))
        let object = ManagedObject(entity: entity, insertInto: context)
        object.setValue("a\0", forKey: "name")
        let error = try #require(#expect(throws: ValidationError.self) { try context.save() })
        #expect("\(error)".contains("name") && "\(error)".contains("U+0000"))
        #expect(try names(container, "Person", "name == 'a\0'", "name") == [])
    }

    /// A pooler loses single statements of a transaction, while the pool has only one connection.
    @Test func lostStatementsOfOperations() throws {
        let container = try container(TestModels.library, schema: schemaName()) { $0.maximumConnectionCount = 1 }
        try fill(container)
        let engine = try #require(container.store.engine as? ServerEngine)
        func forget(_ pattern: String) throws {
            let connection = try engine.database.take(for: "a test")
            defer { engine.database.release(connection) }
            let names = try connection.rows("SELECT name FROM pg_prepared_statements WHERE statement LIKE '\(pattern)'")
            #expect(!names.isEmpty, "\(pattern)")
            for name in names { _ = try connection.rows("DEALLOCATE \"\(name[0] ?? "")\"") }
        }
        _ = try engine.reserveKeys(1)
        try forget("COMMIT")
        #expect(try engine.reserveKeys(5).count == 5)
        let other = try self.container(TestModels.library, schema: engine.schemaName) { $0.maximumConnectionCount = 1 }
        let otherEngine = try #require(other.store.engine as? ServerEngine)
        var update = BatchUpdateRequest<ManagedObject>(entityName: "Person")
        update.propertiesToUpdate = ["age": try FetchExpression(format: "7")]
        _ = try other.newContext().execute(update)
        let connection = try otherEngine.database.take(for: "a test")
        let names = try connection.rows(
            "SELECT name FROM pg_prepared_statements WHERE statement LIKE 'INSERT INTO \"_save\"%'"
        )
        for name in names { _ = try connection.rows("DEALLOCATE \"\(name[0] ?? "")\"") }
        otherEngine.database.release(connection)
        #expect(!names.isEmpty)
        update.propertiesToUpdate = ["age": try FetchExpression(format: "8")]
        _ = try other.newContext().execute(update)
        #expect(try self.names(other, "Person", "age == 8", "name").count == 3)
    }

    /// A save whose commit was executed, but whose response was lost, is not executed again.
    @Test func lostAnswers() throws {
        let container = try container(TestModels.library, schema: schemaName())
        try fill(container)
        let context = container.newContext()
        let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "name == 'Ada'")
        let ada = try #require(try context.fetch(request).first)
        for age in 0..<5 {
            ada.setValue(age, forKey: "age")
            try context.save()
        }
        let engine = try #require(container.store.engine as? ServerEngine)
        let connection = try engine.database.take(for: "a test")
        defer { engine.database.release(connection) }
        let rows = try connection.rows("SELECT count(*) FROM \"\(engine.schemaName)\".\"_save\"")
        #expect(rows == [["6"]])
    }

    @Test func relationships() throws {
        let container = try container(TestModels.library, schema: schemaName())
        try fill(container)
        let context = container.newContext()
        let request = try FetchRequest<ManagedObject>(entityName: "Book").where(format: "title == 'Title 0'")
        let book = try #require(try context.fetch(request).first)
        func titles(_ book: ManagedObject) -> [String] {
            let chapters = book.value(forKey: "chapters") as? OrderedSet<ManagedObject> ?? []
            return chapters.map { "\($0.value(forKey: "title") ?? "nil")" }
        }
        #expect(titles(book).sorted() == ["0.0", "0.1", "0.2"])
        let chapters = try #require(book.value(forKey: "chapters") as? OrderedSet<ManagedObject>)
        let reversed = Array(titles(book).reversed())
        book.setValue(OrderedSet(chapters.reversed()), forKey: "chapters")
        let tags = try #require(book.value(forKey: "tags") as? Set<ManagedObject>)
        #expect(tags.count == 1)
        book.setValue([] as Set<ManagedObject>, forKey: "tags")
        try context.save()
        let other = container.newContext()
        let read = try #require(try other.fetch(request).first)
        #expect(titles(read) == reversed)
        #expect((read.value(forKey: "tags") as? Set<ManagedObject>)?.isEmpty == true)
        #expect(try names(container, "Book", "ANY tags.name == 'old'", "title") == ["Title 2"])
    }

    @Test func batchOperations() throws {
        let container = try container(TestModels.library, schema: schemaName())
        try fill(container)
        let context = container.newContext()
        var update = BatchUpdateRequest<ManagedObject>(entityName: "Person")
        update.predicate = try FetchPredicate(format: "name != nil")
        update.propertiesToUpdate = ["age": try FetchExpression(format: "7")]
        _ = try context.execute(update)
        #expect(try names(container, "Person", "age == 7", "name") == ["Ada", "bob"])
        let deletion = BatchDeleteRequest(
            fetchRequest: try FetchRequest<ManagedObject>(entityName: "Person").where(format: "name == 'Ada'")
        )
        _ = try context.execute(deletion)
        #expect(try names(container, "Person", "", "name") == ["bob", "nil"])
        #expect(try names(container, "Book", "author == nil", "title") == ["Title 0", "Title 2", "no author"])
    }

    /// Contexts of one program merge each other's saves.
    @Test func merging() throws {
        let container = try container(TestModels.library, schema: schemaName())
        try fill(container)
        let (first, second) = (container.newContext(), container.newContext())
        let request = try FetchRequest<ManagedObject>(entityName: "Person").where(format: "name == 'Ada'")
        let ours = try #require(try first.fetch(request).first)
        let theirs = try #require(try second.fetch(request).first)
        second.automaticallyMergesChangesFromParent = true
        ours.setValue(99, forKey: "age")
        try first.save()
        second.processPendingChanges()
        #expect("\(theirs.value(forKey: "age") ?? "nil")" == "99")
    }

    /// A context holds one connection, even while it saves objects that it has read.
    @Test func oneConnection() throws {
        let container = try container(TestModels.library, schema: schemaName()) {
            $0.maximumConnectionCount = 1
            $0.connectionWaitTimeout = .milliseconds(200)
        }
        try fill(container)
        let context = container.newContext()
        for object in try context.fetch(FetchRequest<ManagedObject>(entityName: "Person")) {
            object.setValue(50, forKey: "age")
        }
        try context.save()
        #expect(try names(container, "Person", "age == 50", "name").count == 3)
    }
}

extension AttributeValue {
    var anyValue: Any {
        switch self {
        case .integer(let value): value
        case .boolean(let value): value
        case .double(let value): value
        case .decimal(let value): value
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        }
    }
}
