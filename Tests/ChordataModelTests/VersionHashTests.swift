import ChordataModel
import ChordataTestSupport
import Testing

/// A change of one setting of an entity's description.
struct HashIngredient: Sendable, CustomTestStringConvertible {
    /// The stored property that is changed, as `Type.property`.
    let property: String
    /// A text that distinguishes several rows of one property.
    let remark: String
    let change: @Sendable (inout EntityDescription) -> Void

    init(_ property: String, _ remark: String = "", _ change: @escaping @Sendable (inout EntityDescription) -> Void) {
        self.property = property
        self.remark = remark
        self.change = change
    }

    var testDescription: String { remark.isEmpty ? property : "\(property), \(remark)" }

    /// A change of the attribute 'tag'.
    static func attribute(
        _ property: String,
        _ remark: String = "",
        _ change: @escaping @Sendable (inout AttributeDescription) -> Void
    ) -> HashIngredient {
        HashIngredient("AttributeDescription.\(property)", remark) { change(&$0.declaredAttributes[0]) }
    }

    /// A change of the relationship 'owner'.
    static func relationship(
        _ property: String,
        _ remark: String = "",
        _ change: @escaping @Sendable (inout RelationshipDescription) -> Void
    ) -> HashIngredient {
        HashIngredient("RelationshipDescription.\(property)", remark) { change(&$0.declaredRelationships[0]) }
    }

    /// A change of the entity 'Dog' itself.
    static func entity(
        _ property: String,
        _ remark: String = "",
        _ change: @escaping @Sendable (inout EntityDescription) -> Void
    ) -> HashIngredient { HashIngredient("EntityDescription.\(property)", remark, change) }

    // MARK: The two tables

    /// Settings on which stores depend.
    static let inTheHash: [HashIngredient] = [
        .entity("name") { $0.name = "Hound" },
        .entity("isAbstract") { $0.isAbstract = true },
        .entity("superentityName", "another one") { $0.superentityName = "Owner" },
        .entity("superentityName", "none") { $0.superentityName = nil },
        .entity("declaredAttributes", "one more") {
            $0.declaredAttributes.append(.init(name: "x", attributeType: .date))
        },
        .entity("declaredAttributes", "one less") { $0.declaredAttributes.removeFirst() },
        .entity("declaredRelationships", "one more") {
            $0.declaredRelationships.append(.init(name: "x", destinationEntityName: "Owner"))
        },
        .entity("declaredRelationships", "one less") { $0.declaredRelationships.removeFirst() },
        .entity("declaredUniquenessConstraints", "none") { $0.declaredUniquenessConstraints = [] },
        .entity("declaredUniquenessConstraints", "one more") { $0.declaredUniquenessConstraints.append(["place"]) },
        .entity("declaredUniquenessConstraints", "another property") {
            $0.declaredUniquenessConstraints[1] = ["place"]
        },
        .entity("declaredUniquenessConstraints", "one apart") {
            $0.declaredUniquenessConstraints = [["tag"], ["owner"], ["tag"]]
        },
        .entity("versionHashModifier") { $0.versionHashModifier = "2" },

        .attribute("name") { $0.name = "label" },
        .attribute("attributeType") { $0.attributeType = .uri },
        .attribute("isOptional") { $0.isOptional = true },
        .attribute("isTransient") { $0.isTransient = true },
        .attribute("allowsExternalBinaryDataStorage") { $0.allowsExternalBinaryDataStorage = true },
        .attribute("derivationExpression") { $0.derivationExpression = "now()" },
        .attribute("versionHashModifier") { $0.versionHashModifier = "2" },
        .attribute("elements", "one") { $0.elements = [.init(name: "x", attributeType: .string)] },
        HashIngredient("AttributeDescription.elements", "one less") { $0.declaredAttributes[1].elements.removeLast() },
        HashIngredient("AttributeDescription.elements", "another type") {
            $0.declaredAttributes[1].elements[0].attributeType = .float
        },

        .relationship("name") { $0.name = "keeper" },
        .relationship("destinationEntityName") { $0.destinationEntityName = "Animal" },
        .relationship("inverseName", "another one") { $0.inverseName = "hounds" },
        .relationship("inverseName", "none") { $0.inverseName = nil },
        .relationship("isToMany") { $0.isToMany = true },
        .relationship("isOrdered") { $0.isOrdered = true },
        .relationship("isOptional") { $0.isOptional = false },
        .relationship("isTransient") { $0.isTransient = true },
        .relationship("minimumCount") { $0.minimumCount = 1 },
        .relationship("maximumCount") { $0.maximumCount = 7 },
        .relationship("versionHashModifier") { $0.versionHashModifier = "2" },
    ]

