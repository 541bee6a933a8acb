@_spi(Generated) import Chordata
import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

@testable import Chordata

/// Full-text indexes in stores: created, changed and removed as the model requires, and updated by all writes.
@Suite(.onlySQLite(.fullText))
struct FullTextIndexTests {
    private func titles(_ container: PersistentContainer, _ query: String = "swift") throws -> [String] {
        try container.newContext().titles(matching: query)
    }

    private func open(_ fullText: String?, at path: String, readOnly: Bool = false) throws -> PersistentContainer {
        try FullTextModel.definition(fullText: fullText).testContainer(
            at: path,
            options: StoreOptions(isReadOnly: readOnly)
        )
    }

    private func runAll(_ statements: [String], at path: String) throws {
        for statement in statements { try run(statement, at: path) }
    }

    private func indexNames(at path: String) throws -> [String] {
        try query("SELECT name FROM sqlite_schema WHERE name LIKE '\\_fulltext%' ESCAPE '\\' ORDER BY name", at: path)
    }

    /// An index requires neither a new version of the model nor a migration.
    @Test func indexesFollowTheModel() throws {
        try withStorePath { path in
            do {
                let context = try open(nil, at: path).newContext()
                context.note("Swift", "data")
                context.note("Data", "swift")
                try context.save()
            }
            #expect(try indexNames(at: path).isEmpty)
            expectEqual(try titles(open("title", at: path)), ["Swift"])
            let names = try indexNames(at: path)
            #expect(names.contains("_fulltext_Note") && names.contains("_fulltext_Note_update"), "\(names)")
            try requireIntactIndexes(open("title", at: path))
            expectEqual(try titles(open("title, text", at: path)), ["Data", "Swift"])
            expectEqual(try titles(open("title, text", at: path), "title:swift"), ["Swift"])
            expectEqual(try inspectStore(at: path).fullTextIndexes.map(\.columns), [["title", "text"]])
            // A program that has the same index does not write to the store.
            let before = try Data(contentsOf: URL(fileURLWithPath: path))
            _ = try open("title, text", at: path)
            expectEqual(try Data(contentsOf: URL(fileURLWithPath: path)), before)
            _ = try open(nil, at: path)
            #expect(try indexNames(at: path).isEmpty)
            expectEqual(try query("PRAGMA integrity_check", at: path), ["ok"])
        }
    }

    /// In a store that cannot be changed, the search runs in memory.
    @Test func readOnlyStoresWithoutTheIndexAreSearched() throws {
        try withStorePath { path in
            do {
                let context = try open(nil, at: path).newContext()
                context.note("Swift", "data")
                context.note("Data", "nothing")
                try context.save()
            }
            let container = try open("title, text", at: path, readOnly: true)
            expectEqual(try titles(container), ["Swift"])
            let context = container.newContext()
            let request = try FetchRequest<ManagedObject>(entityName: "Note").matching("data NOT swift")
            expectEqual(try context.count(for: request), 1)
            let matches = try context.fetchMatches(request)
            expectEqual(matches.map(\.rank), [nil])
            expectEqual(try matches[0].highlighted("title"), "<b>Data</b>")
            #expect(try indexNames(at: path).isEmpty)
        }
    }

    /// Changes that another program makes are found, and damage is repaired when the store is opened.
    @Test func otherProgramsKeepTheIndex() throws {
        try withStorePath { path in
            do {
                let context = try open("title", at: path).newContext()
                context.note("Swift")
                try context.save()
            }
            try runAll(
                [
                    "INSERT INTO Note (_id, _version, _entity, title) VALUES (90001, 1, 'Note', 'swift birds')",
                    "UPDATE Note SET title = 'Rust' WHERE title = 'Swift'",
                ],
                at: path
            )
            expectEqual(try titles(open("title", at: path)), ["swift birds"])
            try requireIntactIndexes(open("title", at: path))
            try runAll(
                ["DROP TRIGGER _fulltext_Note_update", "UPDATE Note SET title = 'Go' WHERE title = 'Rust'"],
                at: path
            )
            expectEqual(try inspectStore(at: path).fullTextIndexes.map(\.isComplete), [false])
            let container = try open("title", at: path)
            expectEqual(try titles(container, "go"), ["Go"])
            expectEqual(try titles(container, "rust"), [])
            try requireIntactIndexes(container)
            expectEqual(try inspectStore(at: path).fullTextIndexes.map(\.count), [2])
        }
    }

