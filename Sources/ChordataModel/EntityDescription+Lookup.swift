extension EntityDescription {
    /// The attribute of that name, declared here or inherited.
    /// - Complexity: O(n) in the number of attributes.
    public func attribute(named name: String) -> AttributeDescription? { attributes.first { $0.name == name } }

    /// The relationship of that name, declared here or inherited.
    /// - Complexity: O(n) in the number of relationships.
    public func relationship(named name: String) -> RelationshipDescription? { relationships.first { $0.name == name } }
}
