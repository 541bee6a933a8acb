import ChordataModel
import ChordataPredicate

/// A model with each type of attribute, a hierarchy, to-one relationships over two levels, and properties that
/// predicates cannot use.
enum TestModel {
    static let model: ManagedObjectModel = {
        do {
            return try ManagedObjectModel(entities: [animal, dog, owner, city])
        } catch {
            preconditionFailure("\(error)")
        }
    }()

    static let access = UntypedAccess(model: model)

    private static let animal = EntityDescription(
        name: "Animal",
        attributes: [
            AttributeDescription(name: "name", attributeType: .string),
            AttributeDescription(name: "nick", attributeType: .string, isOptional: true),
            AttributeDescription(name: "age", attributeType: .integer16),
            AttributeDescription(name: "chip", attributeType: .integer64),
            AttributeDescription(name: "weight", attributeType: .double),
            AttributeDescription(name: "height", attributeType: .float),
            AttributeDescription(name: "price", attributeType: .decimal),
            AttributeDescription(name: "tame", attributeType: .boolean),
            AttributeDescription(name: "born", attributeType: .date),
            AttributeDescription(name: "photo", attributeType: .binaryData),
            AttributeDescription(name: "film", attributeType: .binaryData, allowsExternalBinaryDataStorage: true),
            AttributeDescription(name: "uuid", attributeType: .uuid),
            AttributeDescription(name: "page", attributeType: .uri),
            AttributeDescription(name: "tags", attributeType: .transformable),
            AttributeDescription(name: "mood", attributeType: .string, isTransient: true),
            AttributeDescription(
                name: "home",
                attributeType: .composite,
                compositeName: "Address",
                elements: [
                    AttributeDescription(name: "street", attributeType: .string),
                    AttributeDescription(name: "number", attributeType: .integer32),
                ]
            ),
            AttributeDescription(name: "in", attributeType: .string),
            AttributeDescription(name: "first", attributeType: .integer32),
        ],
        relationships: [
            RelationshipDescription(name: "owner", destinationEntityName: "Owner", inverseName: "animals"),
            RelationshipDescription(name: "friend", destinationEntityName: "Animal"),
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
        attributes: [AttributeDescription(name: "breed", attributeType: .string)]
    )

    private static let owner = EntityDescription(
        name: "Owner",
        attributes: [
            AttributeDescription(name: "name", attributeType: .string),
            AttributeDescription(name: "years", attributeType: .integer32),
        ],
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

    private static let city = EntityDescription(
        name: "City",
        attributes: [AttributeDescription(name: "name", attributeType: .string)]
    )
}

/// An object as a dictionary of key paths; the value of a to-one relationship is an object or nil.
typealias Row = [String: PredicateValue]

extension UntypedRow {
    /// Returns an animal, with the objects on its key paths.
    static func animal(_ row: Row) -> UntypedRow {
        guard case .object(let reference)? = row["SELF"] else { return make("Animal", key: 1, row) }
        return make("Animal", key: reference.key, row)
    }

    private static func make(_ entityName: String, key: Int64, _ row: Row) -> UntypedRow {
        let result = UntypedRow(key: key, layout: TestModel.access.layout(of: entityName))
        var rowsBehind: [String: Row] = [:]
        for (keyPath, value) in row where keyPath != "SELF" {
            let keys = keyPath.split(separator: ".").map(String.init)
            if let index = result.layout.attributeIndexes[keys] {
                if case .attribute(let attribute) = value { result.values[index] = attribute }
            } else {
                let rest = keys.count == 1 ? "SELF" : keys.dropFirst().joined(separator: ".")
                rowsBehind[keys[0], default: [:]][rest] = value
            }
        }
        let relationships = TestModel.model.entity(named: entityName)?.relationships ?? []
        for relationship in relationships {
            guard let row = rowsBehind[relationship.name],
                let index = result.layout.relationshipIndexes[relationship.name]
            else { continue }
            var key: Int64 = 1
            if case .object(let reference)? = row["SELF"] { key = reference.key }
            if row["SELF"] == .null { continue }
            result.related[index] = [make(relationship.destinationEntityName, key: key, row)]
        }
        return result
    }
}

extension FetchPredicate {
    /// Returns whether an animal with these values satisfies the predicate.
    func isMet(by row: Row, variables: [String: PredicateValue] = [:]) throws -> Bool {
        let bound = try bind(to: "Animal", in: TestModel.model, variables: variables)
        return try makeEvaluator(bound, access: TestModel.access)(UntypedRow.animal(row))
    }
}

/// Returns the error that a closure throws.
func caught<Result>(_ body: () throws -> Result) -> FetchPredicateError? {
    do {
        _ = try body()
        return nil
    } catch {
        return error as? FetchPredicateError
    }
}

/// Returns the error of parsing a format or of binding it to Animal.
func mistake(_ format: String, _ arguments: (any PredicateArgument)?...) -> FetchPredicateError? {
    do throws(FetchPredicateError) {
        let predicate = try FetchPredicate(format: format, argumentArray: arguments)
        _ = try predicate.bind(to: "Animal", in: TestModel.model)
        return nil
    } catch {
        return error
    }
}

extension PredicateValue {
    static func string(_ string: String) -> PredicateValue { .attribute(.string(string)) }
    static func integer(_ number: Int64) -> PredicateValue { .attribute(.integer(number)) }
    static func owner(_ key: Int64) -> PredicateValue { .object(ObjectReference(rootEntityName: "Owner", key: key)) }
    static func animal(_ key: Int64) -> PredicateValue { .object(ObjectReference(rootEntityName: "Animal", key: key)) }
}

/// A placeholder for a managed object.
struct Object: PredicateArgument {
    var root: String
    var key: Int64
    var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(.object(ObjectReference(rootEntityName: root, key: key)))
    }
}
