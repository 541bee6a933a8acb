import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@_spi(Generated) @testable import Chordata

/// Indexes that changed in the model without a new version hash, in existing stores.
@Suite(.onlySQLite(.migrations))
struct IndexReconcilingTests {
    private static func definition(
        indexes: [FetchIndexDescription] = [],
        isUnique: Bool = false
    ) throws -> ModelDefinition {
        let note = EntityDescription(
            name: "Note",
            attributes: [
                AttributeDescription(name: "text", attributeType: .string, isOptional: true),
                AttributeDescription(name: "rank", attributeType: .integer64, isOptional: true),
            ],
            relationships: [
                RelationshipDescription(name: "parent", destinationEntityName: "Note", inverseName: "children"),
                RelationshipDescription(
                    name: "children",
                    destinationEntityName: "Note",
                    inverseName: "parent",
                    isToMany: true
                ),
            ],
            indexes: indexes,
            uniquenessConstraints: isUnique ? [["text", "rank"]] : []
        )
        return ModelDefinition(name: "Notes", versionName: "1", model: try ManagedObjectModel(entities: [note]))
    }

    private static func index(_ name: String, _ elements: (String, Bool)...) -> FetchIndexDescription {
        FetchIndexDescription(
            name: name,
            elements: elements.map { FetchIndexDescription.Element(propertyName: $0, isAscending: $1) }
        )
    }

