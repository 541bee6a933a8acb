import CChordataSQLite
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Synchronization
import Testing

@testable import Chordata

/// Hostile text in every public place that takes text: none of it becomes SQL.
///
/// Three checks prove it: the text of each statement is the same as for harmless text; SQLite's authorizer sees only
/// reads of the model's tables and calls of Chordata's functions; and stored text is read back unchanged.
@Suite(.onlySQLite(.statements))
struct InjectionTests {
    /// A hundred texts: known attacks on other software, every character with a meaning in SQL, predicates or JSON, and
    /// characters that no text should contain.
    static let payloads: [String] = {
        var texts = [
            "' OR '1'='1", "'; DROP TABLE Player; --", "\"; DROP TABLE Player; --", "1; DELETE FROM Player",
            "x' UNION SELECT 1, 2, 3 --",
            "\") OR 1=1 --", "') OR ('a'='a", "Robert'); DROP TABLE Player;--", "/* */", "*/ OR 1 /*", "--",
            "-- \n DROP TABLE Player",
            "?", "?1", ":name", "@name", "$name", "%@", "%K", "%s%n", "{", "}", "[", "]", "[0]", "$.name", "$.\"a\"",
            "\\", "\\'", "\\\"",
            "''", "\"\"", "``", "'", "\"", "`", ";", ",", "(", ")", "%", "_", "*", "a%' --", "LIKE '%'", "ESCAPE '\\'",
            "GLOB '*'",
            "name", "t0.\"name\"", "t0", "_id", "_version", "_entity", "sqlite_master", "sqlite_schema",
            "PRAGMA foreign_keys=OFF",
            "ATTACH DATABASE 'x' AS y", "load_extension('x')", "randomblob(1e9)", "writefile('x', 'y')", "NULL", "null",
            "true", "0x1F",
            "1e999", "NaN", "x'00'", "CAST(1 AS TEXT)", "CASE WHEN 1 THEN 1 END", "SELECT", "SELF", "ANY", "SUBQUERY",
            "FUNCTION(SELF, 'x')",
            "$x", "$x := 1", "@count", "team.@count", "team.name", "name ASC", "name; --", "name DESC, (SELECT 1)",
            "name\" DESC --",
            "ünïcödé '", "\u{2019} OR 1=1", "\u{FF07} OR 1=1", "\u{200B}'", "\u{202E}'", "😀'; --", "a\tb", "a\nb",
            "a\rb", "a\u{8}b",
            "a\u{1B}b", "a\u{7F}b", "a\u{85}b", "a\u{2028}b", "e\u{301}'", "ſ", "K", "",
        ]
        texts.append(String(repeating: "'", count: 5_000))
        texts.append(String(repeating: "(", count: 2_000))
        texts.append("a\0b'; DROP TABLE Player; --")
        return texts
    }()

    /// Records the actions that SQLite was asked to perform, other than reading.
    private final class Witness: Sendable {
        private let actions = Mutex<[String]>([])
        var others: [String] { actions.withLock { $0 } }
        func note(_ action: String) { actions.withLock { $0.append(action) } }
    }

    private struct Store {
        let container: PersistentContainer
        let context: ManagedObjectContext
        let witness = Witness()
        let statements = Statements()

        init() throws {
            let statements = statements
            var options = StoreOptions()
            options.statementLogger = StatementLogger { statements.note($0.sql) }
            container = try LeagueModel.definition.testContainer(at: ":memory:", options: options)
            context = container.newContext()
            for text in ["harmless"] + payloads where !text.contains("\0") {
                Player(context: context, name: text).team = Team(context: context, name: text)
            }
            try context.save()
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            let pointer = Unmanaged.passUnretained(witness).toOpaque()
            try store.sqlite.read { connection in
                _ = sqlite3_set_authorizer(
                    connection.handle,
                    { pointer, action, first, second, _, _ in
                        func text(_ value: UnsafePointer<CChar>?) -> String { value.map { String(cString: $0) } ?? "" }
                        let isExpected =
                            switch action {
                            case SQLITE_SELECT, SQLITE_RECURSIVE: true
                            case SQLITE_READ: ["Player", "Team", "json_each", "list"].contains(text(first))
                            case SQLITE_FUNCTION:
                                text(second).hasPrefix("chordata_")
                                    || ["count", "min", "like", "glob", "instr", "json_each"].contains(
                                        text(second).lowercased()
                                    )
                            default: false
                            }
                        if !isExpected, let pointer {
                            Unmanaged<Witness>.fromOpaque(pointer).takeUnretainedValue()
                                .note("\(action) \(text(first)) \(text(second))")
                        }
                        return SQLITE_OK
                    },
                    pointer
                )
            }
        }

