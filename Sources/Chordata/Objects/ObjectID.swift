/// The identity of an object of a known class: what `Values` hold in place of objects.
///
/// It holds the key alone; ``ManagedObjectID`` knows its store and entity too.
public struct ObjectID<Object: ManagedObject>: Sendable, Hashable, Codable {
    /// The object's number, unique in its store.
    public let key: Int64

    /// Creates the identity of the object with that number.
    public init(key: Int64) { self.key = key }

    /// Creates the identity of no object, for values that are to be inserted.
    public init() { key = 0 }

    /// Decodes the number.
    public init(from decoder: any Decoder) throws {
        key = try decoder.singleValueContainer().decode(Int64.self)
    }

    /// Encodes the number.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(key)
    }
}
