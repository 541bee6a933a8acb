/// The typed object ID of an object; `Values` use it for related objects.
///
/// It contains only the row key; ``ManagedObjectID`` also contains the store and the entity.
public struct ObjectID<Object: ManagedObject>: Sendable, Hashable, Codable {
    /// The object's number, unique in its store.
    public let key: Int64

    /// Creates the object ID of the object with the given row key.
    public init(key: Int64) { self.key = key }

    /// Creates an object ID of no object, for values that are to be inserted.
    public init() { key = 0 }

    /// Decodes the number.
    /// - Throws: `DecodingError` when there is no integer to decode.
    public init(from decoder: any Decoder) throws {
        key = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the number.
    /// - Throws: Any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }
}
