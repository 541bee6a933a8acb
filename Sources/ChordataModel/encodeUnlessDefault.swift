extension KeyedEncodingContainer {
    /// Encodes a value unless it equals the default that decoding uses if the key is missing.
    mutating func encode<Value: Encodable & Equatable>(
        _ value: Value,
        unless standard: Value,
        forKey key: Key
    ) throws {
        if value != standard { try encode(value, forKey: key) }
    }
}

extension KeyedDecodingContainer {
    /// Decodes a value, or returns the default of a missing key.
    func decode<Value: Decodable>(forKey key: Key, default standard: Value) throws -> Value {
        try decodeIfPresent(Value.self, forKey: key) ?? standard
    }
}
