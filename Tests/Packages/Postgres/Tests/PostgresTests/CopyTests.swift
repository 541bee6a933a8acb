import ChordataModel
import Foundation
import Testing

@testable import Chordata
@testable import ChordataPostgres
@testable import ChordataPredicate
@testable import ChordataSQL

/// Copies of stores between files and the server.
struct CopyTests {
    private func definition(_ model: ManagedObjectModel, version: String = "Test") -> ModelDefinition {
        ModelDefinition(name: "Test", versionName: version, model: model)
    }

    private func configuration(_ schema: String) -> PostgresConfiguration {
        PostgresConfiguration(TestServer.string, schema: schema)
    }

    /// The rows of all tables of a store in a file, and its metadata.
    private func rows(_ path: String, _ model: ManagedObjectModel) throws -> [String: [[SQLValue]]] {
        let file = try SQLiteConnection(path: path, mode: .readOnly)
        var rows: [String: [[SQLValue]]] = [:]
        for table in makeSchemaMapping(of: model).tables where table.name != "_sequence" {
            rows[table.name] = try file.rows("SELECT * FROM \(quoteIdentifier(table.name)) ORDER BY 1, 2")
        }
        rows["_sequence"] = try file.rows("SELECT \"next\" FROM \"_sequence\" WHERE \"name\" = 'object'")
        return rows
    }

