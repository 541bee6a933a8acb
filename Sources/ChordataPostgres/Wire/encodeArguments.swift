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
        case .integers(let values): return try encode(values, as: .integers64) { $0.bigEndian }
        case .booleans(let values): return try encode(values, as: .booleans) { $0 ? UInt8(1) : 0 }
        case .reals(let values): return try encode(values, as: .reals64) { bits(of: $0).bigEndian }
        case .uuids(let values): return try encode(values, as: .uuids, \.uuid)
        case .texts(let values):
            guard !values.contains(where: { $0?.hasNul == true }) else { throw .nulCharacter }
            return try encode(values, as: .texts, \.utf8.count) { text, target in
                var text = text
                text.withUTF8 { copy(UnsafeRawBufferPointer($0), to: target) }
            }
        case .blobs(let values):
            return try encode(values, as: .byteArrays, \.count) { data, target in
                data.withUnsafeBytes { copy($0, to: target) }
            }
        case .decimals(let values):
            return try encode(values.map { $0.map(encodedNumber) }, as: .numerics, \.count) { bytes, target in
                bytes.withUnsafeBytes { copy($0, to: target) }
            }
        }
    }
}

/// Returns rows in the binary format of `COPY`.
/// - Parameter columns: The columns, each with a value for each row.
/// - Throws: ``WireError`` for a text that PostgreSQL cannot store.
func encodeRows(of columns: [ServerArgument]) throws(WireError) -> [UInt8] {
    let columns = try columns.map { column throws(WireError) in try CopiedColumn(column) }
    let rowCount = columns.first?.count ?? 0
    var header = WireBuffer()
    header.append(bytes: "PGCOPY\n".utf8)
    header.append(bytes: [0xFF, UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0])
    // The flags, and the length of the extension of the header.
    header.append(Int32(0))
    header.append(Int32(0))
    // Each row has the number of its columns, each value its length, and the end is a row of -1 columns.
    let size = columns.reduce(header.bytes.count + 2 + rowCount * (2 + 4 * columns.count)) { $0 + $1.size }
    return [UInt8](unsafeUninitializedCapacity: size) { buffer, initializedCount in
        var target = WireTarget(rest: UnsafeMutableRawBufferPointer(buffer))
        target.write(bytes: header.bytes)
        for row in 0..<rowCount {
            target.write(Int16(columns.count))
            for column in columns { column.write(row, to: &target) }
        }
        target.write(Int16(-1))
        initializedCount = size
    }
}

/// A column of copied rows.
private enum CopiedColumn {
    case integers([Int64?])
    case booleans([Bool?])
    case reals([Double?])
    case uuids([UUID?])
    case texts([String?])
    case blobs([Data?])
    case numbers([[UInt8]?])

    /// - Throws: ``WireError`` for a text that PostgreSQL cannot store.
    init(_ column: ServerArgument) throws(WireError) {
        switch column {
        case .value: preconditionFailure("a single value is not a column")
        case .integers(let values): self = .integers(values)
        case .booleans(let values): self = .booleans(values)
        case .reals(let values): self = .reals(values)
        case .uuids(let values): self = .uuids(values)
        case .texts(let values):
            guard !values.contains(where: { $0?.hasNul == true }) else { throw .nulCharacter }
            self = .texts(values)
            try requireSize(values, \.utf8.count)
        case .blobs(let values):
            self = .blobs(values)
            try requireSize(values, \.count)
        case .decimals(let values): self = .numbers(values.map { $0.map(encodedNumber) })
        }
    }

    var count: Int {
        switch self {
        case .integers(let values): values.count
        case .booleans(let values): values.count
        case .reals(let values): values.count
        case .uuids(let values): values.count
        case .texts(let values): values.count
        case .blobs(let values): values.count
        case .numbers(let values): values.count
        }
    }

    private func requireSize<Value>(_ values: [Value?], _ size: (Value) -> Int) throws(WireError) {
        for case let value? in values where size(value) > maximumValueSize { throw .tooLarge }
    }

