import CChordataSQLite
import ChordataTestSupport
import Testing

@testable import Chordata

/// Operations that every connection to a store refuses, regardless of the statement.
@Suite(.onlySQLite(.engine))
struct ConnectionSettingsTests {
    enum Role: CaseIterable, Sendable {
        case writer, reader, readerOfAReadOnlyStore
    }

    private func withConnection(_ role: Role, _ body: (SQLiteConnection) throws -> Void) throws {
        try withStorePath { path in
            do {
                let context = try LeagueModel.container(at: path).newContext()
                _ = Team(context: context, name: "Reds")
                try context.save()
            }
            let options = StoreOptions(isReadOnly: role == .readerOfAReadOnlyStore)
            let container = try PersistentContainer(model: LeagueModel.definition, path: path, options: options)
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first).sqlite
            if role == .writer { try store.write(body) } else { try store.read(body) }
        }
    }

    private func expectRefusal(of sql: String, on connection: SQLiteConnection, _ message: String) {
        let error = #expect(throws: StoreError.self) { try connection.execute(sql) }
        #expect(error?.message.contains(message) == true, "\(sql): \(error.map { "\($0)" } ?? "was run")")
    }

    @Test(arguments: Role.allCases)
    func connectionsHaveTheRequiredSettings(role: Role) throws {
        try withConnection(role) { connection in
            let names = ["foreign_keys", "trusted_schema", "cell_size_check", "mmap_size", "query_only"]
            let values = try names.map { try connection.integer("PRAGMA \($0)") }
            expectEqual(values, [1, 0, 1, 0, role == .writer ? 0 : 1])
        }
    }

    /// A misspelled column is an error, and is not read as a string literal.
    @Test(arguments: Role.allCases)
    func doubleQuotedNamesAreNotText(role: Role) throws {
        try withConnection(role) { connection in
            expectRefusal(of: "SELECT \"nosuch\"", on: connection, "no such column: nosuch")
            expectRefusal(of: "SELECT 1 FROM \"Team\" WHERE \"nosuch\" = 'x'", on: connection, "no such column: nosuch")
        }
    }

    @Test func doubleQuotedNamesAreNotTextInSchemas() throws {
        try withConnection(.writer) { connection in
            for sql in [
                "CREATE INDEX \"i\" ON \"Team\" (\"nosuch\")",
                "CREATE TABLE \"t\" (\"a\" TEXT CHECK (\"a\" <> \"nosuch\"))",
            ] {
                expectRefusal(of: sql, on: connection, "no such column: nosuch")
            }
            let count = try connection.integer("SELECT count(*) FROM sqlite_schema WHERE name IN ('i', 't')")
            expectEqual(count, 0)
        }
    }

    /// Defensive mode: statements cannot break the file.
    @Test(arguments: Role.allCases)
    func theSchemaCannotBeOverwritten(role: Role) throws {
        try withConnection(role) { connection in
            try connection.execute("PRAGMA writable_schema=1")
            expectRefusal(
                of: "UPDATE sqlite_schema SET sql = '' WHERE name = 'Team'",
                on: connection,
                "table sqlite_master may not be modified"
            )
            expectEqual(try connection.integer("SELECT count(*) FROM \"Team\""), 1)
        }
    }

    @Test(arguments: Role.allCases)
    func noExtensionIsLoaded(role: Role) throws {
        try withConnection(role) { connection in
            expectRefusal(of: "SELECT load_extension('nosuch')", on: connection, "not authorized")
            var text: UnsafeMutablePointer<CChar>?
            defer { sqlite3_free(text) }
            let result = sqlite3_load_extension(connection.handle, "nosuch", nil, &text)
            #expect(result == SQLITE_ERROR && text.map { String(cString: $0) } == "not authorized")
        }
    }

    /// A reader writes neither to the file nor to a temporary table.
    @Test(arguments: [Role.reader, .readerOfAReadOnlyStore])
    func aReaderWritesNothing(role: Role) throws {
        try withConnection(role) { connection in
            for sql in ["DELETE FROM \"Team\"", "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)"] {
                let error = #expect(throws: StoreError.self) { try connection.execute(sql) }
                expectEqual(error?.code, .readOnly, "\(sql)")
            }
            let count = try connection.integer("SELECT count(*) FROM \"Team\"")
            #expect(try connection.integer("PRAGMA query_only") == 1 && count == 1)
        }
    }
}
