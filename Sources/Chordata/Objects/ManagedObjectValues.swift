/// A copy of an object's stored properties; generated code declares a `Values` type for each class.
///
/// The copy is Sendable, so it can be passed to another isolation. Reading copies with
/// ``ManagedObjectContext/fetchValues(_:includesExternalData:)`` is the fastest way to read many objects. The runtime
/// implements comparison, hashing and coding with a table of the fields, because generated code for them would increase
/// each user's compile time.
public protocol ManagedObjectValues: Sendable, Hashable, Codable {
    /// The managed object class to which the values belong.
    associatedtype Object: ManagedObject
    /// The object ID of the object.
    var objectID: ObjectID<Object> { get }
    /// The memory layout of the values.
    ///
    /// Generated code implements this property.
    static var layout: ValuesLayout { get }
}

extension ManagedObjectValues {
    /// Creates the values that an object has now, with its unsaved changes.
    ///
    /// If the object is a fault, its row is read. The bytes of attributes that allow external storage are included if
    /// the object has read them. Generated code has a property `values` that calls this initializer:
    ///
    /// ```swift
    /// let values = item.values
    /// Task.detached { upload(values) }
    /// ```
    public init(_ object: Object) {
        self = withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { buffer in
            let pointer = buffer.baseAddress!  // A buffer of one element has an address.
            Self.layout.initialize(UnsafeMutableRawPointer(pointer), from: object)
            return pointer.move()
        }
    }

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

    /// Hashes the object ID and all values.
    /// - Complexity: O(n) in the number of properties.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes(of: self) { bytes in
            if let memory = bytes.baseAddress { Self.layout.hash(memory, into: &hasher) }
        }
    }

    /// Encodes the values with the property names of the model as keys; `nil` is left out, and a composite is a nested
    /// object.
    /// - Throws: Any error that the encoder throws, such as `EncodingError` for a value that its format cannot
    ///   represent.
    public func encode(to encoder: any Encoder) throws {
        try withUnsafeBytes(of: self) { bytes in
            if let memory = bytes.baseAddress { try Self.layout.encode(memory, to: encoder) }
        }
    }

    /// Creates values from a decoder, with the property names of the model as keys.
    /// - Throws: `DecodingError` when a required value is missing or a value has another type.
    public init(from decoder: any Decoder) throws {
        self = try withUnsafeTemporaryAllocation(of: Self.self, capacity: 1) { buffer in
            let pointer = buffer.baseAddress!  // A buffer of one element has an address.
            try Self.layout.decode(UnsafeMutableRawPointer(pointer), from: decoder)
            return pointer.move()
        }
    }
}
