import ChordataModel
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
        #expect(puppy.propertyNames.count == 9)
        #expect(puppy.propertyNames.prefix(3) == ["name", "age", "owner"])
        #expect(puppy.attributesByName.keys.sorted() == ["age", "name"])
        #expect(puppy.attributesByName["age"]?.attributeType == .integer16)
        #expect(puppy.relationshipsByName["young"] == puppy.relationship(named: "young"))
        #expect(puppy.relationshipsByName.count == 6)
        #expect(puppy.fetchedPropertiesByName["namesakes"]?.fetchRequest.entityName == "Animal")
        #expect(puppy.fetchedProperty(named: "namesakes") == puppy.fetchedProperties.first)
        #expect(puppy.attribute(named: "owner") == nil)
        #expect(puppy.relationships(forDestination: "Owner").map(\.name) == ["owner", "vet", "admirer"])
        #expect(puppy.relationships(forDestination: "Dog") == [])
    }

    @Test func theHierarchy() {
        #expect(model.superentity(of: "Puppy")?.name == "Dog")
        #expect(model.superentity(of: "Animal") == nil)
        #expect(model.superentity(of: "None") == nil)
        #expect(model.subentities(of: "Animal").map(\.name) == ["Dog", "Cat"])
        #expect(model.subentities(of: "Puppy") == [])
        #expect(model.subentities(of: "None") == [])
        #expect(model.subentityClosure(of: "Animal") == ["Animal", "Dog", "Puppy", "Cat"])
        #expect(model.subentityClosure(of: "None") == [])
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
        #expect(model.inverseRelationship(of: relationship, in: entity)?.name == inverse)
        #expect(model.destinationEntity(of: relationship)?.name == relationship.destinationEntityName)
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
        #expect(model.fetchRequestTemplatesByName.keys.sorted() == ["all", "dogs"])
        #expect(model.fetchRequestTemplatesByName["dogs"] == model.fetchRequestTemplate(named: "dogs"))
    }

    @Test func configurations() {
        #expect(model.configuration(named: "Cloud")?.entityNames.count == 3)
        #expect(model.configuration(named: "None") == nil)
        #expect(model.entities(forConfigurationName: "Cloud")?.map(\.name) == ["Dog", "Owner"])
        #expect(model.entities(forConfigurationName: "Empty") == [])
        #expect(model.entities(forConfigurationName: nil) == model.entities)
        #expect(model.entities(forConfigurationName: "None") == nil)
    }
}