    @Test func damagedIndexesAreRebuilt() throws {
        try withStorePath { path in
            let container = try open("title", at: path)
            let store = container.persistentStoreCoordinator.persistentStores[0]
            let context = container.newContext()
            context.note("Swift")
            try context.save()
            // Adds the words of a row that is not in the table.
            try runAll(["INSERT INTO _fulltext_Note (rowid, title) VALUES (77, 'swift')"], at: path)
            let problems = try store.sqlite.write(changesContents: false) {
                try fullTextProblems(of: store.schema.mapping, $0)
            }
            expectEqual(problems, ["full-text index '_fulltext_Note' does not match table 'Note'"])
            expectEqual(try titles(container), ["Swift"])
            try store.rebuildFullTextIndexes()
            try requireIntactIndexes(container)
        }
    }

    /// Damage because of which FTS5 cannot even drop the table.
    @Test(arguments: [
        "DELETE FROM _fulltext_Note_data", "DELETE FROM _fulltext_Note_data WHERE id = 10",
        "DELETE FROM _fulltext_Note_config", "DROP TABLE _fulltext_Note_idx", "DROP TABLE _fulltext_Note_docsize",
        "UPDATE _fulltext_Note_data SET block = x'00' WHERE id > 10",
    ])
    func everyDamageIsRepaired(_ damage: String) throws {
        try withStorePath { path in
            do {
                let context = try open("title", at: path).newContext()
                for _ in 0..<3 { context.note("Swift") }
                try context.save()
            }
            try run(damage, at: path)
            let container = try open("title", at: path)
            try container.persistentStoreCoordinator.persistentStores[0].rebuildFullTextIndexes()
            try requireIntactIndexes(container)
            let context = container.newContext()
            context.note("Swift")
            try context.save()
            expectEqual(try titles(container).count, 4)
            try run(damage, at: path)
            // A model without the index removes it.
            let without = try open(nil, at: path)
            #expect(try indexNames(at: path).isEmpty)
            expectEqual(try without.newContext().count(for: FetchRequest<ManagedObject>(entityName: "Note")), 4)
            expectEqual(try query("PRAGMA integrity_check", at: path), ["ok"])
        }
    }

    /// Programs with the same version of the model can request different indexes.
    @Test func runningProgramsFollowTheIndexOfAnother() throws {
        try withStorePath { path in
            let without = try open(nil, at: path)
            let writer = without.newContext()
            let note = writer.note("Swift")
            try writer.save()
            let with = try open("title", at: path)
            note.setValue("Rust", forKey: "title")
            writer.note("Swift 2")
            try writer.save()
            writer.delete(note)
            try writer.save()
            expectEqual(try titles(with), ["Swift 2"])
            try requireIntactIndexes(with)
            _ = try open(nil, at: path)
            let error = try #require(throws: StoreError.self) { try titles(with) }
            #expect(error.message.contains("open the store again"), "\(error)")
            let context = with.newContext()
            context.note("Swift 3")
            try context.save()
            expectEqual(try titles(open("title", at: path)).count, 2)
        }
    }

    /// Tables and triggers of other programs whose names have the same prefix are not treated as an index.
    @Test func othersWithTheNameStay() throws {
        try withStorePath { path in
            _ = try open("title", at: path)
            try runAll(
                [
                    "CREATE VIRTUAL TABLE _fulltext_mine USING fts5(words)",
                    "INSERT INTO _fulltext_mine VALUES ('kept')",
                    "CREATE VIRTUAL TABLE _fulltext_places USING rtree(id, x0, x1)",
                    "CREATE TRIGGER _fulltext_follow AFTER INSERT ON Note BEGIN UPDATE Note SET stars = 1 WHERE 0; END",
                ],
                at: path
            )
            _ = try open("title, text", at: path)
            _ = try open(nil, at: path)
            expectEqual(try query("SELECT words FROM _fulltext_mine", at: path), ["kept"])
            #expect(try indexNames(at: path).contains("_fulltext_follow"))
            #expect(try inspectStore(at: path).fullTextIndexes.isEmpty)
        }
    }

