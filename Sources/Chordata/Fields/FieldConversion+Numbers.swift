public import Foundation

extension FieldConversion {
    /// Returns the integer to store for a number object; traps if the number is not an integer in the range of the
    /// attribute.
    public static func integer<Integer: FixedWidthInteger>(_ number: NSNumber, _ name: StaticString) -> Integer {
        guard let integer = Int64(exactly: number).flatMap({ Integer(exactly: $0) }) else {
            preconditionFailure("'\(name)' was set to \(number), which does not fit into \(Integer.self)")
        }
        return integer
    }
}

/// Returns the number of an `NSNumber` as a value of Swift, and any other value unchanged.
///
/// The class itself is compared, because a cast to `NSNumber` also converts Swift's numbers.
func withoutNumberObject(_ value: Any, for kind: FieldKind.Base) -> Any {
    guard type(of: value) is NSNumber.Type, let number = value as? NSNumber else { return value }
    if let decimal = number as? NSDecimalNumber { return decimal.decimalValue }
    if kind == .bool { return number.boolValue }
    return switch UInt8(bitPattern: number.objCType.pointee) {
    case UInt8(ascii: "d"), UInt8(ascii: "f"): number.doubleValue
    case UInt8(ascii: "Q"), UInt8(ascii: "L"): number.uint64Value
    default: number.int64Value  // The other types of Objective-C's numbers fit.
    }
}