    /// Settings on which stores do not depend.
    static let notInTheHash: [HashIngredient] = [
        .entity("managedObjectClassName") { $0.managedObjectClassName = "Other" },
        .entity("codeGeneration") { $0.codeGeneration = .category },
        .entity("declaredAttributes", "in another order") { $0.declaredAttributes.reverse() },
        .entity("declaredRelationships", "in another order") { $0.declaredRelationships.reverse() },
        .entity("declaredFetchedProperties", "one more") {
            let request = FetchRequestTemplate(name: "r", entityName: "Owner")
            $0.declaredFetchedProperties.append(.init(name: "fetched", fetchRequest: request))
        },
        .entity("declaredIndexes", "one more") {
            $0.declaredIndexes.append(.init(name: "i", elements: [.init(propertyName: "tag")]))
        },
        .entity("declaredUniquenessConstraints", "in another order") { $0.declaredUniquenessConstraints.reverse() },
        .entity("declaredUniquenessConstraints", "names in another order") {
            $0.declaredUniquenessConstraints[0].reverse()
        },
        .entity("renamingIdentifier") { $0.renamingIdentifier = "Hound" },
        .entity("versionHashModifier", "an empty one") { $0.versionHashModifier = "" },
        .entity("userInfo") { $0.userInfo = ["key": "value"] },

        .attribute("defaultValue") { $0.defaultValue = .string("x") },
        .attribute("usesScalarValueType") { $0.usesScalarValueType = true },
        .attribute("minimumValue") { $0.minimumValue = .integer(1) },
        .attribute("maximumValue") { $0.maximumValue = .integer(3) },
        .attribute("regularExpression") { $0.regularExpression = ".*" },
        .attribute("valueTransformerName") { $0.valueTransformerName = "T" },
        .attribute("attributeValueClassName") { $0.attributeValueClassName = "C" },
        .attribute("compositeName") { $0.compositeName = "Place" },
        HashIngredient("AttributeDescription.elements", "in another order") {
            $0.declaredAttributes[1].elements.reverse()
        },
        .attribute("isIndexed") { $0.isIndexed = true },
        .attribute("preservesValueInHistoryOnDeletion") { $0.preservesValueInHistoryOnDeletion = true },
        .attribute("allowsCloudEncryption") { $0.allowsCloudEncryption = true },
        .attribute("isIndexedBySpotlight") { $0.isIndexedBySpotlight = true },
        .attribute("isStoredInExternalRecord") { $0.isStoredInExternalRecord = true },
        .attribute("renamingIdentifier") { $0.renamingIdentifier = "label" },
        .attribute("versionHashModifier", "an empty one") { $0.versionHashModifier = "" },
        .attribute("userInfo") { $0.userInfo = ["key": "value"] },

        .relationship("deleteRule") { $0.deleteRule = .cascade },
        .relationship("renamingIdentifier") { $0.renamingIdentifier = "keeper" },
        .relationship("versionHashModifier", "an empty one") { $0.versionHashModifier = "" },
        .relationship("userInfo") { $0.userInfo = ["key": "value"] },
    ]
}

struct VersionHashTests {
    /// The hashes of an entity, its superentity, its subentity and its destination.
    private struct Hashes: Equatable {
        var superentity, entity, subentity, destination, model: String

