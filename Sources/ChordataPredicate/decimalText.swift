#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Returns the canonical text of a decimal: no exponent, no plus sign, no redundant zeros.
///
/// Two decimals are equal exactly when their texts are. The text of a value that is not a number is `NaN`.
package func decimalText(_ decimal: Decimal) -> String {
    var text = decimal.description
    guard text.utf8.contains(UInt8(ascii: ".")) else { return text == "-0" ? "0" : text }
    while text.utf8.last == UInt8(ascii: "0") { text.removeLast() }
    if text.utf8.last == UInt8(ascii: ".") { text.removeLast() }
    return text == "-0" ? "0" : text
}

/// Reads a decimal number; `nil` unless the complete text is a number that `Decimal` represents exactly.
///
/// `Decimal(string:)` alone reads `1x` as 1, and rounds numbers that have too many digits.
package func parseDecimal(_ text: String) -> Decimal? {
    var digits: [UInt8] = []
    var hasPoint = false
    var hasExponent = false
    var previous: UInt8 = 0
    var exponentDigits = 0
    for (index, byte) in text.utf8.enumerated() {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"):
            if hasExponent { exponentDigits += 1 } else { digits.append(byte) }
        case UInt8(ascii: "-"), UInt8(ascii: "+"):
            guard index == 0 || previous | 0x20 == UInt8(ascii: "e") else { return nil }
        case UInt8(ascii: "."):
            guard !hasPoint, !hasExponent else { return nil }
            hasPoint = true
        case UInt8(ascii: "e"), UInt8(ascii: "E"):
            guard !hasExponent, !digits.isEmpty else { return nil }
            hasExponent = true
        default: return nil
        }
        previous = byte
    }
    guard !digits.isEmpty, !hasExponent || (1...3).contains(exponentDigits) else { return nil }
    let significant = significantDigits(digits)
    guard significant.count <= 39, let decimal = Decimal(string: text), !decimal.isNaN else { return nil }
    // `Decimal` represents all numbers of 38 digits, and those of 39 digits that are less than 2 to the power of 128.
    if significant.count == 39 {
        let digits = decimalText(decimal).utf8.filter { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard significantDigits(digits) == significant else { return nil }
    }
    // A number too small for the exponent must not become zero.
    return significant.isEmpty == (decimal == 0) ? decimal : nil
}

/// Returns the digits of a number without the zeros before and after them.
private func significantDigits(_ digits: [UInt8]) -> ArraySlice<UInt8> {
    let zero = UInt8(ascii: "0")
    guard let first = digits.firstIndex(where: { $0 != zero }), let last = digits.lastIndex(where: { $0 != zero })
    else {
        return []
    }
    return digits[first...last]
}

/// Compares two canonical decimals by their value, digit by digit, without reading them into numbers.
package func compareDecimalTexts(
    _ left: UnsafeRawBufferPointer,
    _ right: UnsafeRawBufferPointer
) -> ValueOrder {
    let minus = UInt8(ascii: "-")
    let leftIsNegative = left.first == minus
    let rightIsNegative = right.first == minus
    if leftIsNegative != rightIsNegative { return leftIsNegative ? .ascending : .descending }
    let order = compareMagnitudes(
        UnsafeRawBufferPointer(rebasing: left.dropFirst(leftIsNegative ? 1 : 0)),
        UnsafeRawBufferPointer(rebasing: right.dropFirst(leftIsNegative ? 1 : 0))
    )
    return leftIsNegative ? order.reversed : order
}

/// Compares two canonical decimals by their value.
package func compareDecimalTexts(_ left: String, _ right: String) -> ValueOrder {
    var left = left
    var right = right
    return left.withUTF8 { leftBytes in
        right.withUTF8 { rightBytes in
            compareDecimalTexts(UnsafeRawBufferPointer(leftBytes), UnsafeRawBufferPointer(rightBytes))
        }
    }
}

private func compareMagnitudes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> ValueOrder {
    let point = UInt8(ascii: ".")
    let leftLength = left.firstIndex(of: point) ?? left.count
    let rightLength = right.firstIndex(of: point) ?? right.count
    if leftLength != rightLength { return leftLength < rightLength ? .ascending : .descending }
    // If both have the same number of digits before the point, the order of the bytes is the order of the numbers, and
    // a point is less than a digit.
    return compareBytes(left, right)
}
