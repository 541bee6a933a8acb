import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

@Suite struct ParsePredicateTests {
    private func printed(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> String {
        try FetchPredicate(format: format, argumentArray: arguments).description
    }

    @Test func p1_placeholdersTakeArguments() throws {
        expectEqual(try printed("%K == %@", "name", "x"), "name == \"x\"")
        expectEqual(try printed("%K.name == %@", "owner.city", "x"), "owner.city.name == \"x\"")
        expectEqual(try printed("owner.%K == %@", "city.name", "x"), "owner.city.name == \"x\"")
        expectEqual(try printed("%K == %@", "SELF", nil), "SELF == nil")
        expectEqual(
            try printed("a IN {%d, %i, %u, %ld, %lu, %lld, %llu, %x}", 1, 2, 3, 4, 5, 6, UInt8(7), true),
            "a IN {1, 2, 3, 4, 5, 6, 7, 1}"
        )
        expectEqual(try printed("a > %f AND a < %lf", 1.5, 2), "a > 1.5 AND a < 2")
        expectEqual(try printed("a == %@", "it's \"x\"\n\\"), "a == \"it's \\\"x\\\"\\n\\\\\"")
    }

    @Test func p1_argumentsThatDoNotFit() {
        #expect(mistake("name == %@")?.message.hasPrefix("there is no argument for '%@', placeholder number 1") == true)
        expectEqual(mistake("name == 'x'", 1)?.message, "1 arguments were given, but the format has no placeholder")
        expectEqual(
            mistake("age == %d", "x")?.message,
            "expected an integer for '%d', found a string; use '%@' for values of any type"
        )
        #expect(mistake("age == %d", 1.5)?.message.hasPrefix("expected an integer for '%d', found a number") == true)
        expectEqual(mistake("%K == 1", 1)?.message, "expected a key path as a string for '%K', found an integer")
        expectEqual(
            mistake("%K == 1", "a b")?.message,
            "the argument for '%K' is not a key path: 'a b' is not a valid key"
        )
        expectEqual(mistake("%K == 1", "")?.message, "the argument for '%K' is not a key path: '' is not a valid key")
        expectEqual(
            mistake("weight == %@", Double.nan)?.message,
            "the argument for '%@' is NaN, which is not equal to any number"
        )
        expectEqual(
            mistake("name == %s", "x")?.message,
            "unknown placeholder '%s'; use '%@' for a value, '%K' for a key path, '%ld' for an integer or '%f' "
                + "for a number"
        )
        expectEqual(
            mistake("age == %%")?.message,
            "a percent sign is valid only inside quotes, and is written '%' there, not '%%'"
        )
    }

    @Test func p2_noSubstitutionInsideOfQuotes() throws {
        expectEqual(try printed("name == '%@' AND nick == \"%K%%\""), "name == \"%@\" AND nick == \"%K%%\"")
    }

    @Test func p6_options() throws {
        expectEqual(try printed("name CONTAINS[dc] 'x'"), "name CONTAINS[cd] \"x\"")
        expectEqual(
            try printed("name ==[c]'x' && name LIKE [ CDnl ] 'y'"),
            "name ==[c] \"x\" AND name LIKE[cdnl] \"y\""
        )
        expectEqual(mistake("name LIKE[x] 'y'")?.message, "expected options out of 'c', 'd', 'n' and 'l', as in [cd]")
    }

    @Test func p14_escapedKeywords() throws {
        expectEqual(try printed("#in == 'x' AND #first == 1"), "#in == \"x\" AND #first == 1")
        expectEqual(
            try printed("first == 1 AND owner.in == 2 AND any == 3"),
            "#first == 1 AND owner.#in == 2 AND #any == 3"
        )
        expectEqual(
            mistake("in == 'x'")?.message,
            "expected a value or a key path, found 'in'; a key of that name is written '#in'"
        )
    }

    @Test func p16_operatorsWithoutSpaces() throws {
        expectEqual(try printed("a==1"), "a == 1")
        expectEqual(try printed("a=-1&&b<>2||!c<=3"), "a == -1 AND b != 2 OR NOT c <= 3")
        expectEqual(try printed("(a=<1)OR(b=>2)AND NOT(c>3)"), "a <= 1 OR b >= 2 AND NOT c > 3")
        expectEqual(try printed("a IN{1,2}AND b BETWEEN{3,4}"), "a IN {1, 2} AND b BETWEEN {3, 4}")
    }

    @Test func keywordsAreCaseInsensitive() throws {
        expectEqual(
            try printed("not a == yes and (b == no or c == Null) Or truepredicate"),
            "NOT a == YES AND (b == NO OR c == nil) OR TRUEPREDICATE"
        )
        expectEqual(
            try printed("name beginswith[c] 'x' or self.name endsWith 'y'"),
            "name BEGINSWITH[c] \"x\" OR name ENDSWITH \"y\""
        )
    }

    @Test func numbers() throws {
        expectEqual(
            try printed("a IN {1, -1, 0x1F, 0o17, 0b101, -0x10, 1.5, -.5, 1e3, 2E-2, 9223372036854775807}"),
            "a IN {1, -1, 31, 15, 5, -16, 1.5, -0.5, 1000.0, 0.02, 9223372036854775807}"
        )
        expectEqual(try printed("a == -9223372036854775808"), "a == -9223372036854775808")
        expectEqual(try printed("a == 9223372036854775808"), "a == CAST(\"9223372036854775808\", \"NSDecimalNumber\")")
        expectEqual(try printed("a == %@", UInt64.max), "a == CAST(\"18446744073709551615\", \"NSDecimalNumber\")")
        expectEqual(mistake("age == 0xZZ")?.message, "'0xZZ' is not a number of base 16 with at most 64 bits")
        expectEqual(
            mistake("age == 0xFFFFFFFFFFFFFFFF")?.message,
            "'0xFFFFFFFFFFFFFFFF' is outside the range of a signed 64-bit integer"
        )
    }

    @Test func strings() throws {
        expectEqual(try printed(#"a == 'it\'s' AND b == "\u00E9\u{1F600}\t""#), #"a == "it's" AND b == "é😀\t""#)
        expectEqual(mistake("name == 'x")?.message, "this string has no closing '")
        expectEqual(
            mistake(#"name MATCHES '\d+'"#)?.message,
            #"unknown escape '\d'; write '\\d' for a backslash before 'd'"#
        )
        expectEqual(mistake("name == “x”")?.message, "unexpected '“'; write strings in ' or \"")
    }

    @Test func formatsAreEqualWhenTheyMeanTheSame() throws {
        try expectEqual(FetchPredicate(format: "a==1"), FetchPredicate(format: "( a  =  %d )", 1))
        try expectEqual(FetchPredicate(format: "a IN {1, 2}"), FetchPredicate(format: "a IN %@", [1, 2]))
        try expectEqual(FetchPredicate(format: "a IN %@", Set([3, 1, 2])), FetchPredicate(format: "a IN {1, 2, 3}"))
        try expectEqual(FetchPredicate(format: "a BETWEEN %@", 1...2), FetchPredicate(format: "a BETWEEN {1, 2}"))
        #expect(try FetchPredicate(format: "a==1") != FetchPredicate(format: "a==2"))
    }

    /// Printing is a fixed point: what is printed reads as the same predicate, and prints as the same text.
    @Test(arguments: [
        "a == 1", "TRUEPREDICATE OR FALSEPREDICATE", "NOT (a == 1 AND NOT b == 2) OR c == 3",
        "(a == 1 OR b == 2) AND c == 3",
        "NOT NOT a == 1", "a IN {}", "a IN {1, 2.5, \"x\", nil, YES, $y, b}", "a BETWEEN {$lo, $hi}", "$x == nil",
        "SELF == $me",
        "SELF IN $list", "a MATCHES[cd] \"x\\\\d\"", "a == \"\\u{0}\\u{7F}\"", "#self == 1", "a.#or.#any == b.c",
        "a == CAST(1.5, \"NSDate\")", "a == CAST(-0.1, \"NSDate\")",
        "a == CAST(\"E621E1F8-C36C-495A-93FC-0C247A3E6E5F\", \"NSUUID\")", "a == CAST(\"-12.5\", \"NSDecimalNumber\")",
        "a == CAST(\"http://x.y/z?q=%20\", \"NSURL\")", "a == CAST(\"00ff\", \"NSData\")",
        "a == CAST(\"\", \"NSData\")",
        "a == CAST(\"x-coredata-key:Root/12\", \"NSManagedObjectID\")", "a == 1e999", "a == -1e999", "a == 1e+300",
        "a == 5e-324", "a == 0.1", "größe == \"ß\"", "(a == 1)", "a == (b)", "((a) == ((1)))",
        "a == 1 AND (b == 2 AND c == 3)", "(owner).name == 'x'", "((owner).city).name == 'x'", "(SELF).name == 'x'",
        "(SUBQUERY(a, $x, $x.b == 1).c).d.@count == 1", "(a.@unionOfObjects.b).c.@count == 1", "((a)[0].b).c == 1",
    ])
    func printingIsAFixedPoint(_ format: String) throws {
        let first = try FetchPredicate(format: format)
        let second = try FetchPredicate(format: first.description)
        expectEqual(first, second)
        expectEqual(first.description, second.description)
    }

    @Test func argumentsOfAllTypesPrintAndReadAgain() throws {
        let arguments: [(any PredicateArgument)?] = [
            "x", "xyz".dropFirst(), 1, Int8(-1), UInt64.max, 1.5, Float(0.1), Decimal(string: "0.10"), true, nil,
            Date(timeIntervalSinceReferenceDate: 0.1 + 0.2), UUID(), Data([1, 255]), URL(string: "http://a/b"),
            ["a", "b"], Set([1, 2]), [1, nil], 1...2, Optional<Int>.none, Object(root: "Owner", key: 3),
            Double.infinity, -Double.infinity,
        ]
        for argument in arguments {
            let first = try FetchPredicate(format: "a == %@", argument)
            let second = try FetchPredicate(format: first.description)
            expectEqual(first, second)
            expectEqual(first.description, second.description)
        }
    }

    @Test func rawValuesAreArguments() throws {
        enum Priority: Int, PredicateArgument { case high = 3 }
        expectEqual(try printed("a == %@ OR a IN %@", Priority.high, [Priority.high]), "a == 3 OR a IN {3}")
    }

    /// Found by fuzzing: each of several minus signs took two levels when it was parsed again, and the minus sign
    /// before `(7).@sum` became the sign of the number.
    @Test func minusIsPrintedAsItWasRead() throws {
        for format in [
            "a == " + String(repeating: "-", count: 46) + "b", "-(7).@sum == 1", "-{7, 8}[0] == 1", "-(7).a ** 2 == 1",
            "-(7 ** 2) == 1", "(-7).@sum == 1", "(-7) ** 2 == 1", "--(7) == -(-7)", "-((7)[0] ** 2) == 1",
        ] {
            let predicate = try FetchPredicate(format: format)
            expectEqual(try FetchPredicate(format: predicate.description), predicate, "\(format)")
        }
        expectEqual(try printed("-(-a) == -(-(7))"), "--a == --(7)")
        expectEqual(try printed("-(7).@sum == 1"), "-(7.@sum) == 1")
    }

    /// An argument that took one level was printed with more levels, and then the text was too deep to be parsed.
    @Test(arguments: [0, 60, 61, 62, 63]) func argumentsHaveDepth(_ count: Int) {
        let start = String(repeating: "NOT ", count: count) + "a == "
        for argument in [[[1]], Decimal(1), "x"] as [any PredicateArgument] {
            guard let predicate = try? FetchPredicate(format: start + "%@", argument) else {
                #expect(count > (argument is String ? 62 : argument is Decimal ? 61 : 60), "\(argument)")
                continue
            }
            #expect(throws: Never.self) { try FetchPredicate(format: predicate.description) }
        }
    }

    @Test func depthIsLimited() throws {
        let deep = String(repeating: "(", count: 64) + "a == 1" + String(repeating: ")", count: 64)
        expectEqual(try printed(deep), "a == 1")
        for (opening, repeated) in [
            ("", "("), ("", "NOT "), ("", "!"), ("a == ", "("), ("a IN ", "{"), ("a == ", "CAST("), ("", "(NOT "),
            ("a == ", "sqrt:("), ("a == ", "-"), ("", "SUBQUERY("), ("a == ", "TERNARY("), ("a == b", "[c"),
            ("a == ", "$x := "), ("", "ANY "),
        ] {
            let format = opening + String(repeating: repeated, count: min(100_000, 500_000 / repeated.utf8.count))
            let start = threadTime()
            let error = caught { try FetchPredicate(format: format) }
            expectEqual(error?.message, "this predicate is nested deeper than 64 levels", "\(repeated)")
            #expect(threadTime() - start < .milliseconds(500), "\(repeated)")
        }
    }

    @Test(arguments: [" + 1", " ** 1", ".a.@count[FIRST]"])
    func chainsAreDeepTrees(_ link: String) {
        let format = "a" + String(repeating: link, count: 100_000) + " == 1"
        let message = caught { try FetchPredicate(format: format) }?.message
        #expect(
            message == "this predicate is nested deeper than 64 levels"
                || message?.hasPrefix("this format string is") == true
        )
    }

    @Test func sizeIsLimited() throws {
        let long = "a == '" + String(repeating: "x", count: 1_000_000) + "'"
        expectEqual(
            caught { try FetchPredicate(format: long) }?.message,
            "this format string is longer than 524288 bytes; pass long values as arguments"
        )
        let wide = Array(repeating: "a", count: 100_000).joined(separator: " OR ")
        #expect(caught { try FetchPredicate(format: wide) } != nil)
        let parts = Array(repeating: "a==1", count: 60_000).joined(separator: "||")
        let problem =
            "this predicate has more than 20000 parts; shorten it, for example by IN with a list instead of many conditions with OR"
        expectEqual(caught { try FetchPredicate(format: parts) }?.message, problem)
        let fitting = Array(repeating: "a == 1", count: 10_000).joined(separator: " OR ")
        expectEqual(try printed(fitting), fitting)
    }

    /// A thread's stack is 512 KB on Apple's platforms, and the maximum depth must fit.
    @Test(arguments: [
        String(repeating: "(NOT ", count: 31) + "name == 'x'" + String(repeating: ")", count: 31),
        String(repeating: "(name == 'x' AND (name == 'y' OR ", count: 31) + "name == 'x'"
            + String(repeating: "))", count: 31),
        "length:(" + String(repeating: "uppercase:(", count: 58) + "name" + String(repeating: ")", count: 59) + " == 1",
        String(repeating: "TERNARY(name == 'x' AND ", count: 20) + "name == 'x'"
            + String(repeating: ", 1, 2) == 1", count: 20),
        "age" + String(repeating: " + 1", count: 60) + " == 60 OR name == 'x'",
        "age == " + String(repeating: "-(", count: 30) + "0" + String(repeating: ")", count: 30) + " OR name == 'x'",
    ])
    func depthFitsIntoASmallStack(_ format: String) async throws {
        let isMet = await withCheckedContinuation { continuation in
            let thread = Thread {
                let predicate = try? FetchPredicate(format: format)
                let again = predicate.flatMap { try? FetchPredicate(format: $0.description) }
                continuation.resume(returning: try? again?.isMet(by: ["name": .string("x"), "age": .integer(0)]))
            }
            thread.stackSize = 512 * 1024
            thread.start()
        }
        #expect(isMet != nil)
    }
}
