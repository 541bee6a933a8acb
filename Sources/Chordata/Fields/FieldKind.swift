package import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The Swift type of one stored property of a generated class or of its `Values`, as the generator writes it and as
/// the runtime reads it.
///
/// The type of an optional attribute is the `Optional` of the type of a required one.
package struct FieldKind: Sendable, Hashable {
    package enum Base: Sendable, Hashable {
        case int16, int32, int64, double, float, bool, string, date, uuid, url, data, decimal
        /// ``TransformableStorage``: a Transformable attribute.
        case encoded
        /// ``ExternalData``: bytes of a side table.
        case external
        /// `Any?`: a transient attribute without a type.
        case any
        /// ``ToOneSlot`` in a level.
        case toOne
        /// ``ToManySlot`` in a level.
        case toMany
        /// ``ObjectID`` in a `Values`: the object's own ID, or with `isOptional` the ID of a to-one relationship's
        /// destination.
        case objectID
    }

    package var base: Base
    package var isOptional: Bool

    package init(_ base: Base, isOptional: Bool = false) {
        self.base = base
        self.isOptional = isOptional
    }

    /// Creates the kind of an attribute's field; `nil` for a composite, whose leaves have fields.
    package init?(_ attribute: AttributeDescription) {
        let base: Base
        switch attribute.attributeType {
        case .undefined, .objectID:
            self.init(.any)
            return
        case .composite: return nil
        case .integer16: base = .int16
        case .integer32: base = .int32
        case .integer64: base = .int64
        case .decimal: base = .decimal
        case .double: base = .double
        case .float: base = .float
        case .string: base = .string
        case .boolean: base = .bool
        case .date: base = .date
        case .binaryData: base = attribute.isStoredExternally ? .external : .data
        case .transformable: base = attribute.isStoredExternally ? .external : .encoded
        case .uuid: base = .uuid
        case .uri: base = .url
        }
        self.init(base, isOptional: attribute.isOptional)
    }

    /// The size and alignment, in bytes.
    package var layout: (size: Int, alignment: Int) {
        func of<T>(_: T.Type) -> (Int, Int) { (MemoryLayout<T>.size, MemoryLayout<T>.alignment) }
        func either<T>(_: T.Type) -> (Int, Int) { isOptional ? of(T?.self) : of(T.self) }
        return switch base {
        case .int16: either(Int16.self)
        case .int32: either(Int32.self)
        case .int64: either(Int64.self)
        case .double: either(Double.self)
        case .float: either(Float.self)
        case .bool: either(Bool.self)
        case .string: either(String.self)
        case .date: either(Date.self)
        case .uuid: either(UUID.self)
        case .url: either(URL.self)
        case .data: either(Data.self)
        case .decimal: either(Decimal.self)
        case .encoded: either(TransformableStorage.self)
        case .external: either(ExternalData.self)
        case .any: of(Any?.self)
        case .toOne: of(ToOneSlot.self)
        case .toMany: of(ToManySlot.self)
        case .objectID: either(ObjectID<ManagedObject>.self)
        }
    }
}

/// The offsets of consecutive stored properties of a Swift struct.
///
/// Swift lays out a struct in declaration order, each property at the next multiple of its alignment. The resulting
/// size is compared with the `MemoryLayout` of the real struct wherever a layout is computed.
package struct StructLayout: Sendable {
    package private(set) var size = 0

    package init() {}

    /// Places the next property and returns its offset in bytes.
    package mutating func place(_ kind: FieldKind) -> Int {
        let (fieldSize, alignment) = kind.layout
        let offset = (size + alignment - 1) & ~(alignment - 1)
        size = offset + fieldSize
        return offset
    }
}
