internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The storage of a Transformable attribute: the encoded bytes and, after the first access, the decoded value.
@_spi(Generated) public struct TransformableStorage: Sendable {
    /// The encoded bytes, as stored in the column.
    public internal(set) var data: Data
    /// The decoded value, in the type of the attribute; it never changes, so copies may share it.
    var decoded: (any DecodedValue)?

    /// Creates storage with encoded bytes.
    public init(_ data: Data = Data()) { self.data = data }
}

/// A decoded value in an object, so that the storage has the same size for all types.
protocol DecodedValue: AnyObject, Sendable {}

final class DecodedBox<Value: Sendable>: DecodedValue {
    let value: Value
    init(_ value: Value) { self.value = value }
}

extension TransformableStorage: Hashable {
    /// Returns a Boolean value that indicates whether the encoded bytes of two values are equal.
    public static func == (left: TransformableStorage, right: TransformableStorage) -> Bool { left.data == right.data }
    /// Hashes the encoded bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension TransformableStorage: Codable {
    /// Creates storage with bytes from a decoder.
    /// - Throws: `DecodingError` when there are no bytes to decode.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Data.self))
    }

    /// Writes the encoded bytes to an encoder.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

extension TransformableStorage: FieldValue {
    static var zero: TransformableStorage { TransformableStorage() }
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> TransformableStorage? {
        Data.read(row, column).map { TransformableStorage($0) }
    }
    func give(to place: some SQLiteValuePlace) { place.give(data) }
    init?(_ value: AttributeValue) {
        guard case .data(let data) = value else { return nil }
        self.init(data)
    }
    var attributeValue: AttributeValue { .data(data) }
}
