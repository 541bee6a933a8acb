/// The properties that the entity itself declares, under the names of the initializer's parameters. Inherited ones are
/// not encoded: the model of the entity adds them again.
extension EntityDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case managedObjectClassName
        case isAbstract
        case superentityName
        case codeGeneration
        case declaredAttributes = "attributes"
        case declaredRelationships = "relationships"
        case declaredFetchedProperties = "fetchedProperties"
        case declaredIndexes = "indexes"
        case declaredUniquenessConstraints = "uniquenessConstraints"
        case renamingIdentifier
        case versionHashModifier
        case userInfo
    }

    /// Decodes an entity; a missing key means the initializer's default.
    /// - Throws: `DecodingError` if a required key is missing, or if a value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            managedObjectClassName: try container.decodeIfPresent(String.self, forKey: .managedObjectClassName),
            isAbstract: try container.decode(forKey: .isAbstract, default: false),
            superentityName: try container.decodeIfPresent(String.self, forKey: .superentityName),
            codeGeneration: try container.decode(forKey: .codeGeneration, default: .unspecified),
            attributes: try container.decode(forKey: .declaredAttributes, default: []),
            relationships: try container.decode(forKey: .declaredRelationships, default: []),
            fetchedProperties: try container.decode(forKey: .declaredFetchedProperties, default: []),
            indexes: try container.decode(forKey: .declaredIndexes, default: []),
            uniquenessConstraints: try container.decode(forKey: .declaredUniquenessConstraints, default: []),
            renamingIdentifier: try container.decodeIfPresent(String.self, forKey: .renamingIdentifier),
            versionHashModifier: try container.decodeIfPresent(String.self, forKey: .versionHashModifier),
            userInfo: try container.decode(forKey: .userInfo, default: [:])
        )
    }

    /// Encodes an entity, except for values that equal the defaults of its initializer.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encodeIfPresent(managedObjectClassName, forKey: .managedObjectClassName)
        try container.encode(isAbstract, unless: false, forKey: .isAbstract)
        try container.encodeIfPresent(superentityName, forKey: .superentityName)
        try container.encode(codeGeneration, unless: .unspecified, forKey: .codeGeneration)
        try container.encode(declaredAttributes, unless: [], forKey: .declaredAttributes)
        try container.encode(declaredRelationships, unless: [], forKey: .declaredRelationships)
        try container.encode(declaredFetchedProperties, unless: [], forKey: .declaredFetchedProperties)
        try container.encode(declaredIndexes, unless: [], forKey: .declaredIndexes)
        try container.encode(declaredUniquenessConstraints, unless: [], forKey: .declaredUniquenessConstraints)
        try container.encode(renamingIdentifier, unless: name, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.encode(userInfo, unless: [:], forKey: .userInfo)
    }
}
