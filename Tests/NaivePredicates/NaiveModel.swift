import ChordataModel

/// The model of the evaluator's tests, with to-many relationships; every property is optional, because every value may
/// be missing.
enum NaiveModel {
    static let model: ManagedObjectModel = {
        do {
            return try ManagedObjectModel(entities: [animal, dog, owner, city, toy, shop])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    private static func attribute(_ name: String, _ type: AttributeType) -> AttributeDescription {
        AttributeDescription(name: name, attributeType: type, isOptional: true)
    }

    private static let animal = EntityDescription(
        name: "Animal",
        attributes: [
            attribute("name", .string),
            attribute("nick", .string),
            attribute("age", .integer16),
            attribute("chip", .integer64),
            attribute("weight", .double),
            attribute("height", .float),
            attribute("price", .decimal),
            attribute("tame", .boolean),
            attribute("born", .date),
            attribute("photo", .binaryData),
            AttributeDescription(
                name: "film",
                attributeType: .binaryData,
                isOptional: true,
                allowsExternalBinaryDataStorage: true
            ),
            attribute("uuid", .uuid),
            attribute("page", .uri),
            attribute("tags", .transformable),
            AttributeDescription(name: "mood", attributeType: .string, isOptional: true, isTransient: true),
            AttributeDescription(
                name: "home",
                attributeType: .composite,
                isOptional: true,
                compositeName: "Address",
                elements: [attribute("street", .string), attribute("number", .integer32)]
            ),
            attribute("in", .string),
            attribute("first", .integer32),
        ],
        relationships: [
            RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "animals"),
            RelationshipDescription(name: "friend", destinationEntityName: "Animal"),
            RelationshipDescription(name: "pups", destinationEntityName: "Animal", isToMany: true, isOrdered: true),
            RelationshipDescription(name: "toys", destinationEntityName: "Toy", isToMany: true),
        ],
        fetchedProperties: [
            FetchedPropertyDescription(
                name: "siblings",
                fetchRequest: FetchRequestTemplate(name: "siblings", entityName: "Animal")
            )
        ]
    )

    private static let dog = EntityDescription(
        name: "Dog",
        superentityName: "Animal",
        attributes: [attribute("breed", .string)]
    )

    private static let owner = EntityDescription(
        name: "Owner",
        attributes: [attribute("name", .string), attribute("years", .integer32)],
        relationships: [
            RelationshipDescription(name: "city", destinationEntityName: "City"),
            RelationshipDescription(
                name: "animals",
                destinationEntityName: "Animal",
                inverseName: "owner",
                isToMany: true
            ),
        ]
    )

    private static let city = EntityDescription(name: "City", attributes: [attribute("name", .string)])

    private static let toy = EntityDescription(
        name: "Toy",
        attributes: [
            attribute("name", .string),
            attribute("price", .decimal),
            attribute("weight", .double),
            attribute("count", .integer64),
            attribute("made", .date),
        ],
        relationships: [RelationshipDescription(name: "shop", destinationEntityName: "Shop")]
    )

    private static let shop = EntityDescription(
        name: "Shop",
        attributes: [attribute("name", .string), attribute("rank", .integer32)]
    )
}
