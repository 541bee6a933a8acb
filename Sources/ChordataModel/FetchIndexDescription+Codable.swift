extension FetchIndexDescription.Element: Codable {
    private enum CodingKeys: String, CodingKey {
        case propertyName
        case isAscending
        case collationType
    }

    /// Decodes an element; a missing key means the initializer's default.
    /// - Throws: `DecodingError` if a required key is missing, or if a value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            propertyName: try container.decode(String.self, forKey: .propertyName),
            isAscending: try container.decode(forKey: .isAscending, default: true),
            collationType: try container.decode(forKey: .collationType, default: .binary)
        )
    }

    /// Encodes an element, except for values that equal the defaults of its initializer.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(propertyName, forKey: .propertyName)
        try container.encode(isAscending, unless: true, forKey: .isAscending)
        try container.encode(collationType, unless: .binary, forKey: .collationType)
    }
}
