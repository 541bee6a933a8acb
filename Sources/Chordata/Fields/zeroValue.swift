internal import Foundation

/// Returns a value for a required property whose row another process deleted before it was read.
///
/// For an enumeration, this is the first case. A `Codable` value is decoded from empty contents: zero numbers, empty
/// strings, arrays and dictionaries, and nil.
/// - Returns: `nil` for other types, and for types that refuse to be decoded from such values.
func zeroValue<Value>(of type: Value.Type = Value.self) -> Value? {
    if let cases = type as? any CaseIterable.Type, let first = firstCase(of: cases) as? Value { return first }
    if let first = firstCaseOfPlainEnumeration(type) { return first }
    guard let decodable = type as? any Decodable.Type else { return nil }
    // The type refuses the values by throwing an error.
    return (try? ZeroDecoder(codingPath: []).decode(decodable)) as? Value
}

private func firstCase<Cases: CaseIterable>(of _: Cases.Type) -> Any? { Cases.allCases.first }

/// Returns the first case of an enumeration without associated values, whose cases are numbered from 0 in memory.
private func firstCaseOfPlainEnumeration<Value>(_ type: Value.Type) -> Value? {
    /// The kind of an enumeration in the first word of a type's metadata.
    let enumeration = 0x201
    // Such an enumeration with a raw value and up to 256 cases has a size of one byte, or of 0 if it has one case.
    guard type is any RawRepresentable.Type, MemoryLayout<Value>.size <= 1,
        unsafeBitCast(type as Any.Type, to: UnsafePointer<Int>.self).pointee == enumeration
    else { return nil }
    return withUnsafeTemporaryAllocation(byteCount: 1, alignment: 1) { bytes in
        bytes.storeBytes(of: 0, as: UInt8.self)
        return bytes.load(as: type)
    }
}

/// Decodes each value as the zero of its type.
private struct ZeroDecoder: Decoder, SingleValueDecodingContainer, UnkeyedDecodingContainer {
    /// The depth that only values that contain themselves reach.
    private static let maximumDepth = 32

    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }
    var count: Int? { 0 }
    var isAtEnd: Bool { true }
    var currentIndex: Int { 0 }

    func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ZeroKeyedContainer(decoder: self))
    }
    func unkeyedContainer() -> any UnkeyedDecodingContainer { self }
    func singleValueContainer() -> any SingleValueDecodingContainer { self }
    func superDecoder() -> any Decoder { self }
    func nestedContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer { self }

    func decodeNil() -> Bool { true }
    func decode(_: Bool.Type) -> Bool { false }
    func decode(_: String.Type) -> String { "" }
    func decode(_: Double.Type) -> Double { 0 }
    func decode(_: Float.Type) -> Float { 0 }
    func decode(_: Int.Type) -> Int { 0 }
    func decode(_: Int8.Type) -> Int8 { 0 }
    func decode(_: Int16.Type) -> Int16 { 0 }
    func decode(_: Int32.Type) -> Int32 { 0 }
    func decode(_: Int64.Type) -> Int64 { 0 }
    func decode(_: UInt.Type) -> UInt { 0 }
    func decode(_: UInt8.Type) -> UInt8 { 0 }
    func decode(_: UInt16.Type) -> UInt16 { 0 }
    func decode(_: UInt32.Type) -> UInt32 { 0 }
    func decode(_: UInt64.Type) -> UInt64 { 0 }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard codingPath.count < Self.maximumDepth else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath, debugDescription: "the type contains itself")
            )
        }
        // These types cannot be decoded from a zero.
        let known: Any? =
            switch type {
            case is UUID.Type: UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            case is URL.Type: URL(fileURLWithPath: "/")
            case is Decimal.Type: Decimal.zero
            case is Data.Type: Data()
            default: nil
            }
        if let value = known as? Value { return value }
        return try firstCaseOfPlainEnumeration(type) ?? Value(from: self)
    }
}

private struct ZeroKeyedContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: ZeroDecoder

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { [] }

    func contains(_: Key) -> Bool { false }
    func decodeNil(forKey _: Key) -> Bool { true }
    func decode(_ type: Bool.Type, forKey _: Key) -> Bool { decoder.decode(type) }
    func decode(_ type: String.Type, forKey _: Key) -> String { decoder.decode(type) }
    func decode(_ type: Double.Type, forKey _: Key) -> Double { decoder.decode(type) }
    func decode(_ type: Float.Type, forKey _: Key) -> Float { decoder.decode(type) }
    func decode(_ type: Int.Type, forKey _: Key) -> Int { decoder.decode(type) }
    func decode(_ type: Int8.Type, forKey _: Key) -> Int8 { decoder.decode(type) }
    func decode(_ type: Int16.Type, forKey _: Key) -> Int16 { decoder.decode(type) }
    func decode(_ type: Int32.Type, forKey _: Key) -> Int32 { decoder.decode(type) }
    func decode(_ type: Int64.Type, forKey _: Key) -> Int64 { decoder.decode(type) }
    func decode(_ type: UInt.Type, forKey _: Key) -> UInt { decoder.decode(type) }
    func decode(_ type: UInt8.Type, forKey _: Key) -> UInt8 { decoder.decode(type) }
    func decode(_ type: UInt16.Type, forKey _: Key) -> UInt16 { decoder.decode(type) }
    func decode(_ type: UInt32.Type, forKey _: Key) -> UInt32 { decoder.decode(type) }
    func decode(_ type: UInt64.Type, forKey _: Key) -> UInt64 { decoder.decode(type) }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try inner(key).decode(type)
    }
    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key)
        -> KeyedDecodingContainer<NestedKey>
    { inner(key).container(keyedBy: type) }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer { inner(key) }
    func superDecoder() -> any Decoder { decoder }
    func superDecoder(forKey key: Key) -> any Decoder { inner(key) }

    private func inner(_ key: Key) -> ZeroDecoder { ZeroDecoder(codingPath: codingPath + [key]) }
}
