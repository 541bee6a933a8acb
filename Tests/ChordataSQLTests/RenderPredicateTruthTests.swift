import ChordataModel
import ChordataPredicate
import ChordataSQL
import ChordataTestSupport
import Foundation
import Testing

/// SQL and the evaluator both give the results that are listed here.
@Suite struct RenderPredicateTruthTests {
    /// The truth table, operator × nil × NOT.
    ///
    /// The results for a row with the `name` 'b' and the `count` 5, and for a row in which both are nil. In both rows,
    /// `nick` and `other` are nil.
    static let truths: [(format: String, present: Bool, absent: Bool)] = [
        ("name == 'b'", true, false), ("name != 'b'", false, true), ("name == 'a'", false, false),
        ("name != 'a'", true, true),
        ("name == nil", false, true), ("name != nil", true, false), ("name < 'c'", true, false),
        ("name <= 'b'", true, false),
        ("name > 'a'", true, false), ("name >= 'b'", true, false), ("name < nil", false, false),
        ("name <= nil", false, false),
        ("name > nil", false, false), ("name >= nil", false, false), ("name == nick", false, true),
        ("name != nick", true, false),
        ("name < nick", false, false), ("name <= nick", false, false), ("name > nick", false, false),
        ("name >= nick", false, false),
        ("nick == name", false, true), ("nick != name", true, false), ("nick <= name", false, false),
        ("name BETWEEN {'a', 'c'}", true, false), ("name BETWEEN {nil, 'c'}", false, false),
        ("name BETWEEN {'a', nick}", false, false),
        ("count BETWEEN {5, 5}", true, false), ("name IN {'a', 'b'}", true, false), ("name IN {'a', nil}", false, true),
        ("name IN {nil}", false, true), ("name IN {}", false, false), ("name IN {'a', nick}", false, true),
        ("name CONTAINS 'b'", true, false), ("name CONTAINS ''", true, false), ("name CONTAINS nil", false, false),
        ("name CONTAINS nick", false, false), ("name BEGINSWITH 'b'", true, false), ("name BEGINSWITH ''", true, false),
        ("name BEGINSWITH nil", false, false), ("name BEGINSWITH nick", false, false),
        ("name ENDSWITH 'b'", true, false),
        ("name ENDSWITH ''", true, false), ("name ENDSWITH nick", false, false), ("name LIKE '?'", true, false),
        ("name LIKE '*'", true, false), ("name LIKE nick", false, false), ("name MATCHES '.'", true, false),
        ("name MATCHES nil", false, false), ("name IN 'abc'", true, false), ("'b' IN name", true, false),
        ("name ==[c] 'B'", true, false), ("name !=[c] 'B'", false, true), ("name ==[c] nick", false, true),
        ("name CONTAINS[c] 'B'", true, false), ("name IN[c] {'B', nil}", true, true), ("name <[c] 'C'", true, false),
        ("count == 5", true, false), ("count != 5", false, true), ("count < 6", true, false),
        ("count == 5.5", false, false),
        ("count < 5.5", true, false), ("other == nil", true, true), ("other != nil", false, false),
        ("other.title == nil", true, true),
        ("other.title != 'x'", true, true), ("other.title == 'x'", false, false), ("other.rank < 1", false, false),
        ("other.owner == nil", true, true), ("other.owner.name == name", false, true), ("1 == 1", true, true),
        ("nil == 1", false, false),
    ]

    @Test func truthTable() throws {
        let database = try RenderPredicateDatabase()
        try database.insertItem(1, ["name": .string("b"), "count": .integer(5)])
        try database.insertItem(2, [:])
        for (format, present, absent) in Self.truths {
            for (spelling, isNegated) in [
                (format, false), ("NOT " + format, true), ("NOT NOT (\(format))", false),
                ("NOT (\(format) AND TRUEPREDICATE)", true), ("NOT (\(format) OR count == 77)", true),
                ("NOT (count != 77 AND \(format))", true), ("\(format) AND SELF != nil", false),
                ("NOT (NOT \(format) OR count == 77) OR count == 77", false),
            ] {
                let expected = (present != isNegated ? [1] : []) + (absent != isNegated ? [2] : []) as [Int64]
                let predicate = try bound(spelling)
                expectEqual(try database.keysFromSQL(predicate), expected, "SQL: \(spelling)")
                expectEqual(try database.keysFromMemory(predicate), expected, "memory: \(spelling)")
            }
        }
    }

    /// Random rows, predicates and sorts: SQL and the evaluator agree.
    @Test(arguments: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as [UInt64]) func evaluatorAgreesWithSQL(_ seed: UInt64) throws {
        var random = RandomPredicates(seed: seed)
        let database = try random.makeDatabase()
        var taken = 0
        for round in 0..<100 {
            let predicate = FetchPredicate(random.predicate(depth: 3))
            let context = "seed \(seed), round \(round): \(predicate)"
            let bound = try predicate.bind(to: "Item", in: RenderPredicateModel.model)
            // The printed text is parsed as the same predicate.
            let again = try FetchPredicate(format: predicate.description)
            expectEqual(try again.bind(to: "Item", in: RenderPredicateModel.model), bound, "\(context)")
            let terms = try random.sortTerms()
            let keys = try database.keysFromMemory(bound, sortedBy: terms)
            expectEqual(try database.keysFromSQL(bound, sortedBy: terms), keys, "\(context)")
            if !keys.isEmpty, keys.count < database.items.count { taken += 1 }
        }
        // A predicate that selects all rows or none tests little.
        #expect(taken > 40, "seed \(seed)")
    }
}
