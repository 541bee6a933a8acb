import ChordataModel
import ChordataTestSupport
import Testing

struct ModelResolutionTests {
    private func attribute(_ name: String) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: .string)
    }

    private func entity(
        _ name: String,
        below superentity: String? = nil,
        attributes: [String] = [],
        relationships: [String] = [],
        fetchedProperties: [String] = []
    ) -> EntityDescription {
        EntityDescription(
            name: name,
            superentityName: superentity,
            attributes: attributes.map { attribute($0) },
            relationships: relationships.map { RelationshipDescription(name: $0, destinationEntityName: name) },
            fetchedProperties: fetchedProperties.map {
                FetchedPropertyDescription(name: $0, fetchRequest: FetchRequestTemplate(name: $0, entityName: name))
            },
            indexes: [FetchIndexDescription(name: "by\(name)", elements: [])],
            uniquenessConstraints: attributes.map { [$0] }
        )
    }

    private func error(
        _ entities: [EntityDescription],
        templates: [String] = [],
        configurations: [ManagedObjectModel.Configuration] = []
    ) -> String? {
        do throws(ManagedObjectModelError) {
            _ = try ManagedObjectModel(
                entities: entities,
                fetchRequestTemplates: templates.map { FetchRequestTemplate(name: $0, entityName: "A") },
                configurations: configurations
            )
            return nil
        } catch {
            return error.description
        }
    }

    // MARK: Inheritance

    @Test func everythingIsInheritedFromTheTopDown() throws {
        let model = try ManagedObjectModel(entities: [
            entity("C", below: "B", attributes: ["c"], relationships: ["rc"], fetchedProperties: ["fc"]),
            entity("A", attributes: ["a1", "a2"], relationships: ["ra"], fetchedProperties: ["fa"]),
            entity("B", below: "A"),
            entity("D", below: "B", attributes: ["c"]),
            entity("Z", attributes: ["a1"]),
        ])
        let c = try #require(model.entity(named: "C"))
        expectEqual(c.attributes.map(\.name), ["a1", "a2", "c"])
        expectEqual(c.relationships.map(\.name), ["ra", "rc"])
        expectEqual(c.fetchedProperties.map(\.name), ["fa", "fc"])
        expectEqual(c.indexes.map(\.name), ["byA", "byB", "byC"])
        expectEqual(c.uniquenessConstraints, [["a1"], ["a2"], ["c"]])
        expectEqual(c.rootEntityName, "A")
        expectEqual(c.subentityNames, [])
        expectEqual(c.declaredAttributes.map(\.name), ["c"])
        expectEqual(model.entity(named: "B")?.attributes.map(\.name), ["a1", "a2"])
        expectEqual(model.entity(named: "B")?.subentityNames, ["C", "D"])
        expectEqual(model.entity(named: "Z")?.rootEntityName, "Z")
    }

    @Test func resolvedPropertiesOfOtherModelsAreDiscarded() throws {
        let first = try ManagedObjectModel(entities: [
            entity("A", attributes: ["a"]), entity("B", below: "A"), entity("C", below: "B"),
        ])
        var b = try #require(first.entity(named: "B"))
        b.superentityName = nil
        b.declaredAttributes = [attribute("b")]
        let second = try ManagedObjectModel(entities: [b])
        var expected = entity("B")
        expected.declaredAttributes = [attribute("b")]
        try expectEqual(second, ManagedObjectModel(entities: [expected]))
        expectEqual(second.entities[0].attributes.map(\.name), ["b"])
        expectEqual(second.entities[0].indexes.map(\.name), ["byB"])
        expectEqual(second.entities[0].subentityNames, [])
        expectEqual(second.entities[0].rootEntityName, "B")
    }

    @Test func deepInheritanceIsResolved() throws {
        let count = 20_000
        let entities = (0..<count).map {
            EntityDescription(
                name: "E\($0)",
                superentityName: $0 == 0 ? nil : "E\($0 - 1)",
                attributes: $0 == 0 ? [attribute("a")] : []
            )
        }
        let model = try ManagedObjectModel(entities: entities.reversed())
        expectEqual(model.entity(named: "E\(count - 1)")?.attributes.map(\.name), ["a"])
        expectEqual(model.subentityClosure(of: "E0").last, "E\(count - 1)")
        expectEqual(model.subentityClosure(of: "E0").count, count)
        #expect(model.entity("E\(count - 1)", isKindOf: "E0"))
    }

    // MARK: Invalid models

    @Test func entityNamesAreUniqueAndReferencesResolve() {
        expectEqual(error([entity("A"), entity("A")]), "two entities are called 'A'")
        expectEqual(error([entity("A", below: "X")]), "entity 'A' inherits from 'X', which does not exist")
        expectEqual(
            error([
                EntityDescription(
                    name: "A",
                    relationships: [RelationshipDescription(name: "r", destinationEntityName: "X")]
                )
            ]),
            "relationship 'r' of 'A' has destination 'X', which does not exist"
        )
    }

    @Test func noEntityInheritsFromItself() {
        expectEqual(error([entity("A", below: "A")]), "entity 'A' inherits from itself")
        expectEqual(
            error([entity("Z"), entity("C", below: "B"), entity("A", below: "B"), entity("B", below: "A")]),
            "entity 'B' inherits from itself"
        )
    }

    @Test(arguments: [
        ["p", "p", "", "", "", ""], ["", "", "p", "p", "", ""], ["", "", "", "", "p", "p"], ["p", "", "p", "", "", ""],
        ["p", "", "", "", "p", ""], ["", "", "p", "", "p", ""],
    ])
    func namesOfPropertiesAreUniqueInAnEntity(_ names: [String]) {
        func some(_ range: Range<Int>) -> [String] { names[range].filter { !$0.isEmpty } }
        let a = entity(
            "A",
            attributes: some(0..<2),
            relationships: some(2..<4),
            fetchedProperties: some(4..<6)
        )
        expectEqual(error([a]), "two properties of 'A' are called 'p'")
        // This also applies if the entity inherits other properties.
        var c = a
        c.superentityName = "B"
        expectEqual(error([entity("B", attributes: ["q"]), c]), "two properties of 'A' are called 'p'")
    }

    @Test func namesOfPropertiesAreUniqueAlongTheSuperentities() {
        let top = entity("A", attributes: ["a"], relationships: ["r"], fetchedProperties: ["f"])
        let middle = entity("B", below: "A")
        for bottom in [
            entity("C", below: "B", attributes: ["a"]), entity("C", below: "B", relationships: ["a"]),
            entity("C", below: "B", fetchedProperties: ["a"]),
        ] {
            let message = "entity 'C' declares 'a', which it inherits from 'A'; declare it once"
            expectEqual(error([top, middle, bottom]), message)
            expectEqual(error([bottom, middle, top]), message)
        }
        expectEqual(
            error([top, entity("B", below: "A", attributes: ["r"])]),
            "entity 'B' declares 'r', which it inherits from 'A'; declare it once"
        )
        expectEqual(
            error([top, entity("B", below: "A", attributes: ["f"])]),
            "entity 'B' declares 'f', which it inherits from 'A'; declare it once"
        )
    }

    @Test func siblingsAndStrangersMayUseTheSameNames() {
        #expect(
            error([
                entity("A"), entity("B", below: "A", attributes: ["p"]), entity("C", below: "B", attributes: ["q"]),
                entity("D", below: "A", attributes: ["p", "q"]), entity("E", attributes: ["p", "q"]),
            ]) == nil
        )
    }

    @Test func namesOfTemplatesAndConfigurationsAreUnique() {
        expectEqual(error([entity("A")], templates: ["t", "u", "t"]), "two fetch request templates are called 't'")
        let configurations: [ManagedObjectModel.Configuration] = [
            .init(name: "c", entityNames: ["A"]), .init(name: "c", entityNames: []),
        ]
        expectEqual(error([entity("A")], configurations: configurations), "two configurations are called 'c'")
        expectEqual(
            error([entity("A")], configurations: [.init(name: "c", entityNames: ["A", "X"])]),
            "configuration 'c' names entity 'X', which does not exist"
        )
    }

    /// Real models contain both, and the reader of model files reports them with a location.
    @Test func inversesAndEntitiesOfTemplatesAreNotChecked() throws {
        let a = EntityDescription(
            name: "A",
            relationships: [RelationshipDescription(name: "r", destinationEntityName: "A", inverseName: "none")]
        )
        let template = FetchRequestTemplate(name: "t", entityName: "None")
        expectEqual(try ManagedObjectModel(entities: [a], fetchRequestTemplates: [template]).entities.count, 1)
    }
}
