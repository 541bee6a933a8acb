import ChordataModel
import ChordataPredicate
import ChordataSQL

/// Items (some of which are special) in lists of persons, and a handwritten layout of their store.
enum RenderPredicateModel {
    static let attributes = [
        AttributeDescription(name: "name", attributeType: .string),
        AttributeDescription(name: "nick", attributeType: .string),
        AttributeDescription(name: "count", attributeType: .integer64),
        AttributeDescription(name: "flag", attributeType: .boolean),
        AttributeDescription(name: "ratio", attributeType: .double),
        AttributeDescription(name: "height", attributeType: .float),
        AttributeDescription(name: "price", attributeType: .decimal),
        AttributeDescription(name: "cost", attributeType: .decimal),
        AttributeDescription(name: "born", attributeType: .date),
        AttributeDescription(name: "died", attributeType: .date),
        AttributeDescription(name: "uuid", attributeType: .uuid),
        AttributeDescription(name: "page", attributeType: .uri),
        AttributeDescription(name: "photo", attributeType: .binaryData),
    ]
    static let street = AttributeDescription(name: "street", attributeType: .string)
    static let title = AttributeDescription(name: "title", attributeType: .string)
    static let rank = AttributeDescription(name: "rank", attributeType: .integer32)

    static let list = RelationshipDescription(name: "list", destinationEntityName: "List", inverseName: "items")
    static let other = RelationshipDescription(name: "other", destinationEntityName: "List")
    static let twin = RelationshipDescription(name: "twin", destinationEntityName: "Item")
    static let owner = RelationshipDescription(name: "owner", destinationEntityName: "Person")

    static let model: ManagedObjectModel = {
        let home = AttributeDescription(
            name: "home",
            attributeType: .composite,
            compositeName: "Address",
            elements: [street]
        )
        do {
            return try ManagedObjectModel(entities: [
                EntityDescription(name: "Item", attributes: attributes + [home], relationships: [list, other, twin]),
                EntityDescription(name: "Special", superentityName: "Item"),
                EntityDescription(name: "VerySpecial", superentityName: "Special"),
                EntityDescription(name: "List", attributes: [title, rank], relationships: [owner]),
                EntityDescription(
                    name: "Person",
                    attributes: [AttributeDescription(name: "name", attributeType: .string)]
                ),
            ])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static let mapping: SchemaMapping = {
        func entity(
            _ name: String,
            table: String,
            isInHierarchy: Bool,
            _ attributes: [AttributeMapping],
            _ relationships: [RelationshipDescription]
        ) -> EntityMapping {
            EntityMapping(
                entityName: name,
                tableName: table,
                isInHierarchy: isInHierarchy,
                attributes: attributes,
                relationships: relationships.map {
                    RelationshipMapping(name: $0.name, relationship: $0, storage: .column($0.name))
                }
            )
        }
        func mapped(_ attributes: [AttributeDescription]) -> [AttributeMapping] {
            attributes.map { AttributeMapping(path: [$0.name], attribute: $0, columnName: $0.name) }
        }
        let item =
            mapped(attributes) + [
                AttributeMapping(path: ["home", "street"], attribute: street, columnName: "home_street")
            ]
        return SchemaMapping(
            model: model,
            tables: [],
            entities: ["Item", "Special", "VerySpecial"].map {
                entity($0, table: "It\"em", isInHierarchy: true, item, [list, other, twin])
            } + [
                entity("List", table: "List", isInHierarchy: false, mapped([title, rank]), [owner]),
                entity(
                    "Person",
                    table: "Person",
                    isInHierarchy: false,
                    mapped([AttributeDescription(name: "name", attributeType: .string)]),
                    []
                ),
            ]
        )
    }()

    static let schema = """
        CREATE TABLE "Person" (_id INTEGER PRIMARY KEY, name TEXT) STRICT;
        CREATE TABLE "List" (_id INTEGER PRIMARY KEY, title TEXT, rank INTEGER, owner INTEGER) STRICT;
        CREATE TABLE "It""em" (_id INTEGER PRIMARY KEY, _entity TEXT NOT NULL, name TEXT, nick TEXT, count INTEGER,
            flag INTEGER, ratio REAL, height REAL, price TEXT, cost TEXT, born REAL, died REAL, uuid BLOB, page TEXT,
            photo BLOB, home_street TEXT, list INTEGER, other INTEGER, twin INTEGER) STRICT;
        CREATE INDEX item_name ON "It""em" (name);
        CREATE INDEX item_uuid ON "It""em" (uuid);
        CREATE INDEX item_list ON "It""em" (list);
        CREATE INDEX item_price ON "It""em" (price);
        """
}

/// A format as a predicate bound to Item.
func bound(_ format: String, _ arguments: (any PredicateArgument)?...) throws -> BoundPredicate {
    try FetchPredicate(format: format, argumentArray: arguments).bind(to: "Item", in: RenderPredicateModel.model)
}

/// A sort by the attribute or object at the end of a path.
func sort(_ keyPath: String, ascending: Bool = true) throws -> SortTerm {
    SortTerm(keyPath: try bindKeyPath(keyPath, to: "Item", in: RenderPredicateModel.model), ascending: ascending)
}

extension PredicateValue {
    static func string(_ string: String) -> PredicateValue { .attribute(.string(string)) }
    static func integer(_ number: Int64) -> PredicateValue { .attribute(.integer(number)) }
    static func list(_ key: Int64) -> PredicateValue { .object(ObjectReference(rootEntityName: "List", key: key)) }
}

/// A placeholder for a managed object.
struct TestObject: PredicateArgument {
    var root: String
    var key: Int64
    var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(.object(ObjectReference(rootEntityName: root, key: key)))
    }
}
