extension AttributeDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case attributeType
        case isOptional
        case isTransient
        case defaultValue
        case usesScalarValueType
        case minimumValue
        case maximumValue
        case regularExpression
        case allowsExternalBinaryDataStorage
        case valueTransformerName
        case attributeValueClassName
        case compositeName
        case elements
        case derivationExpression
        case isIndexed
        case preservesValueInHistoryOnDeletion
        case allowsCloudEncryption
        case isIndexedBySpotlight
        case isStoredInExternalRecord
        case renamingIdentifier
        case versionHashModifier
        case userInfo
    }

    /// Decodes an attribute; a missing key means the initializer's default.
    /// - Throws: `DecodingError` if a required key is missing, or if a value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            attributeType: try container.decode(AttributeType.self, forKey: .attributeType),
            isOptional: try container.decode(forKey: .isOptional, default: false),
            isTransient: try container.decode(forKey: .isTransient, default: false),
            defaultValue: try container.decodeIfPresent(AttributeValue.self, forKey: .defaultValue),
            usesScalarValueType: try container.decode(forKey: .usesScalarValueType, default: false),
            minimumValue: try container.decodeIfPresent(AttributeValue.self, forKey: .minimumValue),
            maximumValue: try container.decodeIfPresent(AttributeValue.self, forKey: .maximumValue),
            regularExpression: try container.decodeIfPresent(String.self, forKey: .regularExpression),
            allowsExternalBinaryDataStorage: try container.decode(
                forKey: .allowsExternalBinaryDataStorage,
                default: false
            ),
            valueTransformerName: try container.decodeIfPresent(String.self, forKey: .valueTransformerName),
            attributeValueClassName: try container.decodeIfPresent(String.self, forKey: .attributeValueClassName),
            compositeName: try container.decodeIfPresent(String.self, forKey: .compositeName),
            elements: try container.decode(forKey: .elements, default: []),
            derivationExpression: try container.decodeIfPresent(String.self, forKey: .derivationExpression),
            isIndexed: try container.decode(forKey: .isIndexed, default: false),
            preservesValueInHistoryOnDeletion: try container.decode(
                forKey: .preservesValueInHistoryOnDeletion,
                default: false
            ),
            allowsCloudEncryption: try container.decode(forKey: .allowsCloudEncryption, default: false),
            isIndexedBySpotlight: try container.decode(forKey: .isIndexedBySpotlight, default: false),
            isStoredInExternalRecord: try container.decode(forKey: .isStoredInExternalRecord, default: false),
            renamingIdentifier: try container.decodeIfPresent(String.self, forKey: .renamingIdentifier),
            versionHashModifier: try container.decodeIfPresent(String.self, forKey: .versionHashModifier),
            userInfo: try container.decode(forKey: .userInfo, default: [:])
        )
    }

    /// Encodes an attribute, except for values that equal the defaults of its initializer.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(attributeType, forKey: .attributeType)
        try container.encode(isOptional, unless: false, forKey: .isOptional)
        try container.encode(isTransient, unless: false, forKey: .isTransient)
        try container.encodeIfPresent(defaultValue, forKey: .defaultValue)
        try container.encode(usesScalarValueType, unless: false, forKey: .usesScalarValueType)
        try container.encodeIfPresent(minimumValue, forKey: .minimumValue)
        try container.encodeIfPresent(maximumValue, forKey: .maximumValue)
        try container.encodeIfPresent(regularExpression, forKey: .regularExpression)
        try container.encode(allowsExternalBinaryDataStorage, unless: false, forKey: .allowsExternalBinaryDataStorage)
        try container.encodeIfPresent(valueTransformerName, forKey: .valueTransformerName)
        try container.encodeIfPresent(attributeValueClassName, forKey: .attributeValueClassName)
        try container.encodeIfPresent(compositeName, forKey: .compositeName)
        try container.encode(elements, unless: [], forKey: .elements)
        try container.encodeIfPresent(derivationExpression, forKey: .derivationExpression)
        try container.encode(isIndexed, unless: false, forKey: .isIndexed)
        try container.encode(
            preservesValueInHistoryOnDeletion,
            unless: false,
            forKey: .preservesValueInHistoryOnDeletion
        )
        try container.encode(allowsCloudEncryption, unless: false, forKey: .allowsCloudEncryption)
        try container.encode(isIndexedBySpotlight, unless: false, forKey: .isIndexedBySpotlight)
        try container.encode(isStoredInExternalRecord, unless: false, forKey: .isStoredInExternalRecord)
        try container.encode(renamingIdentifier, unless: name, forKey: .renamingIdentifier)
        try container.encodeIfPresent(versionHashModifier, forKey: .versionHashModifier)
        try container.encode(userInfo, unless: [:], forKey: .userInfo)
    }
}
