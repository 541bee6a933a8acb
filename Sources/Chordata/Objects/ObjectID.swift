/// An object ID whose type includes the object's class; generated `Values` use it for related objects.
///
/// An `ObjectID` contains only the [row key](doc:Glossary#Store) of an object; a ``ManagedObjectID`` also contains the
/// store and the entity. The context that receives the ID determines the store, so use an `ObjectID` only with contexts
/// of the store from which it was read. The row determines the entity, which is the entity of the class `Object` or a
/// subentity.
public struct ObjectID<Object: ManagedObject>: Sendable, Hashable, Codable {
    /// The row key: an integer that is unique in the store.
    public let key: Int64

    /// Creates an object ID from the [row key](doc:Glossary#Store) of an object, such as the number in the path
    /// `/orders/42` of a request to your server.
    public init(key: Int64) { self.key = key }

    /// Creates an object ID that does not identify an object, for the `objectID` of new `Values`.
    ///
    /// ``ManagedObjectContext/insertValues(_:)`` ignores it, and returns the object IDs that the store has assigned.
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
