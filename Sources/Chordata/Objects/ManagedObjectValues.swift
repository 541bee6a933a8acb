/// A snapshot of an object's stored properties: the generated `Values` of a class.
///
/// It is Sendable and crosses isolation, and it is the fast path for bulk reads:
/// ``ManagedObjectContext/fetchValues(_:includesExternalData:)``. Comparing, hashing and coding are done by the
/// runtime, over the table of the fields: generated code would cost each adopter compile time.
public protocol ManagedObjectValues: Sendable, Hashable, Codable {
    /// The class whose objects have these values.
    associatedtype Object: ManagedObject
    /// The identity of the object.
    var objectID: ObjectID<Object> { get }
    /// The place of the values.
    ///
    /// Generated.
    static var layout: ValuesLayout { get }
}

extension ManagedObjectValues {
    /// Returns a Boolean value that indicates whether the object IDs and all values are equal.
    /// - Complexity: O(n) in the number of properties.
    public static func == (left: Self, right: Self) -> Bool {
        withUnsafeBytes(of: left) { left in
            withUnsafeBytes(of: right) { right in
                guard let left = left.baseAddress, let right = right.baseAddress else { return true }
                return layout.areEqual(left, right)
            }
        }
    }

    /// Hashes the identity and all values.
    /// - Complexity: O(n) in the number of properties.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes(of: self) { bytes in
            if let memory = bytes.baseAddress { Self.layout.hash(memory, into: &hasher) }
        }
    }

    /// Encodes the values by the names of the model; `nil` is left out, a composite is an object of its own.
    /// - Throws: Any error of the encoder, such as `EncodingError` for a value that its format does not have.
    public func encode(to encoder: any Encoder) throws {
        try withUnsafeBytes(of: self) { bytes in
            if let memory = bytes.baseAddress { try Self.layout.encode(memory, to: encoder) }
        }
    }

    /// Decodes the values by the names of the model.
    /// - Throws: `DecodingError` where a required value is missing or a value is of another type.
    public init(from decoder: any Decoder) throws {
        self = try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { buffer in
            let pointer = buffer.baseAddress!  // A buffer of one element has an address.
            try Self.layout.decode(UnsafeMutableRawPointer(pointer), from: decoder)
            return pointer.move()
        }
    }
}
