import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

@Suite struct RenderPredicateTests {
    private func fetch(
        _ format: String,
        _ arguments: (any PredicateArgument)?...,
        entity: String = "Item",
        includesSubentities: Bool = true
    ) throws -> SQLFragment {
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
            .bind(to: entity, in: RenderPredicateModel.model)
        return renderFetch(
            columns: ["_id"],
            predicate,
            entityName: entity,
            in: RenderPredicateModel.mapping,
            includesSubentities: includesSubentities
        )
    }

    /// Returns only the condition.
    private func condition(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> String {
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
            .bind(to: "Item", in: RenderPredicateModel.model)
        let sql = renderCount(predicate, entityName: "Item", in: RenderPredicateModel.mapping).sql
        return sql.range(of: " WHERE ").map { String(sql[$0.upperBound...]) } ?? ""
    }

    @Test(arguments: [
        ("name == 'x'", "t0.\"name\" = ?"), ("name != 'x'", "t0.\"name\" IS NOT ?"),
        ("name == nil", "t0.\"name\" IS NULL"),
        ("NOT name == nil", "t0.\"name\" IS NOT NULL"), ("NOT name == 'x'", "t0.\"name\" IS NOT ?"),
        ("NOT name != 'x'", "t0.\"name\" = ?"), ("name == nick", "t0.\"name\" IS t0.\"nick\""),
        ("count < 5", "t0.\"count\" < ?"), ("NOT count < 5", "(t0.\"count\" < ?) IS NOT TRUE"),
        ("NOT (count < 5 AND flag == YES)", "(t0.\"count\" < ? AND t0.\"flag\" = ?) IS NOT TRUE"),
        ("count BETWEEN {1, 2}", "t0.\"count\" BETWEEN ? AND ?"),
        ("price < 5", "t0.\"price\" COLLATE chordata_decimal < ?"), ("price == 5", "t0.\"price\" = ?"),
        ("price BETWEEN {1, 2}", "t0.\"price\" COLLATE chordata_decimal BETWEEN ? AND ?"),
        ("count IN {1, 2}", "t0.\"count\" IN (?, ?)"),
        ("count IN {1, nil}", "(t0.\"count\" IS NULL OR t0.\"count\" IN (?))"),
        ("count IN {nil}", "t0.\"count\" IS NULL"),
        ("name CONTAINS 'x'", "instr(t0.\"name\", ?) > 0"),
        ("name BEGINSWITH 'x'", "(t0.\"name\" >= ? AND t0.\"name\" < ?)"),
        ("name BEGINSWITH ''", "t0.\"name\" IS NOT NULL"),
        ("name BEGINSWITH '\u{10FFFF}'", "t0.\"name\" >= ?"),
        ("name ENDSWITH 'x'", "substr(CAST(t0.\"name\" AS BLOB), ?) = ?"),
        ("name CONTAINS[cd] 'x'", "chordata_contains(t0.\"name\", ?, 'cd')"),
        ("name LIKE 'x*y'", "chordata_like(t0.\"name\", ?, '')"),
        ("name MATCHES[c] 'x.*'", "chordata_matches(t0.\"name\", ?, 'c')"),
        ("'x' BEGINSWITH name", "chordata_begins(?, t0.\"name\", '')"),
        ("name ENDSWITH nick", "chordata_ends(t0.\"name\", t0.\"nick\", '')"),
        ("name ==[c] 'X'", "chordata_fold(t0.\"name\", 'c') = ?"), ("home.street == 'x'", "t0.\"home_street\" = ?"),
        ("list == nil", "t0.\"list\" IS NULL"), ("list.title == 'x'", "t1.\"title\" = ?"),
        ("SELF == twin", "t0.\"_id\" IS t0.\"twin\""),
        ("list.owner == nil", "t1.\"owner\" IS NULL"), ("TRUEPREDICATE", ""), ("FALSEPREDICATE", "0"),
        ("name == 'x' AND (count == 1 OR count == 2)", "(t0.\"count\" = ? OR t0.\"count\" = ?) AND t0.\"name\" = ?"),
        ("noindex:(name) == 'x'", "+t0.\"name\" = ?"),
        ("noindex:(price) BETWEEN {1, 2}", "+t0.\"price\" COLLATE chordata_decimal BETWEEN ? AND ?"),
        ("noindex:(price) < 2", "+t0.\"price\" COLLATE chordata_decimal < ?"),
    ])
    func conditions(_ format: String, _ expected: String) throws {
        expectEqual(try condition(format), expected)
    }

    @Test func wholeStatement() throws {
        let fragment = renderFetch(
            columns: ["_id", "na\"me"],
            try bound("list.title == 'x' AND other.owner.name != 'y' AND list.rank > 1"),
            sortedBy: [try sort("list.owner.name", ascending: false), try sort("price"), try sort("list.title")],
            limit: 5,
            offset: 2,
            entityName: "Item",
            in: RenderPredicateModel.mapping
        )
        expectEqual(
            fragment.sql,
            "SELECT t0.\"_id\", t0.\"na\"\"me\" FROM \"It\"\"em\" AS t0 "
                + "LEFT JOIN \"List\" AS t1 ON t1.\"_id\" = t0.\"list\" "
                + "LEFT JOIN \"List\" AS t2 ON t2.\"_id\" = t0.\"other\" "
                + "LEFT JOIN \"Person\" AS t3 ON t3.\"_id\" = t2.\"owner\" "
                + "LEFT JOIN \"Person\" AS t4 ON t4.\"_id\" = t1.\"owner\" "
                + "WHERE t1.\"title\" = ? AND t3.\"name\" IS NOT ? AND t1.\"rank\" > ? "
                + "ORDER BY t4.\"name\" DESC, t0.\"price\" COLLATE chordata_decimal, t1.\"title\", t0.\"_id\" LIMIT ? OFFSET ?"
        )
        expectEqual(fragment.bindings, [.string("x"), .string("y"), .integer(1), .integer(5), .integer(2)])
        let plain = renderFetch(columns: ["_id"], offset: 3, entityName: "List", in: RenderPredicateModel.mapping)
        expectEqual(plain.sql, "SELECT t0.\"_id\" FROM \"List\" AS t0 ORDER BY t0.\"_id\" LIMIT ? OFFSET ?")
        expectEqual(plain.bindings, [.integer(-1), .integer(3)])
    }

    @Test func hierarchies() throws {
        #expect(try !fetch("TRUEPREDICATE").sql.contains("_entity"))
        let exact = try fetch("count == 1", includesSubentities: false)
        #expect(exact.sql.contains("WHERE t0.\"_entity\" = ? AND t0.\"count\" = ? ORDER"))
        expectEqual(exact.bindings, [.string("Item"), .integer(1)])
        let special = try fetch("count == 1 OR count == 2", entity: "Special")
        #expect(special.sql.contains("WHERE t0.\"_entity\" IN (?, ?) AND (t0.\"count\" = ? OR t0.\"count\" = ?) ORDER"))
        expectEqual(special.bindings.prefix(2), [.string("Special"), .string("VerySpecial")])
        #expect(try fetch("TRUEPREDICATE", entity: "VerySpecial").sql.contains("WHERE t0.\"_entity\" = ? ORDER"))
    }

    @Test func valuesAreEncodedAsStored() throws {
        let uuid = try #require(UUID(uuidString: "00010203-0405-0607-0809-0A0B0C0D0E0F"))
        let cases: [(String, (any PredicateArgument)?, SQLValue)] = [
            ("born > %@", Date(timeIntervalSinceReferenceDate: 1.5), .real(1.5)), ("flag == %@", true, .integer(1)),
            ("uuid == %@", uuid, .blob(Data(0..<16))), ("page == %@", URL(string: "http://a/b"), .text("http://a/b")),
            ("photo == %@", Data([1]), .blob(Data([1]))), ("price == %@", Decimal(string: "1.50"), .text("1.5")),
            ("price == %@", 1_000_000, .text("1000000")), ("ratio == %@", 1, .real(1)),
            ("count == %@", 1.0, .integer(1)),
            ("count < %@", 1.5, .real(1.5)), ("list == %@", TestObject(root: "List", key: 4), .integer(4)),
            ("name ==[c] %@", "Ä", .text("ä")),
        ]
        for (format, argument, expected) in cases {
            expectEqual(try fetch(format, argument).bindings.map { SQLValue($0) }, [expected], "\(format)")
        }
    }

    @Test func indexesAreUsed() throws {
        let database = try RenderPredicateDatabase()
        for (format, index) in [
            ("name BEGINSWITH 'abc'", "item_name (name>? AND name<?)"), ("name == 'x'", "item_name (name=?)"),
            ("name == nil", "item_name (name=?)"), ("name IN {'x', 'y'}", "item_name (name=?)"),
            ("list == nil", "item_list (list=?)"), ("price == 5", "item_price (price=?)"),
            ("SELF == %@", "PRIMARY KEY (rowid=?)"),
            ("name == 'x' AND NOT count < 5", "item_name (name=?)"),
        ] {
            let fragment = try format.contains("%@") ? fetch(format, TestObject(root: "Item", key: 1)) : fetch(format)
            let plan = try database.plan(fragment)
            #expect(plan.contains(index), "\(format)")
        }
        let many = try fetch("uuid IN %@", (0..<501).map { _ in UUID() })
        #expect(try database.plan(many).contains("item_uuid (uuid=?)"))
    }

    /// Lists of all types, with lengths below, at and above the limit between the two forms of SQL.
    @Test(arguments: [1, 499, 500, 501, 2_000, 40_000]) func longLists(_ count: Int) throws {
        let database = try RenderPredicateDatabase()
        let uuids = (0..<count).map { index in
            UUID(
                uuid: (
                    UInt8(index & 255), UInt8(index >> 8 & 255), UInt8(index >> 16), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
                    1
                )
            )
        }
        let dates = (0..<count).map { Date(timeIntervalSinceReferenceDate: 7e8 + Double($0) * 0.1) }
        let texts = (0..<count).map { "\u{0}\($0)\"é😀" }
        let datas = (0..<count).map { Data("\($0)".utf8) }
        let decimals = (0..<count).map { Decimal($0) / 8 }
        let last = count - 1
        try database.insertItem(
            1,
            [
                "uuid": .attribute(.uuid(uuids[last])), "born": .attribute(.date(dates[last])),
                "name": .string(texts[last]),
                "photo": .attribute(.data(datas[last])), "price": .attribute(.decimal(decimals[last])),
                "count": .integer(Int64(last)), "list": .list(Int64(last)),
            ]
        )
        try database.insertItem(2, ["uuid": .attribute(.uuid(UUID())), "name": .string("no"), "count": .integer(-1)])
        try database.insertItem(3, [:])
        for (format, argument) in [
            ("uuid IN %@", uuids), ("born IN %@", dates), ("name IN %@", texts), ("photo IN %@", datas),
            ("price IN %@", decimals), ("count IN %@", Array(0..<count)), ("SELF IN %@", [1]),
            ("list IN %@", (0..<count).map { TestObject(root: "List", key: Int64($0)) }),
        ] as [(String, any PredicateArgument)] where format != "SELF IN %@" {
            let predicate = try FetchPredicate(format: format, argument).bind(
                to: "Item",
                in: RenderPredicateModel.model
            )
            expectEqual(try database.keysFromSQL(predicate), [1], "\(format)")
            expectEqual(try database.keysFromMemory(predicate), [1], "\(format)")
            let negated = try FetchPredicate(format: "NOT " + format, argument).bind(
                to: "Item",
                in: RenderPredicateModel.model
            )
            expectEqual(try database.keysFromSQL(negated), [2, 3], "\(format)")
        }
        let withNil = try bound("name IN %@", texts.map(Optional.some) + [nil])
        expectEqual(try database.keysFromSQL(withNil), [1, 3])
    }

    /// SQLite rejects expression trees that are 1,000 levels deep, as the tree of a long chain of ORs would be.
    @Test func longChains() throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["count": .integer(4_999)])
        try database.insertItem(2, ["count": .integer(5_000)])
        let parts = try (0..<5_000).map { try FetchPredicate(format: "count == %d", $0) }
        for predicate in [FetchPredicate.any(parts), !FetchPredicate.all(parts.map { !$0 })] {
            let bound = try predicate.bind(to: "Item", in: RenderPredicateModel.model)
            expectEqual(try database.keysFromSQL(bound), [1])
            expectEqual(try database.keysFromMemory(bound), [1])
        }
    }

    /// The depths of nested chains add up.
    @Test func longChainsInsideOneAnother() throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["count": .integer(64)])
        try database.insertItem(2, ["count": .integer(-1)])
        let parts = try (0..<63).map { try FetchPredicate(format: "count == %d", $0) }
        var predicate = try FetchPredicate(format: "count == 64")
        for _ in 0..<16 {
            predicate = .any([predicate] + parts)
            predicate = .all([predicate] + parts.map { !$0 })
        }
        let bound = try predicate.bind(to: "Item", in: RenderPredicateModel.model)
        expectEqual(try database.keysFromSQL(bound), [1])
        expectEqual(try database.keysFromMemory(bound), [1])
    }

    /// SQLite selects from a long list, whose values get the type of the column.
    ///
    /// An integer that equals no double must not be rounded to the nearest one.
    @Test(arguments: [3, 1_000]) func integersThatNoDoubleEquals(_ count: Int) throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["ratio": .attribute(.double(9_007_199_254_740_992))])
        try database.insertItem(2, ["ratio": .attribute(.double(7))])
        try database.insertItem(3, [:])
        let numbers = [9_007_199_254_740_993] + (1...count).map { $0 + 6 }
        let predicate = try bound("ratio IN %@", numbers)
        expectEqual(try database.keysFromSQL(predicate), [2])
        expectEqual(try database.keysFromMemory(predicate), [2])
        let alone = try bound("ratio IN %@", [9_007_199_254_740_993])
        expectEqual(try database.keysFromSQL(alone), [])
    }

    /// A duplicated side of a comparison would double the SQL at each level.
    @Test func nilInListsOfComputedValues() throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["count": .integer(0)])
        try database.insertItem(2, [:])
        var format = "count"
        for _ in 0..<4 { format = "TERNARY(\(format) + 0 IN {0, nil}, 0, 2)" }
        let predicate = try bound(format + " == 0")
        expectEqual(try database.keysFromSQL(predicate), [1, 2])
        expectEqual(try database.keysFromMemory(predicate), [1, 2])
        let sql = renderFetch(columns: ["_id"], predicate, entityName: "Item", in: RenderPredicateModel.mapping).sql
        #expect(sql.utf8.count < 1_000)
        let objects = try bound("TERNARY(count == 0, list, other) IN {%@, nil}", TestObject(root: "List", key: 3))
        expectEqual(try database.keysFromSQL(objects), [1, 2])
        expectEqual(try database.keysFromMemory(objects), [1, 2])
    }

    /// A column of doubles in a list must not convert the integers in the list to doubles.
    @Test func listsOfColumnsAndConstants() throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["ratio": .attribute(.double(1.5)), "count": .integer(9_007_199_254_740_993)])
        for format in [
            "{ratio, 7}[1] / 2 == 3", "{7, ratio}[0] / 2 == 3", "SUBQUERY({ratio, 7}, $x, $x / 2 == 3).@count == 1",
            "{ratio, count}[1] == 9007199254740993",
        ] {
            let predicate = try bound(format)
            expectEqual(try database.keysFromMemory(predicate), [1], "\(format)")
            expectEqual(try database.keysFromSQL(predicate), [1], "\(format)")
        }
    }

    /// Only expressions that are nested deeper than SQLite allows are evaluated in memory.
    @Test(arguments: ["sum", "choice", "count", "condition"]) func nesting(_ kind: String) throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["count": .integer(5)])
        var answers: [Bool] = []
        var format = kind == "condition" ? "count == 5" : "count"
        for level in 1...50 {
            switch kind {
            case "sum": format = "(\(format) + 1)"
            case "choice": format = "TERNARY(\(format) > 1, count, 1)"
            case "count": format = "SUBQUERY({1}, $x\(level), $x\(level) + \(format) > 0).@count"
            default: format = "SUBQUERY({1}, $x\(level), \(format) AND $x\(level) == 1).@count == 1"
            }
            guard let predicate = try? bound(kind == "condition" ? format : "\(format) >= 0") else { break }
            answers.append(predicate.isRenderable)
            if predicate.isRenderable { expectEqual(try database.keysFromSQL(predicate), [1], "\(kind) \(level)") }
        }
        expectEqual(answers.prefix(3), [true, true, true])
        #expect(answers.last == false)
    }

    /// Nested lists are evaluated in memory, and the evaluation stops at a limit.
    @Test func endlessLists() throws {
        let numbers = (0..<100).map(String.init).joined(separator: ", ")
        var format = "$x1 == -1"
        for level in 1...5 { format = "SUBQUERY({\(numbers)}, $x\(level), \(format)).@count > 0" }
        #expect(try !bound(format).isRenderable)
        #expect(try bound("SUBQUERY({\(numbers)}, $x, $x == count).@count > 0").isRenderable)
    }

    @Test func upperBoundsOfPrefixes() throws {
        let database = try RenderPredicateDatabase()
        let names = [
            "a", "a\u{10FFFF}", "a\u{10FFFF}b", "b", "\u{D7FF}", "\u{D7FF}x", "\u{E000}", "\u{10FFFF}",
            "\u{10FFFF}\u{10FFFF}", "",
            "a\u{0}b", "é", "e\u{301}",
        ]
        for (index, name) in names.enumerated() { try database.insertItem(Int64(index), ["name": .string(name)]) }
        for prefix in names {
            let predicate = try bound("name BEGINSWITH %@", prefix)
            let expected = names.indices.filter { names[$0].utf8.starts(with: prefix.utf8) }.map(Int64.init)
            expectEqual(try database.keysFromSQL(predicate), expected, "\(prefix)")
            expectEqual(try database.keysFromMemory(predicate), expected, "\(prefix)")
        }
    }

    /// A pattern with wildcards only at its ends is a simpler test, which may use an index.
    @Test func plainPatterns() throws {
        expectEqual(PlainLikePattern("ab"), .equal("ab"))
        expectEqual(PlainLikePattern(""), .equal(""))
        expectEqual(PlainLikePattern("ab**"), .beginsWith("ab"))
        expectEqual(PlainLikePattern("**ab"), .endsWith("ab"))
        expectEqual(PlainLikePattern("*ab*"), .contains("ab"))
        expectEqual(PlainLikePattern("*"), .beginsWith(""))
        expectEqual(PlainLikePattern("a\\*b\\?\\\\*"), .beginsWith("a*b?\\"))
        expectEqual(PlainLikePattern("a\\"), .equal("a\\"))
        for pattern in ["a*b", "?", "a?", "*a*b", "a*\\", "a*\\*"] { #expect(PlainLikePattern(pattern) == nil) }
        let database = try RenderPredicateDatabase()
        let names = ["", "a", "ab", "aab", "abb", "b", "a*b", "*", "?", "\\", "a\\", "A", "a\u{0}b", "e\u{301}", "é"]
        for (index, name) in names.enumerated() { try database.insertItem(Int64(index), ["name": .string(name)]) }
        try database.insertItem(100, [:])
        for text in names {
            for pattern in [text, text + "*", "*" + text, "*" + text + "*", text + "\\", "\\" + text, text + "?*"] {
                for format in ["name LIKE %@", "NOT name LIKE %@"] {
                    let predicate = try bound(format, pattern)
                    let expected = try database.keysFromMemory(predicate)
                    expectEqual(try database.keysFromSQL(predicate), expected, "\(format) \(pattern)")
                }
            }
        }
    }

    /// Text that looks like SQL, or like a pattern, is a value.
    @Test func q19_valuesAreNeverSpliced() throws {
        let database = try RenderPredicateDatabase()
        let names = ["' OR 1 = 1 --", "%", "_", "a%", "*", "?", "\\", "\"", "'); DROP TABLE \"List\"; --"]
        for (index, name) in names.enumerated() { try database.insertItem(Int64(index), ["name": .string(name)]) }
        for (index, name) in names.enumerated() {
            expectEqual(try database.keysFromSQL(bound("name == %@", name)), [Int64(index)])
            let contained = names.indices.filter { names[$0].contains(name) }.map(Int64.init)
            expectEqual(try database.keysFromSQL(bound("name CONTAINS %@", name)), contained)
        }
        expectEqual(
            try database.run(renderCount(entityName: "List", in: RenderPredicateModel.mapping)),
            [[.integer(0)]]
        )
    }

    @Test func countsAndLimits() throws {
        let database = try RenderPredicateDatabase()
        for key in 1...10 {
            try database.insertItem(Int64(key), entity: key > 7 ? "Special" : "Item", ["count": .integer(Int64(-key))])
        }
        let mapping = RenderPredicateModel.mapping
        expectEqual(
            try database.run(renderCount(bound("count < -3"), entityName: "Item", in: mapping)),
            [[.integer(7)]]
        )
        expectEqual(try database.run(renderCount(entityName: "Special", in: mapping)), [[.integer(3)]])
        expectEqual(
            try database.run(renderCount(entityName: "Item", in: mapping, includesSubentities: false)),
            [
                [.integer(7)]
            ]
        )
        func keys(_ limit: Int, _ offset: Int) throws -> [Int64] {
            try database.keys(
                renderFetch(
                    columns: ["_id"],
                    sortedBy: [sort("count")],
                    limit: limit,
                    offset: offset,
                    entityName: "Item",
                    in: mapping
                )
            )
        }
        expectEqual(try keys(3, 0), [10, 9, 8])
        expectEqual(try keys(3, 2), [8, 7, 6])
        expectEqual(try keys(0, 8), [2, 1])
    }
}
