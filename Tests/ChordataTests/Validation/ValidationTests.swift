import Chordata
import ChordataModel
import ChordataTestStores
import ChordataTestSupport
import Foundation
import Testing

/// The model's rules about attributes: 4.7 and 5B step 3.
struct AttributeValidationTests {
    typealias Code = ValidationError.Failure.Code

    /// A rule for an attribute named `value`, with values that it allows and a value that it refuses.
    struct Rule: CustomTestStringConvertible {
        var testDescription: String
        var attribute: AttributeDescription
        var right: [any Sendable]
        var wrong: any Sendable
        var code: Code
        var reason: String

        init(
            _ name: String,
            _ type: AttributeType,
            minimum: AttributeValue? = nil,
            maximum: AttributeValue? = nil,
            pattern: String? = nil,
            isTransient: Bool = false,
            right: [any Sendable],
            wrong: any Sendable,
            _ code: Code,
            _ reason: String
        ) {
            testDescription = name
            attribute = AttributeDescription(
                name: "value",
                attributeType: type,
                isOptional: true,
                isTransient: isTransient,
                minimumValue: minimum,
                maximumValue: maximum,
                regularExpression: pattern
            )
            self.right = right
            self.wrong = wrong
            self.code = code
            self.reason = reason
        }
    }

    private static func date(_ seconds: Double) -> Date { Date(timeIntervalSinceReferenceDate: seconds) }

