import Chordata
import Foundation

/// A type that a property can have, with the format of its values in a plan, and the rule for equal values.
public protocol PlanValue {
    /// The value that a plan means.
    init?(planText: String)
    /// Returns whether nothing of the value was lost.
    func isSame(as other: Self) -> Bool
}

extension PlanValue where Self: Equatable {
    /// Returns whether nothing of the value was lost.
    public func isSame(as other: Self) -> Bool { self == other }
}

extension PlanValue where Self: FixedWidthInteger {
    /// The value that a plan means.
    public init?(planText: String) { self.init(planText) }
}

extension Int: PlanValue {}
extension Int8: PlanValue {}
extension Int16: PlanValue {}
extension Int32: PlanValue {}
extension Int64: PlanValue {}
extension UInt: PlanValue {}
extension UInt8: PlanValue {}
extension UInt16: PlanValue {}
extension UInt32: PlanValue {}
extension UInt64: PlanValue {}

extension Double: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(planText) }
}

extension Float: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(planText) }
}

extension Bool: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(planText) }
}

extension String: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self = planText }
    /// The bytes are compared, because Swift considers a letter with an accent equal to the letter followed by the
    /// accent.
    public func isSame(as other: String) -> Bool { Array(utf8) == Array(other.utf8) }
}

extension Decimal: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(string: planText) }
}

extension Date: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) {
        guard let seconds = Double(planText) else { return nil }
        self.init(timeIntervalSinceReferenceDate: seconds)
    }
}

extension Data: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(base64Encoded: planText) }
}

extension ExternalData: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) {
        guard let data = Data(planText: planText) else { return nil }
        self.init(data)
    }
}

extension UUID: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(uuidString: planText) }
}

extension URL: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) { self.init(string: planText) }
}

/// A user's enumeration with numbers or texts as raw values.
extension PlanValue where Self: RawRepresentable, RawValue: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) {
        guard let raw = RawValue(planText: planText) else { return nil }
        self.init(rawValue: raw)
    }
}

/// The value of a Transformable attribute, whose text in a plan is JSON.
func codedValue<Value: Decodable>(_ planText: String) -> Value {
    do {
        return try JSONDecoder().decode(Value.self, from: Data(planText.utf8))
    } catch {
        fatalError("'\(planText)' is not the JSON of a '\(Value.self)': \(error)")
    }
}

/// Registers a transformer with a name, which writes the same JSON as attributes without a transformer.
public func registerTransformer<Value: Codable & Sendable>(_ type: Value.Type, forName name: String) {
    AttributeTransformer<Value>(
        encode: { value in
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return try encoder.encode(value)
        },
        decode: { try JSONDecoder().decode(Value.self, from: $0) }
    ).register(forName: name)
}

/// Returns the value that generic access by key has for a kind of attribute.
func keyedValue(_ text: String, kind: String) -> Any? {
    switch kind {
    case "Integer 16": Int16(planText: text)
    case "Integer 32": Int32(planText: text)
    case "Integer 64": Int64(planText: text)
    case "Double": Double(planText: text)
    case "Float": Float(planText: text)
    case "Decimal": Decimal(planText: text)
    case "Boolean": Bool(planText: text)
    case "String", "Undefined": text
    case "Date": Date(planText: text)
    case "UUID": UUID(planText: text)
    case "URI": URL(planText: text)
    case "Binary", "Transformable": Data(planText: text)
    // The plan has the JSON that the store keeps.
    case "Coded": Data(text.utf8)
    default: nil
    }
}

/// Returns whether two values by key are the same.
func isSame(_ value: Any, _ other: Any) -> Bool {
    guard let value = value as? any PlanValue else { return false }
    return isSame(value, other)
}

private func isSame<Value: PlanValue>(_ value: Value, _ other: Any) -> Bool {
    (other as? Value).map { value.isSame(as: $0) } ?? false
}
