import ChordataModel
import ChordataTestSupport
import Testing

struct ModelLookupTests {
    private let model: ManagedObjectModel

    init() throws {
        model = try ManagedObjectModel(
            entities: [
                EntityDescription(name: "Dog", superentityName: "Animal"),
                EntityDescription(
                    name: "Animal",
                    attributes: [AttributeDescription(name: "name", attributeType: .string)],
                    relationships: [
                        RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "animals"),
                        RelationshipDescription(name: "parent", destinationEntityName: "Animal", inverseName: "young"),
                        RelationshipDescription(
                            name: "young",
                            destinationEntityName: "Animal",
                            inverseName: "parent",
                            isToMany: true
                        ),
                        RelationshipDescription(name: "friend", destinationEntityName: "Animal", inverseName: "friend"),
                        RelationshipDescription(name: "vet", destinationEntityName: "Owner", inverseName: "patients"),
                        RelationshipDescription(
                            name: "admirer",
                            destinationEntityName: "Owner",
                            inverseName: "animals"
                        ),
                    ],
                    fetchedProperties: [
                        FetchedPropertyDescription(
                            name: "namesakes",
                            fetchRequest: FetchRequestTemplate(name: "r", entityName: "Animal")
                        )
                    ]
                ),
                EntityDescription(
                    name: "Puppy",
                    superentityName: "Dog",
                    attributes: [AttributeDescription(name: "age", attributeType: .integer16)]
                ),
                EntityDescription(name: "Cat", superentityName: "Animal"),
                EntityDescription(
                    name: "Owner",
                    relationships: [
                        RelationshipDescription(
                            name: "animals",
                            destinationEntityName: "Animal",
                            inverseName: "owner",
                            isToMany: true
                        ),
                        RelationshipDescription(name: "cat", destinationEntityName: "Cat", inverseName: "owner"),
                        RelationshipDescription(name: "first", destinationEntityName: "Animal"),
                    ]
                ),
            ],
            fetchRequestTemplates: [
                FetchRequestTemplate(name: "all", entityName: "Animal"),
                FetchRequestTemplate(name: "dogs", entityName: "Dog"),
            ],
            configurations: [
                .init(name: "Cloud", entityNames: ["Owner", "Dog", "Owner"]), .init(name: "Empty", entityNames: []),
            ]
        )
    }

    @Test func propertiesByName() throws {
        let puppy = try #require(model.entity(named: "Puppy"))
        expectEqual(puppy.propertyNames.count, 9)
        expectEqual(puppy.propertyNames.prefix(3), ["name", "age", "owner"])
        expectEqual(puppy.attributesByName.keys.sorted(), ["age", "name"])
        expectEqual(puppy.attributesByName["age"]?.attributeType, .integer16)
        expectEqual(puppy.relationshipsByName["young"], puppy.relationship(named: "young"))
        expectEqual(puppy.relationshipsByName.count, 6)
        expectEqual(puppy.fetchedPropertiesByName["namesakes"]?.fetchRequest.entityName, "Animal")
        expectEqual(puppy.fetchedProperty(named: "namesakes"), puppy.fetchedProperties.first)
        #expect(puppy.attribute(named: "owner") == nil)
        expectEqual(puppy.relationships(forDestination: "Owner").map(\.name), ["owner", "vet", "admirer"])
        expectEqual(puppy.relationships(forDestination: "Dog"), [])
    }

    @Test func theHierarchy() {
        expectEqual(model.superentity(of: "Puppy")?.name, "Dog")
        #expect(model.superentity(of: "Animal") == nil)
        #expect(model.superentity(of: "None") == nil)
        expectEqual(model.subentities(of: "Animal").map(\.name), ["Dog", "Cat"])
        expectEqual(model.subentities(of: "Puppy"), [])
        expectEqual(model.subentities(of: "None"), [])
        expectEqual(model.subentityClosure(of: "Animal"), ["Animal", "Dog", "Puppy", "Cat"])
        expectEqual(model.subentityClosure(of: "None"), [])
        #expect(model.entity("Puppy", isKindOf: "Animal"))
        #expect(!model.entity("Animal", isKindOf: "Puppy"))
    }

    @Test(arguments: [
        ("Animal", "owner", "animals"), ("Puppy", "owner", "animals"), ("Owner", "animals", "owner"),
        ("Animal", "parent", "young"), ("Cat", "young", "parent"), ("Dog", "friend", "friend"),
        // A missing inverse, one-sided inverses, and no inverse.
        ("Animal", "vet", nil), ("Animal", "admirer", nil), ("Owner", "cat", nil), ("Owner", "first", nil),
    ])
    func inverses(_ entity: String, _ name: String, _ inverse: String?) throws {
        let relationship = try #require(model.entity(named: entity)?.relationship(named: name))
        expectEqual(model.inverseRelationship(of: relationship, in: entity)?.name, inverse)
        expectEqual(model.destinationEntity(of: relationship)?.name, relationship.destinationEntityName)
    }

    @Test func inversesMustReferenceTheEntityHierarchy() throws {
        let strangers = try ManagedObjectModel(entities: [
            EntityDescription(
                name: "A",
                relationships: [RelationshipDescription(name: "x", destinationEntityName: "B", inverseName: "y")]
            ),
            EntityDescription(
                name: "B",
                relationships: [RelationshipDescription(name: "y", destinationEntityName: "C", inverseName: "x")]
            ), EntityDescription(name: "C"),
        ])
        let x = try #require(strangers.entity(named: "A")?.relationship(named: "x"))
        #expect(strangers.inverseRelationship(of: x, in: "A") == nil)
    }

    @Test func relationshipsOfOtherModelsAreNotResolved() {
        let stranger = RelationshipDescription(name: "x", destinationEntityName: "None", inverseName: "y")
        #expect(model.destinationEntity(of: stranger) == nil)
        #expect(model.inverseRelationship(of: stranger, in: "Dog") == nil)
    }

    @Test func templates() {
        expectEqual(model.fetchRequestTemplatesByName.keys.sorted(), ["all", "dogs"])
        expectEqual(model.fetchRequestTemplatesByName["dogs"], model.fetchRequestTemplate(named: "dogs"))
    }

    @Test func configurations() {
        expectEqual(model.configuration(named: "Cloud")?.entityNames.count, 3)
        #expect(model.configuration(named: "None") == nil)
        expectEqual(model.entities(forConfigurationName: "Cloud")?.map(\.name), ["Dog", "Owner"])
        expectEqual(model.entities(forConfigurationName: "Empty"), [])
        expectEqual(model.entities(forConfigurationName: nil), model.entities)
        #expect(model.entities(forConfigurationName: "None") == nil)
    }
}