    static let rules: [Rule] = [
        Rule(
            "1610 Integer 16 too large",
            .integer16,
            maximum: .integer(5),
            right: [5, -9],
            wrong: 6,
            .numberTooLarge,
            "has a value of type Integer 16 above the model's maximum, 5; set a smaller value"
        ),
        Rule(
            "1610 Integer 64 too large",
            .integer64,
            maximum: .integer(.max - 1),
            right: [Int64.max - 1],
            wrong: Int64.max,
            .numberTooLarge,
            "has a value of type Integer 64 above the model's maximum, 9223372036854775806; set a smaller value"
        ),
        Rule(
            "1620 Integer 32 too small",
            .integer32,
            minimum: .integer(-5),
            right: [-5, 9],
            wrong: -6,
            .numberTooSmall,
            "has a value of type Integer 32 below the model's minimum, -5; set a larger value"
        ),
        Rule(
            "1610 Double too large",
            .double,
            maximum: .double(0.5),
            right: [0.5],
            wrong: 0.5.nextUp,
            .numberTooLarge,
            "has a value of type Double above the model's maximum, 0.5; set a smaller value"
        ),
        Rule(
            "1620 Double too small",
            .double,
            minimum: .double(0.5),
            right: [0.5, Double.infinity],
            wrong: -Double.infinity,
            .numberTooSmall,
            "has a value of type Double below the model's minimum, 0.5; set a larger value"
        ),
        Rule(
            "1620 Float too small",
            .float,
            minimum: .double(Double(Float(0.1))),
            right: [Float(0.1)],
            wrong: Float(0.09),
            .numberTooSmall,
            "has a value of type Float below the model's minimum, 0.10000000149011612; set a larger value"
        ),
        Rule(
            "1610 Decimal too large",
            .decimal,
            maximum: .decimal(Decimal(string: "0.1")!),
            right: [Decimal(string: "0.1")!],
            wrong: Decimal(string: "0.10000000000000000000000000000000000001")!,
            .numberTooLarge,
            "has a value of type Decimal above the model's maximum, 0.1; set a smaller value"
        ),
        Rule(
            "1620 Decimal below an integer of a model built in code",
            .decimal,
            minimum: .integer(2),
            right: [Decimal(2)],
            wrong: Decimal(string: "1.9")!,
            .numberTooSmall,
            "has a value of type Decimal below the model's minimum, 2; set a larger value"
        ),
        Rule(
            "1610 Integer above a fraction of a model built in code",
            .integer64,
            maximum: .double(2.5),
            right: [2],
            wrong: 3,
            .numberTooLarge,
            "has a value of type Integer 64 above the model's maximum, 2.5; set a smaller value"
        ),
        Rule(
            "1630 Date too late",
            .date,
            maximum: .date(date(0)),
            right: [date(0)],
            wrong: date(0.001),
            .dateTooLate,
            "has a value of type Date after the model's maximum, 2001-01-01 00:00:00 +0000; set an earlier value"
        ),
        Rule(
            "1640 Date too soon",
            .date,
            minimum: .date(date(0)),
            right: [date(0)],
            wrong: date(-0.001),
            .dateTooSoon,
            "has a value of type Date before the model's minimum, 2001-01-01 00:00:00 +0000; set a later value"
        ),
        Rule(
            "1650 Date that is no number",
            .date,
            minimum: .date(date(0)),
            right: [date(1)],
            wrong: date(.nan),
            .invalidDate,
            "is not a number (NaN), which the store cannot represent; set another value"
        ),
        Rule(
            "1550 Double that is no number",
            .double,
            maximum: .double(1),
            right: [1.0],
            wrong: Double.nan,
            .managedObjectValidation,
            "is not a number (NaN), which the store cannot represent; set another value"
        ),
        Rule(
            "1660 String too long",
            .string,
            maximum: .integer(3),
            right: ["", "abc"],
            wrong: "abcd",
            .stringTooLong,
            "has a value of type String with 4 UTF-16 code units; the maximum is 3; set a shorter value"
        ),
        Rule(
            "1660 lengths are counted in UTF-16 code units",
            .string,
            maximum: .integer(2),
            right: ["😀", "éé"],
            wrong: "😀é",
            .stringTooLong,
            "has a value of type String with 3 UTF-16 code units; the maximum is 2; set a shorter value"
        ),
        Rule(
            "1670 String too short",
            .string,
            minimum: .integer(2),
            right: ["ab", "😀"],
            wrong: "€",
            .stringTooShort,
            "has a value of type String with 1 UTF-16 code units; the minimum is 2; set a longer value"
        ),
        Rule(
            "1680 String that does not match",
            .string,
            pattern: "[a-z]+|x",
            right: ["abc"],
            wrong: "abc1",
            .stringPatternMatching,
            "has a value of type String that does not match the regular expression '[a-z]+|x' of the model; set a "
                + "value that matches"
        ),
        Rule(
            "1680 a pattern that takes too long",
            .string,
            pattern: "(a|aa)+b",
            right: ["ab"],
            wrong: String(repeating: "a", count: 60),
            .stringPatternMatching,
            """
            cannot be compared with the regular expression of the model: this regular expression takes too long on a text of 60 \
            UTF-16 units; avoid a repetition inside of another
            """
        ),
        Rule(
            "1680 a pattern of a model built in code that is none",
            .string,
            pattern: "a)|(b",
            right: [],
            wrong: "a",
            .stringPatternMatching,
            "has an invalid regular expression in the model; correct the expression in the model, or remove it"
        ),
        Rule(
            "1660 the length comes before the pattern",
            .string,
            maximum: .integer(40),
            pattern: "(a|aa)+b",
            right: ["ab"],
            wrong: String(repeating: "a", count: 60),
            .stringTooLong,
            "has a value of type String with 60 UTF-16 code units; the maximum is 40; set a shorter value"
        ),
        Rule(
            "1620 transient attributes have rules too",
            .integer64,
            minimum: .integer(0),
            isTransient: true,
            right: [0],
            wrong: -1,
            .numberTooSmall,
            "has a value of type Integer 64 below the model's minimum, 0; set a larger value"
        ),
    ]

    static func context(_ entities: EntityDescription...) throws -> ManagedObjectContext {
        let model = ModelDefinition(name: "V", versionName: "1", model: try ManagedObjectModel(entities: entities))
        return try model.testContainer(at: ":memory:").newContext()
    }