    /// Law: a store that is copied to a server and back equals the original, row by row.
    @Test(arguments: TestModels.all.map(\.name), 0..<3) func thereAndBack(name: String, run: Int) throws {
        let seed = SeededGenerator.seed &+ UInt64(run)
        var generator = SeededGenerator(seed: seed)
        let model = try #require(TestModels.all.first { $0.name == name }?.model)
        try withFolder { folder in
            let original = folder.appending(path: "original.sqlite").path
            let copy = folder.appending(path: "copy.sqlite").path
            let schema = newSchemaName()
            var uris: [String] = []
            try fill(definition(model), original, &generator, &uris)
            let copier = StoreCopier(model: definition(model))
            var steps: [StoreCopier.Progress] = []
            let outcome = try copier.copy(storeAt: original, to: configuration(schema)) { steps.append($0) }
            #expect(!outcome.wasComplete && outcome.tables.contains { $0.rowCount > 0 })
            #expect(steps.last?.phase == .comparing && steps.last?.completedRowCount == steps.last?.totalRowCount)
            // The tables are those of a store that was created on the server.
            let fresh = newSchemaName()
            _ = try PersistentContainer(model: definition(model), postgres: configuration(fresh))
            #expect(try objects(in: schema) == objects(in: fresh))
            try copier.copy(configuration(schema), toStoreAt: copy)
            let (before, after) = (try rows(original, model), try rows(copy, model))
            for table in Set(before.keys).union(after.keys) {
                #expect(before[table] == after[table], "seed \(seed), table \(table)")
            }
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().allSatisfy {
                    !$0.contains(".copying-")
                }
            )
            // The copy is a store: object IDs are valid, and new objects get unused row keys.
            let container = try PersistentContainer(model: definition(model), postgres: configuration(schema))
            let context = container.newContext()
            var found: Set<ManagedObjectID> = []
            for uri in uris {
                let id = try #require(
                    container.persistentStoreCoordinator.managedObjectID(forURIRepresentation: uri)
                )
                found.insert(try context.existingObject(with: id).objectID)
            }
            #expect(found.count == uris.count && !found.isEmpty)
            let inserted = model.entities.filter { !$0.isAbstract }.map { context.insert($0.name) }
            try context.save()
            #expect(found.isDisjoint(with: inserted.map(\.objectID)))
        }
    }

    /// The tables, columns, constraints and indexes of a schema.
    private func objects(in schema: String) throws -> [String] {
        try TestServer.connection().rows(
            """
            SELECT c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod) || ' ' || a.attnotnull
            FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
            WHERE c.relnamespace = '"\(schema)"'::regnamespace AND a.attnum > 0 AND NOT a.attisdropped
            UNION ALL
            SELECT conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = '"\(schema)"'::regnamespace
            ORDER BY 1
            """
        ).compactMap { $0[0]?.replacing(schema, with: "schema") }.sorted()
    }

    /// Fills a store with random objects, metadata and records of migrations.
    private func fill(
        _ definition: ModelDefinition,
        _ path: String,
        _ generator: inout SeededGenerator,
        _ uris: inout [String]
    ) throws {
        let container = try PersistentContainer(model: definition, path: path)
        let context = container.newContext()
        var inserted: [String: [ManagedObject]] = [:]
        let entities = definition.model.entities.filter { !$0.isAbstract }
        for entity in entities {
            // Each table may be empty, but not all of them.
            let fewest = entity.name == entities.last?.name && inserted.isEmpty ? 10 : 0
            for index in 0..<Int.random(in: fewest...60, using: &generator) {
                let object = context.insert(entity.name)
                for attribute in object.entity.attributes
                where !Int.random(in: 0..<4, using: &generator).isMultiple(of: 4) {
                    // Names of persons are unique.
                    let value = randomValue(attribute.attributeType, "\(entity.name) \(index)", &generator)
                    object.setValue(value, forKey: attribute.name)
                }
                inserted[entity.name, default: []].append(object)
            }
        }
        let all = definition.model.entities.flatMap { inserted[$0.name] ?? [] }
        for object in all {
            for relationship in object.entity.relationships where Bool.random(using: &generator) {
                let targets = all.filter {
                    definition.model.entity($0.entity.name, isKindOf: relationship.destinationEntityName)
                }
                let chosen = targets.filter { _ in Int.random(in: 0..<12, using: &generator) == 0 }
                    .shuffled(using: &generator)
                if !relationship.isToMany {
                    object.setValue(chosen.first, forKey: relationship.name)
                } else if relationship.isOrdered {
                    object.setValue(chosen, forKey: relationship.name)
                } else {
                    object.setValue(Set(chosen), forKey: relationship.name)
                }
            }
        }
        try context.save()
        // This creates row versions other than the first one, and deletes rows.
        for object in all where Int.random(in: 0..<3, using: &generator) == 0 {
            if Int.random(in: 0..<4, using: &generator) == 0 {
                context.delete(object)
            } else if let attribute = object.entity.attributes.first(where: { $0.attributeType == .string }) {
                object.setValue("\(object.objectID.key) again", forKey: attribute.name)
            }
        }
        try context.save()
        uris = all.filter { $0.managedObjectContext != nil && !$0.isDeleted }.map { $0.objectID.uriRepresentation }
        let store = container.persistentStoreCoordinator.persistentStores[0]
        try store.setMetadata("a note \u{1F600}", forKey: "note")
        let file = try SQLiteConnection(path: path, mode: .readWriteCreate)
        try file.run("INSERT INTO \"_migration\" VALUES (1, 'A', 'B', 'checksum', 1.5, 2.5)")
    }

    private func randomValue(_ type: AttributeType, _ unique: String, _ generator: inout SeededGenerator) -> Any? {
        func element<Value>(_ values: [Value]) -> Value {
            values[Int.random(in: 0..<values.count, using: &generator)]
        }
        func bytes(_ count: Int) -> Data {
            Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        }
        switch type {
        case .integer16: return element([Int16.min, -1, 0, .max])
        case .integer32: return element([Int32.min, -1, 0, .max])
        case .integer64: return element([Int64.min, -1, 0, .max])
        case .boolean: return Bool.random(using: &generator)
        case .double: return element([-0.0, 0.1, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude])
        case .float: return element([Float(0), 0.1, .greatestFiniteMagnitude])
        case .decimal:
            return element(["0", "-0.001", "12345678901234567890.123456789", "1E20"]).flatMapDecimal
        case .string:
            return unique
                + element(["", "é", "e\u{301}", "'\"\\\n\t", "\u{1F600}", String(repeating: "x", count: 3_000)])
        case .date: return Date(timeIntervalSinceReferenceDate: element([0, -1e9, 0.1, 712_345_678.987_654]))
        case .uuid:
            return UUID(uuid: bytes(16).withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })
        case .uri: return URL(string: "https://example.com/\(element(["", "a?b=c#d"]))")
        case .binaryData: return bytes(element([0, 1, 100, 200_000]))
        case .transformable, .undefined, .objectID, .composite: return nil
        }
    }

    // MARK: Targets and sources

    private func smallStore(_ folder: URL, _ name: String = "original.sqlite") throws -> String {
        let path = folder.appending(path: name).path
        let container = try PersistentContainer(model: definition(TestModels.library), path: path)
        let context = container.newContext()
        let person = context.insert("Person", ["name": "Ada"])
        for index in 0..<3 {
            let book = context.insert("Book", ["title": "\(index)"])
            book.setValue(person, forKey: "author")
        }
        try context.save()
        return path
    }

    /// A second copy compares the stores; the target is rejected after it has been changed.
    @Test func repeatedCopies() throws {
        try withFolder { folder in
            let path = try smallStore(folder)
            let back = folder.appending(path: "back.sqlite").path
            let schema = newSchemaName()
            let copier = StoreCopier(model: definition(TestModels.library))
            #expect(try !copier.copy(storeAt: path, to: configuration(schema)).wasComplete)
            #expect(try copier.copy(storeAt: path, to: configuration(schema)).wasComplete)
            #expect(try !copier.copy(configuration(schema), toStoreAt: back).wasComplete)
            #expect(try copier.copy(configuration(schema), toStoreAt: back).wasComplete)
            _ = try TestServer.connection().rows(
                "UPDATE \"\(schema)\".\"Book\" SET \"title\" = 'other' WHERE \"_id\" = 3"
            )
            let attempts: [() throws -> StoreCopier.Outcome] = [
                { try copier.copy(storeAt: path, to: configuration(schema)) },
                { try copier.copy(configuration(schema), toStoreAt: back) },
            ]
            for attempt in attempts {
                let error = #expect(throws: StoreError.self) { try attempt() }
                #expect(error?.code == .cannotOpen)
                #expect(error?.message.contains("column 'title' in the row 3 of table 'Book' differs") == true)
                #expect(error?.message.contains("other'") == false)
            }
            _ = try TestServer.connection().rows("DELETE FROM \"\(schema)\".\"Book\" WHERE \"_id\" = 4")
            _ = try TestServer.connection().rows("UPDATE \"\(schema)\".\"Book\" SET \"title\" = '1' WHERE \"_id\" = 3")
            let missing = #expect(throws: StoreError.self) { try copier.copy(storeAt: path, to: configuration(schema)) }
            #expect(missing?.code == .cannotOpen)
        }
    }

    @Test func occupiedTargets() throws {
        try withFolder { folder in
            let path = try smallStore(folder)
            let copier = StoreCopier(model: definition(TestModels.library))
            let other = newSchemaName()
            _ = try PersistentContainer(model: definition(TestModels.library), postgres: configuration(other))
            let store = #expect(throws: StoreError.self) { try copier.copy(storeAt: path, to: configuration(other)) }
            #expect(store?.code == .cannotOpen && store?.message.contains("another store") == true)
            let foreign = newSchemaName()
            _ = try TestServer.connection().rows("CREATE SCHEMA \"\(foreign)\"")
            _ = try TestServer.connection().rows("CREATE TABLE \"\(foreign)\".other (a int)")
            let tables = #expect(throws: StoreError.self) { try copier.copy(storeAt: path, to: configuration(foreign)) }
            #expect(tables?.code == .notAChordataStore)
            let schema = newSchemaName()
            try copier.copy(storeAt: path, to: configuration(schema))
            let text = folder.appending(path: "text")
            try Data("text".utf8).write(to: text)
            for target in [text.path, try smallStore(folder, "second.sqlite")] {
                let before = try Data(contentsOf: URL(fileURLWithPath: target))
                let error = #expect(throws: StoreError.self) {
                    try copier.copy(configuration(schema), toStoreAt: target)
                }
                #expect(error?.code == .cannotOpen && error?.message.contains("copy to a path without a file") == true)
                #expect(try Data(contentsOf: URL(fileURLWithPath: target)) == before)
            }
        }
    }

    @Test func sourcesOfOtherVersions() throws {
        try withFolder { folder in
            let path = try smallStore(folder)
            let schema = newSchemaName()
            let wrong = StoreCopier(model: definition(TestModels.kinds, version: "Test 2"))
            let error = #expect(throws: StoreError.self) { try wrong.copy(storeAt: path, to: configuration(schema)) }
            #expect(error?.code == .incompatibleModel)
            #expect(
                error?.message.contains("is at version 'Test', and the current version of the model is 'Test 2'")
                    == true
            )
            try StoreCopier(model: definition(TestModels.library)).copy(storeAt: path, to: configuration(schema))
            let back = folder.appending(path: "back.sqlite").path
            let server = #expect(throws: StoreError.self) { try wrong.copy(configuration(schema), toStoreAt: back) }
            #expect(server?.code == .incompatibleModel && !FileManager.default.fileExists(atPath: back))
            let missing = #expect(throws: StoreError.self) {
                try wrong.copy(storeAt: folder.appending(path: "none").path, to: configuration(schema))
            }
            #expect(missing?.code == .cannotOpen && missing?.message.contains("does not exist") == true)
            let none = #expect(throws: StoreError.self) {
                try wrong.copy(configuration(newSchemaName()), toStoreAt: back)
            }
            #expect(none?.code == .cannotOpen)
        }
    }

    /// Values that a server does not store, and rows that violate its constraints, are errors that name the row.
    @Test func unstorableRows() throws {
        for (sql, message) in [
            (
                "UPDATE \"Book\" SET \"title\" = 'a' || char(0) WHERE \"_id\" = 2",
                "column 'title' in the row 2 of table 'Book'"
            ),
            (
                "UPDATE \"Book\" SET \"author\" = 99 WHERE \"_id\" = 2",
                "rows of the store in the file reference rows that do not exist"
            ),
        ] {
            try withFolder { folder in
                let path = try smallStore(folder)
                let file = try SQLiteConnection(path: path, mode: .readWriteCreate)
                try file.execute("PRAGMA foreign_keys = OFF")
                try file.execute(sql)
                let schema = newSchemaName()
                let copier = StoreCopier(model: definition(TestModels.library))
                let error = #expect(throws: StoreError.self) {
                    try copier.copy(storeAt: path, to: configuration(schema))
                }
                #expect(error?.message.contains(message) == true, "\(String(describing: error))")
                let found = try TestServer.connection()
                    .rows("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")
                #expect(found == [["0"]])
            }
        }
    }

    // MARK: Kills

    /// A copy that is killed at any time leaves no store in its target, or a complete one; the next copy completes it.
    @Test func kills() throws {
        var generator = SeededGenerator(seed: SeededGenerator.seed)
        try withFolder { folder in
            try CommandModel.write(to: folder, versionCount: 1)
            let schema = newSchemaName()
            let definition = ModelDefinition(name: "M", versionName: "M", model: try CommandModel.model())
            let source = folder.appending(path: "source.sqlite").path
            do {
                let context = try PersistentContainer(model: definition, path: source).newContext()
                for index in 0..<20_000 { _ = context.insert("Node", ["title": "\(index)"]) }
                try context.save()
            }
            let toServer = ["copy", source, TestServer.string, "--schema", schema, "--model", "M.xcdatamodeld"]
            let back = folder.appending(path: "back.sqlite").path
            let toFile = ["copy", TestServer.string, back, "--schema", schema, "--model", "M.xcdatamodeld"]
            func countOnServer() throws -> String? {
                let connection = try TestServer.connection()
                let found = try connection.rows("SELECT count(*) FROM pg_namespace WHERE nspname = '\(schema)'")
                if found == [["0"]] { return nil }
                return try connection.rows("SELECT count(*) FROM \"\(schema)\".\"Node\"")[0][0]
            }
            func countInFile() throws -> String? {
                guard FileManager.default.fileExists(atPath: back) else { return nil }
                let file = try SQLiteConnection(path: back, mode: .readOnly)
                return "\(try file.integer("SELECT count(*) FROM \"Node\""))"
            }
            for (arguments, count) in [(toServer, countOnServer), (toFile, countInFile)] {
                let start = ContinuousClock.now
                // Measures how long a complete copy to a separate target takes.
                let (place, other) = arguments == toServer ? (schema, newSchemaName()) : (back, back + ".other")
                #expect(try Command.run(arguments.map { $0 == place ? other : $0 }, in: folder).exitCode == 0)
                let duration = (ContinuousClock.now - start) / .seconds(1)
                var killed = 0
                for _ in 0..<8 where try count() == nil {
                    let process = try Command.process(arguments, in: folder)
                    try process.run()
                    Thread.sleep(forTimeInterval: Double.random(in: 0.05...max(duration, 0.1), using: &generator))
                    kill(process.processIdentifier, SIGKILL)
                    process.waitUntilExit()
                    // The server ends the transaction when it notices the end of the connection.
                    #expect([nil, "20000"].contains(try count()))
                    killed += 1
                }
                #expect(killed > 0)
                let last = try Command.run(arguments, in: folder)
                #expect(last.exitCode == 0, "\(last)")
                #expect(last.output.contains("20000 rows"), "\(last)")
                #expect(try count() == "20000")
                let again = try Command.run(arguments + ["--format", "json"], in: folder)
                let json = try JSONSerialization.jsonObject(with: Data(again.output.utf8)) as? [String: Any]
                #expect(again.exitCode == 0 && json?["wasComplete"] as? Bool == true, "\(again)")
            }
            #expect(
                try !FileManager.default.contentsOfDirectory(atPath: folder.path).contains { $0.contains(".copying-") }
            )
        }
    }
}

extension String {
    fileprivate var flatMapDecimal: Decimal? { Decimal(string: self) }
}
