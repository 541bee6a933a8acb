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

// Objective-C accepts only objects as arguments of a format, so code for Core Data casts dates and strings to classes.

extension NSDate: PredicateArgument {
    /// The date as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue {
        Date(timeIntervalSinceReferenceDate: timeIntervalSinceReferenceDate).predicateArgumentValue
    }
}

extension NSString: PredicateArgument {
    /// The string as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { String(self).predicateArgumentValue }
}

extension NSUUID: PredicateArgument {
    /// The UUID as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { (self as UUID).predicateArgumentValue }
}

extension NSURL: PredicateArgument {
    /// The URL as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { (self as URL).predicateArgumentValue }
}

extension NSData: PredicateArgument {
    /// The bytes as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { (self as Data).predicateArgumentValue }
}
