/// An object ID whose type includes the object's class; generated `Values` use it for related objects.
///
/// An `ObjectID` contains only the [row key](doc:Glossary#Store); a ``ManagedObjectID`` also contains the store and the
/// entity.
public struct ObjectID<Object: ManagedObject>: Sendable, Hashable, Codable {
    /// The row key: an integer that is unique in the store.
    public let key: Int64

    /// Creates an object ID from a [row key](doc:Glossary#Store).
    public init(key: Int64) { self.key = key }

    /// Creates an object ID that identifies no object, for the `Values` of an object that `insertValues(_:)` inserts.
    public init() { key = 0 }

    /// Creates an object ID by decoding its row key.
    /// - Throws: `DecodingError` when there is no integer to decode.
    public init(from decoder: any Decoder) throws {
        key = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the row key.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }
}
