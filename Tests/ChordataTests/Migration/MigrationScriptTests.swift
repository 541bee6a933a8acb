import ChordataModel
import ChordataTestSupport
import Testing

@testable import Chordata

/// The separation of a migration's SQL into statements, and the analysis of each statement.
@Suite(.onlySQLite(.migrations))
struct MigrationScriptTests {
    /// A statement ends where SQLite ends it, even if other parts of it look like an end.
    @Test func statementsEndAtTheirSemicolons() {
        let semicolons = String(repeating: ";", count: 1_000_000)
        let trigger = "CREATE TRIGGER t AFTER UPDATE ON Book BEGIN DELETE FROM a; DELETE FROM b; END"
        let statements = [
            "UPDATE a SET b = '\(semicolons)'", "UPDATE a SET b = 'it''s; \"' || \"x;\" || `;` || [;]", trigger,
            "SELECT 1 /* ; ' */ - 1", "SELECT 2 -- ; '\n", "SELECT 'open; ",
        ]
        let script = MigrationScript("-- why; \n" + statements.joined(separator: ";\n"))
        expectEqual(script.statements.map(\.sql), statements)
        expectEqual(script.rewritingStatements, Array(statements.prefix(2)))
    }

    /// Statements that only read rows need no disk space for copies.
    @Test func checksCopyNothing() throws {
        func versions(_ types: [AttributeType]) throws -> Versions {
            try Versions(
                types.map { type in
                    let pages = AttributeDescription(name: "pages", attributeType: type, isOptional: true)
                    return [EntityDescription(name: "Book", attributes: [pages])]
                }
            )
        }
        let steps = try versions([.integer64, .integer16, .double]).definition().migrations
        let scripts = steps.map { MigrationScript($0.sql) }
        expectEqual(scripts.map(\.rewritingStatements.isEmpty), [true, false])
        #expect(scripts[0].statements.contains { $0.sql.contains("INSERT") })
    }

    @Test func droppedColumnsAreSeen() {
        func dropped(_ sql: String) -> String? {
            MigrationScript(sql).statements[0].droppedColumn.map { "\($0.table).\($0.name)" }
        }
        expectEqual(dropped(#"ALTER TABLE "Book" DROP COLUMN "pages";"#), "Book.pages")
        expectEqual(dropped("-- why\nalter table main.[Book]\n drop `pages`;"), "Book.pages")
        expectEqual(dropped("ALTER TABLE Book DROP column;"), "Book.column")
        expectEqual(dropped(#"ALTER TABLE "My ""Book" DROP COLUMN "first name";"#), #"My "Book.first name"#)
        #expect(dropped("ALTER TABLE Book RENAME COLUMN a TO b;") == nil)
        #expect(dropped("ALTER TABLE drop ADD COLUMN b;") == nil)
        #expect(dropped("DROP TABLE Book;") == nil)
    }

    @Test func changedNamesOfColumnsAreSeen() {
        func changesColumns(_ sql: String) -> Bool { MigrationScript(sql).statements[0].changesColumns }
        #expect(changesColumns(#"ALTER TABLE "Book" DROP COLUMN "pages";"#))
        #expect(changesColumns("alter table main.Book rename a to b;"))
        #expect(changesColumns(#"ALTER TABLE "Book" RENAME COLUMN "a" TO "b";"#))
        #expect(!changesColumns(#"ALTER TABLE "Book" RENAME TO "Paper";"#))
        #expect(!changesColumns("ALTER TABLE drop ADD COLUMN b;"))
        #expect(!changesColumns(#"ALTER TABLE "My drop box" ADD COLUMN b;"#))
    }
}