    @Test(arguments: rules) func anInsertionIsRefusedUntilItIsCorrected(_ rule: Rule) throws {
        let context = try Self.context(EntityDescription(name: "Thing", attributes: [rule.attribute]))
        for value in rule.right {
            let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
            thing.setValue(value, forKey: "value")
            try context.save()
        }
        let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(rule.wrong, forKey: "value")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.code, rule.code)
        let failure = try #require(error?.failures.first)
        #expect(failure.code == rule.code && failure.reason == rule.reason)
        #expect(failure.propertyName == "value" && failure.entityName == "Thing" && failure.objectID == thing.objectID)
        expectEqual(
            error?.description,
            "'value' of 'Thing' (\(thing.objectID)) \(rule.reason) (\(rule.code.rawValue))"
        )
        #expect(thing.isInserted && context.hasChanges)
        thing.setValue(rule.right.last, forKey: "value")
        try context.save()
        #expect(!context.hasChanges)
    }

    @Test(arguments: rules) func aValueIsValidatedAlone(_ rule: Rule) throws {
        let context = try Self.context(EntityDescription(name: "Thing", attributes: [rule.attribute]))
        let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        for value in rule.right { try thing.validateValue(value, forKey: "value") }
        try thing.validateValue(nil, forKey: "value")
        let error = #expect(throws: ValidationError.self) { try thing.validateValue(rule.wrong, forKey: "value") }
        expectEqual(error?.code, rule.code)
        expectEqual(error?.failures.map(\.reason), [rule.reason])
        try context.save()
        #expect(thing.value(forKey: "value") == nil)
    }

    @Test func everyPropertyOfAnUpdateIsValidated() throws {
        let bounded = AttributeDescription(name: "a", attributeType: .integer64, isOptional: true)
        var narrower = bounded
        narrower.maximumValue = .integer(5)
        let other = AttributeDescription(name: "b", attributeType: .string, isOptional: true)
        try withStorePath { path in
            func context(_ attribute: AttributeDescription) throws -> ManagedObjectContext {
                let entity = EntityDescription(name: "Thing", attributes: [attribute, other])
                let model = ModelDefinition(
                    name: "V",
                    versionName: "1",
                    model: try ManagedObjectModel(entities: [entity])
                )
                return try model.testContainer(at: path).newContext()
            }
            try {
                let wide = try context(bounded)
                EntityDescription.insertNewObject(forEntityName: "Thing", into: wide).setValue(9, forKey: "a")
                try wide.save()
            }()
            // Rules are not part of the version hash, so older rows may violate them.
            let narrow = try context(narrower)
            let thing = try #require(try narrow.fetch(FetchRequest<ManagedObject>(entityName: "Thing")).first)
            thing.setValue("x", forKey: "b")
            let error = #expect(throws: ValidationError.self) { try narrow.save() }
            expectEqual(error?.failures.map(\.propertyName), ["a"])
            expectEqual(error?.code, .numberTooLarge)
            narrow.delete(thing)
            try narrow.save()
        }
    }

    @Test func aMissingValueBreaksNoOtherRule() throws {
        let attribute = AttributeDescription(name: "name", attributeType: .string, minimumValue: .integer(1))
        let context = try Self.context(EntityDescription(name: "Thing", attributes: [attribute]))
        let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        let missing = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(missing?.failures.map(\.code), [.missingMandatoryProperty])
        expectEqual(missing?.code, .missingMandatoryProperty)
        thing.setValue("", forKey: "name")
        let short = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(short?.code, .stringTooShort)
        #expect(throws: ValidationError.self) { try thing.validateValue(nil, forKey: "name") }
        thing.setValue("a", forKey: "name")
        try context.save()
    }

    @Test func severalFailuresAre1560InTheOrderOfTheModel() throws {
        let context = try Self.context(
            EntityDescription(
                name: "Thing",
                attributes: [
                    AttributeDescription(
                        name: "a",
                        attributeType: .integer64,
                        isOptional: true,
                        maximumValue: .integer(1)
                    ),
                    AttributeDescription(name: "b", attributeType: .string),
                    AttributeDescription(name: "c", attributeType: .double, isOptional: true),
                ]
            )
        )
        let things = (0..<2).map { _ in EntityDescription.insertNewObject(forEntityName: "Thing", into: context) }
        for thing in things {
            thing.setValue(2, forKey: "a")
            thing.setValue(Double.nan, forKey: "c")
        }
        let error = #expect(throws: ValidationError.self) { try context.save() }
        #expect(error?.code == .multipleErrors && error?.code.rawValue == 1560)
        let codes: [Code] = [.numberTooLarge, .missingMandatoryProperty, .managedObjectValidation]
        expectEqual(error?.failures.map(\.code), codes + codes)
        expectEqual(error?.failures.map(\.objectID), things.flatMap { [$0.objectID, $0.objectID, $0.objectID] })
        expectEqual(error?.description.split(separator: "\n").count, 6)
    }

    @Test func derivedAttributesHaveNoRules() throws {
        let context = try Self.context(
            EntityDescription(
                name: "Thing",
                attributes: [
                    AttributeDescription(name: "a", attributeType: .integer64, isOptional: true),
                    AttributeDescription(
                        name: "twice",
                        attributeType: .integer64,
                        maximumValue: .integer(1),
                        derivationExpression: "a * 2"
                    ),
                ]
            )
        )
        let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(3, forKey: "a")
        try context.save()
        #expect(thing.value(forKey: "twice") as? Int64 == 6)
        thing.setValue(4, forKey: "a")
        try context.save()
    }

    @Test func elementsOfCompositesHaveRules() throws {
        let place = AttributeDescription(
            name: "place",
            attributeType: .composite,
            compositeName: "Place",
            elements: [
                AttributeDescription(name: "city", attributeType: .string, maximumValue: .integer(3)),
                AttributeDescription(
                    name: "height",
                    attributeType: .integer16,
                    isOptional: true,
                    minimumValue: .integer(0)
                ),
            ]
        )
        let context = try Self.context(EntityDescription(name: "Thing", attributes: [place]))
        let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        thing.setValue(["city": "Paris", "height": -1], forKey: "place")
        let error = #expect(throws: ValidationError.self) { try context.save() }
        expectEqual(error?.failures.map(\.propertyName), ["place.city", "place.height"])
        expectEqual(error?.failures.map(\.code), [.stringTooLong, .numberTooSmall])
        let alone = #expect(throws: ValidationError.self) { try thing.validateValue(["height": -1], forKey: "place") }
        expectEqual(alone?.failures.map(\.code), [.missingMandatoryProperty, .numberTooSmall])
        let none = #expect(throws: ValidationError.self) { try thing.validateValue("Ulm", forKey: "place") }
        expectEqual(none?.failures.map(\.propertyName), ["place"])
        #expect(throws: ValidationError.self) { try thing.validateValue("Paris", forKey: "place.city") }
        try thing.validateValue(["city": "Ulm", "height": 478], forKey: "place")
        thing.setValue(["city": "Ulm"], forKey: "place")
        try context.save()
    }

    static let typeErrors: [(AttributeType, any Sendable, Code)] = [
        (.integer16, 40_000, .managedObjectValidation), (.integer64, "1", .managedObjectValidation),
        (.date, "today", .invalidDate), (.uri, "http://a.example", .invalidURI), (.uri, 1, .invalidURI),
        (.uuid, "x", .managedObjectValidation), (.binaryData, "x", .managedObjectValidation),
        (.boolean, 2, .managedObjectValidation), (.string, [1], .managedObjectValidation),
    ]

    @Test(arguments: typeErrors)
    func aValueOfAnotherTypeIsRefused(_ type: AttributeType, _ value: any Sendable, _ code: Code) throws {
        let attribute = AttributeDescription(name: "value", attributeType: type, isOptional: true)
        let context = try Self.context(EntityDescription(name: "Thing", attributes: [attribute]))
        let thing = EntityDescription.insertNewObject(forEntityName: "Thing", into: context)
        let error = #expect(throws: ValidationError.self) { try thing.validateValue(value, forKey: "value") }
        expectEqual(error?.code, code)
        #expect(
            error?.description.contains(
                "of type \(Swift.type(of: value)) has another type or is out of range"
            ) == true
        )
    }
}
