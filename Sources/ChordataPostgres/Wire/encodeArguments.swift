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
        case .value(let value): return try encode(value)
        case .integers(let values): return encode(values, as: .integers64) { $0.bigEndian }
        case .booleans(let values): return encode(values, as: .booleans) { $0 ? UInt8(1) : 0 }
        case .reals(let values): return encode(values, as: .reals64) { bits(of: $0).bigEndian }
        case .uuids(let values): return encode(values, as: .uuids, \.uuid)
        case .texts(let values):
            guard !values.contains(where: { $0?.hasNul == true }) else { throw .nulCharacter }
            return encode(values, as: .texts, \.utf8.count) { text, target in
                var text = text
                text.withUTF8 { copy(UnsafeRawBufferPointer($0), to: target) }
            }
        case .blobs(let values):
            return encode(values, as: .byteArrays, \.count) { data, target in
                data.withUnsafeBytes { copy($0, to: target) }
            }
        case .decimals(let values):
            let numbers = values.map { value in
                value.map { number in
                    var buffer = WireBuffer()
                    buffer.append(decimal: decimalText(number))
                    return buffer.bytes
                }
            }
            return encode(numbers, as: .numerics, \.count) { bytes, target in
                bytes.withUnsafeBytes { copy($0, to: target) }
            }
        }
    }
}

/// Encodes values of a fixed size as an array.
/// - Parameter bytes: A closure that returns the bytes of a value in network byte order.
private func encode<Value, Bytes: BitwiseCopyable>(
    _ values: [Value?],
    as type: PostgresType,
    _ bytes: (Value) -> Bytes
) -> WireArgument {
    encode(values, as: type) { _ in
        MemoryLayout<Bytes>.size
    } write: { value, target in
        target.storeBytes(of: bytes(value), as: Bytes.self)
    }
}

/// Encodes values as an array.
/// - Parameters:
///   - type: The type of the array.
///   - size: A closure that returns the number of bytes of a value.
///   - write: A closure that writes the bytes of a value into memory of its size.
private func encode<Value>(
    _ values: [Value?],
    as type: PostgresType,
    _ size: (Value) -> Int,
    write: (Value, UnsafeMutableRawBufferPointer) -> Void
) -> WireArgument {
    guard let element = type.element else { preconditionFailure("the type must be that of an array") }
    var header = WireBuffer()
    header.appendArrayHeader(count: values.count, hasNulls: values.contains { $0 == nil }, of: element)
    let count = values.reduce(header.bytes.count + 4 * values.count) { $0 + ($1.map(size) ?? 0) }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        var rest = UnsafeMutableRawBufferPointer(buffer)
        func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
            defer { rest = UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(count)) }
            return UnsafeMutableRawBufferPointer(rebasing: rest.prefix(count))
        }
        take(header.bytes.count).copyBytes(from: header.bytes)
        for value in values {
            let byteCount = value.map(size)
            take(4).storeBytes(of: Int32(byteCount ?? -1).bigEndian, as: Int32.self)
            if let value, let byteCount { write(value, take(byteCount)) }
        }
        initializedCount = count
    }
    return WireArgument(type: type, bytes: bytes)
}

/// Copies all bytes of a value into memory of its size.
private func copy(_ source: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
    precondition(source.count == target.count, "a value must have the number of bytes that was computed before")
    target.copyMemory(from: source)
}

/// Returns the bits of a number; −0.0 is stored as 0.0, as in SQLite.
private func bits(of number: Double) -> UInt64 { (number == 0 ? 0 : number).bitPattern }

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

extension WireBuffer {
    /// - Parameter type: The type of the elements.
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

    fileprivate mutating func append(real number: Double) { append(bits(of: number)) }

    fileprivate mutating func append(text: String) throws(WireError) {
        guard !text.hasNul else { throw .nulCharacter }
        append(bytes: text.utf8)
    }
}