    /// The statements that created the indexes of a store.
    private func indexes(_ path: String) throws -> Set<String> {
        let statement = try SQLiteConnection(path: path, mode: .readOnly)
            .prepare("SELECT sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
        var found: Set<String> = []
        while try statement.step() { if let sql = statement.text(at: 0) { found.insert(sql) } }
        return found
    }

    private func change(_ path: String, _ sql: String) throws {
        try SQLiteConnection(path: path, mode: .readWriteCreate).execute(sql)
    }

    private let onParent = #"CREATE INDEX "Note_parent" ON "Note" ("parent")"#
    private let onText = #"CREATE INDEX "Note_text" ON "Note" ("text")"#
    private let onRank = #"CREATE INDEX "Note_rank_desc_text" ON "Note" ("rank" DESC, "text")"#

    @Test func indexesAreAddedAndRemoved() throws {
        let plain = try Self.definition()
        let byText = try Self.definition(indexes: [Self.index("byText", ("text", true))])
        let byRank = try Self.definition(indexes: [Self.index("byRank", ("rank", false), ("text", true))])
        expectEqual(plain.model.versionHash, byText.model.versionHash)
        try withStorePath { path in
            for (definition, expected) in [
                (plain, [onParent]), (byText, [onParent, onText]), (byRank, [onParent, onRank]), (plain, [onParent]),
            ] {
                let context = try PersistentContainer(model: definition, path: path).newContext()
                _ = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
                try context.save()
                expectEqual(try indexes(path), Set(expected))
            }
            expectEqual(
                try PersistentContainer(model: plain, path: path).newContext()
                    .count(for: FetchRequest<ManagedObject>(entityName: "Note")),
                4
            )
        }
    }

    @Test func droppedIndexesAreRecreated() throws {
        try withStorePath { path in
            let plain = try Self.definition()
            _ = try PersistentContainer(model: plain, path: path)
            try change(path, "DROP INDEX \"Note_parent\"")
            _ = try PersistentContainer(model: plain, path: path)
            expectEqual(try indexes(path), [onParent])
        }
    }

    /// An index without a name derived from its columns is not Chordata's; nor is one that a model cannot request.
    @Test func indexesOfUsersStay() throws {
        let others: Set<String> = [
            #"CREATE INDEX "mine" ON "Note" ("text")"#,
            #"CREATE INDEX "Note_rank" ON "Note" ("rank") WHERE "rank" > 5"#,
            #"CREATE INDEX "Note_rank_text" ON "Note" ("rank", "text" COLLATE NOCASE)"#,
            #"CREATE INDEX "Note_text" ON "Note" (length("text"))"#,
            #"CREATE INDEX "other_a" ON "other" ("a")"#,
        ]
        try withStorePath { path in
            let byText = try Self.definition(indexes: [Self.index("byText", ("text", true))])
            _ = try PersistentContainer(model: try Self.definition(), path: path)
            try change(path, "CREATE TABLE \"other\" (\"a\"); " + others.sorted().joined(separator: ";"))
            let ours = [onParent, #"CREATE INDEX "Note_text_2" ON "Note" ("text")"#]
            for _ in 0..<2 {
                _ = try PersistentContainer(model: byText, path: path)
                expectEqual(try indexes(path), others.union(ours))
            }
            _ = try PersistentContainer(model: try Self.definition(), path: path)
            expectEqual(try indexes(path), others.union([onParent]))
        }
    }

    @Test func readOnlyStoresAreUnchanged() throws {
        try withStorePath { path in
            _ = try PersistentContainer(model: try Self.definition(), path: path)
            let before = FileManager.default.contents(atPath: path)
            let byText = try Self.definition(indexes: [Self.index("byText", ("text", true))])
            _ = try PersistentContainer(model: byText, path: path, options: StoreOptions(isReadOnly: true))
            expectEqual(FileManager.default.contents(atPath: path), before)
        }
    }

    @Test func constraintViolatedByExistingRows() throws {
        try withStorePath { path in
            let unique = try Self.definition(isUnique: true)
            // The version hash includes the constraint, so the index can be missing only if another program dropped it.
            #expect(unique.model.versionHash != (try Self.definition()).model.versionHash)
            func insert(_ text: String) throws {
                let context = try PersistentContainer(model: unique, path: path).newContext()
                let note = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(text, forKey: "text")
                note.setValue(1, forKey: "rank")
                try context.save()
            }
            try insert("a")
            try change(
                path,
                "DROP INDEX \"Note_text_rank\"; INSERT INTO \"Note\" SELECT 1000, 1, text, rank, parent FROM \"Note\""
            )
            let before = try indexes(path)
            let error = #expect(throws: StoreError.self) { try insert("b") }
            expectEqual(error?.code, .constraintViolated)
            let message =
                "2 rows of 'Note' have the same text 'a' and rank 1 (_id 1, 1000), but in the model the combination of "
                + "'text' and 'rank' is unique; make the values unique; nothing was changed"
            expectEqual(error?.message, message)
            expectEqual(try indexes(path), before)
            try change(path, "UPDATE \"Note\" SET \"text\" = 'c' WHERE \"_id\" = 1000")
            try insert("b")
            expectEqual(
                try indexes(path),
                [onParent, #"CREATE UNIQUE INDEX "Note_text_rank" ON "Note" ("text", "rank")"#]
            )
        }
    }

    @Test func storesAreOpenedConcurrently() throws {
        let models = [
            try Self.definition(), try Self.definition(indexes: [Self.index("byText", ("text", true))]),
            try Self.definition(indexes: [Self.index("byRank", ("rank", false), ("text", true))]),
        ]
        try withStorePath { path in
            _ = try PersistentContainer(model: models[0], path: path)
            let errors = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 24) { turn in
                do {
                    _ = try PersistentContainer(model: models[turn % 3], path: path)
                } catch {
                    errors.withLock { $0.append("\(error)") }
                }
            }
            expectEqual(errors.withLock { $0 }, [])
            _ = try PersistentContainer(model: models[1], path: path)
            expectEqual(try indexes(path), [onParent, onText])
        }
    }

    /// The store does not have the indexes of the version at which the migration begins.
    @Test func aMigrationEndsWithTheIndexesOfTheModel() throws {
        try withStorePath { path in
            let old = try Self.definition(indexes: [Self.index("byText", ("text", true))])
            let new = try Self.definition(
                indexes: [Self.index("byRank", ("rank", false), ("text", true))],
                isUnique: true
            )
            _ = try PersistentContainer(model: old, path: path)
            let step = ModelDefinition.Migration(
                source: "1",
                sourceHash: old.model.versionHash,
                destination: "2",
                destinationHash: new.model.versionHash,
                sql: "UPDATE \"Note\" SET \"rank\" = 1;"
            )
            let definition = ModelDefinition(
                name: "Notes",
                versionName: "2",
                model: new.model,
                migrations: [step],
                versionNames: [old.model.versionHash: "1"]
            )
            _ = try PersistentContainer(model: definition, path: path)
            let unique = #"CREATE UNIQUE INDEX "Note_text_rank" ON "Note" ("text", "rank")"#
            expectEqual(try indexes(path), [onParent, onRank, unique])
        }
    }
}
