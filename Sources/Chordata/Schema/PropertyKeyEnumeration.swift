/// An enumeration of a class's properties; generated code declares a `PropertyKey` type for each class.
///
/// ```swift
/// Item.PropertyKey.createdAt.name    // "createdAt"
/// ```
///
/// The enumeration has no raw values. The runtime implements comparison, hashing and `allCases`, because synthesized
/// conformances would increase each user's compile time.
public protocol PropertyKeyEnumeration: CaseIterable, Hashable, Sendable {
    /// The generated `Values` type of the same class.
    associatedtype Values: ManagedObjectValues
    /// The case of the last property.
    ///
    /// Generated code implements this property.
    static var lastPropertyKey: Self { get }
}

extension PropertyKeyEnumeration {
    /// The name of the property in the model.
    /// - Complexity: O(1).
    public var name: String {
        let names = Self.names
        precondition(place < names.count, "case '\(self)' is declared after 'lastPropertyKey'; generate the code again")
        return names[place]
    }

    /// All properties, in the order of the model.
    /// - Complexity: O(n) in the number of properties.
    public static var allCases: [Self] {
        let count = names.count
        return [Self](unsafeUninitializedCapacity: count) { buffer, initializedCount in
            let memory = UnsafeMutableRawBufferPointer(buffer)
            for place in 0..<count {
                // The last property is a case at or after this place, so each value is a case. See `place` for the
                // memory layout.
                let offset = place * MemoryLayout<Self>.stride
                switch MemoryLayout<Self>.size {
                case 0: break
                case 1: memory.storeBytes(of: UInt8(place), toByteOffset: offset, as: UInt8.self)
                case 2: memory.storeBytes(of: UInt16(place), toByteOffset: offset, as: UInt16.self)
                default: memory.storeBytes(of: UInt32(place), toByteOffset: offset, as: UInt32.self)
                }
            }
            initializedCount = count
        }
    }

    /// Returns a Boolean value that indicates whether two keys name the same property.
    public static func == (left: Self, right: Self) -> Bool { left.place == right.place }

    /// Hashes the property key.
    public func hash(into hasher: inout Hasher) { hasher.combine(place) }

    /// The hash value of the property key.
    public var hashValue: Int {
        var hasher = Hasher()
        hash(into: &hasher)
        return hasher.finalize()
    }

    /// The number of cases before this one.
    ///
    /// In memory, an enumeration without associated values is the number of its case in the order of the source, in as
    /// few bytes as the cases need, and in no bytes if there is only one case:
    /// https://github.com/swiftlang/swift/blob/main/docs/ABI/TypeLayout.rst
    var place: Int {
        withUnsafeBytes(of: self) { bytes in
            switch bytes.count {
            case 0: 0
            case 1: Int(bytes.load(as: UInt8.self))
            case 2: Int(bytes.load(as: UInt16.self))
            case 4: Int(bytes.load(as: UInt32.self))
            default:
                preconditionFailure(
                    "'\(Self.self)' has cases with associated values, so it cannot be a 'PropertyKey'"
                )
            }
        }
    }

    /// The names of the properties, as many as there are cases up to the last one.
    private static var names: [String] {
        let layout = Values.layout
        let count = lastPropertyKey.place + 1
        precondition(
            count == layout.propertyNames.count,
            "'PropertyKey' of '\(layout.entityName)' has \(count) cases instead of \(layout.propertyNames.count); "
                + "generate the code again from the current model"
        )
        return layout.propertyNames
    }
}
