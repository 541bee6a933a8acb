extension RelationshipDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case destinationEntityName
        case inverseName
        case isToMany
        case isOrdered
        case isOptional
        case isTransient
        case minimumCount
        case maximumCount
        case deleteRule
        case renamingIdentifier
        case versionHashModifier
        case userInfo
    }

    /// Decodes a relationship; a missing key means the initializer's default.
    /// - Throws: `DecodingError` if a required key is missing, or if a value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            destinationEntityName: try container.decode(String.self, forKey: .destinationEntityName),
            inverseName: try container.decodeIfPresent(String.self, forKey: .inverseName),
            isToMany: try container.decode(forKey: .isToMany, default: false),
            isOrdered: try container.decode(forKey: .isOrdered, default: false),
            isOptional: try container.decode(forKey: .isOptional, default: true),
            isTransient: try container.decode(forKey: .isTransient, default: false),
            minimumCount: try container.decode(forKey: .minimumCount, default: 0),
            maximumCount: try container.decodeIfPresent(Int.self, forKey: .maximumCount),
            deleteRule: try container.decode(forKey: .deleteRule, default: .nullify),
            renamingIdentifier: try container.decodeIfPresent(String.self, forKey: .renamingIdentifier),
            versionHashModifier: try container.decodeIfPresent(String.self, forKey: .versionHashModifier),
            userInfo: try container.decode(forKey: .userInfo, default: [:])
        )
    }

    /// Encodes a relationship, except for values that equal the defaults of its initializer.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(destinationEntityName, forKey: .destinationEntityName)
        try container.encodeIfPresent(inverseName, forKey: .inverseName)
        try container.encode(isToMany, unless: false, forKey: .isToMany)
        try container.encode(isOrdered, unless: false, forKey: .isOrdered)
        try container.encode(isOptional, unless: true, forKey: .isOptional)
        try container.encode(isTransient, unless: false, forKey: .isTransient)
        try container.encode(minimumCount, unless: 0, forKey: .minimumCount)
        try container.encode(maximumCount, unless: isToMany ? 0 : 1, forKey: .maximumCount)
        try container.encode(deleteRule, unless: .nullify, forKey: .deleteRule)
        try container.encode(renamingIdentifier, unless: name, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.encode(userInfo, unless: [:], forKey: .userInfo)
    }
}
