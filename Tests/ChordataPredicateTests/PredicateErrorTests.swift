import ChordataModel
import ChordataPredicate
import ChordataTestSupport
import Testing

/// P13: a mistake is an error with its position and the expected text, never a predicate that matches nothing.
@Suite struct PredicateErrorTests {
    struct Mistake: CustomTestStringConvertible, Sendable {
        var format: String
        var offset: Int
        var message: String
        var testDescription: String { format }

        init(_ format: String, _ offset: Int, _ message: String) {
            self.format = format
            self.offset = offset
            self.message = message
        }
    }

    @Test(arguments: [
        Mistake("", 0, "this predicate is empty; write TRUEPREDICATE to match everything"),
        Mistake(
            "name",
            4,
            "expected an operator such as == after 'name' (a Boolean is tested with 'name == YES'), found the end"
        ),
        Mistake(
            "tame AND age > 1",
            5,
            "expected an operator such as == after 'tame' (a Boolean is tested with 'tame == YES'), found 'AND'"
        ),
        Mistake("name CONTANS 'x'", 5, "expected an operator such as ==, found 'CONTANS'; did you mean CONTAINS?"),
        Mistake("name ==", 7, "expected a value or a key path after '==', found the end"),
        Mistake("name == AND", 8, "expected a value or a key path, found 'AND'; a key of that name is written '#AND'"),
        Mistake("name == 'x' age == 1", 12, "expected AND, OR or the end, found 'age'"),
        Mistake("name == 'x')", 11, "expected AND, OR or the end, found ')'"),
        Mistake("(name == 'x'", 12, "expected ')' for the parenthesis at 0, found the end"),
        Mistake("age NOT IN {1}", 4, "expected an operator such as ==; write NOT before the left side, found 'NOT'"),
        Mistake("age IN (1, 2)", 9, "unexpected ','; write lists in braces: {a, b}"),
        Mistake("age IN {1 2}", 10, "expected ',' or '}', found '2'"),
        Mistake("age == 1 & name == 'x'", 16, "expected AND, OR or the end, found '=='"),
        Mistake("age == $", 7, "expected the name of a variable after '$'"),
        Mistake("owner. == 1", 7, "expected a key after '.', found '=='"),
        Mistake("age == 1 == 2", 9, "expected AND, OR or the end, found '=='"),
        Mistake("age == CAST('x', 'NSUUID')", 7, "this constant is not a valid NSUUID"),
        Mistake("age + == 2", 6, "expected a value or a key path, found '=='"),
        Mistake("(age == 1) + 2 == 3", 0, "expected a value or a key path, found a condition"),
        Mistake("age + 2", 7, "expected an operator such as ==, found the end"),
        Mistake("age == (name == 'x')", 7, "expected a value or a key path, found a condition"),
        Mistake(
            "ANY owner.animals.name",
            22,
            "expected an operator such as == after the key path of ANY, found the end"
        ),
        Mistake(
            "ALL (age == 1)",
            4,
            "expected a to-many key path such as 'items.name' after ALL, found a condition"
        ),
        Mistake("@count > 1", 0, "expected a to-many key path before '@count', as in 'items.@count'"),
        Mistake(
            "owner.animals.@cuont > 1",
            14,
            "there is no collection operator '@cuont'; did you mean '@count'?"
        ),
        Mistake("sqrt:(1, 2) == 1", 0, "'sqrt:' takes 1 argument, found 2"),
        Mistake("modulus:by:(1) == 1", 0, "'modulus:by:' takes 2 arguments, found 1"),
        Mistake("max() == 1", 0, "'max' takes a collection or several values, found nothing"),
        Mistake("sqrt: == 3", 6, "expected '(' after 'sqrt:', found '=='"),
        Mistake("sqrt:(4 == 2", 12, "expected ',' or ')', found the end"),
        Mistake(
            "SUBQUERY(owner.animals, x, TRUEPREDICATE).@count == 1",
            24,
            "expected a $variable for the elements, found 'x'"
        ),
        Mistake("SUBQUERY(owner.animals) == 1", 22, "expected ',' and a $variable, found ')'"),
        Mistake("SUBQUERY(owner.animals, $x, $x.age).@count == 1", 34, "expected an operator such as ==, found ')'"),
        Mistake("TERNARY(age, 1, 2) == 1", 11, "expected an operator such as ==, found ','"),
        Mistake("TERNARY(age == 1, 1) == 1", 0, "TERNARY takes a condition and two values"),
        Mistake("CAST(age) == 1", 8, "expected ',' and the name of a type, found ')'"),
        Mistake("CAST(age, NSNumber) == 1", 10, "expected the name of a type in quotes, found 'NSNumber'"),
        Mistake("FUNCTION(name) == 1", 13, "expected ',' and the name of a selector, found ')'"),
        Mistake("FUNCTION(name, 'length', 1) == 1", 15, "'length' takes no arguments, found 1"),
        Mistake("name[1 == 'x'", 13, "expected ']' after the index, found the end"),
        Mistake("1 := age", 2, "expected a $variable on the left of ':='"),
        Mistake("$x := 1", 7, "expected an operator such as ==, found the end"),
        Mistake("(name CONTANS 'x')", 6, "expected an operator such as ==, found 'CONTANS'; did you mean CONTAINS?"),
    ])
    func grammar(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        expectEqual(error?.message, mistake.message)
        expectEqual(error?.offset, mistake.offset)
        expectEqual(error?.kind, .malformed)
        expectEqual(error?.format, mistake.format)
    }

