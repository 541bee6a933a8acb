/// The declarations of the model. Inherited properties are not encoded, and are resolved again when the model is
/// decoded.
///
/// Encoding omits values that equal the initializer's default, and decoding accepts missing keys for them, so a model
/// can be written by hand as JSON:
///
/// ```json
/// {"entities": [
///   {"name": "Person", "attributes": [
///     {"name": "age", "attributeType": "Integer 16", "defaultValue": {"integer": 0}}
///   ]},
///   {"name": "Teacher", "superentityName": "Person"}
/// ]}
/// ```
extension ManagedObjectModel: Codable {
    private enum CodingKeys: String, CodingKey {
        case versionIdentifier, entities, fetchRequestTemplates, configurations
    }

    /// Decodes a model and checks it as
    /// ``init(versionIdentifier:entities:fetchRequestTemplates:configurations:)`` does.
    /// - Throws: `DecodingError.dataCorrupted` with the description of the ``ManagedObjectModelError`` if the parts do
    ///   not form a valid model; that error is the underlying one.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let versionIdentifier = try container.decode(forKey: .versionIdentifier, default: "")
        let entities = try container.decode([EntityDescription].self, forKey: .entities)
        let templates = try container.decode(forKey: .fetchRequestTemplates, default: [FetchRequestTemplate]())
        let configurations = try container.decode(forKey: .configurations, default: [Configuration]())
        do throws(ManagedObjectModelError) {
            try self.init(
                versionIdentifier: versionIdentifier,
                entities: entities,
                fetchRequestTemplates: templates,
                configurations: configurations
            )
        } catch {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error)
            )
        }
    }

    /// Encodes the declarations of the model.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(versionIdentifier, unless: "", forKey: .versionIdentifier)
        try container.encode(entities, forKey: .entities)
        try container.encode(fetchRequestTemplates, unless: [], forKey: .fetchRequestTemplates)
        try container.encode(configurations, unless: [], forKey: .configurations)
    }
}
