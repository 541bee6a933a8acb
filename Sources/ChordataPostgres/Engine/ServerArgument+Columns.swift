internal import Chordata
internal import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The values of rows as arrays, one for each column, with which one statement writes all rows.

extension ServerArgument {
    /// Creates the array of the values of a column.
    /// - Parameter value: A closure that returns the value of a row by its index; `nil` for NULL.
    init(_ kind: FieldKind.Base, count: Int, _ value: (Int) -> AttributeValue?) {
        func values<Value>(_ read: (AttributeValue) -> Value?) -> [Value?] {
            (0..<count).map { index in value(index).flatMap(read) }
        }
        switch kind {
        case .int16, .int32, .int64, .toOne, .toMany, .any, .objectID, .external: self = .integers(values(\.integer))
        case .bool: self = .booleans(values(\.boolean))
        case .double, .float, .date: self = .reals(values(\.real))
        case .string, .url: self = .texts(values(\.text))
        case .decimal: self = .decimals(values(\.decimal))
        case .uuid: self = .uuids(values(\.uuid))
        case .data, .encoded: self = .blobs(values(\.data))
        }
    }

    /// The index of the first row whose text contains U+0000; `nil` if there is none.
    var indexOfNul: Int? {
        guard case .texts(let texts) = self else { return nil }
        return texts.firstIndex { $0?.hasNul == true }
    }

    /// The type of the elements in the SQL of PostgreSQL.
    var elementType: String {
        switch self {
        case .value: preconditionFailure("a single value has no elements")
        case .integers: "bigint"
        case .booleans: "boolean"
        case .reals: "double precision"
        case .texts: "text"
        case .decimals: "numeric"
        case .blobs: "bytea"
        case .uuids: "uuid"
        }
    }

    /// Row keys, or versions of rows.
    static func keys(_ keys: [Int64]) -> ServerArgument { .integers(keys) }
    /// A single integer.
    static func integer(_ number: Int64) -> ServerArgument { .value(.attribute(.integer(number))) }
    /// A single text; `nil` for NULL.
    static func text(_ text: String?) -> ServerArgument { .value(text.map { .attribute(.string($0)) } ?? .null) }
}

extension String {
    /// A Boolean value that indicates whether the text contains U+0000, which PostgreSQL does not store.
    package var hasNul: Bool { utf8.withContiguousStorageIfAvailable { $0.contains(0) } ?? utf8.contains(0) }
}

extension AttributeValue {
    fileprivate var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    fileprivate var boolean: Bool? { if case .boolean(let flag) = self { flag } else { nil } }
    fileprivate var decimal: Decimal? { if case .decimal(let number) = self { number } else { nil } }
    fileprivate var uuid: UUID? { if case .uuid(let uuid) = self { uuid } else { nil } }
    fileprivate var data: Data? { if case .data(let data) = self { data } else { nil } }

    fileprivate var real: Double? {
        switch self {
        case .double(let number): number
        case .date(let date): date.timeIntervalSinceReferenceDate
        case .integer, .boolean, .decimal, .string, .url, .data, .uuid: nil
        }
    }

    fileprivate var text: String? {
        switch self {
        case .string(let text): text
        case .url(let url): url.absoluteString
        case .integer, .boolean, .double, .date, .decimal, .data, .uuid: nil
        }
    }
}

/// Returns the stored value of a field.
/// - Parameters:
///   - address: The address of the field.
///   - key: A closure that returns the key that the to-one relationship at an address references; 0 for none.
///   - length: A closure that returns the number of bytes of the side table for the field at an address.
func storedValue(
    _ column: ColumnField,
    at address: UnsafeRawPointer,
    key: (UnsafeRawPointer) -> Int64,
    length: (UnsafeRawPointer) -> Int?
) -> AttributeValue? {
    switch column.kind.base {
    case .toOne:
        let key = key(address)
        return key == 0 ? nil : .integer(key)
    case .external: return length(address).map { .integer(Int64($0)) }
    case .int16, .int32, .int64, .double, .float, .bool, .string, .date, .uuid, .url, .data, .decimal, .encoded, .any,
        .toMany, .objectID:
        return attributeValue(column.kind, at: address)
    }
}
