// Functions that generated accessors call if a property has another type than its storage. The overloads are selected
// by that type, so a type that cannot be stored is a compile error in the generated file.

/// Functions that convert between stored values and the Swift types that the model's user info specifies.
///
/// If a stored value is not a valid value of the type, the getter of a required property traps, as in Core Data's
/// generated code; the getter of an optional property returns `nil`, and the store keeps its value until the property
/// is set. As an exception, a required property whose stored value is 0, an empty string or no bytes, and is not valid,
/// for example because the row was deleted before it was read, returns a zero value: the first case of an enumeration,
/// or for a `Codable` type a value with zeros, empty collections and nil.
@_spi(Generated) public enum FieldConversion {
    // MARK: Enumerations and other raw values

    /// Returns the enumeration value for a stored string.
    public static func value<Value: RawRepresentable<String>>(_ raw: String, _ name: StaticString) -> Value {
        if let value = Value(rawValue: raw) { return value }
        if raw.isEmpty, let value: Value = zeroValue() { return value }
        trap(name, "a string that is not a valid \(Value.self)")
    }

    /// Returns the enumeration value for a stored string.
    public static func value<Value: RawRepresentable<String>>(_ raw: String?, _ name: StaticString) -> Value? {
        raw.flatMap { Value(rawValue: $0) }
    }

    /// Returns the string to store for an enumeration value.
    public static func raw<Value: RawRepresentable<String>>(_ value: Value, _ name: StaticString) -> String {
        value.rawValue
    }

    /// Returns the string to store for an enumeration value.
    public static func raw<Value: RawRepresentable<String>>(_ value: Value?, _ name: StaticString) -> String? {
        value?.rawValue
    }

    /// Returns the value for a stored integer.
    public static func value<Value: RawRepresentable, Raw: FixedWidthInteger>(_ raw: Raw, _ name: StaticString) -> Value
    where Value.RawValue: FixedWidthInteger {
        if let value = Value.RawValue(exactly: raw).flatMap({ Value(rawValue: $0) }) { return value }
        if raw == 0, let value: Value = zeroValue() { return value }
        trap(name, "\(raw), which is not a valid \(Value.self)")
    }

    /// Returns the value for a stored integer.
    public static func value<Value: RawRepresentable, Raw: FixedWidthInteger>(_ raw: Raw?, _ name: StaticString)
        -> Value?
    where Value.RawValue: FixedWidthInteger {
        raw.flatMap { Value.RawValue(exactly: $0) }.flatMap { Value(rawValue: $0) }
    }

    /// Returns the integer to store for a value.
    public static func raw<Value: RawRepresentable, Raw: FixedWidthInteger>(_ value: Value, _ name: StaticString) -> Raw
    where Value.RawValue: FixedWidthInteger {
        raw(value.rawValue, name)
    }

    /// Returns the integer to store for a value.
    public static func raw<Value: RawRepresentable, Raw: FixedWidthInteger>(_ value: Value?, _ name: StaticString)
        -> Raw?
    where Value.RawValue: FixedWidthInteger {
        value.map { raw($0.rawValue, name) }
    }

    // MARK: Numbers of another size

    /// Returns the value for a stored integer.
    public static func value<Value: FixedWidthInteger, Raw: FixedWidthInteger>(_ raw: Raw, _ name: StaticString)
        -> Value
    {
        guard let value = Value(exactly: raw) else { trap(name, "\(raw), which is not a valid \(Value.self)") }
        return value
    }

    /// Returns the value for a stored integer.
    public static func value<Value: FixedWidthInteger, Raw: FixedWidthInteger>(_ raw: Raw?, _ name: StaticString)
        -> Value?
    { raw.flatMap { Value(exactly: $0) } }

    /// Returns the integer to store for a value.
    public static func raw<Value: FixedWidthInteger, Raw: FixedWidthInteger>(_ value: Value, _ name: StaticString)
        -> Raw
    {
        guard let raw = Raw(exactly: value) else { trap(name, "\(value), which does not fit into \(Raw.self)") }
        return raw
    }

    /// Returns the integer to store for a value.
    public static func raw<Value: FixedWidthInteger, Raw: FixedWidthInteger>(_ value: Value?, _ name: StaticString)
        -> Raw?
    { value.map { raw($0, name) } }

    // MARK: Transformables

    /// Returns the decoded value and caches it in the storage.
    public static func value<Value: Codable & Sendable>(_ storage: inout TransformableStorage, _ name: StaticString)
        -> Value
    {
        decode(&storage, .json, name)
    }

    /// Returns the decoded value and caches it in the storage.
    public static func value<Value: Codable & Sendable>(_ storage: inout TransformableStorage?, _ name: StaticString)
        -> Value?
    {
        decode(&storage, .json)
    }

    /// Returns the stored form of the value of a Transformable attribute: its JSON.
    /// - Parameter name: The name of the attribute, for the messages of traps.
    public static func raw<Value: Codable & Sendable>(_ value: Value, _ name: StaticString) -> TransformableStorage {
        encode(value, .json, name)
    }

    /// Returns the stored form of the value of a Transformable attribute: its JSON.
    /// - Parameter name: The name of the attribute, for the messages of traps.
    public static func raw<Value: Codable & Sendable>(_ value: Value?, _ name: StaticString) -> TransformableStorage? {
        value.map { encode($0, .json, name) }
    }

