internal import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// In generated `Values`, the value of an attribute that allows external storage: the number of bytes and, if they were
/// read, the bytes.
///
/// By default, rows are read without these bytes. ``ManagedObjectContext/fetchValues(_:includesExternalData:)`` can
/// read them with the rows, and ``ManagedObjectContext/externalData(of:for:)`` reads the bytes of one object:
///
/// ```swift
/// for upload in try context.fetchValues(Upload.fetchRequest()) where (upload.payload?.count ?? 0) < 1_000_000 {
///     let bytes = try context.externalData(of: \.payload, for: upload.objectID)
/// }
/// ```
public struct ExternalData: Sendable {
    /// The number of bytes.
    public private(set) var count: Int
    /// The bytes and the value that they encode; `nil` if they were not read.
    private(set) var loaded: TransformableStorage?
    /// The version of the row that the length was read from, which distinguishes unread bytes from other bytes of the
    /// same length; 0 in the fields of an object, which has the version itself.
    var version: Int64 = 0

    /// Creates a value from bytes.
    public init(_ data: Data = Data()) { self.init(encoded: TransformableStorage(data)) }

    /// Creates a value from the storage of a Transformable attribute.
    @_spi(Generated) public init(encoded: TransformableStorage) {
        count = encoded.data.count
        loaded = encoded
    }

    /// Creates a value for bytes that were not read.
    init(unreadCount count: Int) {
        // Only another program can have written a length below zero.
        self.count = max(count, 0)
    }

    /// The bytes; `nil` if they were not read.
    public var data: Data? { loaded?.data }

    /// The bytes, which the calling accessor must have read before; empty if they were not read.
    @_spi(Generated) public var loadedData: Data { loaded?.data ?? Data() }

    /// The storage of the Transformable attribute, whose bytes the calling accessor must have read before.
    @_spi(Generated) public var encoded: TransformableStorage {
        get { loaded ?? TransformableStorage() }
        set { self = ExternalData(encoded: newValue) }
    }

    /// Releases the bytes, which can be read again.
    mutating func unload() { loaded = nil }
}

extension Optional where Wrapped == ExternalData {
    /// The storage of the Transformable attribute, whose bytes the calling accessor must have read before.
    @_spi(Generated) public var encoded: TransformableStorage? {
        get { self?.encoded }
        set { self = newValue.map { ExternalData(encoded: $0) } }
    }
}

extension ExternalData: Hashable {
    /// Returns a Boolean value that indicates whether the bytes of two values are equal.
    ///
    /// Two values whose bytes were not read are equal if they have the same number of bytes and the same
    /// [row version](doc:Glossary#Store), even if they are of different rows. A value whose bytes were read is never
    /// equal to a value whose bytes were not read.
    public static func == (left: ExternalData, right: ExternalData) -> Bool {
        left.count == right.count && left.loaded == right.loaded
            && (left.loaded != nil || left.version == right.version)
    }

    /// Hashes the number of bytes and, if they were read, the bytes.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(count)
        hasher.combine(loaded)
    }
}

extension ExternalData: Codable {
    private enum CodingKeys: String, CodingKey { case count, data, version }

    /// Creates a value from a decoder, with the bytes or, if they were not read, only their number.
    /// - Throws: `DecodingError` when a value is missing or has another type, or when the number is negative or differs
    ///   from the number of bytes.
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

    /// Encodes the number of bytes and, if they were read, the bytes.
    /// - Throws: Any error that the encoder throws.
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
    // The row contains only the length.
    static func read<Row: RowValues>(_ row: Row, _ column: Int32) -> ExternalData? {
        Int64.read(row, column).map { ExternalData(unreadCount: Int(clamping: $0)) }
    }
    func give(to place: some SQLiteValuePlace) { place.give(Int64(count)) }
    init?(_ value: AttributeValue) {
        guard case .data(let data) = value else { return nil }
        self.init(data)
    }
    /// Callers that need more than the existence of a value must read the bytes first.
    var attributeValue: AttributeValue { .data(loadedData) }
}
