import ChordataMigration
import ChordataModel
import ChordataTestSupport
import Foundation
import Testing

/// Typical comparisons, with the exact text of their reports.
struct CompareModelsTests {
    struct Example: Sendable, CustomTestStringConvertible {
        var name: String
        var old: [EntityDescription]
        var new: [EntityDescription]
        /// The report without its first line.
        var text: String

        var testDescription: String { name }
    }

    private static func attribute(
        _ name: String,
        _ type: AttributeType = .string,
        was identifier: String? = nil
    ) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: type, isOptional: true, renamingIdentifier: identifier)
    }

    private static let animal = EntityDescription(name: "Animal", isAbstract: true)
    private static func dog(_ attributes: AttributeDescription..., parent: String? = "Animal") -> EntityDescription {
        EntityDescription(name: "Dog", superentityName: parent, attributes: attributes)
    }

    static let examples = [
        Example(
            name: "the example of the manual",
            old: [
                EntityDescription(
                    name: "Person",
                    attributes: [attribute("age", .integer16), attribute("lastName")],
                    relationships: [RelationshipDescription(name: "boss", destinationEntityName: "Person")]
                )
            ],
            new: [
                EntityDescription(
                    name: "Person",
                    attributes: [
                        attribute("age", .integer32), attribute("email"), attribute("surname", was: "lastName"),
                    ]
                )
            ],
            text: """
                Person
                  ~ attribute age: Integer 16 → Integer 32
                  + attribute email: String, optional
                  ~ attribute surname renamed from lastName
                  - relationship boss (may lose data)

                Stores have to migrate; 1 change may lose data.
                """
        ),
        Example(name: "nothing", old: [animal, dog()], new: [dog(), animal], text: "Nothing changed."),
        Example(
            name: "entities that came, went and got a name",
            old: [
                EntityDescription(name: "Badge", attributes: [attribute("text")], uniquenessConstraints: [["text"]]),
                EntityDescription(name: "Human", attributes: [attribute("name")]),
            ],
            new: [
                EntityDescription(
                    name: "Medal",
                    managedObjectClassName: "Medal",
                    attributes: [AttributeDescription(name: "text", attributeType: .string, isIndexed: true)],
                    relationships: [
                        RelationshipDescription(
                            name: "owners",
                            destinationEntityName: "Person",
                            isToMany: true,
                            isOrdered: true
                        )
                    ],
                    indexes: [FetchIndexDescription(name: "byText", elements: [.init(propertyName: "text")])]
                ),
                EntityDescription(name: "Person", attributes: [attribute("name")], renamingIdentifier: "Human"),
            ],
            text: """
                - entity Badge (may lose data)
                  - attribute text (may lose data)
                  - uniqueness constraint text

                + entity Medal: class name Medal
                  + attribute text: String, indexed
                  + relationship owners: to-many Person, ordered
                  + index byText: text ascending

                Person
                  ~ renamed from Human

                Stores have to migrate; 2 changes may lose data.
                """
        ),
        Example(
            name: "an entity that takes the name of one that went",
            old: [
                EntityDescription(name: "Old", attributes: [attribute("x")]),
                EntityDescription(name: "Taken", attributes: [attribute("y")]),
            ],
            new: [EntityDescription(name: "Taken", attributes: [attribute("x")], renamingIdentifier: "Old")],
            text: """
                - entity Taken (may lose data)
                  - attribute y (may lose data)

                Taken
                  ~ renamed from Old

                Stores have to migrate; 2 changes may lose data.
                """
        ),
        Example(
            name: "two attributes swap names and types",
            old: [EntityDescription(name: "P", attributes: [attribute("a"), attribute("b", .date)])],
            new: [
                EntityDescription(name: "P", attributes: [attribute("b", was: "a"), attribute("a", .date, was: "b")])
            ],
            text: """
                P
                  ~ attribute a renamed from b
                  ~ attribute b renamed from a

                Stores have to migrate.
                """
        ),
        Example(
            // Hashes cover names, but not renaming identifiers (R3), so the hashes of the two models are equal.
            name: "two attributes of one type swap names",
            old: [EntityDescription(name: "P", attributes: [attribute("a"), attribute("b")])],
            new: [EntityDescription(name: "P", attributes: [attribute("b", was: "a"), attribute("a", was: "b")])],
            text: """
                P
                  ~ attribute a renamed from b
                  ~ attribute b renamed from a

                Stores do not have to migrate.
                """
        ),
        Example(
            name: "one becomes two: who says so comes first",
            old: [EntityDescription(name: "P", attributes: [attribute("a")])],
            new: [EntityDescription(name: "P", attributes: [attribute("a"), attribute("b", was: "a")])],
            text: """
                P
                  + attribute a: String, optional
                  ~ attribute b renamed from a

                Stores have to migrate.
                """
        ),
        Example(
            name: "an attribute moves up",
            old: [
                animal, dog(attribute("name")),
                EntityDescription(name: "Cat", superentityName: "Animal", attributes: [attribute("name")]),
            ],
            new: [
                EntityDescription(name: "Animal", isAbstract: true, attributes: [attribute("name")]), dog(),
                EntityDescription(name: "Cat", superentityName: "Animal"),
            ],
            text: """
                Animal
                  ~ attribute name moved from Cat
                  ~ attribute name moved from Dog

                Stores have to migrate.
                """
        ),
        Example(
            name: "an attribute moves down, away from the cats",
            old: [
                EntityDescription(name: "Animal", isAbstract: true, attributes: [attribute("name")]), dog(),
                EntityDescription(name: "Cat", superentityName: "Animal"),
            ],
            new: [
                animal, dog(attribute("title", was: "name")), EntityDescription(name: "Cat", superentityName: "Animal"),
            ],
            text: """
                Dog
                  ~ attribute title moved from Animal, where its name was name (may lose data)

                Stores have to migrate; 1 change may lose data.
                """
        ),
        Example(
            name: "a new entity between, which takes the attributes",
            old: [dog(attribute("name"), parent: nil)],
            new: [
                EntityDescription(name: "Animal", isAbstract: true, attributes: [attribute("name")]), dog(),
            ],
            text: """
                + entity Animal: abstract
                  ~ attribute name moved from Dog

                Dog
                  ~ superentity none → Animal

                Stores have to migrate.
                """
        ),
        Example(
            name: "an entity leaves its hierarchy",
            old: [EntityDescription(name: "Animal", attributes: [attribute("name")]), dog(attribute("breed"))],
            new: [
                EntityDescription(name: "Animal", attributes: [attribute("name")]),
                dog(attribute("breed"), parent: nil),
            ],
            text: """
                Dog
                  ~ superentity Animal → none (may lose data)

                Stores have to migrate; 1 change may lose data.
                """
        ),
        Example(
            name: "what a to-many knew its inverse still knows",
            old: [
                EntityDescription(
                    name: "List",
                    relationships: [
                        RelationshipDescription(
                            name: "items",
                            destinationEntityName: "Item",
                            inverseName: "list",
                            isToMany: true
                        )
                    ]
                ),
                EntityDescription(
                    name: "Item",
                    relationships: [
                        RelationshipDescription(name: "list", destinationEntityName: "List", inverseName: "items")
                    ]
                ),
            ],
            new: [
                EntityDescription(name: "List"),
                EntityDescription(
                    name: "Item",
                    relationships: [RelationshipDescription(name: "list", destinationEntityName: "List")]
                ),
            ],
            text: """
                Item
                  ~ relationship list: inverse items → none

                List
                  - relationship items

                Stores have to migrate.
                """
        ),
        Example(
            name: "a constraint follows a renamed attribute",
            old: [EntityDescription(name: "P", attributes: [attribute("a")], uniquenessConstraints: [["a"]])],
            new: [
                EntityDescription(name: "P", attributes: [attribute("b", was: "a")], uniquenessConstraints: [["b"]])
            ],
            text: """
                P
                  ~ attribute b renamed from a

                Stores have to migrate.
                """
        ),
        Example(
            // The two names are equal for `==`, but not for a version hash or for SQLite.
            name: "another form of the same letter",
            old: [EntityDescription(name: "P", attributes: [attribute("\u{E9}")])],
            new: [EntityDescription(name: "P", attributes: [attribute("e\u{301}")])],
            text: """
                P
                  ~ attribute e\u{301} renamed from \u{E9}

                Stores have to migrate.
                """
        ),
        Example(
            name: "terminal commands are shown, not run",
            old: [EntityDescription(name: "P")],
            new: [EntityDescription(name: "P", userInfo: ["k": "a\u{1B}[2J\r\n- entity Q"])],
            text: """
                P
                  ~ user info k none → a\\u{1B}[2J\\u{D}\\u{A}- entity Q

                Stores do not have to migrate.
                """
        ),
    ]

    @Test(arguments: examples)
    func words(_ example: Example) throws {
        let old = try ManagedObjectModel(entities: example.old)
        let new = try ManagedObjectModel(entities: example.new)
        let changes = compareModels(old, new)
        let text = renderText(changes, oldName: "1", newName: "2")
        expectEqual(text, "1 → 2\n\n\(example.text)\n")
        expectEqual(changes.requireMigration, old.versionHash != new.versionHash)
    }

    @Test func requestsAndConfigurationsComeLast() throws {
        let entities = [EntityDescription(name: "Zebra")]
        let old = try ManagedObjectModel(versionIdentifier: "1", entities: entities)
        let new = try ManagedObjectModel(
            versionIdentifier: "2",
            entities: [EntityDescription(name: "Zebra", codeGeneration: .class)],
            fetchRequestTemplates: [
                FetchRequestTemplate(name: "all", entityName: "Zebra", predicateFormat: "TRUEPREDICATE", fetchLimit: 3)
            ],
            configurations: [.init(name: "Cloud", entityNames: ["Zebra"])]
        )
        expectEqual(
            renderText(compareModels(old, new), oldName: "Zoo", newName: "Zoo 2"),
            """
            Zoo → Zoo 2

            The model
              ~ version identifier 1 → 2

            Zebra
              ~ code generation none → class

            Fetch requests
              + fetch request all: Zebra, predicate TRUEPREDICATE, limit 3

            Configurations
              + configuration Cloud: Zebra

            Stores do not have to migrate.

            """
        )
    }

    @Test func jsonHasAFixedOrder() throws {
        let old = try ManagedObjectModel(entities: [
            EntityDescription(name: "Human", attributes: [Self.attribute("age", .integer16)])
        ])
        let new = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "Person",
                attributes: [Self.attribute("age", .integer32)],
                renamingIdentifier: "Human"
            )
        ])
        expectEqual(
            renderJSON(compareModels(old, new), oldName: "1", newName: "2"),
            #"{"version":1,"from":"1","to":"2","requiresMigration":true,"changes":["#
                + #"{"subject":"entity","kind":"renamed","entityName":"Person","oldEntityName":"Human","name":null,"#
                + #""oldName":null,"aspect":null,"key":null,"oldValue":null,"newValue":null,"changesVersionHash":true,"#
                + #""mayLoseData":false},{"subject":"attribute","kind":"changed","entityName":"Person","#
                + #""oldEntityName":"Human","name":"age","oldName":null,"aspect":"attributeType","key":null,"#
                + #""oldValue":"Integer 16","newValue":"Integer 32","changesVersionHash":true,"mayLoseData":false}]}"#
                + "\n"
        )
        expectEqual(
            renderJSON([], oldName: "1", newName: "1"),
            #"{"version":1,"from":"1","to":"1","requiresMigration":false,"changes":[]}"# + "\n"
        )
    }

    /// Different values of a type have different descriptions, which do not depend on the locale or the time zone.
    @Test func valuesInWords() throws {
        func words(_ value: AttributeValue) throws -> String? {
            var entity = EntityDescription(name: "P", attributes: [Self.attribute("a")])
            let old = try ManagedObjectModel(entities: [entity])
            entity.declaredAttributes[0].defaultValue = value
            return compareModels(old, try ManagedObjectModel(entities: [entity])).first?.newValue
        }
        let price = try #require(Decimal(string: "1234.5"))
        let uuid = try #require(UUID(uuidString: "00000000-0000-0000-0000-00000000000A"))
        let url = try #require(URL(string: "https://example.com/a?b"))
        expectEqual(try words(.integer(-7)), "-7")
        expectEqual(try words(.double(0.1)), "0.1")
        expectEqual(try words(.double(.nan)), "nan")
        expectEqual(try words(.decimal(price)), "1234.5")
        expectEqual(try words(.string("it's \"x\"")), #""it's \"x\"""#)
        expectEqual(try words(.boolean(false)), "false")
        expectEqual(try words(.date(Date(timeIntervalSinceReferenceDate: 0))), "2001-01-01T00:00:00Z")
        expectEqual(try words(.date(Date(timeIntervalSinceReferenceDate: 0.5))), "0.5 seconds after 2001-01-01")
        expectEqual(try words(.date(Date(timeIntervalSinceReferenceDate: 1e300))), "1e+300 seconds after 2001-01-01")
        expectEqual(try words(.data(Data([0, 255]))), "<00ff>")
        #expect(try words(.data(Data(count: 33)))?.hasPrefix("33 bytes with SHA-256 7f9c9e31") == true)
        expectEqual(try words(.uuid(uuid)), "00000000-0000-0000-0000-00000000000A")
        expectEqual(try words(.url(url)), "https://example.com/a?b")
    }

    /// A model with NaN is still equal to itself.
    @Test func noChangeAgainstItself() throws {
        let attribute = AttributeDescription(name: "a", attributeType: .double, defaultValue: .double(.nan))
        let model = try ManagedObjectModel(entities: [EntityDescription(name: "P", attributes: [attribute])])
        #expect(compareModels(model, model).isEmpty)
    }

    /// A change of the type loses no data if the new type can represent all values of the old type.
    @Test func whichTypesLoseData() throws {
        func loses(_ old: AttributeType, _ new: AttributeType) throws -> Bool {
            let models = try [old, new].map {
                try ManagedObjectModel(entities: [EntityDescription(name: "P", attributes: [Self.attribute("a", $0)])])
            }
            return compareModels(models[0], models[1]).contains(where: \.mayLoseData)
        }
        var exact: [String] = []
        for old in AttributeType.allCases {
            for new in AttributeType.allCases where old != new {
                if try !loses(old, new) { exact.append("\(old.rawValue) → \(new.rawValue)") }
            }
        }
        expectEqual(
            exact,
            [
                "Integer 16 → Integer 32", "Integer 16 → Integer 64", "Integer 16 → Decimal", "Integer 16 → Double",
                "Integer 16 → Float", "Integer 32 → Integer 64", "Integer 32 → Decimal", "Integer 32 → Double",
                "Integer 64 → Decimal", "Float → Double", "Boolean → Integer 16", "Boolean → Integer 32",
                "Boolean → Integer 64", "Boolean → Decimal", "Boolean → Double", "Boolean → Float",
            ]
        )
    }

    /// Comparing thousands of entities and properties does not take quadratic time.
    @Test(.timeLimit(.minutes(10))) func largeModels() throws {
        func model(_ suffix: String) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                entities: (0..<2_000).map { number in
                    EntityDescription(
                        name: "E\(number)",
                        attributes: (0..<10).map { Self.attribute("a\($0)\(suffix)") }
                    )
                } + [
                    EntityDescription(name: "Wide", attributes: (0..<20_000).map { Self.attribute("w\($0)\(suffix)") })
                ]
            )
        }
        expectEqual(compareModels(try model(""), try model("x")).count, 80_000)
    }
}