        func close() throws {
            let store = try #require(container.persistentStoreCoordinator.persistentStores.first)
            try store.sqlite.read { _ = sqlite3_set_authorizer($0.handle, nil, nil) }
        }
    }

    private final class Statements: Sendable {
        private let texts = Mutex<[String]>([])
        func note(_ sql: String) { texts.withLock { $0.append(sql) } }
        func take() -> [String] {
            texts.withLock { texts in
                defer { texts = [] }
                return texts
            }
        }
    }

    /// Operations that take a text, with the number of their results: their statements must not depend on the text.
    private static let values: [(name: String, body: @Sendable (ManagedObjectContext, String) throws -> Int)] = [
        ("==", { try $0.count(for: Player.fetchRequest().where(format: "name == %@", $1)) }),
        ("!=", { try $0.count(for: Player.fetchRequest().where(format: "name != %@", $1)) }),
        ("<", { try $0.count(for: Player.fetchRequest().where(format: "name < %@", $1)) }),
        ("==[cd]", { try $0.count(for: Player.fetchRequest().where(format: "name ==[cd] %@", $1)) }),
        ("CONTAINS", { try $0.count(for: Player.fetchRequest().where(format: "name CONTAINS %@", $1)) }),
        ("ENDSWITH", { try $0.count(for: Player.fetchRequest().where(format: "name ENDSWITH[c] %@", $1)) }),
        ("IN", { try $0.count(for: Player.fetchRequest().where(format: "name IN %@", [$1, "other"])) }),
        (
            "long IN",
            { try $0.count(for: Player.fetchRequest().where(format: "name IN %@", (0..<600).map { "n\($0)" } + [$1])) }
        ),
        ("BETWEEN", { try $0.count(for: Player.fetchRequest().where(format: "name BETWEEN %@", [$1, $1])) }),
        ("over a to-one", { try $0.count(for: Player.fetchRequest().where(format: "team.name == %@", $1)) }),
        ("ANY", { try $0.count(for: Team.fetchRequest().where(format: "ANY players.name == %@", $1)) }),
        (
            "SUBQUERY",
            {
                try $0.count(
                    for: Team.fetchRequest().where(format: "SUBQUERY(players, $p, $p.name == %@).@count > 0", $1)
                )
            }
        ),
        (
            "a function",
            { try $0.count(for: Player.fetchRequest().where(format: "uppercase(name) == uppercase(%@)", $1)) }
        ),
        (
            "a variable",
            {
                try $0.count(
                    for: Player.fetchRequest().where(FetchPredicate(format: "name == $n").substituting(["n": $1]))
                )
            }
        ),
        ("key path operator", { context, text in try context.count(for: Player.fetchRequest().where(\.name == text)) }),
        (
            "the name of a result",
            { context, text in
                let request = Player.fetchRequest().dictionaries
                    .fetching(.expression(text, try FetchExpression(format: "max:(name)")))
                return try context.fetch(request).count { $0.keys.contains(text) }
            }
        ),
        (
            "having",
            { context, text in
                let request = Player.fetchRequest().dictionaries.fetching("name").grouped(by: "name")
                    .having(try FetchPredicate(format: "max:(name) == %@", text))
                return try context.fetch(request).count
            }
        ),
    ]

    /// Patterns are classified by their form, so there are only a few different statements for them.
    private static let patterns = ["LIKE", "LIKE[c]", "MATCHES", "BEGINSWITH", "BEGINSWITH[cd]"]