    @Test(arguments: [
        Mistake("name == uppercsae:(nick)", 8, "there is no function 'uppercsae:'; did you mean 'uppercase:'?"),
        Mistake("born < today()", 7, "there is no function 'today'"),
        Mistake("FUNCTION(name, 'lenght') > 2", 15, "FUNCTION cannot call 'lenght'; did you mean 'length'?"),
        Mistake(
            "FUNCTION(name, 'characterAtIndex:', 0) == 'x'",
            15,
            "FUNCTION cannot call 'characterAtIndex:', because it does not call methods of objects"
        ),
        Mistake("CAST(name, 'NSNumbr') > 2", 11, "there is no CAST to 'NSNumbr'; did you mean 'NSNumber'?"),
        Mistake(
            "distanceToLocation:fromLocation:(home, home) < 1",
            0,
            "'distanceToLocation:fromLocation:' is not supported, because no attribute holds a location"
        ),
        Mistake(
            "FETCH(x, y) == 1",
            0,
            "FETCH is not supported in predicates; run that fetch first, and use IN with its result"
        ),
        Mistake(
            "name MATCHES nick",
            5,
            "the pattern of MATCHES must be a constant, so that it can be checked before the fetch runs; use LIKE"
        ),
    ])
    func unsupportedConstructs(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        expectEqual(error?.message, mistake.message)
        expectEqual(error?.offset, mistake.offset)
        expectEqual(error?.kind, .unsupported)
    }

    @Test(arguments: [
        Mistake("nmae == 'x'", 0, "entity 'Animal' has no property 'nmae'; did you mean 'name'?"),
        Mistake(
            "age > 1 AND owner . ctiy.name == 'x'",
            20,
            "entity 'Owner' has no property 'ctiy'; did you mean 'city'?"
        ),
        Mistake("SELF.owner.#years2 == 1", 11, "entity 'Owner' has no property 'years2'; did you mean 'years'?"),
        Mistake(
            "owner.entity.isAbstract == YES",
            13,
            "'isAbstract' is not a key of an entity; only 'entity.name' can be used in a predicate"
        ),
        Mistake("xyzzy == 'x'", 0, "entity 'Animal' has no property 'xyzzy'"),
        Mistake(
            "breed == 'x'",
            0,
            "entity 'Animal' has no property 'breed'; its subentity 'Dog' has it, so fetch that entity"
        ),
        Mistake(
            "mood == 'x'",
            0,
            "attribute 'mood' of 'Animal' is transient, so it is not stored; use a stored or derived one"
        ),
        Mistake("siblings == nil", 0, "'siblings' of 'Animal' is a fetched property, so it is not stored"),
        Mistake("name.length == 1", 5, "attribute 'name' of 'Animal' is a String and has no keys"),
        Mistake("home.stret == 'x'", 5, "composite 'home' has no element 'stret'; did you mean 'street'?"),
    ])
    func unknownKeys(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        expectEqual(error?.message, mistake.message)
        expectEqual(error?.offset, mistake.offset)
        expectEqual(error?.kind, .unknownKey)
    }

