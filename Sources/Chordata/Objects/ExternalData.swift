internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The bytes of an attribute that allows external storage, as `Values` have them: how many there are, and the bytes
/// themselves where they were read.
///
/// Rows are read without such bytes. ``ManagedObjectContext/fetchValues(_:includesExternalData:)`` can bring them
/// along, ``ManagedObjectContext/externalData(of:for:)`` reads those of one object:
///
/// ```swift
/// for upload in try context.fetchValues(Upload.fetchRequest()) where (upload.payload?.count ?? 0) < 1_000_000 {
///     let bytes = try context.externalData(of: \.payload, for: upload.objectID)
/// }
/// ```
public struct ExternalData: Sendable {
    /// The number of bytes.
    public private(set) var count: Int
    /// The bytes and what they mean; `nil` where they were not read.
    private(set) var loaded: Encoded?
    /// The version of the row that the length was read from, which distinguishes unread bytes from other bytes of the
    /// same length; 0 where the object knows it.
    var version: Int64 = 0

    /// Creates a value from bytes.
    public init(_ data: Data = Data()) { self.init(encoded: Encoded(data)) }

    /// Creates the value of an encoded one.
    @_spi(Generated) public init(encoded: Encoded) {
        count = encoded.data.count
        loaded = encoded
    }

    /// Bytes that were not read.
    init(unreadCount count: Int) {
        // Only another program can have written a length below zero.
        self.count = max(count, 0)
    }

    /// The bytes; `nil` if they have not been read from the side table.
    public var data: Data? { loaded?.data }

    /// The bytes, which an accessor has read before it asks.
    @_spi(Generated) public var loadedData: Data { loaded?.data ?? Data() }

    /// The bytes, which an accessor has read before it asks, with what they mean.
    @_spi(Generated) public var encoded: Encoded {
        get { loaded ?? Encoded() }
        set { self = ExternalData(encoded: newValue) }
    }

    /// Lets go of the bytes, which can be read again.
    mutating func unload() { loaded = nil }
}

extension Optional where Wrapped == ExternalData {
    /// The bytes, which an accessor has read before it asks, with what they mean.
    @_spi(Generated) public var encoded: Encoded? {
        get { self?.encoded }
        set { self = newValue.map { ExternalData(encoded: $0) } }
    }
}

extension ExternalData: Hashable {
    /// Returns a Boolean value that indicates whether the bytes are equal.
    ///
    /// Values whose bytes were not read are equal where they are of the same version of the row and have as many bytes.
    /// Bytes that were read are never equal to bytes that were not.
    public static func == (left: ExternalData, right: ExternalData) -> Bool {
        left.count == right.count && left.loaded == right.loaded
            && (left.loaded != nil || left.version == right.version)
    }

    /// Hashes the number of bytes and, where they were read, the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(loaded)
    }
}

extension ExternalData: Codable {
    private enum CodingKeys: String, CodingKey { case count, data, version }

    /// Decodes the bytes, or only their number where they were not read.
    /// - Throws: `DecodingError` where a value is missing or of another type, or the number is negative or not that of
    ///   the bytes.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let count = try container.decode(Int.self, forKey: .count)
        let data = try container.decodeIfPresent(Data.self, forKey: .data)
        guard count >= 0, data.map({ $0.count == count }) ?? true else {
            throw DecodingError.dataCorruptedError(
                forKey: .count,
                in: container,
                debugDescription: "count \(count) does not match the number of bytes"
            )
        }
        if let data {
            self.init(data)
        } else {
            self.init(unreadCount: count)
            version = try container.decode(Int64.self, forKey: .version)
        }
    }

    /// Encodes the number of bytes and, where they were read, the bytes.
    /// - Throws: Any error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(count, forKey: .count)
        if let data {
            try container.encode(data, forKey: .data)
        } else {
            try container.encode(version, forKey: .version)
        }
    }
}

extension ExternalData: FieldValue {
    static var zero: ExternalData { ExternalData() }
    // The row has the length only.
    static func read(_ row: StatementColumns, _ column: Int32) -> ExternalData? {
        Int64.read(row, column).map { ExternalData(unreadCount: Int(clamping: $0)) }
    }
    func give(to result: SQLiteResult) { result.give(Int64(count)) }
    init?(_ value: AttributeValue) {
        guard case .data(let data) = value else { return nil }
        self.init(data)
    }
    /// Callers that need more than the existence of a value read the bytes before.
    var attributeValue: AttributeValue { .data(loadedData) }
}
