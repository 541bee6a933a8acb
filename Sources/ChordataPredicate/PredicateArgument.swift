import ChordataModel

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A value that can replace `%@` in a predicate's format.
///
/// A type of your own conforms to the protocol by returning the value of another type that conforms to it:
///
/// ```swift
/// extension Priority: PredicateArgument {
///     var predicateArgumentValue: PredicateArgumentValue { rawValue.predicateArgumentValue }
/// }
/// ```
/// For a type with a raw value, `extension Priority: PredicateArgument {}` is enough.
public protocol PredicateArgument {
    /// The value with which a predicate replaces `%@`.
    var predicateArgumentValue: PredicateArgumentValue { get }
}

/// The value of a ``PredicateArgument``, which only the conformances of Chordata itself create.
public struct PredicateArgumentValue: Sendable, Hashable {
    package let value: PredicateValue

    package init(_ value: PredicateValue) { self.value = value }
    init(_ value: AttributeValue) { self.value = .attribute(value) }
}

extension PredicateArgument where Self: RawRepresentable, RawValue: PredicateArgument {
    /// The raw value.
    public var predicateArgumentValue: PredicateArgumentValue { rawValue.predicateArgumentValue }
}

extension PredicateArgument where Self: BinaryInteger {
    /// The integer; a decimal if it does not fit into a signed integer of 64 bits.
    public var predicateArgumentValue: PredicateArgumentValue {
        if let integer = Int64(exactly: self) { return PredicateArgumentValue(.integer(integer)) }
        // Only UInt and UInt64 get here, and their digits are always a decimal.
        return PredicateArgumentValue(.decimal(Decimal(string: "\(self)") ?? .nan))
    }
}

extension Int: PredicateArgument {}
extension Int8: PredicateArgument {}
extension Int16: PredicateArgument {}
extension Int32: PredicateArgument {}
extension Int64: PredicateArgument {}
extension UInt: PredicateArgument {}
extension UInt8: PredicateArgument {}
extension UInt16: PredicateArgument {}
extension UInt32: PredicateArgument {}
extension UInt64: PredicateArgument {}

extension String: PredicateArgument {
    /// The string.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.string(self)) }
}

extension Substring: PredicateArgument {
    /// The string.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.string(String(self))) }
}

extension Double: PredicateArgument {
    /// The number.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.double(self)) }
}

extension Float: PredicateArgument {
    /// The number.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.double(Double(self))) }
}

extension Bool: PredicateArgument {
    /// The truth value.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.boolean(self)) }
}

extension Decimal: PredicateArgument {
    /// The number.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.decimal(self)) }
}

extension Date: PredicateArgument {
    /// The point in time.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.date(self)) }
}

extension UUID: PredicateArgument {
    /// The identifier.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.uuid(self)) }
}

extension Data: PredicateArgument {
    /// The bytes.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.data(self)) }
}

extension URL: PredicateArgument {
    /// The address.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.url(self)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
    /// The wrapped value, or nil.
    public var predicateArgumentValue: PredicateArgumentValue {
        self?.predicateArgumentValue ?? PredicateArgumentValue(PredicateValue.null)
    }
}

extension Array: PredicateArgument where Element: PredicateArgument {
    /// The collection of the elements' values.
    public var predicateArgumentValue: PredicateArgumentValue {
        var values: [PredicateValue] = []
        values.reserveCapacity(count)
        for element in self { values.append(element.predicateArgumentValue.value) }
        return PredicateArgumentValue(PredicateValue.collection(values))
    }
}

extension Set: PredicateArgument where Element: PredicateArgument {
    /// The collection of the elements' values, sorted, so that equal sets make equal predicates.
    public var predicateArgumentValue: PredicateArgumentValue {
        let values = map { $0.predicateArgumentValue.value }.sorted { compareValues($0, $1) == .ascending }
        return PredicateArgumentValue(PredicateValue.collection(values))
    }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
    /// The two bounds, as BETWEEN takes them.
    public var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(
            PredicateValue.collection([
                lowerBound.predicateArgumentValue.value, upperBound.predicateArgumentValue.value,
            ])
        )
    }
}
