import Chordata
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

private struct Keeper: Hashable, Sendable {}
private struct Foreign<Output>: StandardPredicateExpression where Output: Codable & Sendable {
    let value: Output
    func evaluate(_ bindings: PredicateBindings) throws -> Output { value }
}

private enum Level: Int, Codable, Sendable { case low = 1, high }
private struct Settings: Codable, Sendable {
    var limit: Int16 = 7
    var names = ["Jo", "Al"]
    var nested: Int16? = 3
}
private struct Opaque: Codable, Sendable, Hashable { var x = 1 }

struct TranslatedPredicateTests {
    @Test func comparisons() {
        expect(#Predicate<Player> { $0.name == "x" }, "name == 'x'")
        expect(#Predicate<Player> { $0.name != "x" }, "name != 'x'")
        expect(#Predicate<Player> { $0.age < 3 }, "age < 3")
        expect(#Predicate<Player> { $0.age <= 3 }, "age <= 3")
        expect(#Predicate<Player> { $0.age > 3 }, "age > 3")
        expect(#Predicate<Player> { 3 >= $0.age }, "3 >= age")
        expect(#Predicate<Player> { $0.nick == nil }, "nick == nil")
        expect(#Predicate<Player> { $0.team != nil }, "team != nil")
        expect(#Predicate<Player> { $0.name == $0.nick! }, "name == nick")
    }

    @Test func logic() {
        expect(
            #Predicate<Player> { $0.age > 3 && $0.name == "x" && !($0.age == 9) },
            "(age > 3 AND name == 'x' AND NOT age == 9)"
        )
        expect(#Predicate<Player> { $0.age > 3 || $0.active }, "(age > 3 OR active == YES)")
        expect(#Predicate<Player> { $0.active }, "active == YES")
        expect(#Predicate<Player> { !$0.active }, "NOT active == YES")
        expect(#Predicate<Player> { $0.active == false }, "active == NO")
        expect(#Predicate<Player> { _ in true }, "TRUEPREDICATE")
        expect(#Predicate<Player> { ($0.age > 3) == true }, "age > 3")
        expect(#Predicate<Player> { ($0.age > 3) != true }, "NOT age > 3")
        expect(#Predicate<Player> { ($0.age > 3) == $0.active }, "TERNARY(age > 3, YES, NO) == active")
    }

    @Test func values() {
        let (i8, i32, i64, u, u8, u64) = (Int8(1), Int32(2), Int64(3), UInt(4), UInt8(5), UInt64.max)
        expect(#Predicate<Player> { _ in i8 == i8 }, "1 == 1")
        expect(#Predicate<Player> { _ in i32 == i32 }, "2 == 2")
        expect(#Predicate<Player> { _ in i64 == i64 }, "3 == 3")
        expect(#Predicate<Player> { _ in u == u }, "4 == 4")
        expect(#Predicate<Player> { _ in u8 == u8 }, "5 == 5")
        expect(#Predicate<Player> { _ in u64 == u64 }, "d18446744073709551615 == d18446744073709551615")
        expect(#Predicate<Player> { $0.score > 1.5 }, "score > 1.5")
        let float = Float(0.5)
        expect(#Predicate<Player> { _ in float == float }, "0.5 == 0.5")
        let price = Decimal(12)
        expect(#Predicate<Player> { $0.price == price }, "price == d12")
        let date: Date? = Date(timeIntervalSinceReferenceDate: 5)
        expect(#Predicate<Player> { $0.born == date }, "born == date(5.0)")
        let uuid = UUID(uuidString: "12345678-1234-1234-1234-123456789012")
        expect(#Predicate<Player> { $0.uuid == uuid }, "uuid == uuid(12345678)")
        let (url, data) = (URL(string: "a:b"), Data([1]))
        expect(#Predicate<Player> { _ in url == url && data == data }, "(url(a:b) == url(a:b) AND data(1) == data(1))")
        let nothing: String? = nil
        expect(#Predicate<Player> { $0.nick == nothing }, "nick == nil")
        let level = Level.high
        expect(#Predicate<Player> { _ in level == level }, "2 == 2")
    }

    @Test func keyPathsOfCapturedValues() {
        let settings = Settings()
        expect(#Predicate<Player> { $0.age > settings.limit }, "age > 7")
        expect(#Predicate<Player> { settings.names.contains($0.name) }, "name IN {'Jo', 'Al'}")
        expect(#Predicate<Player> { _ in settings.names.count == 2 }, "2 == 2")
        expect(#Predicate<Player> { _ in settings.names.isEmpty }, "FALSEPREDICATE")
        expect(#Predicate<Player> { $0.age == settings.nested! }, "age == 3")
    }

    @Test func optionals() {
        expect(#Predicate<Player> { $0.team?.city == "Ulm" }, "team.city == 'Ulm'")
        expect(#Predicate<Player> { $0.team?.city == nil }, "team.city == nil")
        expect(#Predicate<Player> { $0.coach?.team?.city == "Ulm" }, "coach.team.city == 'Ulm'")
        expect(#Predicate<Player> { $0.team!.city! == "Ulm" }, "team.city == 'Ulm'")
        expect(#Predicate<Player> { ($0.nick ?? "none") == "x" }, "TERNARY(nick != nil, nick, 'none') == 'x'")
        expect(#Predicate<Player> { $0.nick!.isEmpty }, "nick == ''")
        expect(#Predicate<Player> { $0.retired ?? false }, "retired == YES")
        expect(#Predicate<Player> { $0.retired ?? true }, "(NOT retired != nil OR retired == YES)")
        expect(#Predicate<Player> { $0.retired! }, "retired == YES")
        expect(#Predicate<Player> { $0.retired == true }, "retired == YES")
        expect(#Predicate<Player> { $0.nick?.contains("x") ?? false }, "nick CONTAINS 'x'")
        expect(#Predicate<Player> { $0.nick?.contains("x") ?? true }, "(NOT nick != nil OR nick CONTAINS 'x')")
        expect(#Predicate<Player> { $0.nick?.contains("x") == true }, "nick CONTAINS 'x'")
        expect(#Predicate<Player> { $0.nick?.contains("x") == false }, "(nick != nil AND NOT nick CONTAINS 'x')")
        expect(#Predicate<Player> { $0.nick?.contains("x") != true }, "NOT nick CONTAINS 'x'")
        expect(#Predicate<Player> { $0.nick?.contains("x") == nil }, "NOT nick != nil")
        expect(#Predicate<Player> { ($0.nick?.contains("x"))! }, "nick CONTAINS 'x'")
        expect(
            #Predicate<Player> { $0.nick?.contains("x") ?? $0.active },
            "(nick CONTAINS 'x' OR (NOT nick != nil AND active == YES))"
        )
        expect(
            #Predicate<Player> { $0.nick.flatMap { $0 != "x" } ?? false },
            "(nick != nil AND nick != 'x')"
        )
        expect(#Predicate<Player> { $0.team?.city?.isEmpty == true }, "team.city == ''")
        expect(
            #Predicate<Player> { $0.team?.players.count == 0 },
            "TERNARY(team != nil, team.players.@count, nil) == 0"
        )
        expect(
            #Predicate<Player> { $0.nick?.contains("x") == $0.retired },
            "TERNARY(nick != nil, TERNARY(nick CONTAINS 'x', YES, NO), nil) == retired"
        )
        expect(
            #Predicate<Player> { ($0.active ? $0.name : $0.nick!) == "x" },
            "TERNARY(active == YES, name, nick) == 'x'"
        )
        expect(
            #Predicate<Player> { if let nick = $0.nick { nick == "x" } else { $0.active } },
            "(nick == 'x' OR (NOT nick != nil AND active == YES))"
        )
    }

    @Test func arithmetic() {
        expect(#Predicate<Player> { $0.age + 1 == 3 }, "(age + 1) == 3")
        expect(#Predicate<Player> { $0.age - 1 == 3 }, "(age - 1) == 3")
        expect(#Predicate<Player> { $0.age * 2 == 3 }, "(age * 2) == 3")
        expect(#Predicate<Player> { $0.age / 2 == 3 }, "(age / 2) == 3")
        expect(#Predicate<Player> { $0.score / 2 == 3 }, "(score / 2.0) == 3.0")
        expect(#Predicate<Player> { $0.age % 2 == 1 }, "modulus:by:(age, 2) == 1")
        expect(#Predicate<Player> { -$0.age == -3 }, "negate:(age) == -3")
        expect(#Predicate<Player> { $0.price * 2 > 3 }, "(price * d2) > d3")
    }

    @Test func ranges() {
        expect(#Predicate<Player> { (1...9).contains($0.age) }, "age BETWEEN {1, 9}")
        expect(#Predicate<Player> { (1..<9).contains($0.age) }, "(age >= 1 AND age < 9)")
        expect(#Predicate<Player> { ($0.age...9).contains(3) }, "3 BETWEEN {age, 9}")
        let (closed, open, from): (ClosedRange<Int16>, Range<Double>, PartialRangeFrom<Int16>) = (1...9, 1..<9, 3...)
        expect(#Predicate<Player> { closed.contains($0.age) }, "age BETWEEN {1, 9}")
        expect(#Predicate<Player> { open.contains($0.score) }, "(score >= 1.0 AND score < 9.0)")
        expect(#Predicate<Player> { from.contains($0.age) }, "age >= 3")
    }

    @Test func lists() {
        let (list, set): ([Int16], Set<String>) = ([1, 2], ["b", "a"])
        expect(#Predicate<Player> { list.contains($0.age) }, "age IN {1, 2}")
        expect(#Predicate<Player> { set.contains($0.name) }, "name IN {'a', 'b'}")
        expect(#Predicate<Player> { [1, 2].contains($0.age) }, "age IN {1, 2}")
        expect(#Predicate<Player> { $0.age == list.max()! }, "age == 2")
        expect(#Predicate<Player> { $0.age == list.min()! }, "age == 1")
        expect(#Predicate<Player> { $0.age == list[1] }, "age == 2")
        expect(#Predicate<Player> { list.filter { $0 > 1 }.contains($0.age) }, "age IN {2}")
        expect(#Predicate<Player> { player in list.contains { $0 > player.age } }, "(1 > age OR 2 > age)")
        expect(#Predicate<Player> { player in list.allSatisfy { $0 > player.age } }, "(1 > age AND 2 > age)")
        let table = ["x": Int16(3)]
        expect(#Predicate<Player> { $0.age == table["x"]! }, "age == 3")
        expect(#Predicate<Player> { $0.age == table["y", default: 4] }, "age == 4")
    }

    @Test func strings() {
        expect(#Predicate<Player> { $0.name.contains("x") }, "name CONTAINS 'x'")
        expect(#Predicate<Player> { $0.name.starts(with: "x") }, "name BEGINSWITH 'x'")
        expect(#Predicate<Player> { $0.name.localizedStandardContains("x") }, "name CONTAINS[cd] 'x'")
        expect(#Predicate<Player> { $0.nick?.localizedStandardContains("x") == true }, "nick CONTAINS[cd] 'x'")
        expect(#Predicate<Player> { $0.name.count == 3 }, "length:(name) == 3")
        expect(#Predicate<Player> { $0.nick?.count == 3 }, "length:(nick) == 3")
        expect(#Predicate<Player> { $0.name.isEmpty }, "name == ''")
        expect(#Predicate<Player> { "xyz".contains($0.name) }, "'xyz' CONTAINS name")
        let (same, ascending) = (ComparisonResult.orderedSame, ComparisonResult.orderedAscending)
        expect(#Predicate<Player> { $0.name.caseInsensitiveCompare("x") == same }, "name ==[c] 'x'")
        expect(#Predicate<Player> { $0.name.localizedCompare("x") == same }, "name ==[c] 'x'")
        expect(#Predicate<Player> { $0.name.caseInsensitiveCompare("x") != same }, "NOT name ==[c] 'x'")
        expect(#Predicate<Player> { $0.name.caseInsensitiveCompare("x") == ascending }, "name <[c] 'x'")
        expect(#Predicate<Player> { $0.nick?.caseInsensitiveCompare("x") == same }, "nick ==[c] 'x'")
    }

    @Test func stringsInMemory() throws {
        let squad = try Squad()
        let player = squad.makePlayer("Äsop")
        #expect(try #Predicate<Player> { $0.name.localizedStandardContains("AS") }.evaluate(player))
        let same = ComparisonResult.orderedSame
        #expect(try #Predicate<Player> { $0.name.caseInsensitiveCompare("äSOP") == same }.evaluate(player))
        #expect(try !#Predicate<Player> { $0.name.caseInsensitiveCompare("asop") == same }.evaluate(player))
    }

    @Test func objects() throws {
        let squad = try Squad()
        let player = squad.makePlayer()
        let id = player.objectID
        expect(#Predicate<Team> { $0.players.contains(player) }, "OBJECT IN players")
        expect(#Predicate<Team> { $0.captains.contains(player) }, "OBJECT IN captains")
        expect(
            #Predicate<Player> { $0.team?.players.contains(player) == true },
            "(team != nil AND OBJECT IN team.players)"
        )
        expect(#Predicate<Player> { $0.objectID == id }, "SELF == OBJECT")
        expect(#Predicate<Player> { $0.team?.objectID == id }, "team == OBJECT")
        expect(#Predicate<Player> { $0.coach! == $0 }, "coach == SELF")
        let team = squad.makeTeam()
        let contains = #Predicate<Team> { $0.players.contains(player) }
        #expect(try !contains.evaluate(team))
        team.players = [player]
        #expect(try contains.evaluate(team))
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(contains.expression) }
    }

    @Test func toManys() {
        expect(#Predicate<Team> { $0.players.contains { $0.age > 30 } }, "ANY players.age > 30")
        expect(#Predicate<Team> { $0.players.contains { $0.active } }, "ANY players.active == YES")
        expect(#Predicate<Team> { team in team.players.contains { $0.nick == team.city } }, "ANY players.nick == city")
        expect(
            #Predicate<Team> { $0.players.contains { $0.age > 30 && $0.active } },
            "SUBQUERY(players, $v1, ($v1.age > 30 AND $v1.active == YES)).@count > 0"
        )
        expect(
            #Predicate<Team> { team in team.players.contains { $0.age > 30 && $0.name == team.name } },
            "SUBQUERY(players, $v1, ($v1.age > 30 AND $v1.name == name)).@count > 0"
        )
        expect(
            #Predicate<Team> { $0.players.contains { $0.team?.city != "x" } },
            "SUBQUERY(players, $v1, $v1.team.city != 'x').@count > 0"
        )
        expect(#Predicate<Team> { $0.players.allSatisfy { $0.age > 30 } }, "ALL players.age > 30")
        expect(
            #Predicate<Team> { $0.players.allSatisfy { $0.age > 30 || $0.active } },
            "SUBQUERY(players, $v1, NOT ($v1.age > 30 OR $v1.active == YES)).@count == 0"
        )
        expect(
            #Predicate<Team> { $0.players.allSatisfy { !$0.active } },
            "SUBQUERY(players, $v1, $v1.active == YES).@count == 0"
        )
        expect(#Predicate<Team> { $0.players.count > 3 }, "players.@count > 3")
        expect(#Predicate<Team> { $0.players.isEmpty }, "players.@count == 0")
        expect(#Predicate<Team> { $0.captains.count > 3 }, "captains.@count > 3")
        expect(#Predicate<Team> { $0.captains.first?.name == "x" }, "captains[FIRST].name == 'x'")
        expect(#Predicate<Team> { $0.captains.last?.name == "x" }, "captains[LAST].name == 'x'")
        expect(#Predicate<Team> { $0.captains[1].name == "x" }, "captains[1].name == 'x'")
    }

    @Test func filters() throws {
        let squad = try Squad()
        let player = squad.makePlayer()
        expect(
            #Predicate<Team> { $0.players.filter { $0.age > 30 }.count == 2 },
            "SUBQUERY(players, $v1, $v1.age > 30).@count == 2"
        )
        expect(
            #Predicate<Team> { $0.players.filter { $0.age > 30 }.isEmpty },
            "SUBQUERY(players, $v1, $v1.age > 30).@count == 0"
        )
        expect(
            #Predicate<Team> { $0.players.filter { $0.age > 30 }.contains { $0.active } },
            "SUBQUERY(players, $v1, ($v1.age > 30 AND $v1.active == YES)).@count > 0"
        )
        expect(
            #Predicate<Team> { $0.players.filter { $0.age > 30 }.allSatisfy { $0.active } },
            "SUBQUERY(players, $v1, ($v1.age > 30 AND NOT $v1.active == YES)).@count == 0"
        )
        expect(
            #Predicate<Team> { $0.captains.filter { $0.age > 30 }.filter { $0.active }.contains(player) },
            "SUBQUERY(captains, $v1, ($v1.age > 30 AND $v1.active == YES AND $v1 == OBJECT)).@count > 0"
        )
    }

    @Test func nestedClosures() {
        expect(
            #Predicate<Player> { $0.team?.players.contains { $0.age > 30 } ?? false },
            "ANY team.players.age > 30"
        )
        expect(
            #Predicate<Team> { $0.players.contains { $0.team!.captains.contains { $0.age > 30 } } },
            "SUBQUERY(players, $v1, ANY $v1.team.captains.age > 30).@count > 0"
        )
        expect(
            #Predicate<Team> {
                $0.players.filter { $0.active || $0.age > 3 }.count > $0.captains.filter { $0.active }.count
            },
            "SUBQUERY(players, $v1, ($v1.active == YES OR $v1.age > 3)).@count"
                + " > SUBQUERY(captains, $v2, $v2.active == YES).@count"
        )
        expect(
            #Predicate<Team> { team in
                team.players.contains { player in
                    team.captains.contains { $0.age > player.age }
                }
            },
            "SUBQUERY(players, $v1, SUBQUERY(captains, $v2, $v2.age > $v1.age).@count > 0).@count > 0"
        )
    }

    @Test func expressions() throws {
        let total = #Expression<Player, Double> { $0.score * 2 + 1 }
        expectEqual(printed(try FetchExpression(total).node), "((score * 2.0) + 1.0)")
        let active = #Expression<Player, Bool> { $0.age > 3 }
        expectEqual(printed(try FetchExpression(active).node), "TERNARY(age > 3, YES, NO)")
        let city = #Expression<Player, String?> { $0.team?.city }
        expectEqual(printed(try FetchExpression(city).node), "team.city")
    }

    @Test func requests() throws {
        let request = try Player.fetchRequest().where(#Predicate { $0.age > 3 }).where(\.name == "x")
        expectEqual(printed(try #require(request.predicate).node), "(age > 3 AND name == 'x')")
    }
}

struct UntranslatablePredicateTests {
    @Test func keyPaths() {
        expect(
            #Predicate<Player> { $0.shout == "x" },
            failsWith:
                "'\\Player.<computed property of type String>' is not a property of the model; use a stored property, or filter the objects in your code"
        )
        expect(
            #Predicate<Player> { $0.team?.town == "x" },
            failsWith:
                "'\\Team.<computed property of type Optional<String>>' is not a property of the model; use a stored property, or filter the objects in your code"
        )
    }

    @Test func casts() {
        expect(
            Predicate<Player> { player in
                PredicateExpressions.build_NotEqual(
                    lhs: PredicateExpressions.ConditionalCast<_, Keeper>(player),
                    rhs: PredicateExpressions.build_NilLiteral()
                )
            },
            failsWith:
                "the cast 'SELF as? Keeper' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
        expect(
            Predicate<Player> { player in
                let coach = PredicateExpressions.build_KeyPath(root: player, keyPath: \.coach)
                return PredicateExpressions.TypeCheck<_, Keeper>(coach)
            },
            failsWith:
                "the type check 'coach is Keeper' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
        expect(
            Predicate<Player> { player in
                let name = PredicateExpressions.build_KeyPath(root: player, keyPath: \.name)
                return PredicateExpressions.ForceCast<_, Bool>(name)
            },
            failsWith:
                "the cast 'name as! Bool' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
    }

    @Test func regularExpressions() {
        expect(
            #Predicate<Player> { $0.name.contains(/a+/) },
            failsWith: "a Regex on 'name' is not supported in predicates; use MATCHES in a format string"
        )
    }

    @Test func collections() {
        let (names, ages) = (["x"], [Int16(1)])
        expect(
            #Predicate<Player> { ages[$0.name.count] == 1 },
            failsWith: "a subscript of captured values cannot be computed before the fetch, because it uses the "
                + "object that the predicate tests, or a value that does not exist, such as an element at an invalid "
                + "index; compute it outside of the predicate or, if it uses the tested object, filter the fetched objects"
        )
        expect(
            #Predicate<Player> { _ in names.contains(["y"]) },
            failsWith:
                "'Value.contains' with a collection as its argument is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
        expect(
            #Predicate<Player> { _ in names.starts(with: ["y"]) },
            failsWith:
                "'Value.starts(with:)' with a collection as its argument is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
        expect(
            #Predicate<Player> { $0.name.contains { $0.isLetter } },
            failsWith:
                "'name' is not a to-many relationship, so its elements cannot be tested; use a to-many relationship, or filter the objects in your code"
        )
        expect(
            #Predicate<Player> { player in ages.filter { $0 > player.age }.isEmpty },
            failsWith: "'filter' of captured values cannot be computed before the fetch, because it uses the "
                + "object that the predicate tests, or a value that does not exist, such as an element at an invalid "
                + "index; compute it outside of the predicate or, if it uses the tested object, filter the fetched objects"
        )
        expect(
            #Predicate<Player> { $0.tags["x"] == 1 },
            failsWith:
                "'\\Player.<computed property of type Dictionary<String, Int>>' is not a property of the model; use a stored property, or filter the objects in your code"
        )
    }

    @Test func values() {
        let opaque = Opaque()
        expect(
            #Predicate<Player> { _ in opaque == opaque },
            failsWith:
                "a captured value of type 'Opaque' cannot be compared; make the type conform to PredicateArgument"
        )
        expect(
            Predicate<Player> { _ in Foreign(value: true) },
            failsWith:
                "'Foreign' is not supported in predicates; fetch without this condition, and filter the objects in your code"
        )
        let same = ComparisonResult.orderedSame
        expect(
            #Predicate<Player> {
                $0.name.caseInsensitiveCompare("x") == $0.name.caseInsensitiveCompare("y") && same == same
            },
            failsWith: "the result of comparing two strings can only be compared with a constant ComparisonResult, "
                + "such as .orderedSame"
        )
        expect(
            #Predicate<Player> { ($0.nick?.caseInsensitiveCompare("x") ?? same) == same },
            failsWith: "the result of comparing two strings can only be compared with a constant ComparisonResult, "
                + "such as .orderedSame"
        )
    }
}