    @Test func suggestions() {
        expectEqual(mistake("owner.ctiy.name == 'x'")?.suggestion, "city")
        #expect(mistake("xyzzy == 'x'")?.suggestion == nil)
    }

    @Test(arguments: [
        Mistake("name == 5", 5, "'name' is a String, which cannot be compared with an integer"),
        Mistake("5 == name", 2, "'name' is a String, which cannot be compared with an integer"),
        Mistake("name == YES", 5, "'name' is a String, which cannot be compared with a Boolean"),
        Mistake("age == 'x'", 4, "'age' is an Integer 16, which cannot be compared with a string"),
        Mistake("age IN {1, 'x'}", 4, "'age' is an Integer 16, which cannot be compared with a string"),
        Mistake("age BETWEEN {1, 'x'}", 4, "'age' is an Integer 16, which cannot be compared with a string"),
        Mistake("age BETWEEN {1, 2, 3}", 4, "BETWEEN needs a list of two bounds, not of 3"),
        Mistake("age BETWEEN 1", 4, "BETWEEN needs a list of two bounds: {lower, upper}"),
        Mistake("age IN 1", 4, "IN needs a list, a to-many key path or a string on its right, found an integer"),
        Mistake("age IN nil", 4, "IN needs a list, a to-many key path or a string on its right, found nil"),
        Mistake("age == {1}", 4, "a list cannot be compared by '=='; use IN"),
        Mistake("age CONTAINS 'x'", 4, "CONTAINS compares strings, but 'age' is an Integer 16"),
        Mistake("name LIKE 5", 5, "LIKE compares strings, found an integer"),
        Mistake("name == age", 5, "'name' (String) cannot be compared with 'age' (Integer 16)"),
        Mistake(
            "born > 5",
            5,
            "'born' is a Date, which cannot be compared with an integer; write CAST(seconds since 2001, \"NSDate\")"
        ),
        Mistake("uuid == 'x'", 5, "'uuid' is a UUID, and the string is not a UUID"),
        Mistake("page == ''", 5, "'page' is a URI, and the string is not a URL"),
        Mistake("price == '1,5'", 6, "'price' is a Decimal, and the string is not a decimal number"),
        Mistake("tags == 'x'", 5, "'tags' is a Transformable, which can only be compared with nil"),
        Mistake("film == photo", 5, "'film' (Binary) cannot be compared with 'photo' (Binary)"),
        Mistake("owner > nil", 6, "'owner' is an object of 'Owner', which has no order; compare it by == or !="),
        Mistake("owner == 5", 6, "'owner' is an object of 'Owner', which cannot be compared with an integer"),
        Mistake("age ==[c] 5", 4, "the options [c] are for strings, but 'age' is an Integer 16"),
        Mistake("home == nil", 0, "'home' is a composite; compare its elements, such as 'home.street'"),
        Mistake("1 == 'x'", 2, "an integer cannot be compared with a string"),
    ])
    func typeMismatches(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        expectEqual(error?.message, mistake.message)
        expectEqual(error?.offset, mistake.offset)
        expectEqual(error?.kind, .typeMismatch)
    }

    @Test func objectsOfAnotherEntity() {
        expectEqual(
            mistake("owner == %@", Object(root: "City", key: 1))?.message,
            "'owner' is an object of 'Owner', which cannot equal an object of 'City'"
        )
        expectEqual(
            mistake("SELF IN %@", [Object(root: "Owner", key: 1)])?.message,
            "'SELF' is an object of 'Animal', which cannot equal an object of 'Owner'"
        )
    }

    @Test func malformedRegularExpression() {
        expectEqual(
            mistake("name MATCHES 'a)|(b'")?.message,
            "the pattern of MATCHES is not a valid regular expression"
        )
    }

    @Test func unknownEntity() throws {
        let predicate = try FetchPredicate(format: "age == 1")
        let error = caught { try predicate.bind(to: "Animl", in: TestModel.model) }
        expectEqual(error?.message, "the model has no entity 'Animl'; did you mean 'Animal'?")
    }

