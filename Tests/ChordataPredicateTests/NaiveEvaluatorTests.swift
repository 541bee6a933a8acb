import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Foundation
import Testing

@testable import NaivePredicates

// Small helpers that build trees, because there is no parser here.
private func key(_ path: String) -> ExpressionNode { .keyPath(path.split(separator: ".").map(String.init), offset: 0) }
private func on(_ base: ExpressionNode, _ path: String) -> ExpressionNode {
    .path(base, path.split(separator: ".").map(String.init), offset: 0)
}
private func int(_ number: Int64) -> ExpressionNode { .value(.attribute(.integer(number))) }
private func real(_ number: Double) -> ExpressionNode { .value(.attribute(.double(number))) }
private func text(_ string: String) -> ExpressionNode { .value(.attribute(.string(string))) }
private func exact(_ string: String) -> ExpressionNode { .value(.attribute(.decimal(decimal(string)))) }
private func date(_ seconds: Double) -> ExpressionNode {
    .value(.attribute(.date(Date(timeIntervalSinceReferenceDate: seconds))))
}
private func call(_ function: PredicateFunction, _ arguments: ExpressionNode...) -> ExpressionNode {
    .function(function, arguments, offset: 0)
}
private func of(_ function: CollectionFunction, _ list: ExpressionNode) -> ExpressionNode {
    .collectionFunction(function, list, offset: 0)
}
private func list(_ parts: ExpressionNode...) -> ExpressionNode { .list(parts) }
private let null = ExpressionNode.value(.null)
private let x = ExpressionNode.variable("x", offset: 0)

private func compare(
    _ left: ExpressionNode,
    _ sign: ComparisonOperator,
    _ right: ExpressionNode,
    _ letters: String = "",
    _ modifier: PredicateNode.Modifier = .direct
) -> PredicateNode {
    .comparison(
        PredicateNode.Comparison(
            left,
            sign,
            right,
            options: ComparisonOptions(letters: letters),
            modifier: modifier
        )
    )
}

private func decimal(_ text: String) -> Decimal {
    guard let decimal = Decimal(string: text) else { preconditionFailure(text) }
    return decimal
}

/// Three animals: `rex` has an owner with a city, two pups and three toys; `bo` and `ada` are the pups.
private struct NaiveFarm {
    let rex = NaiveObject(entityName: "Dog", key: 1)
    let bo = NaiveObject(entityName: "Animal", key: 2)
    let ada = NaiveObject(entityName: "Animal", key: 3)
    let owner = NaiveObject(entityName: "Owner", key: 1)
    let toys = (1...3).map { NaiveObject(entityName: "Toy", key: Int64($0)) }
    let shop = NaiveObject(entityName: "Shop", key: 1)

    init() {
        rex.values = [
            "name": .string("Rex"), "age": .integer(7), "chip": .integer(.max), "weight": .double(0.1),
            "height": .double(Double(Float(0.1))), "price": .decimal(decimal("0.1")), "tame": .boolean(true),
            "born": .date(Date(timeIntervalSinceReferenceDate: 10)), "home.street": .string("Ring"),
        ]
        bo.values = ["name": .string("e\u{301}"), "age": .integer(2)]
        owner.values = ["name": .string("Jo")]
        owner.toMany = ["animals": [rex]]
        rex.toOne = ["owner": owner]
        rex.toMany = ["pups": [bo, ada], "toys": toys]
        bo.toOne = ["owner": owner]
        for (toy, price) in zip(toys, ["5", "5", "0.1"]) { toy.values["price"] = .decimal(decimal(price)) }
        for (toy, count) in zip(toys, [3, 1] as [Int64]) { toy.values["count"] = .integer(count) }
        toys[0].toOne = ["shop": shop]
        shop.values = ["rank": .integer(4)]
    }

    func isMet(_ node: PredicateNode) -> Bool { NaiveEvaluator(model: NaiveModel.model).isMet(node, by: rex) }
}

