import ChordataModel
import ChordataPredicate
import Testing

/// Random texts are parsed or rejected without a trap, and printing the parsed texts is a fixed point.
@Suite struct RandomFormatTests {
    private static let words = [
        "name", "age", "owner.name", "tame", "==", "!=", "<", "=>", "IN", "BETWEEN", "CONTAINS[cd]", "LIKE", "MATCHES",
        "AND",
        "OR", "NOT", "!", "&&", "||", "(", ")", "{", "}", ",", "1", "-2.5", "1e3", "0x1F", "'a'", "\"b\\n\"", "nil",
        "YES", "$x",
        "SELF", "%@", "%K", "%d", "@count", "ANY", "#in", ".", "[", "]", "CAST(1, 'NSDate')", "é", "😀", "\u{A0}", "+",
        "'", "\\",
        "TRUEPREDICATE", ":", "%", "\u{0}", "ALL", "@", "$", "#", "owner", "first", "price", "born",
    ]

    private static let operators = words.filter { ["==", "!=", "<", "=>", "IN", "LIKE", "CONTAINS[cd]"].contains($0) }
    private static let operands = [
        "name", "age", "owner.name", "#in", "1", "-2.5", "0x1F", "'a'", "nil", "YES", "$x", "SELF", "{1, nil}",
        "(price)",
        "CAST(1, 'NSDate')", "%@", "%K", "{age, $y}", "\"b\\n\"",
    ]

    @Test(arguments: [1, 2, 3, 4] as [UInt64]) func neverTraps(_ seed: UInt64) throws {
        var state = seed &* 0x9E37_79B9_7F4A_7C15
        func below(_ count: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % UInt64(count))
        }
        var readCount = 0
        for round in 0..<5_000 {
            var parts: [String] = []
            for _ in 0..<(1 + below(3)) {
                // Half of the comparisons are well-formed, so that some texts can be read.
                let length = below(2) == 0 ? 3 : 1 + below(5)
                for index in 0..<length {
                    let words = length == 3 ? (index == 1 ? Self.operators : Self.operands) : Self.words
                    parts.append(words[below(words.count)])
                }
                parts.append(["AND", "OR", "||", "&& NOT"][below(4)])
            }
            let format = parts.dropLast().joined(separator: below(3) == 0 ? "" : " ")
            let arguments: [(any PredicateArgument)?] = format.contains("%") && below(2) == 0 ? ["name"] : []
            do throws(FetchPredicateError) {
                let predicate = try FetchPredicate(format: format, argumentArray: arguments)
                let text = predicate.description
                let again = try FetchPredicate(format: text)
                #expect(again == predicate && again.description == text, "seed \(seed), round \(round): \(format)")
                readCount += 1
                _ = try (predicate && .true).bind(to: "Animal", in: TestModel.model)
            } catch {
                #expect((0...error.format.utf8.count).contains(error.offset), "seed \(seed), round \(round): \(format)")
                #expect(error.description.hasPrefix(error.message))
            }
        }
        #expect(readCount > 500)
    }
}
