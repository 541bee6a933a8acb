public import ChordataPredicate
public import Foundation

extension NSNumber: PredicateArgument {
    /// The number as a predicate argument: an integer, a double, or the decimal of an `NSDecimalNumber`; a Boolean is 0
    /// or 1, as in all predicates (rule P12 of <doc:Core-Data-Rules>).
    public var predicateArgumentValue: PredicateArgumentValue {
        if let number = self as? NSDecimalNumber { return number.decimalValue.predicateArgumentValue }
        return switch UInt8(bitPattern: objCType.pointee) {
        case UInt8(ascii: "d"), UInt8(ascii: "f"): doubleValue.predicateArgumentValue
        case UInt8(ascii: "Q"), UInt8(ascii: "L"): uint64Value.predicateArgumentValue
        default: int64Value.predicateArgumentValue  // The other types of Objective-C's numbers fit.
        }
    }
}
