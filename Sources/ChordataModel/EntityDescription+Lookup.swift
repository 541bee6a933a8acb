extension EntityDescription {
    /// Returns the attribute with a name, which the entity declares or inherits; otherwise `nil`.
    /// - Complexity: O(n) in the number of attributes.
    public func attribute(named name: String) -> AttributeDescription? { attributes.first { $0.name == name } }

    /// Returns the relationship with a name, which the entity declares or inherits; otherwise `nil`.
    /// - Complexity: O(n) in the number of relationships.
    public func relationship(named name: String) -> RelationshipDescription? { relationships.first { $0.name == name } }

    /// Returns the fetched property with a name, which the entity declares or inherits; otherwise `nil`.
    /// - Complexity: O(n) in the number of fetched properties.
    public func fetchedProperty(named name: String) -> FetchedPropertyDescription? {
        fetchedProperties.first { $0.name == name }
    }

    /// The attributes by name, including inherited ones.
    /// - Complexity: O(n) in the number of attributes; keep the result if you need it often.
    public var attributesByName: [String: AttributeDescription] {
        Dictionary(attributes.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The relationships by name, including inherited ones.
    /// - Complexity: O(n) in the number of relationships; keep the result if you need it often.
    public var relationshipsByName: [String: RelationshipDescription] {
        Dictionary(relationships.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The fetched properties by name, including inherited ones.
    /// - Complexity: O(n) in the number of fetched properties; keep the result if you need it often.
    public var fetchedPropertiesByName: [String: FetchedPropertyDescription] {
        Dictionary(fetchedProperties.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The names of the attributes, the relationships and the fetched properties, including inherited ones.
    /// - Complexity: O(n) in the number of properties.
    public var propertyNames: [String] {
        attributes.map(\.name) + relationships.map(\.name) + fetchedProperties.map(\.name)
    }

    /// Returns the relationships, including inherited ones, whose destination is exactly the given entity, not a
    /// superentity or subentity.
    /// - Complexity: O(n) in the number of relationships.
    public func relationships(forDestination destinationEntityName: String) -> [RelationshipDescription] {
        relationships.filter { $0.destinationEntityName == destinationEntityName }
    }
}
