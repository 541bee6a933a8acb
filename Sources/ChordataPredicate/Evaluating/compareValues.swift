import ChordataModel
import Foundation

/// The order of two values.
package enum ValueOrder: Int, Sendable, Hashable {
    case ascending = -1
    case same = 0
    case descending = 1

    /// The order of the values if they are exchanged.
    package var reversed: ValueOrder {
        switch self {
        case .ascending: .descending
        case .same: .same
        case .descending: .ascending
        }
    }

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .ascending : left == right ? .same : .descending
    }
}

/// Returns the order in which SQLite sorts two values: negative when the left one comes first, 0 when they are equal.
///
/// Nil comes first. Integers, doubles and booleans are one kind, and compared exactly. Strings are compared by Unicode
/// scalars, UUIDs and binary data by bytes, objects by their keys.
/// - Complexity: O(n) in the length of the values.
package func comparePredicateValues(_ left: PredicateValue, _ right: PredicateValue) -> Int {
    compareValues(left, right).rawValue
}

/// Returns the order of ``comparePredicateValues(_:_:)``.
func compareValues(_ left: PredicateValue, _ right: PredicateValue) -> ValueOrder {
    switch (left, right) {
    case (.null, .null): return .same
    case (.attribute(let left), .attribute(let right)): return compareValues(left, right)
    case (.object(let left), .object(let right)):
        let order = compareStrings(left.rootEntityName, right.rootEntityName)
        return order == .same ? ValueOrder(left.key, right.key) : order
    case (.collection(let left), .collection(let right)):
        for (a, b) in zip(left, right) {
            let order = compareValues(a, b)
            if order != .same { return order }
        }
        return ValueOrder(left.count, right.count)
    case (.null, _), (.attribute, _), (.object, _), (.collection, _):
        return ValueOrder(left.rank, right.rank)
    }
}

/// Returns the order of two values that are not nil.
func compareValues(_ left: AttributeValue, _ right: AttributeValue) -> ValueOrder {
    switch (left, right) {
    case (.integer(let a), .integer(let b)): return ValueOrder(a, b)
    case (.double(let a), .double(let b)): return ValueOrder(a, b)
    case (.integer(let a), .double(let b)): return compare(a, b)
    case (.double(let a), .integer(let b)): return compare(b, a).reversed
    case (.boolean(let a), _): return compareValues(.integer(a ? 1 : 0), right)
    case (_, .boolean(let b)): return compareValues(left, .integer(b ? 1 : 0))
    case (.string(let a), .string(let b)): return compareStrings(a, b)
    case (.date(let a), .date(let b)):
        return ValueOrder(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
    // Decimals are compared by text, because Decimal's own comparison of numbers with very different exponents is not
    // reliable.
    case (.decimal(let a), .decimal(let b)): return compareDecimalTexts(decimalText(a), decimalText(b))
    case (.data(let a), .data(let b)):
        return a.withUnsafeBytes { a in b.withUnsafeBytes { b in compareBytes(a, b) } }
    case (.uuid(let a), .uuid(let b)):
        return withUnsafeBytes(of: a.uuid) { a in withUnsafeBytes(of: b.uuid) { b in compareBytes(a, b) } }
    case (.url(let a), .url(let b)): return compareStrings(a.absoluteString, b.absoluteString)
    case (.integer, _), (.double, _), (.string, _), (.date, _), (.decimal, _), (.data, _), (.uuid, _), (.url, _):
        return ValueOrder(left.rank, right.rank)
    }
}

/// Compares strings by their UTF-8 code units, which is the order of their scalars and SQLite's BINARY collation.
func compareStrings(_ left: String, _ right: String) -> ValueOrder {
    let fast = left.utf8.withContiguousStorageIfAvailable { left in
        right.utf8.withContiguousStorageIfAvailable { right in
            compareBytes(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right))
        }
    }
    if let order = fast ?? nil { return order }
    if left.utf8.elementsEqual(right.utf8) { return .same }
    return left.utf8.lexicographicallyPrecedes(right.utf8) ? .ascending : .descending
}

/// Returns a Boolean value that indicates whether two strings have the same bytes in UTF-8; the operator `==` of
/// `String` would also accept canonically equivalent strings.
package func hasSameBytes(_ left: String, _ right: String) -> Bool {
    left.utf8.count == right.utf8.count && compareStrings(left, right) == .same
}

/// Compares bytes from the first one on; if all bytes of the shorter sequence are equal, it is less.
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ValueOrder {
    let count = min(left.count, right.count)
    if count > 0, let a = left.baseAddress, let b = right.baseAddress {
        let order = memcmp(a, b, count)
        if order != 0 { return order < 0 ? .ascending : .descending }
    }
    return ValueOrder(left.count, right.count)
}

/// Compares an integer with a double by their exact values, as SQLite does; neither type can represent all values of
/// the other.
private func compare(_ integer: Int64, _ double: Double) -> ValueOrder {
    if double >= 0x1p63 { return .ascending }
    if double < -0x1p63 { return .descending }
    let whole = double.rounded(.towardZero)
    let order = ValueOrder(integer, Int64(whole))
    return order == .same ? ValueOrder(whole, double) : order
}

extension PredicateValue {
    fileprivate var rank: Int {
        switch self {
        case .null: 0
        case .attribute(let value): value.rank
        case .object: 2
        case .collection: 9
        }
    }
}

extension AttributeValue {
    fileprivate var rank: Int {
        switch self {
        case .integer, .double, .boolean: 1
        case .date: 3
        case .decimal: 4
        case .string: 5
        case .url: 6
        case .uuid: 7
        case .data: 8
        }
    }
}
