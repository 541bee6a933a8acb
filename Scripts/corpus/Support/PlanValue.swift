import Chordata
import Foundation

/// A type that a property can have: how its values stand in a plan, and when two of them are the same.
public protocol PlanValue {
    /// The value that a plan means.
    init?(planText: String)
    /// Whether nothing of the value was lost.
    func isSame(as other: Self) -> Bool
}

extension PlanValue where Self: Equatable {
    /// Whether nothing of the value was lost.
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
    /// Bytes count: Swift takes a letter with its accent for equal to the two of them.
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

/// An enumeration of the user's with numbers or texts.
extension PlanValue where Self: RawRepresentable, RawValue: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) {
        guard let raw = RawValue(planText: planText) else { return nil }
        self.init(rawValue: raw)
    }
}

/// A type of the user's that is coded.
public protocol CodedPlanValue: PlanValue, Codable, Hashable, Sendable {}

extension CodedPlanValue {
    /// The value that a plan means.
    public init?(planText: String) {
        do {
            self = try JSONDecoder().decode(Self.self, from: Data(planText.utf8))
        } catch {
            fatalError("'\(planText)' is no \(Self.self): \(error)")
        }
    }
}

extension [String]: PlanValue {
    /// The value that a plan means.
    public init?(planText: String) {
        do {
            self = try JSONDecoder().decode([String].self, from: Data(planText.utf8))
        } catch {
            fatalError("'\(planText)' is no list of texts: \(error)")
        }
    }
}

/// Makes a type of the user's known under the name of a transformer.
public func registerTransformer<Value: CodedPlanValue>(_ type: Value.Type, forName name: String) {
    AttributeTransformer<Value>(
        encode: { try JSONEncoder().encode($0) },
        decode: { try JSONDecoder().decode(Value.self, from: $0) }
    ).register(forName: name)
}

/// The value that the generic access by keys has for a kind of attribute.
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
    // What has a type of the user's stands in the plan as its encoding.
    case "Binary", "Transformable": Data(planText: text) ?? Data(text.utf8)
    default: nil
    }
}

/// Whether two values by key are the same.
func isSame(_ value: Any, _ other: Any) -> Bool {
    guard let value = value as? any PlanValue else { return false }
    return isSame(value, other)
}

private func isSame<Value: PlanValue>(_ value: Value, _ other: Any) -> Bool {
    (other as? Value).map { value.isSame(as: $0) } ?? false
}
