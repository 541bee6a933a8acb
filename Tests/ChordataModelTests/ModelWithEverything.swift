import ChordataModel
import Foundation
import Testing

extension ManagedObjectModel {
    private static let hostile = "tab\t line\nreturn\r back\\slash \"quote\" \\(x) é 😀 "

    /// An attribute in which no setting has its default value.
    static let completeAttribute = AttributeDescription(
        name: "complete",
        attributeType: .binaryData,
        isOptional: true,
        isTransient: true,
        defaultValue: .integer(1),
        usesScalarValueType: true,
        minimumValue: .double(-0.5),
        maximumValue: .boolean(false),
        regularExpression: hostile,
        allowsExternalBinaryDataStorage: true,
        valueTransformerName: "T",
        attributeValueClassName: "C",
        compositeName: "K",
        elements: [AttributeDescription(name: "x", attributeType: .double)],
        derivationExpression: "now()",
        isIndexed: true,
        preservesValueInHistoryOnDeletion: true,
        allowsCloudEncryption: true,
        isIndexedBySpotlight: true,
        isStoredInExternalRecord: true,
        renamingIdentifier: hostile,
        versionHashModifier: hostile,
        userInfo: ["k": hostile]
    )

    /// A relationship in which no setting has its default value.
    static let completeRelationship = RelationshipDescription(
        name: "r",
        destinationEntityName: "F",
        inverseName: "x",
        isToMany: true,
        isOrdered: true,
        isOptional: false,
        isTransient: true,
        minimumCount: 3,
        maximumCount: 10,
        deleteRule: .deny,
        renamingIdentifier: hostile,
        versionHashModifier: hostile,
        userInfo: ["k": hostile]
    )

    /// A template in which no setting has its default value.
    static let completeTemplate = FetchRequestTemplate(
        name: "r",
        entityName: "E",
        predicateFormat: hostile,
        resultType: .count,
        fetchLimit: 3,
        fetchBatchSize: 4,
        includesSubentities: false,
        includesPropertyValues: false,
        includesPendingChanges: false,
        returnsObjectsAsFaults: false,
        returnsDistinctResults: true
    )

    /// A fetched property in which no setting has its default value.
    static let completeFetchedProperty = FetchedPropertyDescription(
        name: "f",
        fetchRequest: completeTemplate,
        isOptional: false,
        userInfo: ["u": "v"]
    )

    /// Returns a model that uses each setting of each description once, with texts that are hard to encode.
    static func withEverything() throws -> ManagedObjectModel {
        let point = AttributeDescription(
            name: "place",
            attributeType: .composite,
            compositeName: "Place",
            elements: [
                AttributeDescription(name: "x", attributeType: .double),
                AttributeDescription(
                    name: "inner",
                    attributeType: .composite,
                    compositeName: "Inner",
                    elements: [AttributeDescription(name: "deep", attributeType: .string)]
                ),
            ]
        )
        let values: [AttributeValue] = [
            .integer(.min), .double(0.1), .decimal(Decimal(-12.34)), .string(hostile), .boolean(true),
            .date(Date(timeIntervalSinceReferenceDate: 0.1)), .data(Data([0, 255, 16])), .uuid(UUID()),
        ]
        let attributes = values.enumerated().map { index, value in
            AttributeDescription(
                name: "a\(index)",
                attributeType: .string,
                isOptional: index % 2 == 0,
                defaultValue: value,
                minimumValue: value,
                regularExpression: hostile,
                versionHashModifier: hostile,
                userInfo: [hostile: hostile, "b": ""]
            )
        }
        let entity = EntityDescription(
            name: "E",
            managedObjectClassName: ".E",
            isAbstract: true,
            superentityName: "Top",
            codeGeneration: .category,
            attributes: attributes + [point, completeAttribute],
            relationships: [completeRelationship],
            fetchedProperties: [completeFetchedProperty],
            indexes: [
                FetchIndexDescription(
                    name: "i",
                    elements: [.init(propertyName: "a0", isAscending: false, collationType: .rTree)],
                    partialIndexPredicate: "a0 > 1"
                )
            ],
            uniquenessConstraints: [["a0", "a1"], ["a2"]],
            renamingIdentifier: "Old",
            versionHashModifier: hostile,
            userInfo: ["doc": hostile]
        )
        return try ManagedObjectModel(
            versionIdentifier: hostile,
            entities: [EntityDescription(name: "F", superentityName: "E"), entity, EntityDescription(name: "Top")],
            fetchRequestTemplates: [completeTemplate],
            configurations: [.init(name: "c", entityNames: ["E", "F"])]
        )
    }
}

struct ModelWithEverythingTests {
    /// If a setting had its default value, a copy that omits the setting would not be detected.
    @Test func nothingIsLeftAtItsDefault() throws {
        let entity = try #require(ManagedObjectModel.withEverything().entity(named: "E"))
        let request = FetchRequestTemplate(name: "", entityName: "")
        let pairs: [(Any, Any)] = [
            (entity, EntityDescription(name: "")),
            (ManagedObjectModel.completeAttribute, AttributeDescription(name: "", attributeType: .string)),
            (ManagedObjectModel.completeRelationship, RelationshipDescription(name: "", destinationEntityName: "")),
            (ManagedObjectModel.completeTemplate, request),
            (ManagedObjectModel.completeFetchedProperty, FetchedPropertyDescription(name: "", fetchRequest: request)),
        ]
        for (complete, plain) in pairs {
            for (said, standard) in zip(Mirror(reflecting: complete).children, Mirror(reflecting: plain).children) {
                #expect("\(said.value)" != "\(standard.value)", "\(type(of: complete)).\(said.label ?? "")")
            }
        }
    }
}
