package import ChordataModel

/// A path from an entity through to-one relationships to a property.
package struct BoundKeyPath: Sendable, Hashable {
    package enum Target: Sendable, Hashable {
        /// An attribute of the entity at the end of the path; for an element of a composite, the element.
        case attribute(AttributeDescription)
        /// The object at the end of the path itself: `SELF`, or a to-one relationship that is compared with an object
        /// or nil.
        case object
        /// The name of the entity of the object at the end of the path: `entity.name`, or `entity`.
        case entityName
    }

    /// The entity at which the path begins.
    package var entityName: String
    /// The variable of a ``BoundCollection`` at which the path begins; `nil` for the evaluated object.
    package var root: Int?
    /// The to-one relationships of the path, in order.
    package var relationships: [RelationshipDescription]
    package var target: Target
    /// The attribute's name or, for an element of a composite, the names from the attribute to the element; empty for
    /// an object.
    package var attributePath: [String]

    package init(
        entityName: String,
        root: Int? = nil,
        relationships: [RelationshipDescription],
        target: Target,
        attributePath: [String]? = nil
    ) {
        self.entityName = entityName
        self.root = root
        self.relationships = relationships
        self.target = target
        switch target {
        case .attribute(let attribute): self.attributePath = attributePath ?? [attribute.name]
        case .object: self.attributePath = []
        case .entityName: self.attributePath = ["entity", "name"]
        }
    }

    /// The entity at the end of the path.
    package var targetEntityName: String { relationships.last?.destinationEntityName ?? entityName }

    /// The attribute at the end; for the name of an entity, an attribute that is not in any model; `nil` for an object.
    package var attribute: AttributeDescription? {
        switch target {
        case .attribute(let attribute): attribute
        case .object: nil
        case .entityName: Self.entityNameAttribute
        }
    }

    private static let entityNameAttribute = AttributeDescription(name: "entity.name", attributeType: .string)

    /// The keys as they are written in a predicate; `SELF` for the object itself.
    package var keyPath: String {
        let keys = relationships.map(\.name) + attributePath
        return keys.isEmpty ? "SELF" : keys.joined(separator: ".")
    }
}