    /// Returns the value that a registered transformer decodes, and caches the value in the storage.
    /// - Parameters:
    ///   - name: The name of the attribute, for the messages of traps.
    ///   - transformer: The name under which the transformer is registered.
    public static func value<Value: Sendable>(
        _ storage: inout TransformableStorage,
        _ name: StaticString,
        transformer: String
    ) -> Value {
        decode(&storage, registered(transformer, name), name)
    }

    /// Returns the value that a registered transformer decodes, and caches the value in the storage.
    /// - Parameters:
    ///   - name: The name of the attribute, for the messages of traps.
    ///   - transformer: The name under which the transformer is registered.
    public static func value<Value: Sendable>(
        _ storage: inout TransformableStorage?,
        _ name: StaticString,
        transformer: String
    ) -> Value? {
        decode(&storage, registered(transformer, name))
    }

    /// Returns the stored form of the value of a Transformable attribute: the bytes that a registered transformer
    /// encodes.
    /// - Parameters:
    ///   - name: The name of the attribute, for the messages of traps.
    ///   - transformer: The name under which the transformer is registered.
    public static func raw<Value: Sendable>(_ value: Value, _ name: StaticString, transformer: String)
        -> TransformableStorage
    {
        encode(value, registered(transformer, name), name)
    }

    /// Returns the stored form of the value of a Transformable attribute: the bytes that a registered transformer
    /// encodes.
    /// - Parameters:
    ///   - name: The name of the attribute, for the messages of traps.
    ///   - transformer: The name under which the transformer is registered.
    public static func raw<Value: Sendable>(_ value: Value?, _ name: StaticString, transformer: String)
        -> TransformableStorage?
    {
        value.map { encode($0, registered(transformer, name), name) }
    }

    // MARK: Transformables of a snapshot

    /// Returns the decoded value without caching it.
    public static func value<Value: Codable & Sendable>(copying storage: TransformableStorage, _ name: StaticString)
        -> Value
    {
        var copy = storage
        return value(&copy, name)
    }

    /// Returns the decoded value without caching it.
    public static func value<Value: Codable & Sendable>(copying storage: TransformableStorage?, _ name: StaticString)
        -> Value?
    {
        var copy = storage
        return value(&copy, name)
    }

    /// Returns the value that a registered transformer decodes, without caching the value.
    /// - Parameters:
    ///   - name: The name of the attribute, for the messages of traps.
    ///   - transformer: The name under which the transformer is registered.
    public static func value<Value: Sendable>(
        copying storage: TransformableStorage,
        _ name: StaticString,
        transformer: String
    ) -> Value {
        var copy = storage
        return value(&copy, name, transformer: transformer)
    }

    /// Returns the value that a registered transformer decodes, without caching the value.
    /// - Parameters:
    ///   - name: The name of the attribute, for the messages of traps.
    ///   - transformer: The name under which the transformer is registered.
    public static func value<Value: Sendable>(
        copying storage: TransformableStorage?,
        _ name: StaticString,
        transformer: String
    ) -> Value? {
        var copy = storage
        return value(&copy, name, transformer: transformer)
    }

    // MARK: Missing values

    /// Returns the value of a property that is optional in the model and not in Swift, or the reverse; traps if it is
    /// `nil`.
    public static func required<Value>(_ value: Value?, _ name: StaticString) -> Value {
        guard let value else { trap(name, "no value, or a value of another type; set it before it is read") }
        return value
    }

    // MARK: Shared code

    private static func decode<Value: Sendable>(
        _ storage: inout TransformableStorage,
        _ transformer: @autoclosure () -> AttributeTransformer<Value>,
        _ name: StaticString
    ) -> Value {
        if let box = storage.decoded as? DecodedBox<Value> { return box.value }
        do {
            let value = try transformer().decode(storage.data)
            storage.decoded = DecodedBox(value)
            return value
        } catch {
            if storage.data.isEmpty {
                if let value: Value = zeroValue() { return value }
                trap(name, "no value; set it before it is read")
            }
            trap(name, "bytes that cannot be decoded as \(Value.self): \(error)")
        }
    }

    private static func decode<Value: Sendable>(
        _ storage: inout TransformableStorage?,
        _ transformer: @autoclosure () -> AttributeTransformer<Value>
    ) -> Value? {
        guard let encoded = storage else { return nil }
        if let box = encoded.decoded as? DecodedBox<Value> { return box.value }
        do {
            let value = try transformer().decode(encoded.data)
            storage?.decoded = DecodedBox(value)
            return value
        } catch {
            // As documented, bytes that this program cannot decode count as a missing value, and are left unchanged.
            return nil
        }
    }

    private static func encode<Value: Sendable>(
        _ value: Value,
        _ transformer: AttributeTransformer<Value>,
        _ name: StaticString
    ) -> TransformableStorage {
        do {
            var encoded = TransformableStorage(try transformer.encode(value))
            encoded.decoded = DecodedBox(value)
            return encoded
        } catch {
            trap(name, "a value that cannot be encoded: \(error)")
        }
    }

    private static func registered<Value>(_ transformer: String, _ name: StaticString) -> AttributeTransformer<Value> {
        guard let found = AttributeTransformer<Value>.registered(forName: transformer) else {
            trap(
                name,
                "the transformer '\(transformer)', which is not registered for \(Value.self); call "
                    + "AttributeTransformer.register(forName:) first"
            )
        }
        return found
    }

    private static func trap(_ name: StaticString, _ problem: String) -> Never {
        preconditionFailure("'\(name)' has \(problem)")
    }
}
