import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

@Suite struct EvaluatePredicateTests {
    private func isMet(_ format: String, _ row: Row, _ arguments: (any PredicateArgument)?...) throws -> Bool {
        try FetchPredicate(format: format, argumentArray: arguments).isMet(by: row)
    }

    @Test func p3_betweenIncludesBothEnds() throws {
        for (age, expected) in [(17, false), (18, true), (20, true), (21, true), (22, false)] {
            let row: Row = ["age": .integer(Int64(age))]
            expectEqual(try isMet("age BETWEEN {18, 21}", row), expected)
            expectEqual(try isMet("age BETWEEN %@", row, [18, 21]), expected)
            expectEqual(try isMet("age BETWEEN %@", row, 18...21), expected)
            expectEqual(try isMet("%d BETWEEN {18, 21}", [:], age), expected)
        }
        #expect(try isMet("age BETWEEN {1, chip}", ["age": .integer(5), "chip": .integer(5)]))
        #expect(try !isMet("age BETWEEN {1, nil}", ["age": .integer(5)]))
    }

    @Test func p4_in() throws {
        #expect(try isMet("age IN {1, 2}", ["age": .integer(2)]))
        #expect(try !isMet("NOT age IN {1, 2}", ["age": .integer(2)]))
        #expect(try !isMet("NOT (age IN {1, 2})", ["age": .integer(2)]))
        #expect(try isMet("name IN 'abc'", ["name": .string("b")]))
        #expect(try isMet("'b' IN name", ["name": .string("abc")]))
        #expect(try isMet("{1, 2} CONTAINS age", ["age": .integer(2)]))
        #expect(try isMet("%@ CONTAINS name", ["name": .string("b")], ["a", "b"]))
        #expect(try !isMet("age IN {}", ["age": .integer(2)]))
        #expect(try isMet("age IN {1, nil}", [:]))
        #expect(try isMet("5 IN {age, chip}", ["chip": .integer(5)]))
        #expect(try isMet("age IN {chip, 7}", ["age": .integer(7)]))
    }

