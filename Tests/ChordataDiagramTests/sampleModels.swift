import ChordataModel
import ChordataTestSupport

/// Returns the model of a small library, with inheritance, a pair of inverse relationships, a many-to-many
/// relationship, a relationship to the same entity, a relationship without an inverse, and every marker.
func makeLibrary() throws -> ManagedObjectModel {
    try ManagedObjectModel(
        versionIdentifier: "2 & more",
        entities: [
            EntityDescription(
                name: "Item",
                isAbstract: true,
                attributes: [AttributeDescription(name: "title", attributeType: .string)]
            ),
            EntityDescription(
                name: "Book",
                superentityName: "Item",
                attributes: [
                    AttributeDescription(name: "pages", attributeType: .integer32, isOptional: true),
                    AttributeDescription(
                        name: "keywords",
                        attributeType: .transformable,
                        isOptional: true,
                        attributeValueClassName: "[String]"
                    ),
                    AttributeDescription(name: "isOpen", attributeType: .boolean, isTransient: true),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "authors",
                        destinationEntityName: "Person",
                        inverseName: "books",
                        isToMany: true,
                        isOptional: false
                    ),
                    RelationshipDescription(name: "sequel", destinationEntityName: "Book", inverseName: "prequel"),
                    RelationshipDescription(name: "prequel", destinationEntityName: "Book", inverseName: "sequel"),
                    RelationshipDescription(name: "shelf", destinationEntityName: "Shelf", isOptional: false),
                ]
            ),
            EntityDescription(
                name: "Person",
                attributes: [
                    AttributeDescription(name: "name", attributeType: .string),
                    AttributeDescription(
                        name: "bookCount",
                        attributeType: .integer64,
                        derivationExpression: "books.@count"
                    ),
                ],
                relationships: [
                    RelationshipDescription(
                        name: "books",
                        destinationEntityName: "Book",
                        inverseName: "authors",
                        isToMany: true,
                        maximumCount: 9
                    ),
                    RelationshipDescription(
                        name: "friends",
                        destinationEntityName: "Person",
                        inverseName: "friends",
                        isToMany: true
                    ),
                ]
            ),
            EntityDescription(name: "Shelf"),
            EntityDescription(
                name: "note",
                attributes: [
                    AttributeDescription(
                        name: "marks",
                        attributeType: .transformable,
                        attributeValueClassName: "Dictionary<String, Any>"
                    )
                ]
            ),
        ]
    )
}

/// Returns a random model of up to 30 entities, with inheritance, pairs of inverse relationships, relationships to the
/// same entity, and relationships without an inverse.
func makeRandomModel(seed: UInt64) throws -> ManagedObjectModel {
    var random = SplitMix64(seed: seed)
    let count = Int.random(in: 1...30, using: &random)
    var entities = (0..<count).map { index in
        EntityDescription(
            name: "Entity\(index)",
            isAbstract: Int.random(in: 0..<6, using: &random) == 0,
            superentityName: index > 0 && Int.random(in: 0..<4, using: &random) == 0
                ? "Entity\(Int.random(in: 0..<index, using: &random))" : nil,
            attributes: (0..<Int.random(in: 0..<8, using: &random)).map {
                AttributeDescription(
                    name: "attribute\(index)_\($0)",
                    attributeType: AttributeType.allCases.randomElement(using: &random) ?? .string,
                    isOptional: Bool.random(using: &random)
                )
            }
        )
    }
    for number in 0..<Int.random(in: 0...2 * count, using: &random) {
        let source = Int.random(in: 0..<count, using: &random)
        let target = Int.random(in: 0..<count, using: &random)
        let inverse = Bool.random(using: &random) ? "inverse\(number)" : nil
        entities[source].declaredRelationships.append(
            RelationshipDescription(
                name: "relationship\(number)",
                destinationEntityName: "Entity\(target)",
                inverseName: inverse,
                isToMany: Bool.random(using: &random)
            )
        )
        guard let inverse else { continue }
        entities[target].declaredRelationships.append(
            RelationshipDescription(
                name: inverse,
                destinationEntityName: "Entity\(source)",
                inverseName: "relationship\(number)",
                isToMany: Bool.random(using: &random)
            )
        )
    }
    return try ManagedObjectModel(entities: entities)
}

/// Returns a model that resembles large real models: a chain of entities with a few relationships between distant
/// entities.
func makeLargeModel(count: Int) throws -> ManagedObjectModel {
    var random = SplitMix64(seed: 1)
    return try ManagedObjectModel(
        entities: (0..<count).map { index in
            EntityDescription(
                name: "Entity\(index)",
                attributes: [AttributeDescription(name: "value", attributeType: .double)],
                relationships: [
                    RelationshipDescription(
                        name: "near",
                        destinationEntityName: "Entity\(max(0, index - Int.random(in: 0..<5, using: &random)))"
                    ),
                    RelationshipDescription(
                        name: "far",
                        destinationEntityName: "Entity\(Int.random(in: 0...index, using: &random))"
                    ),
                ]
            )
        }
    )
}