    /// The number of bytes of all values, without their lengths.
    var size: Int {
        func size<Value>(_ values: [Value?], _ size: (Value) -> Int) -> Int {
            values.reduce(0) { $0 + ($1.map(size) ?? 0) }
        }
        return switch self {
        case .integers(let values): size(values) { _ in 8 }
        case .booleans(let values): size(values) { _ in 1 }
        case .reals(let values): size(values) { _ in 8 }
        case .uuids(let values): size(values) { _ in 16 }
        case .texts(let values): size(values, \.utf8.count)
        case .blobs(let values): size(values, \.count)
        case .numbers(let values): size(values, \.count)
        }
    }

    func write(_ row: Int, to target: inout WireTarget) {
        switch self {
        case .integers(let values): target.write(fixed: values[row]) { $0.bigEndian }
        case .booleans(let values): target.write(fixed: values[row]) { $0 ? UInt8(1) : 0 }
        case .reals(let values): target.write(fixed: values[row]) { bits(of: $0).bigEndian }
        case .uuids(let values): target.write(fixed: values[row], \.uuid)
        case .texts(let values):
            guard var text = values[row] else { return target.writeNull() }
            text.withUTF8 { target.write(value: UnsafeRawBufferPointer($0)) }
        case .blobs(let values):
            guard let data = values[row] else { return target.writeNull() }
            data.withUnsafeBytes { target.write(value: $0) }
        case .numbers(let values):
            guard let bytes = values[row] else { return target.writeNull() }
            bytes.withUnsafeBytes { target.write(value: $0) }
        }
    }
}

/// The rest of the memory into which rows are written.
private struct WireTarget {
    var rest: UnsafeMutableRawBufferPointer

    mutating func take(_ count: Int) -> UnsafeMutableRawBufferPointer {
        defer { rest = UnsafeMutableRawBufferPointer(rebasing: rest[count...]) }
        return UnsafeMutableRawBufferPointer(rebasing: rest[..<count])
    }

    mutating func write(bytes: [UInt8]) { take(bytes.count).copyBytes(from: bytes) }

    mutating func write<Number: FixedWidthInteger & BitwiseCopyable>(_ number: Number) {
        take(MemoryLayout<Number>.size).storeBytes(of: number.bigEndian, as: Number.self)
    }

    mutating func writeNull() { write(Int32(-1)) }

    /// Writes a value with its length.
    mutating func write(value: UnsafeRawBufferPointer) {
        write(Int32(value.count))
        copy(value, to: take(value.count))
    }

    /// Writes a value of a fixed size, or NULL.
    mutating func write<Value, Bytes: BitwiseCopyable>(fixed value: Value?, _ bytes: (Value) -> Bytes) {
        guard let value else { return writeNull() }
        write(Int32(MemoryLayout<Bytes>.size))
        take(MemoryLayout<Bytes>.size).storeBytes(of: bytes(value), as: Bytes.self)
    }
}

private func encodedNumber(_ number: Decimal) -> [UInt8] {
    var buffer = WireBuffer()
    buffer.append(decimal: decimalText(number))
    return buffer.bytes
}

/// Encodes values of a fixed size as an array.
/// - Parameter bytes: A closure that returns the bytes of a value in network byte order.
private func encode<Value, Bytes: BitwiseCopyable>(
    _ values: [Value?],
    as type: PostgresType,
    _ bytes: (Value) -> Bytes
) throws(WireError) -> WireArgument {
    try encode(values, as: type) { _ in
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
) throws(WireError) -> WireArgument {
    guard let element = type.element else { preconditionFailure("the type must be that of an array") }
    var header = WireBuffer()
    header.appendArrayHeader(count: values.count, hasNulls: values.contains { $0 == nil }, of: element)
    let count = values.reduce(header.bytes.count + 4 * values.count) { $0 + ($1.map(size) ?? 0) }
    guard count <= maximumValueSize else { throw .tooLarge }
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        var target = WireTarget(rest: UnsafeMutableRawBufferPointer(buffer))
        target.write(bytes: header.bytes)
        for value in values {
            guard let value else {
                target.writeNull()
                continue
            }
            let byteCount = size(value)
            target.write(Int32(byteCount))
            write(value, target.take(byteCount))
        }
        initializedCount = count
    }
    return WireArgument(type: type, bytes: bytes)
}

/// The number of bytes that a server accepts as one value.
let maximumValueSize = 1_000_000_000

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
