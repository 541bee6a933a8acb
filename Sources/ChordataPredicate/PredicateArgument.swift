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
    /// The raw value as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { rawValue.predicateArgumentValue }
}

extension PredicateArgument where Self: BinaryInteger {
    /// The integer as a predicate argument; a decimal if it is outside the range of a signed 64-bit integer.
    public var predicateArgumentValue: PredicateArgumentValue {
        if let integer = Int64(exactly: self) { return PredicateArgumentValue(.integer(integer)) }
        // Only values of UInt and UInt64 are converted here, and their digits are always a decimal.
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
    /// The string as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.string(self)) }
}

extension Substring: PredicateArgument {
    /// The string as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.string(String(self))) }
}

extension Double: PredicateArgument {
    /// The number as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.double(self)) }
}

extension Float: PredicateArgument {
    /// The number as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.double(Double(self))) }
}

extension Bool: PredicateArgument {
    /// The Boolean value as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.boolean(self)) }
}

extension Decimal: PredicateArgument {
    /// The number as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.decimal(self)) }
}

extension Date: PredicateArgument {
    /// The date as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.date(self)) }
}

extension UUID: PredicateArgument {
    /// The UUID as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.uuid(self)) }
}

extension Data: PredicateArgument {
    /// The bytes as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.data(self)) }
}

extension URL: PredicateArgument {
    /// The URL as a predicate argument.
    public var predicateArgumentValue: PredicateArgumentValue { PredicateArgumentValue(.url(self)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
    /// The wrapped value as a predicate argument; a null value if it is `nil`.
    public var predicateArgumentValue: PredicateArgumentValue {
        self?.predicateArgumentValue ?? PredicateArgumentValue(PredicateValue.null)
    }
}

extension Array: PredicateArgument where Element: PredicateArgument {
    /// The elements as a predicate argument: a collection, in their order.
    public var predicateArgumentValue: PredicateArgumentValue {
        var values: [PredicateValue] = []
        values.reserveCapacity(count)
        for element in self { values.append(element.predicateArgumentValue.value) }
        return PredicateArgumentValue(PredicateValue.collection(values))
    }
}

extension Set: PredicateArgument where Element: PredicateArgument {
    /// The elements as a predicate argument: a collection, sorted so that equal sets make equal predicates.
    public var predicateArgumentValue: PredicateArgumentValue {
        let values = map { $0.predicateArgumentValue.value }.sorted { compareValues($0, $1) == .ascending }
        return PredicateArgumentValue(PredicateValue.collection(values))
    }
}

extension ClosedRange: PredicateArgument where Bound: PredicateArgument {
    /// The two bounds as a predicate argument, for BETWEEN.
    public var predicateArgumentValue: PredicateArgumentValue {
        PredicateArgumentValue(
            PredicateValue.collection([
                lowerBound.predicateArgumentValue.value, upperBound.predicateArgumentValue.value,
            ])
        )
    }
}