@Suite struct NaiveEvaluatorTests {
    /// Predicates that `rex` satisfies.
    static let met: [(String, PredicateNode)] = [
        ("name == 'Rex'", compare(key("name"), .equal, text("Rex"))),
        ("nick == nil", compare(key("nick"), .equal, null)),
        ("NOT nick < 'a'", .not(compare(key("nick"), .less, text("a")))),
        ("nick != 'a'", compare(key("nick"), .notEqual, text("a"))),
        ("nick IN {nil}", compare(key("nick"), .in, list(null))),
        ("NOT age BETWEEN {nil, 9}", .not(compare(key("age"), .between, list(null, int(9))))),
        ("age BETWEEN {7, 7}", compare(key("age"), .between, list(int(7), int(7)))),
        ("home.street BEGINSWITH[c] 'RI'", compare(key("home.street"), .beginsWith, text("RI"), "c")),
        ("name !=[n] 'rex'", compare(key("name"), .notEqual, text("rex"), "cn")),
        ("name LIKE '?e*'", compare(key("name"), .like, text("?e*"))),
        ("NOT name LIKE 'R\\*'", .not(compare(key("name"), .like, text("R\\*")))),
        ("name MATCHES[c] 'r.x'", compare(key("name"), .matches, text("r.x"), "c")),
        ("NOT name MATCHES 'Re'", .not(compare(key("name"), .matches, text("Re")))),
        ("'e' IN name", compare(text("e"), .in, key("name"))),
        ("ß ==[c] SS", compare(text("ß"), .equal, text("SS"), "c")),
        ("ẞ ==[c] ss", compare(text("ẞ"), .equal, text("ss"), "c")),
        ("ı !=[cd] i", compare(text("ı"), .notEqual, text("i"), "cd")),
        ("İ ==[cd] i", compare(text("İ"), .equal, text("i"), "cd")),
        ("ς ==[c] Σ", compare(text("ς"), .equal, text("Σ"), "c")),
        ("e+accent != é", compare(text("e\u{301}"), .notEqual, text("é"))),
        ("e+accent ==[d] é", compare(text("e\u{301}"), .equal, text("é"), "d")),
        ("é CONTAINS only as bytes", .not(compare(text("é"), .contains, text("e")))),
        ("chip > 2^63 - 1024 as double", compare(key("chip"), .greater, real(9_223_372_036_854_774_784))),
        ("chip < 2^63 as double", compare(key("chip"), .less, real(0x1p63))),
        ("tame == 1", compare(key("tame"), .equal, int(1))),
        ("price == 0.1 constant", compare(key("price"), .equal, real(0.1))),
        ("price == weight, as doubles", compare(key("price"), .equal, key("weight"))),
        ("price * 3 == 0.3", compare(call(.multiply, key("price"), int(3)), .equal, exact("0.3"))),
        ("weight * 3 != 0.3", compare(call(.multiply, key("weight"), int(3)), .notEqual, real(0.3))),
        ("price == '0.1'", compare(key("price"), .equal, text("0.1"))),
        ("height == 0.1, rounded", compare(key("height"), .equal, real(0.1))),
        ("height IN {0.1}, rounded", compare(key("height"), .in, list(real(0.1)))),
        ("height != weight", compare(key("height"), .notEqual, key("weight"))),
        ("age / 2 == 3", compare(call(.divide, key("age"), int(2)), .equal, int(3))),
        ("-7 % 2 == -1", compare(call(.modulus, call(.negate, key("age")), int(2)), .equal, int(-1))),
        ("age / 0 == nil", compare(call(.divide, key("age"), int(0)), .equal, null)),
        ("chip + 1 == 2^63", compare(call(.add, key("chip"), int(1)), .equal, real(0x1p63))),
        ("2 ** 3", compare(call(.power, int(2), int(3)), .equal, int(8))),
        ("2 ** 64", compare(call(.power, int(2), int(64)), .equal, real(0x1p64))),
        ("2 ** -1", compare(call(.power, int(2), int(-1)), .equal, real(0.5))),
        ("sqrt(-7) == nil", compare(call(.sqrt, call(.negate, key("age"))), .equal, null)),
        ("ln(0) == nil", compare(call(.ln, int(0)), .equal, null)),
        ("floor(-1.5 decimal)", compare(call(.floor, exact("-1.5")), .equal, int(-2))),
        ("trunc(-1.5 decimal)", compare(call(.trunc, exact("-1.5")), .equal, int(-1))),
        ("trunc(1.5 decimal)", compare(call(.trunc, exact("1.5")), .equal, int(1))),
        ("ceiling(1.2 decimal)", compare(call(.ceiling, exact("1.2")), .equal, int(2))),
        ("7.5 % 2 decimal", compare(call(.modulus, exact("7.5"), int(2)), .equal, exact("1.5"))),
        ("-7.5 % 2 decimal", compare(call(.modulus, exact("-7.5"), int(2)), .equal, exact("-1.5"))),
        ("ceiling(-1.5)", compare(call(.ceiling, real(-1.5)), .equal, int(-1))),
        ("-8 >> 100 == -1", compare(call(.rightShift, int(-8), int(100)), .equal, int(-1))),
        ("1 << 64 == 0", compare(call(.leftShift, int(1), int(64)), .equal, int(0))),
        ("8 << -2 == 2", compare(call(.leftShift, int(8), int(-2)), .equal, int(2))),
        ("1.5 & 1 == nil", compare(call(.bitwiseAnd, real(1.5), int(1)), .equal, null)),
        ("length(👩‍👧) == 3", compare(call(.length, text("👩‍👧")), .equal, int(3))),
        ("born + 5", compare(call(.add, key("born"), int(5)), .equal, date(15))),
        ("born - date == 9.5", compare(call(.subtract, key("born"), date(0.5)), .equal, real(9.5))),
        ("owner.city.name == nil", compare(key("owner.city.name"), .equal, null)),
        (
            "owner == reference",
            compare(key("owner"), .equal, .value(.object(ObjectReference(rootEntityName: "Owner", key: 1))))
        ),
        ("SELF IN owner.animals", compare(.evaluatedObject, .in, key("owner.animals"))),
        ("friend.pups of nil is empty", compare(key("friend.pups.@count"), .equal, int(0))),
        ("ANY pups.age == nil", compare(key("pups.age"), .equal, null, "", .any)),
        ("ANY pups.owner.name == nil", compare(key("pups.owner.name"), .equal, null, "", .any)),
        ("nil owner behind pups has no animals", compare(key("pups.owner.animals.@count"), .equal, int(1))),
        ("NOT ALL pups.age == 2", .not(compare(key("pups.age"), .equal, int(2), "", .all))),
        ("ALL of none", compare(key("friend.pups.age"), .equal, int(2), "", .all)),
        ("NONE pups.age > 2", compare(key("pups.age"), .greater, int(2), "", .none)),
        ("ANY pups.name ==[d] é", compare(key("pups.name"), .equal, text("é"), "d", .any)),
        ("'e' IN[cd] pups.name", compare(text("E"), .in, key("pups.name"), "cd")),
        ("toys.@count", compare(key("toys.@count"), .equal, int(3))),
        ("toys.@sum.price", compare(key("toys.@sum.price"), .equal, exact("10.1"))),
        ("toys.@avg.count passes over nil", compare(key("toys.@avg.count"), .equal, int(2))),
        ("toys.@min.price", compare(key("toys.@min.price"), .equal, real(0.1))),
        ("toys.@sum.shop.rank", compare(key("toys.@sum.shop.rank"), .equal, int(4))),
        ("distinct", compare(key("toys.@distinctUnionOfObjects.price.@count"), .equal, int(2))),
        ("union drops nil", compare(key("toys.@unionOfObjects.count.@count"), .equal, int(2))),
        ("count does not", compare(of(.count, key("toys.count")), .equal, int(3))),
        ("sum of none", compare(key("pups.@sum.weight"), .equal, int(0))),
        ("max of none", compare(key("pups.@max.weight"), .equal, null)),
        ("mode", compare(of(.mode, key("toys.price")), .equal, int(5))),
        ("median of three", compare(of(.median, key("toys.price")), .equal, int(5))),
        ("median of two", compare(of(.median, key("toys.count")), .equal, int(2))),
        ("stddev", compare(of(.stddev, key("toys.count")), .equal, int(1))),
        (
            "sum in the order of aggregates",
            compare(of(.sum, list(key("price"), real(0.5))), .equal, call(.noIndex, real(0.6)))
        ),
        ("overflowing sum", compare(of(.sum, list(key("chip"), key("chip"))), .equal, real(0x1p64))),
        ("pups[0].age", compare(on(.element(key("pups"), .first, offset: 0), "age"), .equal, int(2))),
        ("pups[9] == nil", compare(.element(key("pups"), .at(int(9)), offset: 0), .equal, null)),
        ("pups[-1] == nil", compare(.element(key("pups"), .at(int(-1)), offset: 0), .equal, null)),
        (
            "pups[9].toys.@count == 0",
            compare(on(.element(key("pups"), .at(int(9)), offset: 0), "toys.@count"), .equal, int(0))
        ),
        (
            "SUBQUERY(toys, $x, $x.price > price AND age == 7).@count == 2",
            compare(
                on(
                    .subquery(
                        key("toys"),
                        variable: "x",
                        .and([compare(on(x, "price"), .greater, key("price")), compare(key("age"), .equal, int(7))]),
                        offset: 0
                    ),
                    "@count"
                ),
                .equal,
                int(2)
            )
        ),
        (
            "SUBQUERY(toys.count, $x, $x == nil).@count == 1",
            compare(
                on(.subquery(key("toys.count"), variable: "x", compare(x, .equal, null), offset: 0), "@count"),
                .equal,
                int(1)
            )
        ),
        ("CAST(7, NSString)", compare(.cast(key("age"), .string, offset: 0), .equal, text("7"))),
        ("CAST(3.0, NSString)", compare(.cast(real(3), .string, offset: 0), .equal, text("3"))),
        ("CAST('0x1F', NSNumber)", compare(.cast(text("0x1F"), .number, offset: 0), .equal, null)),
        ("CAST('1e3', NSNumber)", compare(.cast(text("1e3"), .number, offset: 0), .equal, int(1000))),
        ("CAST('12abc', NSDecimalNumber)", compare(.cast(text("12abc"), .decimal, offset: 0), .equal, null)),
        ("CAST(0.1, NSDecimalNumber)", compare(.cast(key("weight"), .decimal, offset: 0), .equal, exact("0.1"))),
        ("CAST(10, NSDate)", compare(.cast(int(10), .date, offset: 0), .equal, key("born"))),
        (
            "TERNARY(tame == YES, name, nick)",
            compare(
                .conditional(compare(key("tame"), .equal, int(1)), key("name"), key("nick"), offset: 0),
                .equal,
                text("Rex")
            )
        ),
        ("{3, 7} CONTAINS age", compare(list(int(3), int(7)), .contains, key("age"))),
    ]