    /// Operations that expect a name of the model: another text is an error, and the store is not read.
    private static let names: [(name: String, body: @Sendable (ManagedObjectContext, String) throws -> Void)] = [
        (
            "%K",
            { _ = try $0.fetch(Player.fetchRequest().where(FetchPredicate(format: "%K == nil", argumentArray: [$1]))) }
        ),
        ("a sort", { _ = try $0.fetch(Player.fetchRequest().sorted(by: $1)) }),
        ("a prefetch", { _ = try $0.fetch(Player.fetchRequest().prefetching($1)) }),
        ("an entity", { _ = try $0.fetch(FetchRequest<ManagedObject>(entityName: $1)) }),
        ("a property to fetch", { _ = try $0.fetch(Player.fetchRequest().dictionaries.fetching(.property($1))) }),
        ("a group", { _ = try $0.fetch(Player.fetchRequest().dictionaries.grouped(by: $1)) }),
    ]

    @Test func valuesNeverBecomeSQL() throws {
        #expect(Self.payloads.count >= 100)
        let store = try Store()
        let (context, statements) = (store.context, store.statements)
        for slot in Self.values {
            _ = statements.take()
            _ = try slot.body(context, "harmless")
            let expected = statements.take()
            #expect(!expected.isEmpty)
            for payload in Self.payloads {
                let count = try slot.body(context, payload)
                let found = statements.take()
                expectEqual(found, expected, "\(slot.name): \(payload.debugDescription)")
                if slot.name == "==" {
                    expectEqual(count, payload.contains("\0") ? 0 : 1, "\(payload.debugDescription)")
                }
            }
        }
        expectEqual(store.witness.others, [])
        try store.close()
        expectEqual(try context.count(for: Player.fetchRequest()), Self.payloads.count)
    }

    /// Q19: no pattern becomes a part of a statement.
    @Test func patternsNeverBecomeSQL() throws {
        let store = try Store()
        let (context, statements) = (store.context, store.statements)
        for sign in Self.patterns {
            var kinds: Set<[String]> = []
            for payload in Self.payloads {
                _ = statements.take()
                do {
                    _ = try context.count(for: Player.fetchRequest().where(format: "name \(sign) %@", payload))
                } catch let error as FetchPredicateError {
                    // A text that is not a regular expression is refused before the store is read.
                    expectEqual(sign, "MATCHES", "\(sign) \(payload.debugDescription): \(error)")
                    continue
                }
                kinds.insert(statements.take())
            }
            #expect(kinds.count <= 6, "\(sign): \(kinds)")
            for kind in kinds { #expect(kind.count == 1 && kind[0].utf8.count < 300, "\(sign): \(kind)") }
        }
        expectEqual(store.witness.others, [])
        try store.close()
    }

    @Test func onlyNamesOfTheModelAreAccepted() throws {
        let store = try Store()
        // These texts are names of the model, or paths of them.
        let known: Set = ["name", "team.name", "SELF"]
        for slot in Self.names {
            for payload in Self.payloads where !known.contains(payload) {
                _ = store.statements.take()
                var wasRefused = false
                do {
                    try slot.body(store.context, payload)
                } catch is FetchPredicateError {
                    wasRefused = true
                } catch is FetchError {
                    wasRefused = true
                }
                #expect(wasRefused, "\(slot.name): \(payload.debugDescription)")
                expectEqual(store.statements.take(), [], "\(slot.name): \(payload.debugDescription)")
            }
        }
        expectEqual(store.witness.others, [])
        try store.close()
    }

    /// One text is one statement: text after the statement is an error, and is not ignored.
    @Test func aTextIsOneStatement() throws {
        let connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate)
        #expect(throws: StoreError.self) { try connection.prepare("SELECT 1; SELECT 2") }
        #expect(throws: StoreError.self) { try connection.prepare("SELECT 1; DROP TABLE t") }
        #expect(throws: StoreError.self) { try connection.prepare("SELECT 1\0; SELECT 2") }
        _ = try connection.prepare("SELECT 1; ")
    }
}
