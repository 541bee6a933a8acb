import Foundation

@testable @_spi(Generated) import Chordata
@testable import ChordataMigration
@testable import ChordataModel

/// Two versions of a model, and objects of the older one.
struct MigrationPair: Sendable {
    enum Version { case old, new }

    let name: String
    let old, new: ManagedObjectModel
    /// The stages of the step.
    var stages: [MigrationStage] = []
    /// The values of the objects of each entity, and the to-one relationships of each object as indices in these lists.
    let objects: [(entity: String, values: [String: AttributeValue], toOnes: [String: Int])]

    /// Returns the definition of a version.
    ///
    /// Each definition contains the names of both versions.
    func definition(_ version: Version) -> ModelDefinition {
        let plan = planMigration(
            from: old,
            to: new,
            sourceName: "M 1",
            destinationName: "M 2",
            isStage: !stages.isEmpty,
            locate: { _, _ in nil }
        )
        guard let plan = plan.plan, let sql = renderPostgresMigration(plan, from: old, to: new) else {
            preconditionFailure("\(name): the migration cannot be inferred")
        }
        let step = ModelDefinition.Migration(
            source: "M 1",
            sourceHash: old.versionHash,
            destination: "M 2",
            destinationHash: new.versionHash,
            sql: renderMigration(plan),
            postgresSQL: sql,
            stage: stages.isEmpty
                ? nil : .init(serializedSource: old.serialized(), serializedDestination: new.serialized())
        )
        return ModelDefinition(
            name: "M",
            versionName: version == .old ? "M 1" : "M 2",
            model: version == .old ? old : new,
            migrations: [step],
            versionNames: [old.versionHash: "M 1", new.versionHash: "M 2"]
        )
    }

    func fill(_ context: ManagedObjectContext) throws {
        var inserted: [ManagedObject] = []
        for object in objects {
            inserted.append(context.insert(object.entity, object.values.mapValues(\.anyValue)))
        }
        for (object, source) in zip(objects, inserted) {
            for (name, place) in object.toOnes { source.setValue(inserted[place], forKey: name) }
        }
        try context.save()
    }

    init(
        _ name: String,
        _ old: [EntityDescription],
        _ new: [EntityDescription],
        _ objects: [(entity: String, values: [String: AttributeValue], toOnes: [String: Int])]
    ) {
        self.name = name
        (self.old, self.new) = (Self.model(old), Self.model(new))
        self.objects = objects
    }

    static func model(_ entities: [EntityDescription]) -> ManagedObjectModel {
        do {
            return try ManagedObjectModel(entities: entities)
        } catch {
            preconditionFailure("\(error)")
        }
    }

    static func attribute(
        _ name: String,
        _ type: AttributeType,
        default value: AttributeValue? = nil,
        required: Bool = false,
        external: Bool = false,
        from identifier: String? = nil,
        derivedFrom expression: String? = nil
    ) -> AttributeDescription {
        AttributeDescription(
            name: name,
            attributeType: type,
            isOptional: !required,
            defaultValue: value,
            allowsExternalBinaryDataStorage: external,
            derivationExpression: expression,
            renamingIdentifier: identifier
        )
    }

    static func toOne(_ name: String, _ destination: String, _ inverse: String?) -> RelationshipDescription {
        RelationshipDescription(name: name, destinationEntityName: destination, inverseName: inverse)
    }

    static func toMany(
        _ name: String,
        _ destination: String,
        _ inverse: String?,
        ordered: Bool = false
    ) -> RelationshipDescription {
        RelationshipDescription(
            name: name,
            destinationEntityName: destination,
            inverseName: inverse,
            isToMany: true,
            isOrdered: ordered
        )
    }

    static func item(_ attributes: [AttributeDescription]) -> [EntityDescription] {
        [EntityDescription(name: "Item", attributes: attributes)]
    }

    private static let people: [(entity: String, values: [String: AttributeValue], toOnes: [String: Int])] = [
        ("Person", ["name": .string("Ada"), "age": .integer(36), "isActive": .boolean(true)], [:]),
        ("Person", ["name": .string("O'Bob")], [:]),
        ("Book", ["title": .string("1"), "cover": .data(Data([1, 2]))], ["author": 0]),
        ("Book", ["title": .string("2")], ["author": 0]),
        ("Book", ["title": .string("3")], ["author": 1]), ("Book", ["title": .string("4")], [:]),
    ]