    @Test func p5_like() throws {
        for (pattern, text, expected) in [
            ("*", "", true), ("?", "", false), ("a*c", "abbc", true), ("a*c", "abcb", false), ("a?c", "abc", true),
            ("a?c", "ac", false), ("*b*", "abc", true), ("**", "x", true), ("a", "A", false), ("?", "é", true),
            ("?", "e\u{301}", false), ("??", "e\u{301}", true), (#"\*"#, "*", true), (#"\*"#, "a", false),
            (#"a\\b"#, #"a\b"#, true), (#"a\"#, #"a\"#, true), ("*a*b*c*", "xaxbxcx", true), ("%", "x", false),
        ] { expectEqual(try isMet("name LIKE %@", ["name": .string(text)], pattern), expected, "\(pattern) \(text)") }
        let long = String(repeating: "ab?", count: 50)
        #expect(LikePattern(long).matches(String(repeating: "abc", count: 50)))
        #expect(!LikePattern(long).matches(String(repeating: "abc", count: 49) + "acc"))
        #expect(LikePattern("*" + long + "*").matches("xx" + String(repeating: "abc", count: 60)))
        // A matcher with backtracking would take exponential time, or much more than quadratic time.
        #expect(!LikePattern(String(repeating: "a*", count: 60) + "b").matches(String(repeating: "a", count: 50_000)))
    }

    @Test func p5_matchesTheWholeString() throws {
        #expect(try isMet(#"name MATCHES "\\d+""#, ["name": .string("123")]))
        #expect(try !isMet(#"name MATCHES "\\d+""#, ["name": .string("123x")]))
        #expect(try isMet("name MATCHES 'a|ab'", ["name": .string("ab")]))
        #expect(try !isMet("name MATCHES 'a'", ["name": .string("a\n")]))
        #expect(try isMet(#"name MATCHES[c] "A\\D""#, ["name": .string("ax")]))
        #expect(try isMet("name MATCHES[d] 'é.'", ["name": .string("éè")]))
    }

    @Test func p6_options() throws {
        let cases: [(String, String, String, Bool)] = [
            ("==", "Straße", "STRASSE", false), ("==[c]", "Straße", "STRASSE", true), ("==[c]", "ẞ", "ss", true),
            ("==[c]", "ΣΑΣ", "σας", true), ("==[c]", "é", "É", true), ("==[c]", "é", "e", false),
            ("==[d]", "é", "e", true),
            ("==[d]", "é", "E", false), ("==[cd]", "e\u{301}", "E", true), ("==[dc]", "é", "E", true),
            ("==", "é", "e\u{301}", false), ("==[c]", "é", "e\u{301}", false), ("==[cdn]", "é", "E", false),
            ("==[c]", "ı", "I", false), ("==[c]", "K", "k", true), ("CONTAINS[cd]", "Crème Brûlée", "BRULE", true),
            ("BEGINSWITH[c]", "Éa", "é", true), ("ENDSWITH[d]", "aé", "e", true), ("LIKE[c]", "ABC", "a?c", true),
            ("!=[c]", "A", "a", false), ("<[c]", "B", "a", false), ("CONTAINS[d]", "한", "하", false),
        ]
        for (operation, left, right, expected) in cases {
            expectEqual(
                try isMet("name \(operation) %@", ["name": .string(left)], right),
                expected,
                "\(left) \(operation) \(right)"
            )
        }
        #expect(try isMet("name IN[c] {'A', 'B'}", ["name": .string("b")]))
        #expect(try isMet("name BETWEEN[c] {'A', 'C'}", ["name": .string("b")]))
        #expect(try isMet("name ==[c] nick", ["name": .string("b"), "nick": .string("B")]))
    }

    /// P7: the truth table of nil.
    @Test func p7_nil() throws {
        let absent: Row = [:]
        for (format, expected) in [
            ("name == nil", true), ("name != nil", false), ("name == 'x'", false), ("name != 'x'", true),
            ("NOT name == 'x'", true), ("NOT name != 'x'", false), ("name < 'x'", false), ("NOT name < 'x'", true),
            ("name >= nil", false), ("name CONTAINS 'x'", false), ("NOT name CONTAINS 'x'", true),
            ("name LIKE '*'", false),
            ("name CONTAINS ''", false), ("name BEGINSWITH nil", false), ("name == nick", true),
            ("name != nick", false),
            ("name <= nick", false), ("name IN {nil}", true), ("name IN {'x'}", false), ("NOT name IN {'x'}", true),
            ("age BETWEEN {1, 2}", false), ("NOT age BETWEEN {1, 2}", true), ("owner == nil", true),
            ("owner.name == nil", true), ("owner.name != 'x'", true), ("NOT (owner.years == 1)", true),
        ] { expectEqual(try isMet(format, absent), expected, "\(format)") }
    }

    @Test func p10_everyVariableIsNeeded() throws {
        let predicate = try FetchPredicate(format: "age > $least AND name IN {$a, $b} AND nick != $a")
        expectEqual(predicate.variables, ["least", "a", "b"])
        let error = caught { try predicate.substituting(["least": 1]) }
        expectEqual(error?.message, "there is no value for '$a', '$b'")
        expectEqual(error?.offset, 26)
        let full = try predicate.substituting(["least": 1, "a": "x", "b": nil, "unused": 2])
        expectEqual(full.description, "age > 1 AND name IN {\"x\", nil} AND nick != \"x\"")
        #expect(caught { try predicate.bind(to: "Animal", in: TestModel.model) } != nil)
        let variables: [String: PredicateValue] = ["least": .integer(1), "a": .string("x"), "b": .null]
        try expectEqual(
            predicate.bind(to: "Animal", in: TestModel.model, variables: variables),
            full.bind(to: "Animal", in: TestModel.model)
        )
        #expect(caught { try predicate.substituting(["least": Double.nan, "a": 1, "b": 1]) } != nil)
    }

    @Test func p11_objects() throws {
        let owner = Object(root: "Owner", key: 7)
        let row: Row = ["owner": .owner(7), "SELF": .animal(3), "friend": .animal(3)]
        #expect(try isMet("owner == %@", row, owner))
        #expect(try isMet("owner.objectID == %@", row, owner))
        #expect(try !isMet("owner != %@", row, owner))
        #expect(try isMet("owner IN %@", row, [Object(root: "Owner", key: 1), owner]))
        #expect(try isMet("SELF == %@", row, Object(root: "Animal", key: 3)))
        #expect(try isMet("SELF IN %@", row, [Object(root: "Animal", key: 3)]))
        #expect(try isMet("objectID == %@", row, Object(root: "Animal", key: 3)))
        #expect(try isMet("SELF == friend", row))
        #expect(try isMet("%@ == owner", row, owner))
    }

    @Test func p12_numbersAndBooleans() throws {
        for (format, row, expected) in [
            ("tame == 1", ["tame": .attribute(.boolean(true))], true),
            ("tame = YES", ["tame": .attribute(.boolean(true))], true),
            ("tame == 2", ["tame": .attribute(.boolean(true))], false),
            ("tame < 2", ["tame": .attribute(.boolean(true))], true), ("age == YES", ["age": .integer(1)], true),
            ("age == 1.0", ["age": .integer(1)], true), ("age < 1.5", ["age": .integer(1)], true),
            ("age == 1.5", ["age": .integer(1)], false), ("weight == 1", ["weight": .attribute(.double(1))], true),
            ("height == 0.1", ["height": .attribute(.double(Double(Float(0.1))))], true),
            ("price == 9.99", ["price": .attribute(.decimal(Decimal(string: "9.99") ?? 0))], true),
            ("price == '9.990'", ["price": .attribute(.decimal(Decimal(string: "9.99") ?? 0))], true),
            ("price > 9", ["price": .attribute(.decimal(Decimal(string: "10") ?? 0))], true),
            ("chip == 9007199254740993.0", ["chip": .integer(9_007_199_254_740_993)], true),
            ("chip > 1e300", ["chip": .integer(.max)], false),
            ("chip < 9223372036854775808", ["chip": .integer(.max)], true),
            ("age == weight", ["age": .integer(1), "weight": .attribute(.double(1))], true),
            ("tame == age", ["age": .integer(1), "tame": .attribute(.boolean(true))], true),
        ] as [(String, Row, Bool)] { expectEqual(try isMet(format, row), expected, "\(format)") }
    }

    @Test func p15_constants() throws {
        for (format, expected) in [
            ("1 == 1", true), ("true == true", true), ("1 == 2", false), ("1 == YES", true), ("'a' == 'A'", false),
            ("'a' ==[c] 'A'", true), ("nil == nil", true), ("nil != 'x'", true), ("nil < 1", false), ("2 > 1.5", true),
            ("'abc' CONTAINS 'b'", true), ("2 IN {1, 2}", true), ("NOT 1 == 1", false), ("2 BETWEEN {1, 2}", true),
            ("'b' IN 'abc'", true), ("TRUEPREDICATE", true), ("FALSEPREDICATE OR 1 == 1", true),
        ] {
            expectEqual(
                try FetchPredicate(format: format).bind(to: "Animal", in: TestModel.model),
                .constant(expected),
                "\(format)"
            )
        }
    }

    /// Found by fuzzing: the product of two small decimals trapped.
    @Test func smallDecimals() throws {
        func decimal(_ text: String) -> String { "CAST('\(text)', 'NSDecimalNumber')" }
        let digits = String(repeating: "9", count: 38)
        for (left, right, product) in [
            ("1e-100", "1e-100", nil), ("0.1", "1e-128", nil), ("\(digits)e-128", "\(digits)e-128", nil),
            ("1e127", "1e127", nil), ("-5e-65", "2e-64", "-1e-128"), ("-5e-65", "-2e-64", "1e-128"),
            ("0", "1e-128", "0"),
            ("\(digits)e-64", "\(digits)e-70", "\(digits.dropLast())8e-96"),
        ] {
            let format = "price * \(decimal(right)) == \(product.map(decimal) ?? "nil")"
            let price = try #require(Decimal(string: left))
            #expect(try FetchPredicate(format: format).isMet(by: ["price": .attribute(.decimal(price))]), "\(format)")
        }
    }

    @Test func sidesAreNormalized() throws {
        func bound(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> BoundPredicate {
            try FetchPredicate(format: format, argumentArray: arguments).bind(to: "Animal", in: TestModel.model)
        }
        try expectEqual(bound("5 < age"), bound("age > 5"))
        try expectEqual(bound("5 >= age"), bound("age <= 5"))
        expectEqual(try bound("$x == nil OR name == $x".replacingOccurrences(of: "$x", with: "nil")), .constant(true))
        try expectEqual(
            bound("uuid == 'e621e1f8-c36c-495a-93fc-0c247a3e6e5f'"),
            bound("uuid == %@", UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        )
        try expectEqual(bound("page == 'http://a/b'"), bound("page == %@", URL(string: "http://a/b")))
        try expectEqual(bound("age IN {1, 1.0, YES, 2}"), bound("age IN {1, 2}"))
        guard case .comparison(let comparison) = try bound("home.street == 'x'"),
            case .keyPath(let path) = comparison.left
        else {
            Issue.record("not a comparison")
            return
        }
        expectEqual(path.attributePath, ["home", "street"])
    }

    @Test func composition() throws {
        let a = try FetchPredicate(format: "age == 1")
        let b = try FetchPredicate(format: "age == 2 OR age == 3")
        #expect((a && b).description == "age == 1 AND (age == 2 OR age == 3)")
        #expect((b || a).description == "age == 2 OR age == 3 OR age == 1")
        #expect((!b).description == "NOT (age == 2 OR age == 3)")
        expectEqual(a.and(.true).or(.false).description, "age == 1 AND TRUEPREDICATE OR FALSEPREDICATE")
        expectEqual(FetchPredicate.all([]), .true)
        expectEqual(FetchPredicate.any([FetchPredicate]()), .false)
    }

    @Test func valuesAreOrderedAsInSQLite() {
        let ordered: [PredicateValue] = [
            .null, .integer(.min), .attribute(.double(-1.5)), .attribute(.boolean(false)), .attribute(.double(0.5)),
            .attribute(.boolean(true)), .integer(9_007_199_254_740_992), .integer(9_007_199_254_740_993),
            .integer(.max),
            .attribute(.double(9.3e18)), .string(""), .string("B"), .string("a"), .string("é"), .string("\u{FFFF}"),
            .string("😀"),
        ]
        for (i, left) in ordered.enumerated() {
            for (j, right) in ordered.enumerated() {
                expectEqual(comparePredicateValues(left, right).signum(), (i - j).signum(), "\(left) \(right)")
            }
        }
        let decimals = [
            "-100.5", "-100", "-0.5", "0", "0.05", "0.5", "5", "5.0001", "10", "123456789012345678901234567890",
        ]
        for (i, left) in decimals.enumerated() {
            for (j, right) in decimals.enumerated() {
                expectEqual(compareDecimalTexts(left, right).rawValue, (i - j).signum(), "\(left) \(right)")
                #expect(
                    (Decimal(string: left) ?? 0 < Decimal(string: right) ?? 0) == (i < j),
                    "\(left) \(right)"
                )
            }
        }
        expectEqual(
            ["1.500", "-0", "00.10", "1e3", "120"].compactMap { parseDecimal($0).map(decimalText) },
            [
                "1.5", "0", "0.1", "1000", "120",
            ]
        )
        #expect(
            ["", "1x", "--1", "1.2.3", "e5", ".", String(repeating: "9", count: 39)].allSatisfy {
                parseDecimal($0) == nil
            }
        )
        // Numbers up to 2 to the power of 128, which has 39 digits.
        for digits in ["340282366920938463463374607431768211455", "314159265358979323846264338327950288419"] {
            for text in [digits, "-" + digits, digits + "000", "0.0" + digits] {
                expectEqual(parseDecimal(text).map(decimalText), text)
            }
        }
        #expect(parseDecimal("340282366920938463463374607431768211456") == nil)
        #expect(parseDecimal("0.0340282366920938463463374607431768211459") == nil)
    }
}
