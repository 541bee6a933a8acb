internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The storage of a Transformable: the bytes of its encoding, and the decoded value after the first access.
@_spi(Generated) public struct Encoded: Sendable {
    /// The bytes as the column has them.
    public internal(set) var data: Data
    /// The decoded value, in the type of the attribute; it never changes, so copies may share it.
    var decoded: (any DecodedValue)?

    /// Creates the storage of bytes.
    public init(_ data: Data = Data()) { self.data = data }
}

/// A decoded value in a reference, so that storage has one size whatever the type is.
protocol DecodedValue: AnyObject, Sendable {}

final class DecodedBox<Value: Sendable>: DecodedValue {
    let value: Value
    init(_ value: Value) { self.value = value }
}

extension Encoded: Hashable {
    /// Returns a Boolean value that indicates whether the bytes are equal.
    public static func == (left: Encoded, right: Encoded) -> Bool { left.data == right.data }
    /// Hashes the bytes.
    public func hash(into hasher: inout Hasher) { hasher.combine(data) }
}

extension Encoded: Codable {
    /// Decodes the bytes.
    /// - Throws: `DecodingError` when there are no bytes to decode.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Data.self))
    }

    /// Encodes the bytes.
    /// - Throws: Any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data)
    }
}

extension Encoded: FieldValue {
    static var zero: Encoded { Encoded() }
    static func read(_ row: StatementColumns, _ column: Int32) -> Encoded? {
        Data.read(row, column).map { Encoded($0) }
    }
    func give(to result: SQLiteResult) { result.give(data) }
    init?(_ value: AttributeValue) {
        guard case .data(let data) = value else { return nil }
        self.init(data)
    }
    var attributeValue: AttributeValue { .data(data) }
}