    private static func library(
        person: [AttributeDescription] = [
            attribute("name", .string), attribute("age", .integer16), attribute("isActive", .boolean),
        ],
        personName: String = "Person",
        personParent: String? = nil,
        book: [AttributeDescription] = [attribute("title", .string), attribute("cover", .binaryData, external: true)],
        author: RelationshipDescription = toOne("author", "Person", "books"),
        books: RelationshipDescription = toMany("books", "Book", "author"),
        constraints: [[String]] = [],
        others: [EntityDescription] = []
    ) -> [EntityDescription] {
        [
            EntityDescription(
                name: personName,
                superentityName: personParent,
                attributes: person,
                relationships: [books],
                uniquenessConstraints: constraints,
                renamingIdentifier: "Person"
            ), EntityDescription(name: "Book", attributes: book, relationships: [author]),
        ] + others
    }

    static let timestamps = MigrationPair(
        "timestamps",
        item([attribute("name", .string), attribute("saved", .date, derivedFrom: "now()")]),
        item([
            attribute("name", .string), attribute("saved", .date, derivedFrom: "now()"),
            attribute("added", .date, derivedFrom: "now()"),
        ]),
        [("Item", ["name": .string("a")], [:])]
    )

    static let changedSources = MigrationPair(
        "changed sources",
        item([
            attribute("a", .string), attribute("b", .string), attribute("number", .integer64),
            attribute("key", .string, derivedFrom: "canonical:(a)"),
            attribute("size", .integer64, derivedFrom: "number"),
            attribute("double", .integer64, derivedFrom: "size + size"),
        ]),
        item([
            attribute("a", .string, from: "b"), attribute("b", .string, from: "a"), attribute("number", .integer64),
            attribute("key", .string, derivedFrom: "canonical:(a)"),
            attribute("size", .integer64, derivedFrom: "number + 1"),
            attribute("double", .integer64, derivedFrom: "size + size"),
        ]),
        [("Item", ["a": .string("A"), "b": .string("B"), "number": .integer(3)], [:])]
    )