        init(_ change: (inout EntityDescription) -> Void = { _ in }) throws {
            var dog = EntityDescription(
                name: "Dog",
                superentityName: "Animal",
                attributes: [
                    AttributeDescription(name: "tag", attributeType: .string),
                    AttributeDescription(
                        name: "place",
                        attributeType: .composite,
                        compositeName: "Point",
                        elements: [
                            AttributeDescription(name: "x", attributeType: .double),
                            AttributeDescription(name: "y", attributeType: .double),
                        ]
                    ),
                ],
                relationships: [
                    RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "dogs"),
                    RelationshipDescription(name: "friend", destinationEntityName: "Animal"),
                ],
                uniquenessConstraints: [["tag", "owner"], ["tag"]]
            )
            change(&dog)
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    name: "Animal",
                    attributes: [AttributeDescription(name: "name", attributeType: .string)]
                ), dog, EntityDescription(name: "Puppy", superentityName: dog.name), EntityDescription(name: "Owner"),
            ])
            let hashes = model.versionHashesByEntityName
            superentity = try #require(hashes["Animal"])
            entity = try #require(hashes[dog.name])
            subentity = try #require(hashes["Puppy"])
            destination = try #require(hashes["Owner"])
            self.model = model.versionHash
        }
    }

    @Test(arguments: HashIngredient.inTheHash)
    func isInTheHash(_ ingredient: HashIngredient) throws {
        let (before, after) = (try Hashes(), try Hashes(ingredient.change))
        #expect(before.entity != after.entity)
        #expect(before.model != after.model)
        // The hash of a subentity includes the hash of its superentity, but not the reverse.
        #expect(before.subentity != after.subentity)
        expectEqual(before.superentity, after.superentity)
        expectEqual(before.destination, after.destination)
    }

    @Test(arguments: HashIngredient.notInTheHash)
    func isNotInTheHash(_ ingredient: HashIngredient) throws {
        try expectEqual(Hashes(), Hashes(ingredient.change))
    }

    /// Each new property of a description must be listed in one of the two tables.
    @Test func everyIngredientHasARow() {
        func properties(of value: Any) -> Set<String> {
            Set(Mirror(reflecting: value).children.compactMap { $0.label.map { "\(type(of: value)).\($0)" } })
        }
        // Resolved from the declared lists.
        let resolved: Set = [
            "attributes", "relationships", "fetchedProperties", "indexes", "uniquenessConstraints", "subentityNames",
            "rootEntityName",
        ]
        let all = properties(of: EntityDescription(name: "")).subtracting(resolved.map { "EntityDescription.\($0)" })
            .union(properties(of: AttributeDescription(name: "", attributeType: .string)))
            .union(properties(of: RelationshipDescription(name: "", destinationEntityName: "")))
        let rows = HashIngredient.inTheHash + HashIngredient.notInTheHash
        expectEqual(Set(rows.map(\.property)), all)
    }

    @Test func everyChangeGivesAnotherHash() throws {
        let hashes = try [Hashes().entity] + HashIngredient.inTheHash.map { try Hashes($0.change).entity }
        expectEqual(Set(hashes).count, hashes.count)
    }

    /// Existing stores contain these hashes.
    @Test func theHashesStayAsTheyAre() throws {
        let hashes = try Hashes()
        expectEqual(hashes.entity, "db7fd624dd76a22a0d00154c52c14c92047c90a1e8205640606bedffecdd2dcd")
        expectEqual(hashes.model, "55760f769d3022785202c9b42516c12f974dd04668893b8f7fd85c2101a4b859")
    }

    @Test func modelHashCoversOnlyEntities() throws {
        let entities = [EntityDescription(name: "A"), EntityDescription(name: "B")]
        let plain = try ManagedObjectModel(entities: entities)
        let other = try ManagedObjectModel(
            versionIdentifier: "2",
            entities: entities.reversed(),
            fetchRequestTemplates: [FetchRequestTemplate(name: "all", entityName: "A")],
            configurations: [.init(name: "Cloud", entityNames: ["A"])]
        )
        expectEqual(plain.versionHash, other.versionHash)
        expectEqual(plain.versionHashesByEntityName, other.versionHashesByEntityName)
    }

    @Test func aSubentityChangesOnlyItsOwnHash() throws {
        func hashes(_ type: AttributeType) throws -> [String: String] {
            let child = EntityDescription(
                name: "Child",
                superentityName: "Parent",
                attributes: [AttributeDescription(name: "a", attributeType: type)]
            )
            return try ManagedObjectModel(entities: [child, EntityDescription(name: "Parent")])
                .versionHashesByEntityName
        }
        let (before, after) = (try hashes(.string), try hashes(.date))
        expectEqual(before["Parent"], after["Parent"])
        #expect(before["Child"] != after["Child"])
    }

    @Test func anEntityThatIsAddedChangesOnlyTheModelsHash() throws {
        let one = try ManagedObjectModel(entities: [EntityDescription(name: "A")])
        let two = try ManagedObjectModel(entities: [EntityDescription(name: "B"), EntityDescription(name: "A")])
        expectEqual(one.versionHashesByEntityName["A"], two.versionHashesByEntityName["A"])
        #expect(one.versionHash != two.versionHash)
    }

    @Test func deepInheritanceHasHashes() throws {
        let model = try ManagedObjectModel(
            entities: (0..<20_000).map {
                EntityDescription(name: "E\($0)", superentityName: $0 == 0 ? nil : "E\($0 - 1)")
            }.reversed()
        )
        expectEqual(model.versionHashesByEntityName.count, 20_000)
    }
}
