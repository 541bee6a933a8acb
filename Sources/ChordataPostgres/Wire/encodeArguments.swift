internal import Chordata
internal import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An argument of a statement in the binary format.
struct WireArgument {
    let type: PostgresType
    /// The bytes; `nil` for NULL.
    let bytes: [UInt8]?
}

extension ServerArgument {
    /// Returns the argument in the binary format.
    /// - Throws: ``WireError`` for a text that PostgreSQL cannot store.
    func encoded() throws(WireError) -> WireArgument {
        switch self {
        case .value(let value): try encode(value)
        case .integers(let values): try encode(values, as: .integer64) { $1.append($0) }
        case .booleans(let values): try encode(values, as: .boolean) { $1.append($0 ? UInt8(1) : 0) }
        case .reals(let values): try encode(values, as: .real64) { $1.append(real: $0) }
        case .texts(let values):
            try encode(values, as: .text) { value, buffer throws(WireError) in
                try buffer.append(text: value)
            }
        case .decimals(let values): try encode(values, as: .numeric) { $1.append(decimal: decimalText($0)) }
        case .blobs(let values): try encode(values, as: .bytes) { $1.append(bytes: $0) }
        case .uuids(let values): try encode(values, as: .uuid) { $1.append(uuid: $0) }
        }
    }
}

private func encode(_ value: PredicateValue) throws(WireError) -> WireArgument {
    var buffer = WireBuffer()
    switch value {
    case .null: return WireArgument(type: .unspecified, bytes: nil)
    case .collection(let values): return try encode(values)
    case .object, .attribute:
        let type = try buffer.append(value)
        return WireArgument(type: type, bytes: buffer.bytes)
    }
}

/// Encodes values of one type as an array; an empty list is an array of keys.
private func encode(_ values: [PredicateValue]) throws(WireError) -> WireArgument {
    var type = PostgresType.integer64
    var elements = WireBuffer()
    for value in values {
        var element = WireBuffer()
        type = try element.append(value)
        elements.append(Int32(element.bytes.count))
        elements.append(bytes: element.bytes)
    }
    var buffer = WireBuffer()
    buffer.appendArrayHeader(count: values.count, hasNulls: false, of: type)
    buffer.append(bytes: elements.bytes)
    return WireArgument(type: type.array ?? .unspecified, bytes: buffer.bytes)
}

private func encode<Value>(
    _ values: [Value?],
    as type: PostgresType,
    _ append: (Value, inout WireBuffer) throws(WireError) -> Void
) throws(WireError) -> WireArgument {
    var buffer = WireBuffer()
    buffer.appendArrayHeader(count: values.count, hasNulls: values.contains { $0 == nil }, of: type)
    for value in values {
        guard let value else {
            buffer.append(Int32(-1))
            continue
        }
        let offset = buffer.bytes.count
        buffer.append(Int32(0))
        try append(value, &buffer)
        buffer.replace(at: offset, with: Int32(buffer.bytes.count - offset - 4))
    }
    return WireArgument(type: type.array ?? .unspecified, bytes: buffer.bytes)
}

extension WireBuffer {
    fileprivate mutating func appendArrayHeader(count: Int, hasNulls: Bool, of type: PostgresType) {
        append(Int32(count == 0 ? 0 : 1))
        append(Int32(hasNulls ? 1 : 0))
        append(type.rawValue)
        guard count > 0 else { return }
        append(Int32(count))
        append(Int32(1))
    }

    /// Appends a single value.
    /// - Returns: The type of its column.
    fileprivate mutating func append(_ value: PredicateValue) throws(WireError) -> PostgresType {
        switch value {
        case .null, .collection: preconditionFailure("an element of an array must not be NULL or a collection")
        case .object(let object):
            append(object.key)
            return .integer64
        case .attribute(.integer(let number)):
            append(number)
            return .integer64
        case .attribute(.boolean(let flag)):
            append(flag ? UInt8(1) : 0)
            return .boolean
        case .attribute(.double(let number)):
            append(real: number)
            return .real64
        case .attribute(.date(let date)):
            append(real: date.timeIntervalSinceReferenceDate)
            return .real64
        case .attribute(.decimal(let number)):
            append(decimal: decimalText(number))
            return .numeric
        case .attribute(.string(let text)):
            try append(text: text)
            return .text
        case .attribute(.url(let url)):
            try append(text: url.absoluteString)
            return .text
        case .attribute(.data(let data)):
            append(bytes: data)
            return .bytes
        case .attribute(.uuid(let uuid)):
            append(uuid: uuid)
            return .uuid
        }
    }

    fileprivate mutating func append(uuid: UUID) { withUnsafeBytes(of: uuid.uuid) { append(bytes: $0) } }

    /// Appends a number; −0.0 is stored as 0.0, as in SQLite.
    fileprivate mutating func append(real number: Double) { append((number == 0 ? 0 : number).bitPattern) }

    fileprivate mutating func append(text: String) throws(WireError) {
        guard !text.utf8.contains(0) else { throw .nulCharacter }
        append(bytes: text.utf8)
    }
}
