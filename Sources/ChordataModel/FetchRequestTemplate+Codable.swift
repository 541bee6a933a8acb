extension FetchRequestTemplate: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case entityName
        case predicateFormat
        case resultType
        case fetchLimit
        case fetchBatchSize
        case includesSubentities
        case includesPropertyValues
        case includesPendingChanges
        case returnsObjectsAsFaults
        case returnsDistinctResults
    }

    /// Decodes a template; a missing key means the initializer's default.
    /// - Throws: `DecodingError` if a required key is missing, or if a value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            entityName: try container.decode(String.self, forKey: .entityName),
            predicateFormat: try container.decodeIfPresent(String.self, forKey: .predicateFormat),
            resultType: try container.decode(forKey: .resultType, default: .managedObjects),
            fetchLimit: try container.decode(forKey: .fetchLimit, default: 0),
            fetchBatchSize: try container.decode(forKey: .fetchBatchSize, default: 0),
            includesSubentities: try container.decode(forKey: .includesSubentities, default: true),
            includesPropertyValues: try container.decode(forKey: .includesPropertyValues, default: true),
            includesPendingChanges: try container.decode(forKey: .includesPendingChanges, default: true),
            returnsObjectsAsFaults: try container.decode(forKey: .returnsObjectsAsFaults, default: true),
            returnsDistinctResults: try container.decode(forKey: .returnsDistinctResults, default: false)
        )
    }

    /// Encodes a template, except for values that equal the defaults of its initializer.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(entityName, forKey: .entityName)
        try container.encodeIfPresent(predicateFormat, forKey: .predicateFormat)
        try container.encode(resultType, unless: .managedObjects, forKey: .resultType)
        try container.encode(fetchLimit, unless: 0, forKey: .fetchLimit)
        try container.encode(fetchBatchSize, unless: 0, forKey: .fetchBatchSize)
        try container.encode(includesSubentities, unless: true, forKey: .includesSubentities)
        try container.encode(includesPropertyValues, unless: true, forKey: .includesPropertyValues)
        try container.encode(includesPendingChanges, unless: true, forKey: .includesPendingChanges)
        try container.encode(returnsObjectsAsFaults, unless: true, forKey: .returnsObjectsAsFaults)
        try container.encode(returnsDistinctResults, unless: false, forKey: .returnsDistinctResults)
    }
}

extension FetchedPropertyDescription: Codable {
    private enum CodingKeys: String, CodingKey {
        case name
        case fetchRequest
        case isOptional
        case userInfo
    }

    /// Decodes a fetched property; a missing key means the initializer's default.
    /// - Throws: `DecodingError` if a required key is missing, or if a value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            name: try container.decode(String.self, forKey: .name),
            fetchRequest: try container.decode(FetchRequestTemplate.self, forKey: .fetchRequest),
            isOptional: try container.decode(forKey: .isOptional, default: true),
            userInfo: try container.decode(forKey: .userInfo, default: [:])
        )
    }

    /// Encodes a fetched property, except for values that equal the defaults of its initializer.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(name, forKey: .name)
        try container.encode(fetchRequest, forKey: .fetchRequest)
        try container.encode(isOptional, unless: true, forKey: .isOptional)
        try container.encode(userInfo, unless: [:], forKey: .userInfo)
    }
}