    @Test(arguments: met.indices)
    func isMet(_ index: Int) {
        let (name, node) = Self.met[index]
        #expect(NaiveFarm().isMet(node), "\(name)")
    }

    @Test(arguments: met.indices)
    func negationIsNotMet(_ index: Int) {
        let (name, node) = Self.met[index]
        #expect(!NaiveFarm().isMet(.not(node)), "\(name)")
    }

    /// A decimal is combined with a constant, and with a double that is not a constant.
    @Test func decimalMeetsDouble() {
        let constant = compare(call(.add, key("price"), real(0.2)), .equal, exact("0.3"))
        let variable = compare(call(.add, key("price"), call(.multiply, key("weight"), int(2))), .equal, real(0.3))
        #expect(NaiveFarm().isMet(constant))
        #expect(!NaiveFarm().isMet(variable))
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func randomPredicates(seed: UInt64) {
        let model = NaiveModel.model
        var generator = RandomPredicate(seed: seed, model: model)
        let randomObjects = RandomObjects(seed: seed, model: model, isShared: seed % 2 == 0)
        let evaluator = NaiveEvaluator(model: model)
        var count = 0
        var answers = 0
        var varying = 0
        for _ in 0..<1000 {
            let node = generator.next()
            let met = randomObjects.animals.filter { evaluator.isMet(node, by: $0) }.count
            count += met
            answers += randomObjects.animals.count
            if met > 0 && met < randomObjects.animals.count { varying += 1 }
        }
        print("seed \(seed): \(count) of \(answers) answers are true; \(varying) of 1000 predicates distinguish rows")
        #expect((answers * 15 / 100...answers * 85 / 100).contains(count), "seed \(seed)")
        #expect(varying > 300, "seed \(seed)")
    }

    @Test func generatorIsRepeatable() {
        var one = RandomPredicate(seed: 7, model: NaiveModel.model)
        var other = RandomPredicate(seed: 7, model: NaiveModel.model)
        for _ in 0..<200 { expectEqual(one.next(), other.next()) }
    }
}