    @Test func manyAttributesAndInvalidKeysOfSuperentities() throws {
        let names = (0..<1_100).map { "a\($0)" }
        let model = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Wide",
                attributes: names.map { AttributeDescription(name: $0, attributeType: .string, isOptional: true) },
                userInfo: ["fullText": names.joined(separator: ",")]
            ),
            EntityDescription(name: "Base", isAbstract: true, userInfo: ["fullText": "YES"]),
            EntityDescription(
                name: "Sub",
                superentityName: "Base",
                attributes: [AttributeDescription(name: "title", attributeType: .string, isOptional: true)],
                userInfo: ["fullText": "title"]
            ),
        ])
        let context = try ModelDefinition(name: "Wide", versionName: "Wide", model: model).testContainer(at: ":memory:")
            .newContext()
        let wide = EntityDescription.insertNewObject(forEntityName: "Wide", into: context)
        wide.setValue("swift", forKey: "a1099")
        context.note("Swift", entity: "Sub", hasText: false)
        try context.save()
        wide.setValue("rust", forKey: "a0")
        try context.save()
        for query in ["swift rust", "a0:rust"] {
            expectEqual(try context.count(for: FetchRequest<ManagedObject>(entityName: "Wide").matching(query)), 1)
        }
        expectEqual(try context.titles(matching: "swift", entity: "Sub"), ["Swift"])
    }

    // MARK: Writing

    /// Groups of saves of which one fails, conflicts, inserted values and batch updates.
    @Test func allKindsOfWritesKeepTheIndex() async throws {
        try await withStorePath { path in
            let container = try open("title, text", at: path)
            let context = container.newContext()
            context.note("Swift", "one")
            context.note("Swift", "two")
            try await context.save()
            let request = FetchRequest<ManagedObject>(entityName: "Note")
            // The save fails with a conflict, and is undone in its savepoint or transaction.
            let other = container.newContext()
            let (mine, others) = (try context.fetch(request)[0], try other.fetch(request)[0])
            mine.setValue("Rust", forKey: "title")
            try await context.save()
            others.setValue("Go", forKey: "title")
            await #expect(throws: SaveConflictError.self) { try await other.save() }
            expectEqual(try titles(container, "go"), [])
            expectEqual(try titles(container, "rust"), ["Rust"])
            var update = BatchUpdateRequest<ManagedObject>(entityName: "Note")
            update.propertiesToUpdate = ["text": try FetchExpression(format: "%@", "batch")]
            _ = try container.newContext().execute(update)
            expectEqual(try titles(container, "batch").count, 2)
            expectEqual(try titles(container, "one OR two"), [])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<20 {
                    group.addTask {
                        try await container.write { context in
                            let note = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
                            note.setValue("group \(number)", forKey: "title")
                        }
                    }
                }
                try await group.waitForAll()
            }
            expectEqual(try titles(container, "group").count, 20)
            try requireIntactIndexes(container)
        }
    }

    /// A logger gets the statements of Chordata, and not those of FTS5.
    @Test func statementsOfTheIndexAreNotLogged() throws {
        try withStorePath { path in
            let log = StatementLog()
            let container = try FullTextModel.definition().testContainer(
                at: path,
                options: StoreOptions(statementLogger: StatementLogger { log.add($0) })
            )
            _ = log.take()
            let context = container.newContext()
            context.note("Swift")
            try context.save()
            _ = try container.newContext().titles(matching: "swift")
            let texts = log.take().map(\.sql)
            #expect(!texts.contains { $0.contains("_fulltext_Note_") }, "\(texts)")
            #expect(texts.contains { $0.contains("\"_fulltext_Note\" MATCH ?") })
        }
    }

    // MARK: Migration

    /// Renamed attributes, rebuilt tables and removed attributes.
    @Test func migrationsKeepTheIndex() throws {
        func note(_ attributes: [AttributeDescription], _ fullText: String?) -> EntityDescription {
            EntityDescription(
                name: "Note",
                attributes: attributes,
                userInfo: fullText.map { ["fullText": $0] } ?? [:]
            )
        }
        func text(_ name: String, was: String? = nil) -> AttributeDescription {
            AttributeDescription(name: name, attributeType: .string, isOptional: true, renamingIdentifier: was)
        }
        let number = AttributeDescription(name: "stars", attributeType: .integer64, isOptional: true)
        let real = AttributeDescription(name: "stars", attributeType: .double, isOptional: true)
        let versions = try Versions([
            [note([text("title"), text("text"), number], "title, text")],
            [note([text("heading", was: "title"), text("text"), number], "heading, text")],
            [note([text("heading"), text("text"), real], "heading, text")],
            [note([text("text"), real], "text")],
            [note([text("text"), real, text("title")], nil)],
        ])
        for first in 1...4 {
            for last in (first + 1)...5 {
                try withStorePath { path in
                    try versions.makeStore(first, at: path) { context in
                        let note = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
                        note.setValue("swift data", forKey: "text")
                        if first < 4 { note.setValue("Birds", forKey: first == 1 ? "title" : "heading") }
                        try context.save()
                    }
                    let container = try versions.definition(upTo: last).testContainer(at: path)
                    try requireIntactIndexes(container)
                    let context = container.newContext()
                    func count(_ query: String) throws -> Int {
                        try context.count(for: FetchRequest<ManagedObject>(entityName: "Note").matching(query))
                    }
                    if last == 5 {
                        #expect(try indexNames(at: path).isEmpty)
                    } else {
                        expectEqual(try count("swift"), 1, "\(first) to \(last)")
                        expectEqual(try count("birds"), last < 4 && first < 4 ? 1 : 0, "\(first) to \(last)")
                        if last < 4 { expectEqual(try count("heading:birds"), 1, "\(first) to \(last)") }
                    }
                }
            }
        }
    }

    /// A trigger, a view and a full-text table of another program are not treated as an index of the model.
    @Test func otherFullTextTablesStay() throws {
        try withStorePath { path in
            _ = try open("title", at: path)
            try runAll(
                [
                    "CREATE VIRTUAL TABLE search USING fts5(words)", "INSERT INTO search VALUES ('kept')",
                    "CREATE TRIGGER follow AFTER INSERT ON Note BEGIN INSERT INTO search VALUES (new.title); END",
                ],
                at: path
            )
            let context = try open("title, text", at: path).newContext()
            context.note("Swift")
            try context.save()
            expectEqual(try query("SELECT words FROM search ORDER BY rowid", at: path), ["kept", "Swift"])
            _ = try open(nil, at: path)
            expectEqual(try query("SELECT count(*) FROM search", at: path), ["2"])
        }
    }

    /// Names that could collide with the names of FTS5's own tables, or because SQLite ignores case.
    @Test func namesOfIndexesAreDistinct() throws {
        let names = ["Note", "note_data", "NOTE_idx", "Note_content", "Note_2", "Note_insert"]
        let model = try ManagedObjectModel(
            entities: names.map { name in
                EntityDescription(
                    name: name,
                    attributes: [AttributeDescription(name: "title", attributeType: .string, isOptional: true)],
                    userInfo: ["fullText": "title"]
                )
            }
        )
        let container = try ModelDefinition(name: "Names", versionName: "Names", model: model).testContainer(
            at: ":memory:"
        )
        let context = container.newContext()
        for name in names { context.note("Swift \(name)", entity: name, hasText: false) }
        try context.save()
        for name in names {
            expectEqual(try container.newContext().titles(matching: "swift", entity: name), ["Swift \(name)"])
        }
        try requireIntactIndexes(container)
    }
}