    @Test func descriptionPointsAtThePlace() throws {
        expectEqual(
            mistake("age > 1 AND\n\tnmae == 'ä'")?.description,
            "entity 'Animal' has no property 'nmae'; did you mean 'name'?\n\tnmae == 'ä'\n\t^"
        )
        expectEqual(
            mistake("name == 'ä' AND age = 'x'")?.description,
            "'age' is an Integer 16, which cannot be compared with a string\nname == 'ä' AND age = 'x'\n"
                + "                    ^"
        )
        let long = Array(repeating: "age == 1", count: 50).joined(separator: " OR ")
        let description = mistake(long + " OR nmae == 2 OR " + long)?.description ?? ""
        let lines = description.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].count == 102)
        #expect(lines[1].hasPrefix("…") && lines[1].hasSuffix("…"))
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix("nmae"))
    }

    /// A composed predicate has no text of its own, so the error contains the printed text, without values.
    @Test func composedPredicates() throws {
        let predicate = try
            !(FetchPredicate(format: "age == %d", 12345) && FetchPredicate(format: "  nmae == %@", "secret"))
        let error = caught { try predicate.bind(to: "Animal", in: TestModel.model) }
        expectEqual(error?.format, "NOT (age == %@ AND nmae == %@)")
        expectEqual(error?.offset, 19)
    }

    /// Found by fuzzing: only the operator was printed, which cannot be parsed.
    @Test func selfHasNoOperators() {
        for (format, arguments) in [
            ("SELF.@count > 1", []), ("%K.@count > 1", ["SELF"]), ("%K > 1", ["SELF.@count"]),
            ("(SELF).@count > 1", []),
        ] {
            let error = caught { try FetchPredicate(format: format, argumentArray: arguments) }
            #expect(error?.kind == .malformed && error?.message.contains("'@count'") == true, "\(format)")
        }
    }

    /// Found by fuzzing: the error was about the pattern as if it were the predicate.
    @Test func tooComplexAmongConstants() {
        let format = "age == 1 AND '\(String(repeating: "a", count: 40))' MATCHES '(a|aa)+b'"
        let error = mistake(format)
        #expect(error?.kind == .tooComplex && error?.format == format && error?.offset == 56)
    }

    /// Found by fuzzing: an assigned expression is bound again at each use of its variable.
    @Test func assignedVariablesAreLimited() throws {
        func chain(_ count: Int, _ value: (String) -> String) -> String {
            let links = (1..<count).map { "($a\($0) := \(value("$a\($0 - 1)"))) == 1" }
            return (["($a0 := age) == 1"] + links).joined(separator: " AND ")
        }
        #expect(mistake(chain(40) { $0 }) == nil)
        expectEqual(
            mistake(chain(1_000) { $0 })?.message,
            "with the values of its variables, this predicate is nested deeper than 64 levels"
        )
        #expect(mistake(chain(10) { "\($0) + \($0)" }) == nil)
        expectEqual(
            mistake(chain(40) { "\($0) + \($0)" })?.message,
            "the predicate has more than 20000 subexpressions after each variable is replaced by the expression that is "
                + "assigned to it; use the variables less often, or assign shorter expressions"
        )
        let circle = try FetchPredicate(format: "($a := $b) == 1 AND ($b := $a) == 2 AND $b == 3")
        // An assigned expression keeps its scope: the $b in $a is the outer variable.
        let types = try inferVariableTypes(of: circle, entityName: "Animal", model: TestModel.model)
        expectEqual(types.map(\.name), ["b"])
    }

    /// Found by fuzzing: a variable in a function of an expression was evaluated without a value.
    @Test func expressionsHaveNoVariables() throws {
        for (format, offset) in [("$x + 2", 0), ("TERNARY(age == $x, 1, 2)", 15), ("{1, $x}[0]", 4)] {
            let expression = try FetchExpression(format: format)
            let error = caught { try expression.bind(to: "Animal", in: TestModel.model) }
            expectEqual(error?.message, "'$x' has no value; an expression cannot have variables")
            #expect(error?.kind == .variable && error?.offset == offset)
        }
        _ = try FetchExpression(format: "{$x := age, $x + 1}[1]").bind(to: "Animal", in: TestModel.model)
    }

    @Test func composedTooDeep() throws {
        var predicate = try FetchPredicate(format: "age == 1")
        for _ in 0..<300 { predicate = !(predicate && .true) }
        let deep = predicate
        let error = caught { try deep.bind(to: "Animal", in: TestModel.model) }
        expectEqual(error?.message, "this predicate is nested deeper than 64 levels")
    }
}
