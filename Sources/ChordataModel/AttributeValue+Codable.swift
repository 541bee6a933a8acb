#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// An object with exactly one key, the type of the value: `{"integer": 5}`.
///
/// | key | value |
/// | --- | --- |
/// | `integer` | a number |
/// | `double` | a number, or one of the texts `nan`, `inf` and `-inf`, because JSON has no such numbers |
/// | `decimal` | a text such as `-12.5` or `NaN`, because JSON readers parse numbers as doubles |
/// | `string` | a text |
/// | `boolean` | `true` or `false` |
/// | `date` | as `double`; seconds since 2001-01-01 00:00:00 UTC, whatever the coder's strategy for dates is |
/// | `data` | a text in Base64, whatever the coder's strategy for data is |
/// | `uuid`, `url` | a text |
///
/// Decoding restores every value exactly, to the last bit of a number or a date, with two exceptions: all NaN values
/// are decoded as the same NaN, and a URL is decoded without its base.
extension AttributeValue: Codable {
    private enum CodingKeys: String, CodingKey {
        case integer, double, decimal, string, boolean, date, data, uuid, url
    }

    /// Decodes a value.
    /// - Throws: `DecodingError` if there is not exactly one known key, or if its value is not of its type.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        guard let key = container.allKeys.first, container.allKeys.count == 1 else {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: decoder.codingPath,
                    debugDescription: "an attribute value must be an object with exactly one key, its type: "
                        + "integer, double, decimal, string, boolean, date, data, uuid or url"
                )
            )
        }
        func parsed<Value>(_ parse: (String) -> Value?) throws -> Value {
            let text = try container.decode(String.self, forKey: key)
            if let value = parse(text) { return value }
            throw DecodingError.dataCorruptedError(
                forKey: key,
                in: container,
                debugDescription: "'\(text)' is not a valid \(key.stringValue)"
            )
        }
        switch key {
        case .integer: self = .integer(try container.decode(Int64.self, forKey: key))
        case .double: self = .double(try container.decodeDouble(forKey: key))
        case .decimal: self = .decimal(try parsed { Decimal(exactly: $0) })
        case .string: self = .string(try container.decode(String.self, forKey: key))
        case .boolean: self = .boolean(try container.decode(Bool.self, forKey: key))
        case .date: self = .date(Date(timeIntervalSinceReferenceDate: try container.decodeDouble(forKey: key)))
        case .data: self = .data(try parsed { Data(base64Encoded: $0) })
        case .uuid: self = .uuid(try parsed { UUID(uuidString: $0) })
        case .url: self = .url(try parsed { URL(string: $0) })
        }
    }

    /// Encodes the value under the key of its type.
    /// - Throws: Any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .integer(let integer): try container.encode(integer, forKey: .integer)
        case .double(let double): try container.encodeDouble(double, forKey: .double)
        case .decimal(let decimal): try container.encode(decimal.description, forKey: .decimal)
        case .string(let string): try container.encode(string, forKey: .string)
        case .boolean(let boolean): try container.encode(boolean, forKey: .boolean)
        case .date(let date): try container.encodeDouble(date.timeIntervalSinceReferenceDate, forKey: .date)
        case .data(let data): try container.encode(data.base64EncodedString(), forKey: .data)
        case .uuid(let uuid): try container.encode(uuid.uuidString, forKey: .uuid)
        case .url(let url): try container.encode(url.absoluteString, forKey: .url)
        }
    }
}

extension KeyedEncodingContainer {
    fileprivate mutating func encodeDouble(_ value: Double, forKey key: Key) throws {
        if value.isFinite {
            try encode(value, forKey: key)
        } else {
            try encode(value.description, forKey: key)
        }
    }
}

extension KeyedDecodingContainer {
    fileprivate func decodeDouble(forKey key: Key) throws -> Double {
        switch try? decode(String.self, forKey: key) {
        case "nan": .nan
        case "inf": .infinity
        case "-inf": -.infinity
        // Other texts also end here, and fail because they are not numbers.
        case _: try decode(Double.self, forKey: key)
        }
    }
}

extension Decimal {
    /// Parses the whole text as a number; Foundation stops at the first character that is not part of a number.
    init?(exactly text: String) {
        if text == "NaN" {
            self = .nan
        } else if text.wholeMatch(of: /[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?/) != nil,
            let value = Decimal(string: text)
        {
            self = value
        } else {
            return nil
        }
    }
}
