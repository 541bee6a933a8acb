import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

@testable import ChordataApple

/// Archives of models, as stores of Core Data contain them.
struct ModelArchiveTests {
    private static func read(_ bytes: [UInt8], _ hashes: [String: Data] = [:]) throws -> ArchivedModel {
        try readModel(archive: bytes, hashes: hashes)
    }

    private static func message(_ bytes: [UInt8]) -> String? {
        do throws(BinaryPropertyList.Failure) {
            _ = try readModel(archive: bytes, hashes: [:])
            return nil
        } catch {
            return error.message
        }
    }

    @Test func allThatAnArchiveHas() throws {
        let model = try ManagedObjectModel(
            versionIdentifier: "v2",
            entities: [
                EntityDescription(
                    name: "Node \"1\"",
                    managedObjectClassName: "App.Node",
                    isAbstract: true,
                    attributes: [
                        AttributeDescription(name: "count", attributeType: .integer32, defaultValue: .integer(-7)),
                        AttributeDescription(
                            name: "title",
                            attributeType: .string,
                            isOptional: true,
                            defaultValue: .string("x")
                        ),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "leaves",
                            destinationEntityName: "Leaf",
                            inverseName: "node",
                            isToMany: true,
                            isOrdered: true,
                            minimumCount: 1,
                            maximumCount: 9,
                            deleteRule: .cascade,
                            renamingIdentifier: "children"
                        )
                    ],
                    indexes: [
                        FetchIndexDescription(
                            name: "byTitle",
                            elements: [.init(propertyName: "title", isAscending: false), .init(propertyName: "count")]
                        )
                    ],
                    uniquenessConstraints: [["title", "count"]],
                    renamingIdentifier: "OldNode",
                    versionHashModifier: "m",
                    userInfo: ["key": "Wörd"]
                ),
                EntityDescription(
                    name: "Leaf",
                    superentityName: "Node \"1\"",
                    attributes: [
                        AttributeDescription(
                            name: "photo",
                            attributeType: .binaryData,
                            isOptional: true,
                            allowsExternalBinaryDataStorage: true,
                            versionHashModifier: "p"
                        ),
                        AttributeDescription(
                            name: "draft",
                            attributeType: .undefined,
                            isOptional: true,
                            isTransient: true
                        ),
                        AttributeDescription(
                            name: "color",
                            attributeType: .transformable,
                            valueTransformerName: "ColorTransformer",
                            attributeValueClassName: "Color"
                        ),
                    ],
                    relationships: [
                        RelationshipDescription(
                            name: "node",
                            destinationEntityName: "Node \"1\"",
                            inverseName: "leaves",
                            isOptional: false,
                            deleteRule: .deny
                        )
                    ]
                ),
            ],
            configurations: [.init(name: "Cloud", entityNames: ["Leaf"])]
        )
        let read = try Self.read(writeModelArchive(model))
        expectEqual(read.omissions, [])
        let expected = try Self.ordered(model)
        for (entity, other) in zip(read.model.entities, expected.entities) {
            expectEqual(entity.declaredAttributes, other.declaredAttributes)
            expectEqual(entity.declaredRelationships, other.declaredRelationships)
        }
        expectEqual(read.model, expected)
    }

    /// Returns the model with its declarations in the order in which archives are read.
    private static func ordered(_ model: ManagedObjectModel) throws -> ManagedObjectModel {
        try ManagedObjectModel(
            versionIdentifier: model.versionIdentifier,
            entities: model.entities.sorted { $0.name < $1.name }.map { entity in
                var entity = entity
                entity.declaredAttributes.sort { $0.name < $1.name }
                entity.declaredRelationships.sort { $0.name < $1.name }
                return entity
            },
            configurations: model.configurations
        )
    }

    /// An archive does not contain whether the history preserves a value on deletion, but the hash of the entity
    /// depends on it.
    @Test func theHashDecidesWhatTheArchiveLeavesOpen() throws {
        func model(_ keeps: Bool) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "A",
                    attributes: [
                        AttributeDescription(
                            name: "x",
                            attributeType: .string,
                            preservesValueInHistoryOnDeletion: keeps
                        )
                    ]
                )
            ])
        }
        let archive = try writeModelArchive(model(true))
        for keeps in [true, false] {
            let hashes = try VersionHashes(of: model(keeps)).entityVersionHashesByName
            let read = try Self.read(archive, hashes)
            expectEqual(read.model.entity(named: "A")?.attributes[0].preservesValueInHistoryOnDeletion, keeps)
        }
    }

    // MARK: Archives that Core Data wrote in other forms

    private typealias Fields = [(key: String, value: PropertyListValue)]

    /// Makes archives by hand.
    private struct Builder {
        var objects: [PropertyListValue] = [.string("$null")]

        mutating func add(_ value: PropertyListValue) -> PropertyListValue {
            objects.append(value)
            return .uid(objects.count - 1)
        }

        mutating func object(_ name: String, _ fields: Fields) -> PropertyListValue {
            let type = add(.dictionary([("$classname", .string(name)), ("$classes", .array([.string(name)]))]))
            return add(.dictionary(fields + [("$class", type)]))
        }

        mutating func list(_ elements: [PropertyListValue]) -> PropertyListValue {
            object("NSArray", [("NS.objects", .array(elements))])
        }

        mutating func dictionary(_ entries: Fields) -> PropertyListValue {
            let keys = entries.map { add(.string($0.key)) }
            return object("NSDictionary", [("NS.keys", .array(keys)), ("NS.objects", .array(entries.map(\.value)))])
        }

        mutating func finish(_ root: PropertyListValue) -> [UInt8] {
            writePropertyList(
                .dictionary([
                    ("$version", .integer(100_000)), ("$archiver", .string("NSKeyedArchiver")),
                    ("$top", .dictionary([("root", root)])), ("$objects", .array(objects)),
                ])
            )
        }

        mutating func model(_ properties: Fields, _ entity: Fields = []) -> [UInt8] {
            let dictionary = dictionary(properties)
            let name = add(.string("A"))
            let description = object(
                "NSEntityDescription",
                [("NSEntityName", name), ("NSProperties", dictionary)] + entity
            )
            let entities = self.dictionary([("A", description)])
            return finish(object("NSManagedObjectModel", [("NSEntities", entities)]))
        }

        mutating func attribute(_ name: String, _ type: Int64, _ fields: Fields) -> (
            key: String, value: PropertyListValue
        ) {
            let text = add(.string(name))
            let all = [("NSPropertyName", text), ("NSAttributeType", .integer(type))] + fields
            return (name, object("NSAttributeDescription", all))
        }

        mutating func comparison(_ left: PropertyListValue, _ type: Int64, _ constant: PropertyListValue)
            -> PropertyListValue
        {
            let sign = object(
                "NSComparisonPredicateOperator",
                [("NSOperatorType", .integer(type)), ("NSModifier", .integer(0))]
            )
            let right = object("NSConstantValueExpression", [("NSConstantValue", constant)])
            return object(
                "NSComparisonPredicate",
                [("NSLeftExpression", left), ("NSRightExpression", right), ("NSPredicateOperator", sign)]
            )
        }

        mutating func keyPath(_ path: String, of owner: PropertyListValue) -> PropertyListValue {
            let specifier = object("NSKeyPathSpecifierExpression", [("NSKeyPath", .string(path))])
            let arguments = list([specifier])
            return object("NSKeyPathExpression", [("NSOperand", owner), ("NSArguments", arguments)])
        }
    }

    @Test func defaultValues() throws {
        var builder = Builder()
        let date = builder.object("NSDate", [("NS.time", .real(12.5))])
        let uuid = builder.object("NSUUID", [("NS.uuidbytes", .data(Array(0..<16)))])
        let text = builder.object("NSMutableString", [("NS.string", .string("Zoë"))])
        let url = builder.object("NSURL", [("NS.base", .uid(0)), ("NS.relative", .string("https://a.b/c"))])
        // -1,234,567.89 as a mantissa in little-endian 16-bit digits.
        let decimal = builder.object(
            "NSDecimalNumber",
            [
                ("NS.exponent", .integer(-2)), ("NS.length", .integer(2)), ("NS.negative", .boolean(true)),
                ("NS.mantissa", .data([0x15, 0xCD, 0x5B, 0x07] + Array(repeating: 0, count: 12))),
                ("NS.mantissa.bo", .integer(1)),
            ]
        )
        let cover = builder.object("App.Cover", [])
        var attributes: Fields = []
        for (name, type, value) in [
            ("date", 900, date), ("uuid", 1100, uuid), ("text", 700, text), ("url", 1200, url), ("price", 400, decimal),
            ("cover", 1800, cover), ("flag", 800, .boolean(true)), ("float", 600, .real(0.25)),
            ("count", 100, .integer(-2)),
        ] as [(String, Int64, PropertyListValue)] {
            attributes.append(builder.attribute(name, type, [("NSDefaultValue", value)]))
        }
        let read = try Self.read(builder.model(attributes))
        let values = Dictionary(
            uniqueKeysWithValues: (read.model.entity(named: "A")?.attributes ?? []).map { ($0.name, $0.defaultValue) }
        )
        expectEqual(values["date"], .date(Date(timeIntervalSinceReferenceDate: 12.5)))
        expectEqual(values["uuid"], .uuid(UUID(uuid: (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))))
        expectEqual(values["text"], .string("Zoë"))
        expectEqual(values["url"], .url(try #require(URL(string: "https://a.b/c"))))
        expectEqual(values["price"], .decimal(try #require(Decimal(string: "-1234567.89"))))
        #expect(values["flag"] == .boolean(true) && values["float"] == .double(0.25) && values["count"] == .integer(-2))
        expectEqual(values["cover"], .some(nil))
        expectEqual(
            read.omissions,
            [
                "the default value of attribute 'cover' of 'A', whose type a model file cannot represent"
            ]
        )
    }

    @Test func validationRules() throws {
        var builder = Builder()
        let itself = builder.object("NSSelfExpression", [])
        let length = builder.keyPath("length", of: itself)
        let least = builder.comparison(length, 3, .integer(3))
        let most = builder.comparison(length, 1, .integer(50))
        let parts = builder.list([least, most])
        let both = builder.object(
            "NSCompoundPredicate",
            [("NSCompoundPredicateType", .integer(1)), ("NSSubpredicates", parts)]
        )
        let pattern = builder.comparison(itself, 6, .string("[a-z]+"))
        let other = builder.comparison(itself, 99, .string("x"))
        let rules = builder.list([both, pattern, other])
        let number = builder.list([builder.comparison(itself, 3, .real(0.5))])
        let attributes = [
            builder.attribute("name", 700, [("NSValidationPredicates", rules)]),
            builder.attribute("size", 500, [("NSValidationPredicates", number)]),
        ]
        let read = try Self.read(builder.model(attributes))
        let name = read.model.entity(named: "A")?.attributes.first
        #expect(name?.minimumValue == .integer(3) && name?.maximumValue == .integer(50))
        expectEqual(name?.regularExpression, "[a-z]+")
        expectEqual(read.model.entity(named: "A")?.attributes.last?.minimumValue, .double(0.5))
        expectEqual(read.omissions, ["a validation rule that a model file cannot express, of attribute 'name' of 'A'"])
    }

    /// Elements of an index that are expressions are listed, and so is an index that has no other elements.
    @Test func indexesWithExpressions() throws {
        var builder = Builder()
        let expression = builder.object("NSFetchIndexElementDescription", [("NSAscending", .integer(1))])
        let property = builder.object(
            "NSFetchIndexElementDescription",
            [("NSPropertyName", .string("name")), ("NSAscending", .integer(1))]
        )
        func index(_ name: String, _ elements: [PropertyListValue], _ fields: Fields = []) -> PropertyListValue {
            let elements = builder.list(elements)
            return builder.object(
                "NSFetchIndexDescription",
                [("NSIndexName", .string(name)), ("NSIndexElements", elements)] + fields
            )
        }
        let unknown: Fields = [("NSPartialIndexPredicate", builder.object("NSBlockPredicate", []))]
        let indexes = builder.list([
            index("mixed", [expression, property]), index("empty", [expression]),
            index("partial", [property], unknown),
        ])
        let attributes = [builder.attribute("name", 700, [])]
        let read = try Self.read(builder.model(attributes, [("NSFetchIndexDescriptions", indexes)]))
        expectEqual(read.model.entity(named: "A")?.indexes.map(\.name), ["mixed", "partial"])
        expectEqual(
            read.omissions,
            [
                "an element of index 'mixed' of 'A', which is an expression",
                "an element of index 'empty' of 'A', which is an expression",
                "index 'empty' of 'A', because none of its elements can be written in a model file",
                "the predicate of index 'partial' of 'A', so the index in the model file contains all objects",
            ]
        )
    }

    /// Predicates and derivations are printed as format strings; parts without such a form are listed.
    @Test func predicates() throws {
        var builder = Builder()
        let itself = builder.object("NSSelfExpression", [])
        let entity = builder.object("NSEntityDescription", [("NSEntityName", .string("A"))])
        func comparison(_ left: PropertyListValue, _ name: String, _ fields: Fields, _ right: PropertyListValue)
            -> PropertyListValue
        {
            let sign = builder.object(name, fields)
            return builder.object(
                "NSComparisonPredicate",
                [("NSLeftExpression", left), ("NSRightExpression", right), ("NSPredicateOperator", sign)]
            )
        }
        func constant(_ value: PropertyListValue) -> PropertyListValue {
            builder.object("NSConstantValueExpression", [("NSConstantValue", value)])
        }
        let source = builder.object("NSVariableExpression", [("NSVariable", .string("FETCH_SOURCE"))])
        let property = builder.object("NSVariableExpression", [("NSVariable", .string("FETCHED_PROPERTY"))])
        let name = builder.keyPath("name", of: itself)
        let equal = comparison(
            name,
            "NSEqualityPredicateOperator",
            [("NSOperatorType", .integer(4)), ("NSModifier", .integer(2)), ("NSOptions", .integer(3))],
            builder.keyPath("title", of: source)
        )
        let contains = comparison(
            name,
            "NSInPredicateOperator",
            [("NSOperatorType", .integer(99)), ("NSFlags", .integer(1))],
            builder.keyPath("userInfo.word", of: property)
        )
        let quoted = comparison(
            name,
            "NSComparisonPredicateOperator",
            [("NSOperatorType", .integer(5))],
            constant(.string("a\"b\\c"))
        )
        let isNil = comparison(
            name,
            "NSEqualityPredicateOperator",
            [("NSOperatorType", .integer(4))],
            constant(.uid(0))
        )
        let date = builder.object("NSDate", [("NS.time", .real(2.5))])
        let list = builder.list([.integer(1), .boolean(true), date])
        let member = comparison(name, "NSInPredicateOperator", [("NSOperatorType", .integer(10))], constant(list))
        let inverted = builder.object(
            "NSCompoundPredicate",
            [("NSCompoundPredicateType", .integer(0)), ("NSSubpredicates", builder.list([isNil]))]
        )
        let all = builder.object(
            "NSCompoundPredicate",
            [
                ("NSCompoundPredicateType", .integer(2)),
                ("NSSubpredicates", builder.list([equal, contains, quoted, inverted, member])),
            ]
        )
        let custom = comparison(
            name,
            "NSCustomPredicateOperator",
            [("NSOperatorType", .integer(11))],
            constant(.integer(1))
        )
        let utilities = builder.object(
            "NSConstantValueExpression",
            [("NSConstantValueClassName", .string("_NSPredicateUtilities"))]
        )
        func derived(_ selector: String, _ path: String) -> Fields {
            let arguments = builder.list([builder.keyPath(path, of: itself)])
            let function = builder.object(
                "NSFunctionExpression",
                [("NSOperand", utilities), ("NSSelectorName", .string(selector)), ("NSArguments", arguments)]
            )
            return [("NSAttributeType", .integer(300)), ("NSDerivationExpression", function)]
        }
        func fetched(_ predicate: PropertyListValue, _ userInfo: PropertyListValue) -> PropertyListValue {
            let request = builder.object("NSFetchRequest", [("NSPredicate", predicate), ("NSEntity", entity)])
            return builder.object(
                "NSFetchedPropertyDescription",
                [("NSFetchRequest", request), ("NSUserInfo", userInfo)]
            )
        }
        let userInfo = builder.dictionary([("word", .string("w\"1"))])
        let properties: Fields = [
            ("good", fetched(all, userInfo)), ("bad", fetched(custom, userInfo)),
            ("count", builder.object("NSDerivedAttributeDescription", derived("count:", "tags"))),
            ("folded", builder.object("NSDerivedAttributeDescription", derived("canonical:", "name"))),
            ("broken", builder.object("NSDerivedAttributeDescription", derived("a b:", "name"))),
        ]
        let read = try Self.read(builder.model(properties))
        let found = try #require(read.model.entity(named: "A"))
        expectEqual(
            found.fetchedProperties.map(\.fetchRequest.predicateFormat),
            [
                #"(ANY name ==[cd] $FETCH_SOURCE.title) OR (name CONTAINS[c] "w\"1") OR (name != "a\"b\\c") "#
                    + #"OR (NOT (name == nil)) OR (name IN {1, YES, CAST(2.5, "NSDate")})"#
            ]
        )
        expectEqual(found.attributes.map(\.derivationExpression), [nil, "tags.@count", "canonical:(name)"])
        expectEqual(
            read.omissions,
            [
                "fetched property 'bad' of 'A', because its predicate cannot be written in a model file",
                "the derivation of attribute 'broken' of 'A', so the attribute is not derived in the model file",
            ]
        )
    }

    // MARK: Hostile archives

    @Test func notAModel() {
        var builder = Builder()
        let root = builder.object("NSDictionary", [])
        expectEqual(Self.message(builder.finish(root)), "is not an archive of a model")
        expectEqual(Self.message(writePropertyList(.array([]))), "is not a keyed archive")
        #expect(
            Self.message(writePropertyList(.dictionary([("$objects", .array([])), ("$top", .dictionary([]))]))) != nil
        )
    }

    @Test func superentitiesInACircle() {
        var builder = Builder()
        let number = builder.objects.count
        builder.objects.append(.boolean(false))
        let type = builder.add(.dictionary([("$classname", .string("NSEntityDescription"))]))
        let name = builder.add(.string("A"))
        let properties = builder.dictionary([])
        builder.objects[number] = .dictionary([
            ("$class", type), ("NSEntityName", name), ("NSProperties", properties), ("NSSuperentity", .uid(number)),
        ])
        let entities = builder.dictionary([("A", .uid(number))])
        let root = builder.object("NSManagedObjectModel", [("NSEntities", entities)])
        expectEqual(Self.message(builder.finish(root)), "has an entity with more than 64 superentities")
    }

    @Test func propertiesThatStandForEachOther() {
        var builder = Builder()
        let number = builder.objects.count
        builder.objects.append(.boolean(false))
        let type = builder.add(.dictionary([("$classname", .string("NSAttributeDescription"))]))
        builder.objects[number] = .dictionary([("$class", type), ("NSUnderlyingProperty", .uid(number))])
        expectEqual(
            Self.message(builder.model([("x", .uid(number))])),
            "has a property with too many underlying properties"
        )
    }

    @Test func predicatesWithinThemselves() throws {
        var builder = Builder()
        let number = builder.objects.count
        builder.objects.append(.boolean(false))
        let type = builder.add(.dictionary([("$classname", .string("NSCompoundPredicate"))]))
        let parts = builder.list([.uid(number)])
        builder.objects[number] = .dictionary([
            ("$class", type), ("NSCompoundPredicateType", .integer(1)), ("NSSubpredicates", parts),
        ])
        let rules = builder.list([.uid(number)])
        let read = try Self.read(builder.model([builder.attribute("x", 700, [("NSValidationPredicates", rules)])]))
        expectEqual(read.omissions.count, 1)
    }

    /// Objects that reference one large list many times are small only in the file.
    @Test func sharedLists() {
        var builder = Builder()
        let properties = builder.dictionary((0..<1_000).map { builder.attribute("p\($0)", 700, []) })
        let entities = builder.dictionary(
            (0..<1_000).map { index in
                let name = builder.add(.string("E\(index)"))
                return (
                    "E\(index)",
                    builder.object("NSEntityDescription", [("NSEntityName", name), ("NSProperties", properties)])
                )
            }
        )
        let root = builder.object("NSManagedObjectModel", [("NSEntities", entities)])
        #expect(Self.message(builder.finish(root)) != nil)
    }

    @Test func manyEntities() throws {
        let count = 4_000
        let model = try ManagedObjectModel(
            entities: (0..<count).map {
                EntityDescription(name: "E\($0)", attributes: [.init(name: "a", attributeType: .string)])
            }
        )
        expectEqual(try Self.read(writeModelArchive(model)).model.entities.count, count)
    }

    @Test func damagedArchivesLaw() throws {
        let seed: UInt64 = 99
        print("ModelArchiveTests.damagedArchivesLaw: seed \(seed)")
        var generator = SeededGenerator(seed: seed)
        let original = try writeModelArchive(RandomGraph(seed: 3).model)
        for _ in 0..<600 {
            var bytes = Array(original[..<(original.count - (generator.chance(5) ? generator.below(80) : 0))])
            for _ in 0...generator.below(5) { bytes[generator.below(bytes.count)] = UInt8(generator.below(256)) }
            _ = Self.message(bytes)
        }
    }
}