    static let all: [MigrationPair] = [
        MigrationPair(
            "everything about people",
            library(),
            library(
                person: [
                    attribute("fullName", .string, from: "name"), attribute("age", .integer64),
                    attribute("isActive", .integer32),
                    attribute("height", .double, default: .double(1.5), required: true),
                ],
                book: [attribute("title", .string)],
                constraints: [["fullName"]],
                others: [EntityDescription(name: "Tag", attributes: [attribute("name", .string)])]
            ),
            people
        ),
        MigrationPair(
            "defaults",
            item([attribute("name", .string)]),
            item([
                attribute("name", .string, default: .string("a'\r\n\\b"), required: true),
                attribute("count", .integer32, default: .integer(-7), required: true),
                attribute("flag", .boolean, default: .boolean(true), required: true),
                attribute("amount", .decimal, default: .decimal(Decimal(string: "-1.50")!), required: true),
                attribute("date", .date, default: .date(Date(timeIntervalSinceReferenceDate: 0.1)), required: true),
                attribute("infinite", .double, default: .double(-.infinity), required: true),
                attribute("float", .float, default: .double(0.5)), attribute("page", .uri), attribute("code", .uuid),
                attribute("bytes", .binaryData),
            ]),
            [("Item", ["name": .string("x")], [:]), ("Item", [:], [:])]
        ),
        MigrationPair(
            "wider types",
            item([
                attribute("short", .integer16), attribute("flag", .boolean), attribute("other", .boolean),
                attribute("third", .boolean), attribute("int", .integer32), attribute("long", .integer64),
                attribute("float", .float),
            ]),
            item([
                attribute("short", .double), attribute("flag", .integer16), attribute("other", .double),
                attribute("third", .decimal), attribute("int", .decimal), attribute("long", .float),
                attribute("float", .double),
            ]),
            [
                (
                    "Item",
                    [
                        "short": .integer(-3), "flag": .boolean(true), "other": .boolean(true),
                        "third": .boolean(false),
                        "int": .integer(.init(Int32.max)), "long": .integer(9_007_199_254_740_993),
                        "float": .double(0.25),
                    ], [:]
                ), ("Item", [:], [:]),
            ]
        ),
        MigrationPair(
            "narrower types",
            item([
                attribute("long", .integer64), attribute("real", .double), attribute("float", .double),
                attribute("flag", .integer32), attribute("on", .double),
            ]),
            item([
                attribute("long", .integer16), attribute("real", .integer64), attribute("float", .float),
                attribute("flag", .boolean), attribute("on", .boolean),
            ]),
            [
                (
                    "Item",
                    [
                        "long": .integer(-32_768), "real": .double(-2.9), "float": .double(0.1), "flag": .integer(2),
                        "on": .double(0.5),
                    ], [:]
                ),
                (
                    "Item",
                    [
                        "long": .integer(0), "real": .double(9e18), "float": .double(1e-46), "flag": .integer(0),
                        "on": .double(0),
                    ],
                    [:]
                ), ("Item", [:], [:]),
            ]
        ),
        MigrationPair(
            "swapped names",
            item([attribute("a", .string), attribute("b", .string), attribute("c", .integer16)]),
            item([attribute("a", .string, from: "b"), attribute("b", .string, from: "a")]),
            [("Item", ["a": .string("a"), "b": .string("b"), "c": .integer(1)], [:])]
        ),
        MigrationPair(
            "external data",
            item([attribute("data", .binaryData), attribute("photo", .binaryData, external: true)]),
            item([attribute("data", .binaryData, external: true), attribute("photo", .binaryData)]),
            [
                ("Item", ["data": .data(Data([1])), "photo": .data(Data(repeating: 2, count: 9))], [:]),
                ("Item", [:], [:]),
            ]
        ),
        MigrationPair(
            "renamed entity",
            library(),
            library(
                personName: "Human",
                author: toOne("author", "Human", "books")
            ),
            people
        ),
        MigrationPair(
            "to-many",
            library(),
            library(
                author: toMany("author", "Person", "books"),
                books: toMany("books", "Book", "author")
            ),
            people
        ),
        MigrationPair("ordered", library(), library(books: toMany("books", "Book", "author", ordered: true)), people),
        MigrationPair(
            "superentity",
            library(),
            library(
                personParent: "Being",
                others: [
                    EntityDescription(name: "Being", attributes: [attribute("kind", .string, default: .string("any"))]),
                    EntityDescription(name: "Dog", superentityName: "Being"),
                ]
            ),
            people
        ),
        MigrationPair(
            "removed entity",
            library(),
            [
                EntityDescription(
                    name: "Book",
                    attributes: [attribute("title", .string), attribute("cover", .binaryData, external: true)]
                )
            ],
            people
        ),
        MigrationPair(
            "derived attributes",
            library(),
            library(
                person: [
                    attribute("name", .string), attribute("age", .integer16),
                    // The server cannot compute this one.
                    attribute("key", .string, derivedFrom: "canonical:(name)"),
                    attribute(
                        "bookCount",
                        .integer32,
                        default: .integer(0),
                        required: true,
                        derivedFrom: "books.@count"
                    ),
                    attribute("double", .integer64, derivedFrom: "bookCount + bookCount"),
                ],
                book: [
                    attribute("title", .string), attribute("cover", .binaryData, external: true),
                    attribute("owner", .string, derivedFrom: "author.key"),
                ]
            ),
            people
        ),
        MigrationPair(
            "long names",
            [
                EntityDescription(
                    name: "text",
                    attributes: [attribute("xmin", .string), attribute(TestModels.long, .integer16)]
                ), EntityDescription(name: TestModels.long, attributes: [attribute("ctid", .boolean)]),
            ],
            [
                EntityDescription(
                    name: "text",
                    attributes: [
                        attribute("xmin", .integer32, default: .integer(1)), attribute(TestModels.long, .double),
                        attribute(TestModels.long + "2", .uuid),
                    ].filter { $0.name != "xmin" },
                    relationships: [RelationshipDescription(name: "other", destinationEntityName: TestModels.long)]
                ), EntityDescription(name: TestModels.long, attributes: [attribute("xmin", .boolean, from: "ctid")]),
            ],
            [
                ("text", ["xmin": .string("a"), TestModels.long: .integer(4)], [:]),
                (TestModels.long, ["ctid": .boolean(true)], [:]),
            ]
        ),
    ]
}
