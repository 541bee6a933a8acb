internal import Synchronization

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A transformer that encodes values of Transformable attributes as bytes and decodes them.
///
/// If the model names a custom transformer for a Transformable attribute, a transformer must be registered under that
/// name before a value of the attribute is read or set:
///
/// ```swift
/// AttributeTransformer<Color>(encode: { $0.bytes }, decode: { Color(bytes: $0) })
///     .register(forName: "ColorTransformer")
/// ```
///
/// Without a custom transformer, values are stored as JSON. This is also the case if the model names one of Core Data's
/// own transformers, such as `NSSecureUnarchiveFromData`, because these are not custom transformers.
public struct AttributeTransformer<Value: Sendable>: Sendable {
    let encode: @Sendable (Value) throws -> Data
    let decode: @Sendable (Data) throws -> Value

    /// Creates a transformer.
    /// - Parameters:
    ///   - encode: A closure that returns the bytes to store for a value.
    ///   - decode: A closure that returns the value for the bytes. It throws an error for bytes that `encode` did not
    ///     produce.
    public init(
        encode: @escaping @Sendable (Value) throws -> Data,
        decode: @escaping @Sendable (Data) throws -> Value
    ) {
        self.encode = encode
        self.decode = decode
    }

    /// Registers the transformer under a name for the whole program; it replaces a transformer with the same name.
    /// - Parameter name: The name of the transformer in the model.
    public func register(forName name: String) {
        transformers.withLock { $0[name] = self }
    }

    /// Returns the transformer that is registered under a name, if it has this type.
    static func registered(forName name: String) -> AttributeTransformer? {
        transformers.withLock { $0[name] } as? AttributeTransformer
    }
}

private let transformers = Mutex<[String: any Sendable]>([:])

extension AttributeTransformer where Value: Codable {
    /// A transformer to JSON with sorted keys, so that equal values have equal bytes.
    static var json: AttributeTransformer {
        AttributeTransformer(
            encode: { value in
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                encoder.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "inf",
                    negativeInfinity: "-inf",
                    nan: "nan"
                )
                return try encoder.encode(value)
            },
            decode: { data in
                let decoder = JSONDecoder()
                decoder.nonConformingFloatDecodingStrategy = .convertFromString(
                    positiveInfinity: "inf",
                    negativeInfinity: "-inf",
                    nan: "nan"
                )
                return try decoder.decode(Value.self, from: data)
            }
        )
    }
}
