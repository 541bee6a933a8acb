package import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The bounds of a value in the model: the only interpretation of minimum and maximum, which checks of models and saves
/// use.
package struct AttributeBounds: Sendable {
    /// The violation by a value.
    package enum Violation: Sendable {
        case belowMinimum, aboveMaximum
    }

    /// The minimum value or, for a String, the minimum length in UTF-16 code units.
    package let minimum: AttributeValue?
    /// The maximum value or, for a String, the maximum length.
    package let maximum: AttributeValue?

    /// Creates the bounds of an attribute; `nil` if it has no bounds.
    ///
    /// In a model that was created in code, a bound may have another type: a number bounds any number, and a value that
    /// cannot be compared with the attribute's values is ignored. Only numbers, dates and texts have bounds.
    package init?(of attribute: AttributeDescription) {
        minimum = attribute.minimumValue.flatMap { bound($0, of: attribute.attributeType) }
        maximum = attribute.maximumValue.flatMap { bound($0, of: attribute.attributeType) }
        if minimum == nil && maximum == nil { return nil }
    }

    /// A Boolean value that indicates whether no value is within the bounds.
    package var isEmpty: Bool {
        guard let minimum, let maximum else { return false }
        return compareValues(minimum, maximum) == .descending
    }

    /// Returns the violation of the attribute's bounds by a value.
    ///
    /// - Complexity: O(1), but O(n) in the length of a String that is not ASCII and near its bounds.
    package func violation(by value: AttributeValue) -> Violation? {
        guard case .string(let text) = value else { return violation(ofSize: value) }
        return isCertainlyWithin(text) ? nil : violation(ofSize: .integer(Int64(text.utf16.count)))
    }

    private func violation(ofSize size: AttributeValue) -> Violation? {
        if let minimum, compareValues(size, minimum) == .ascending { return .belowMinimum }
        if let maximum, compareValues(size, maximum) == .descending { return .aboveMaximum }
        return nil
    }

    /// Returns a Boolean value that indicates whether the number of bytes alone proves that a length is within the
    /// bounds: a UTF-16 code unit corresponds to one to three bytes of UTF-8.
    private func isCertainlyWithin(_ text: String) -> Bool {
        let bytes = Int64(text.utf8.count)
        if let minimum, compareValues(.integer(bytes / 3), minimum) == .ascending { return false }
        if let maximum, compareValues(.integer(bytes), maximum) == .descending { return false }
        return true
    }
}

/// Returns a bound in a form that can be compared with an attribute's values.
private func bound(_ value: AttributeValue, of type: AttributeType) -> AttributeValue? {
    switch (type, value) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.double, .integer),
        (.float, .integer),
        (.string, .integer):
        return value
    case (.integer16, .double(let number)), (.integer32, .double(let number)), (.integer64, .double(let number)),
        (.double, .double(let number)), (.float, .double(let number)), (.string, .double(let number)):
        return number.isNaN ? nil : value
    case (.decimal, .decimal(let number)): return number.isNaN ? nil : value
    case (.decimal, .integer(let number)): return .decimal(Decimal(number))
    case (.decimal, .double(let number)): return number.isFinite ? .decimal(Decimal(number)) : nil
    case (.date, .date(let date)): return date.timeIntervalSinceReferenceDate.isNaN ? nil : value
    default: return nil
    }
}
