import CChordataSQLite
import ChordataTestSupport
import Foundation
import Testing

@_spi(Generated) @testable import Chordata

/// Migrations to versions with a uniqueness constraint that existing values violate (U13).
@Suite(.onlySQLite(.migrations))
struct UniqueMigrationTests {
    /// A step between versions of a model, with the SQL that is generated for it.
    struct Case: CustomTestStringConvertible {
        let testDescription: String
        let before: [[String]]
        let after: [[String]]
        let sql: String
        /// The description of the rows in the error.
        let words: String
    }

    static let cases = [
        Case(
            testDescription: "a new constraint",
            before: [],
            after: [["text"]],
            sql: #"CREATE UNIQUE INDEX IF NOT EXISTS "Note_text" ON "Note" ("text");"#,
            words:
                "2 rows of 'Note' have the same text 'a' (_id 1, 2); these values must be unique in the newer version: "
                + "make them unique with a program that has the older version of the model, then migrate again (cause: NSMigrationConstraintViolationError, 134111)"
        ),
        Case(
            testDescription: "a constraint with fewer properties",
            before: [["text", "rank"]],
            after: [["text"]],
            sql: #"""
                DROP INDEX IF EXISTS "Note_text_rank";
                CREATE UNIQUE INDEX IF NOT EXISTS "Note_text" ON "Note" ("text");
                """#,
            words:
                "2 rows of 'Note' have the same text 'a' (_id 1, 2); these values must be unique in the newer version: "
                + "make them unique with a program that has the older version of the model, then migrate again (cause: NSMigrationConstraintViolationError, 134111)"
        ),
        Case(
            testDescription: "a constraint that the steps do not make",
            before: [],
            after: [["text"]],
            sql: "",
            words:
                "2 rows of 'Note' have the same text 'a' (_id 1, 2), but in the model 'text' is unique; make the "
                + "values unique; nothing was changed (cause: NSMigrationConstraintViolationError, 134111)"
        ),
    ]

    private static func model(_ constraints: [[String]]) throws -> ManagedObjectModel {
        try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Note",
                attributes: [
                    AttributeDescription(name: "text", attributeType: .string, isOptional: true),
                    AttributeDescription(name: "rank", attributeType: .integer64, isOptional: true),
                ],
                uniquenessConstraints: constraints
            )
        ])
    }

    @Test(arguments: cases)
    func duplicatesPreventTheMigration(_ row: Case) throws {
        try withStorePath { path in
            let old = try Self.model(row.before)
            let new = try Self.model(row.after)
            let first = ModelDefinition(name: "Notes", versionName: "1", model: old)
            let second = ModelDefinition(
                name: "Notes",
                versionName: "2",
                model: new,
                migrations: [
                    ModelDefinition.Migration(
                        source: "1",
                        sourceHash: old.versionHash,
                        destination: "2",
                        destinationHash: new.versionHash,
                        sql: row.sql
                    )
                ],
                versionNames: [old.versionHash: "1"]
            )
            func insert(_ text: String?, _ rank: Int, _ context: ManagedObjectContext) {
                let note = EntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(text, forKey: "text")
                note.setValue(rank, forKey: "rank")
            }
            func values(_ context: ManagedObjectContext) throws -> [String?] {
                let request = FetchRequest<ManagedObject>(entityName: "Note").sorted(by: "rank")
                return try context.fetch(request).map { $0.value(forKey: "text") as? String }
            }
            do {
                let context = try PersistentContainer(model: first, path: path).newContext()
                // U2: a missing value is not equal to another missing value.
                for (rank, text) in ["a", "a", nil, nil].enumerated() { insert(text, rank, context) }
                try context.save()
            }
            for _ in 0..<2 {
                let error = #expect(throws: StoreError.self) { try PersistentContainer(model: second, path: path) }
                #expect(error?.code == .migrationFailed && error?.sqliteCode == chordata_constraint_unique)
                expectEqual(error?.message, "migration '1' to '2' failed and was undone: \(row.words)")
            }
            do {
                let context = try PersistentContainer(model: first, path: path).newContext()
                expectEqual(try values(context), ["a", "a", nil, nil])
                let request = FetchRequest<ManagedObject>(entityName: "Note").sorted(by: "rank")
                try context.fetch(request).first?.setValue("b", forKey: "text")
                try context.save()
            }
            let context = try PersistentContainer(model: second, path: path).newContext()
            expectEqual(try values(context), ["b", "a", nil, nil])
            insert("a", 9, context)
            #expect(throws: UniquenessConflictError.self) { try context.save() }
        }
    }
}
