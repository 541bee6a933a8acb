import ChordataModel
import ChordataPredicate
import Testing

/// P13: a mistake is an error with its place and what was expected, never a predicate that matches nothing.
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
        Mistake("age NOT IN {1}", 4, "expected an operator such as ==; NOT stands before the left side, found 'NOT'"),
        Mistake("age IN (1, 2)", 9, "unexpected ','; a list stands in braces: {a, b}"),
        Mistake("age IN {1 2}", 10, "expected ',' or '}', found '2'"),
        Mistake("age == 1 & name == 'x'", 9, "unexpected '&'; write '&&' or AND"),
        Mistake("age == $", 7, "expected the name of a variable after '$'"),
        Mistake("owner. == 1", 7, "expected a key after '.', found '=='"),
        Mistake("age == 1 == 2", 9, "expected AND, OR or the end, found '=='"),
        Mistake("age == CAST('x', 'NSDate')", 7, "this constant is no NSDate"),
    ])
    func grammar(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        #expect(error?.message == mistake.message)
        #expect(error?.offset == mistake.offset)
        #expect(error?.kind == .malformed)
        #expect(error?.format == mistake.format)
    }

    @Test(arguments: [
        Mistake("ANY owner.animals.name == 'x'", 0, "ANY is not supported yet"),
        Mistake("some owner.animals.name == 'x'", 0, "SOME is not supported yet"),
        Mistake("ALL owner.animals.age > 1", 0, "ALL is not supported yet"),
        Mistake("NOT NONE owner.animals.age > 1", 4, "NONE is not supported yet"),
        Mistake("SUBQUERY(owner, $x, $x.age > 1) == 1", 0, "SUBQUERY is not supported yet"),
        Mistake("owner.animals.@count > 0", 14, "the collection operator '@count' is not supported yet"),
        Mistake("owner.animals.@avg.age > 0", 14, "the collection operator '@avg' is not supported yet"),
        Mistake("age + 1 > 2", 4, "arithmetic ('+') is not supported yet"),
        Mistake("age > 2 ** 3", 8, "arithmetic ('**') is not supported yet"),
        Mistake("age > -chip", 6, "arithmetic ('-') is not supported yet"),
        Mistake("(age * 2) > 2", 5, "arithmetic ('*') is not supported yet"),
        Mistake("name == uppercase:(nick)", 8, "the function 'uppercase' is not supported yet"),
        Mistake("born < now()", 7, "the function 'now' is not supported yet"),
        Mistake("FUNCTION(name, 'length') > 2", 0, "FUNCTION is not supported yet"),
        Mistake("CAST(name, 'NSNumber') > 2", 11, "a CAST to 'NSNumber' is not supported yet"),
        Mistake("CAST(age, 'NSDate') > born", 0, "a CAST of anything but a constant is not supported yet"),
        Mistake("TERNARY(age > 1, 2, 3) == 2", 0, "TERNARY is not supported yet"),
        Mistake("tags[0] == 1", 4, "an index in brackets is not supported yet"),
        Mistake("tags[FIRST] == 1", 4, "an index in brackets is not supported yet"),
        Mistake("$x := 1", 3, "an assignment (':=') is not supported yet"),
        Mistake("$x.name == 'x'", 2, "a key path that begins at a variable is not supported yet"),
        Mistake(
            "owner.animals == nil",
            6,
            "'animals' of 'Owner' is a to-many relationship, which predicates cannot use yet"
        ),
        Mistake("name MATCHES nick", 5, "MATCHES with a pattern that is stored is not supported; use LIKE"),
    ])
    func constructsThatAreNotThere(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        #expect(error?.message == mistake.message)
        #expect(error?.offset == mistake.offset)
        #expect(error?.kind == .unsupported)
    }

    @Test(arguments: [
        Mistake("nmae == 'x'", 0, "entity 'Animal' has no property 'nmae'; did you mean 'name'?"),
        Mistake(
            "age > 1 AND owner . ctiy.name == 'x'",
            20,
            "entity 'Owner' has no property 'ctiy'; did you mean 'city'?"
        ),
        Mistake("SELF.owner.#years2 == 1", 11, "entity 'Owner' has no property 'years2'; did you mean 'years'?"),
        Mistake("xyzzy == 'x'", 0, "entity 'Animal' has no property 'xyzzy'"),
        Mistake("breed == 'x'", 0, "entity 'Animal' has no property 'breed'; its subentity 'Dog' has, so fetch that"),
        Mistake("mood == 'x'", 0, "attribute 'mood' of 'Animal' is transient, so it is not stored"),
        Mistake("siblings == nil", 0, "'siblings' of 'Animal' is a fetched property, so it is not stored"),
        Mistake("name.length == 1", 5, "attribute 'name' of 'Animal' is a String and has no keys"),
        Mistake("home.stret == 'x'", 5, "composite 'home' has no element 'stret'; did you mean 'street'?"),
    ])
    func unknownKeys(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        #expect(error?.message == mistake.message)
        #expect(error?.offset == mistake.offset)
        #expect(error?.kind == .unknownKey)
    }

    @Test func suggestions() {
        #expect(mistake("owner.ctiy.name == 'x'")?.suggestion == "city")
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
        Mistake("age IN 1", 4, "IN needs a list or a string on its right, found an integer"),
        Mistake("age IN nil", 4, "IN needs a list or a string on its right, found nil"),
        Mistake("age == {1}", 4, "a list cannot be compared by '=='; use IN"),
        Mistake("age CONTAINS 'x'", 4, "CONTAINS compares strings, but 'age' is an Integer 16"),
        Mistake("name LIKE 5", 5, "LIKE compares strings, found an integer"),
        Mistake("name == age", 5, "'name' (String) cannot be compared with 'age' (Integer 16)"),
        Mistake(
            "born > 5",
            5,
            "'born' is a Date, which cannot be compared with an integer; write CAST(seconds since 2001, \"NSDate\")"
        ),
        Mistake("uuid == 'x'", 5, "'uuid' is a UUID, and the string is no UUID"),
        Mistake("page == ''", 5, "'page' is a URI, and the string is no URL"),
        Mistake("price == '1,5'", 6, "'price' is a Decimal, and the string is no decimal number"),
        Mistake("tags == 'x'", 5, "'tags' is a Transformable, which can only be compared with nil"),
        Mistake("film == photo", 5, "'film' (Binary) cannot be compared with 'photo' (Binary)"),
        Mistake("owner > nil", 6, "'owner' is an object of 'Owner', which has no order; compare it by == or !="),
        Mistake("owner == 5", 6, "'owner' is an object of 'Owner', which cannot be compared with an integer"),
        Mistake("age ==[c] 5", 4, "the options [c] are for strings, but 'age' is an Integer 16"),
        Mistake("home == nil", 0, "'home' is a composite; compare its elements, such as 'home.street'"),
        Mistake("1 == 'x'", 2, "an integer cannot be compared with a string"),
    ])
    func unfittingTypes(_ mistake: Mistake) {
        let error = ChordataPredicateTests.mistake(mistake.format)
        #expect(error?.message == mistake.message)
        #expect(error?.offset == mistake.offset)
        #expect(error?.kind == .unfittingType)
    }

    @Test func objectsOfAnotherEntity() {
        #expect(
            mistake("owner == %@", Object(root: "City", key: 1))?.message
                == "'owner' is an object of 'Owner', which is never one of 'City'"
        )
        #expect(
            mistake("SELF IN %@", [Object(root: "Owner", key: 1)])?.message
                == "'SELF' is an object of 'Animal', which is never one of 'Owner'"
        )
    }

    @Test func malformedRegularExpression() {
        #expect(mistake("name MATCHES 'a)|(b'")?.message == "the pattern of MATCHES is no regular expression")
    }

    @Test func unknownEntity() throws {
        let predicate = try FetchPredicate(format: "age == 1")
        let error = caught { try predicate.bind(to: "Animl", in: TestModel.model) }
        #expect(error?.message == "the model has no entity 'Animl'; did you mean 'Animal'?")
    }

    @Test func descriptionPointsAtThePlace() throws {
        #expect(
            mistake("age > 1 AND\n\tnmae == 'ä'")?.description
                == "entity 'Animal' has no property 'nmae'; did you mean 'name'?\n\tnmae == 'ä'\n\t^"
        )
        #expect(
            mistake("name == 'ä' AND age = 'x'")?.description
                == "'age' is an Integer 16, which cannot be compared with a string\nname == 'ä' AND age = 'x'\n"
                + "                    ^"
        )
        let long = Array(repeating: "age == 1", count: 50).joined(separator: " OR ")
        let description = mistake(long + " OR nmae == 2 OR " + long)?.description ?? ""
        let lines = description.split(separator: "\n")
        #expect(lines.count == 3 && lines[1].count == 102)
        #expect(lines[1].hasPrefix("…") && lines[1].hasSuffix("…"))
        #expect(lines[1].dropFirst(lines[2].count - 1).hasPrefix("nmae"))
    }

    /// What was composed has no text of its own: it is printed, and shows no value.
    @Test func composedPredicates() throws {
        let predicate = try
            !(FetchPredicate(format: "age == %d", 12345) && FetchPredicate(format: "  nmae == %@", "secret"))
        let error = caught { try predicate.bind(to: "Animal", in: TestModel.model) }
        #expect(error?.format == "NOT (age == %@ AND nmae == %@)")
        #expect(error?.offset == 19)
    }

    @Test func composedTooDeep() throws {
        var predicate = try FetchPredicate(format: "age == 1")
        for _ in 0..<300 { predicate = !predicate }
        let deep = predicate
        let error = caught { try deep.bind(to: "Animal", in: TestModel.model) }
        #expect(error?.message == "this predicate is nested deeper than 250 levels")
    }
}
