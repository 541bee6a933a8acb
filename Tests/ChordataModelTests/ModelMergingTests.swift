import ChordataModel
import ChordataTestSupport
import Testing

struct ModelMergingTests {
    private let person = EntityDescription(
        name: "Person",
        attributes: [AttributeDescription(name: "name", attributeType: .string)],
        userInfo: ["key": "value"]
    )
    private let all = FetchRequestTemplate(name: "all", entityName: "Person")

    @Test func nothingAndOne() throws {
        try expectEqual(ManagedObjectModel(merging: []), ManagedObjectModel(entities: []))
        let model = try ManagedObjectModel(
            versionIdentifier: "1",
            entities: [EntityDescription(name: "Teacher", superentityName: "Person"), person],
            fetchRequestTemplates: [all],
            configurations: [.init(name: "Cloud", entityNames: ["Person"])]
        )
        expectEqual(try ManagedObjectModel(merging: [model]), model)
        expectEqual(try ManagedObjectModel(merging: [model, model, model]), model)
    }

    @Test func everythingComesTogetherInOrder() throws {
        let first = try ManagedObjectModel(
            versionIdentifier: "People 2",
            entities: [EntityDescription(name: "Place"), person],
            fetchRequestTemplates: [all],
            configurations: [
                .init(name: "Cloud", entityNames: ["Person", "Place"]), .init(name: "Local", entityNames: ["Place"]),
            ]
        )
        let plain = try ManagedObjectModel(entities: [EntityDescription(name: "Note")])
        // Its 'Person' has a subentity, which is not part of the declaration of 'Person'.
        let second = try ManagedObjectModel(
            versionIdentifier: "School",
            entities: [EntityDescription(name: "Teacher", superentityName: "Person"), person],
            fetchRequestTemplates: [FetchRequestTemplate(name: "teachers", entityName: "Teacher"), all],
            configurations: [.init(name: "Cloud", entityNames: ["Teacher", "Person"])]
        )
        let merged = try ManagedObjectModel(merging: [first, plain, second, first])
        expectEqual(merged.versionIdentifier, "People 2, School")
        expectEqual(merged.entities.map(\.name), ["Place", "Person", "Note", "Teacher"])
        expectEqual(merged.entity(named: "Person")?.subentityNames, ["Teacher"])
        expectEqual(merged.entity(named: "Teacher")?.attributes.map(\.name), ["name"])
        expectEqual(merged.fetchRequestTemplates.map(\.name), ["all", "teachers"])
        expectEqual(
            merged.configurations,
            [
                .init(name: "Cloud", entityNames: ["Person", "Place", "Teacher"]),
                .init(name: "Local", entityNames: ["Place"]),
            ]
        )
        for part in [first, plain, second] {
            for entity in part.entities {
                expectEqual(merged.versionHashesByEntityName[entity.name], part.versionHashesByEntityName[entity.name])
            }
        }
    }

    @Test func differentThingsOfOneNameAreAnError() throws {
        let first = try ManagedObjectModel(entities: [person], fetchRequestTemplates: [all])
        var other = person
        other.userInfo = [:]
        let second = try ManagedObjectModel(entities: [EntityDescription(name: "Place"), other])
        #expect(throws: ManagedObjectModelError.conflictingEntity("Person")) {
            try ManagedObjectModel(merging: [first, second])
        }
        var template = all
        template.fetchLimit = 1
        let third = try ManagedObjectModel(entities: [person], fetchRequestTemplates: [template])
        #expect(throws: ManagedObjectModelError.conflictingFetchRequestTemplate("all")) {
            try ManagedObjectModel(merging: [first, third])
        }
        expectEqual(
            ManagedObjectModelError.conflictingEntity("A").description,
            "the models to be merged have different entities called 'A'"
        )
        expectEqual(
            ManagedObjectModelError.conflictingFetchRequestTemplate("a").description,
            "the models to be merged have different fetch request templates called 'a'"
        )
    }
}
