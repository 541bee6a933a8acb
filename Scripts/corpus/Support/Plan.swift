import Foundation

/// The actions of a round trip of a model, as the independent reader of the model has planned them.
struct Plan: Decodable {
    struct Entity: Decodable {
        let name: String
        /// The names of the entity and of its superentities.
        let lineage: [String]
        let attributes: [Attribute]
        let relationships: [Relationship]
        /// The names of attributes and relationships, in each case those of the root entity first.
        let propertyNames: [String]
        let fetchedPropertyNames: [String]
    }

    struct Attribute: Decodable {
        /// The path of names, for an element of a composite.
        let name: String
        let kind: String
        let isTransient: Bool
        let isDerived: Bool
        let isUnique: Bool
        /// A Boolean value that indicates whether the attribute is set individually: an element of a composite is not.
        var isWhole: Bool { !name.contains(".") }
    }

    struct Relationship: Decodable {
        let name: String
        let isToMany: Bool
        let isOrdered: Bool
        /// A Boolean value that indicates whether the relationship is kept in memory only.
        let isTransient: Bool
        let inverse: String?
        /// The passes in which the relationship is set from this end.
        let passes: [Int]
    }

    struct Object: Decodable {
        /// The number of the entity.
        let entity: Int
        /// A Boolean value that indicates whether the object has only its required properties.
        let isSparse: Bool
        /// The values of attributes; missing values are `nil`.
        let values: [String: String]
        /// The attributes that are set; the others have their defaults.
        let given: [String]
        /// The numbers of the objects of relationships, in their order.
        let links: [String: [Int]]
    }

    let entities: [Entity]
    let objects: [Object]
    let properties: [String]
    let functions: [String]

    init(contentsOfFile path: String) throws {
        self = try JSONDecoder().decode(Plan.self, from: Data(contentsOf: URL(filePath: path)))
    }
}
