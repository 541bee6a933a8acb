import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Testing

@Suite struct InferVariableTypesTests {
    private func types(_ format: String) throws -> [String] {
        try inferVariableTypes(of: FetchPredicate(format: format), entityName: "Animal", model: TestModel.model)
            .map { "\($0.name): \(name(of: $0.type))" }
    }

    private func name(of type: VariableType) -> String {
        switch type {
        case .attribute(let attribute): attribute.attributeType.rawValue
        case .object(let name): name
        case .collection(let element): "[\(name(of: element))]"
        }
    }

    @Test func types() throws {
        expectEqual(try types("tame == NO AND born > $since"), ["since: Date"])
        expectEqual(
            try types(
                "name == $b AND $a < age OR $b CONTAINS[c] name AND 1 == 1".replacingOccurrences("$b CON", "'x' CON")
            ),
            ["b: String", "a: Integer 16"]
        )
        expectEqual(try types("SELF == $me OR owner == $o OR owner.city != $c"), ["me: Animal", "o: Owner", "c: City"])
        expectEqual(try types("age IN $ages AND owner IN $owners"), ["ages: [Integer 16]", "owners: [Owner]"])
        expectEqual(
            try types("age IN {$x, 5} AND chip BETWEEN {$low, $high}"),
            [
                "x: Integer 16", "low: Integer 64", "high: Integer 64",
            ]
        )
        expectEqual(
            try types("age BETWEEN $range AND $names CONTAINS name"),
            ["range: [Integer 16]", "names: [String]"]
        )
        expectEqual(try types("name MATCHES $p AND home.number == $n"), ["p: String", "n: Integer 32"])
        expectEqual(try types("age == $x AND chip == $x"), ["x: Integer 64"])
        expectEqual(try types("$x == nil OR name == $x"), ["x: String"])
        expectEqual(try types("$x IN name"), ["x: String"])
        #expect(try types("age == 1").isEmpty)
        expectEqual(try types("$x == 1 OR $y == 'a' OR $z == YES"), ["x: Integer 64", "y: String", "z: Boolean"])
        expectEqual(try types("price * 2 == $x AND age + $y > 3"), ["x: Decimal", "y: Integer 16"])
        expectEqual(try types("age / $n == 3 AND born + $s > born"), ["n: Integer 16", "s: Double"])
        expectEqual(try types("$since - born > 5"), ["since: Date"])
        expectEqual(try types("length:(name) > $n AND uppercase:($t) == name"), ["n: Integer 64", "t: String"])
        expectEqual(
            try types("owner.animals.@count > $n AND owner.animals.@sum.age > $m"),
            [
                "n: Integer 64", "m: Integer 64",
            ]
        )
        expectEqual(
            try types("owner.animals.@max.price > $p AND owner.animals.@avg.age > $a"),
            ["p: Decimal", "a: Double"]
        )
        expectEqual(
            try types("ANY $names == name AND ANY owner.animals.age IN $ages"),
            [
                "names: [String]", "ages: [Integer 16]",
            ]
        )
        expectEqual(try types("age > $x AND weight > $x AND tame == $y AND age == $y"), ["x: Double", "y: Integer 16"])
        expectEqual(try types("TERNARY($old == YES, age, 0) > 3"), ["old: Boolean"])
    }

    /// A variable can be nil if it is only compared by `==`, `!=` or IN.
    @Test func optionalVariables() throws {
        func optional(_ format: String) throws -> [String] {
            try inferVariableTypes(of: FetchPredicate(format: format), entityName: "Animal", model: TestModel.model)
                .filter(\.isOptional).map(\.name)
        }
        expectEqual(try optional("name == $a AND age != $b AND owner == $c"), ["a", "b", "c"])
        #expect(try optional("age < $a AND born >= $b AND name BEGINSWITH $c AND name LIKE $d").isEmpty)
        expectEqual(
            try optional("age IN $a AND age IN {$b, 5} AND age BETWEEN $c AND age BETWEEN {$d, 9}"),
            ["a", "b"]
        )
        expectEqual(try optional("$a CONTAINS name AND ANY $b == name AND ANY $c > name"), ["a", "b"])
        expectEqual(try optional("ANY owner.animals.name == $a AND NONE owner.animals.age > $b"), ["a"])
        expectEqual(try optional("SUBQUERY(owner.animals, $x, $x.name == $a AND $x.age > $b).@count > $c"), ["a"])
        #expect(try optional("age == $a AND age > $a").isEmpty, "one comparison wants a value")
        expectEqual(try optional("uppercase:($a) == name AND age + $b == 3 AND TERNARY($c == YES, age, 0) > 1"), ["c"])
        #expect(try optional("$a IN name").isEmpty, "a string in a string")
    }

    @Test func mistakes() throws {
        func message(_ format: String) throws -> String? {
            let error = caught { try types(format) }
            return error.map { "\($0.offset): \($0.message)" }
        }
        expectEqual(
            try message("$x == nil"),
            "0: the type of '$x' is unknown, because it is not compared with an expression that has a "
                + "type; compare it with a property"
        )
        expectEqual(
            try message("born - $x == 5"),
            "7: the type of '$x' is unknown, because '-' accepts several types; compare the variable with a "
                + "key path"
        )
        expectEqual(
            try message("name == $x AND age == $x"),
            "22: variable '$x' is compared with values of two types; use two variables: 'name' is a String, and 'age' is an Integer 16"
        )
        expectEqual(
            try message("age == $x AND age IN $x"),
            "21: variable '$x' is compared with values of two types; use two variables: 'age' is an Integer "
                + "16 (compared with a single value), and 'age' is an Integer 16 (compared with a list)"
        )
        expectEqual(try message("tags == $x"), "8: 'tags' is a Transformable, which can only be compared with nil")
        expectEqual(try message("nmae == $x"), "0: entity 'Animal' has no property 'nmae'; did you mean 'name'?")
        expectEqual(
            try message("name == 5 AND age == $x"),
            "5: 'name' is a String, which cannot be compared with an integer"
        )
    }
}

extension String {
    fileprivate func replacingOccurrences(_ target: String, _ replacement: String) -> String {
        split(separator: target, omittingEmptySubsequences: false).joined(separator: replacement)
    }
}
