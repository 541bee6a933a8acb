import ChordataModel

/// The models of the tests, made in code.
enum TestModels {
    private static func attribute(
        _ name: String,
        _ type: AttributeType,
        isOptional: Bool = true,
        isExternal: Bool = false,
        derivation: String? = nil
    ) -> AttributeDescription {
        AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: isOptional,
            allowsExternalBinaryDataStorage: isExternal,
            derivationExpression: derivation
        )
    }

    /// A derived attribute whose value depends on other rows.
    static let derived = model([
        EntityDescription(
            name: "Person",
            attributes: [attribute("name", .string), attribute("bookCount", .integer64, derivation: "books.@count")],
            relationships: [
                RelationshipDescription(
                    name: "books",
                    destinationEntityName: "Book",
                    inverseName: "author",
                    isToMany: true
                )
            ]
        ),
        EntityDescription(
            name: "Book",
            attributes: [attribute("title", .string)],
            relationships: [
                RelationshipDescription(name: "author", destinationEntityName: "Person", inverseName: "books")
            ]
        ),
    ])

    /// Attributes of all types.
    static let kinds = model([
        EntityDescription(
            name: "Kinds",
            attributes: [
                attribute("short", .integer16), attribute("int", .integer32), attribute("long", .integer64),
                attribute("flag", .boolean), attribute("double", .double), attribute("float", .float),
                attribute("price", .decimal), attribute("name", .string), attribute("date", .date),
                attribute("uuid", .uuid), attribute("page", .uri), attribute("data", .binaryData),
                attribute("photo", .binaryData, isExternal: true),
            ]
        )
    ])

    /// A hierarchy, and relationships of all forms.
    static let library = model([
        EntityDescription(
            name: "Person",
            attributes: [attribute("name", .string), attribute("age", .integer16)],
            relationships: [
                RelationshipDescription(
                    name: "books",
                    destinationEntityName: "Book",
                    inverseName: "author",
                    isToMany: true
                )
            ],
            uniquenessConstraints: [["name"]]
        ),
        EntityDescription(name: "Writer", superentityName: "Person", attributes: [attribute("style", .string)]),
        EntityDescription(
            name: "Book",
            attributes: [attribute("title", .string), attribute("year", .integer32)],
            relationships: [
                RelationshipDescription(name: "author", destinationEntityName: "Person", inverseName: "books"),
                RelationshipDescription(
                    name: "tags",
                    destinationEntityName: "Tag",
                    inverseName: "books",
                    isToMany: true
                ),
                RelationshipDescription(
                    name: "chapters",
                    destinationEntityName: "Chapter",
                    inverseName: "book",
                    isToMany: true,
                    isOrdered: true
                ),
            ]
        ),
        EntityDescription(
            name: "Tag",
            attributes: [attribute("name", .string)],
            relationships: [
                RelationshipDescription(
                    name: "books",
                    destinationEntityName: "Book",
                    inverseName: "tags",
                    isToMany: true
                )
            ]
        ),
        EntityDescription(
            name: "Chapter",
            attributes: [attribute("title", .string)],
            relationships: [
                RelationshipDescription(name: "book", destinationEntityName: "Book", inverseName: "chapters")
            ]
        ),
    ])

    static let long = String(repeating: "abcdefghij", count: 7)

    /// Names that PostgreSQL truncates, reserves or already uses.
    static let names = model([
        EntityDescription(
            name: "text",
            attributes: [
                attribute("xmin", .string), attribute("ctid", .integer64), attribute("property_xmin", .string),
                attribute(long + "1", .string), attribute(long + "2", .string), attribute("Name", .string),
                attribute("select", .boolean),
            ],
            relationships: [RelationshipDescription(name: long, destinationEntityName: long)]
        ),
        EntityDescription(
            name: long,
            attributes: [attribute("user", .uuid)],
            uniquenessConstraints: [["user"]]
        ),
        EntityDescription(name: long + "x", attributes: [attribute("ü", .decimal)]),
        EntityDescription(name: "uuid", attributes: [attribute("uuid", .uuid)]),
        EntityDescription(name: "pg_class", attributes: [attribute("oid", .integer64)]),
    ])

    static let all: [(name: String, model: ManagedObjectModel)] = [
        ("Kinds", kinds), ("Library", library), ("Names", names),
    ]

    private static func model(_ entities: [EntityDescription]) -> ManagedObjectModel {
        do {
            return try ManagedObjectModel(entities: entities)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
