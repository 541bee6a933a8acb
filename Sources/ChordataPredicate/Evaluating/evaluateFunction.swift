package import ChordataModel
import Foundation

/// An argument of a function, and whether it was known when the predicate was bound.
///
/// If one argument is a decimal, a constant double is read as the decimal in the predicate's text. If the double is not
/// constant, the decimal is converted to a double.
package typealias FunctionArgument = (value: AttributeValue, isConstant: Bool)

/// Returns the value of a function, or `nil`, as for a division by zero.
///
/// The evaluator in memory and the functions of the SQL connection both use it, so they cannot differ.
package func evaluate(_ function: PredicateFunction, _ arguments: [FunctionArgument]) -> AttributeValue? {
    switch function {
    case .add, .subtract, .multiply, .divide, .modulus, .power:
        return calculate(function, arguments[0], arguments[1])
    case .negate, .abs, .floor, .ceiling, .trunc:
        return round(function, arguments[0].value)
    case .sqrt, .log, .ln, .exp:
        return numberValue(arguments[0].value).flatMap { logarithm(function, $0) }.flatMap(validDouble)
    case .bitwiseAnd, .bitwiseOr, .bitwiseXor, .leftShift, .rightShift:
        guard let left = wholeNumber(arguments[0].value), let right = wholeNumber(arguments[1].value) else {
            return nil
        }
        switch function {
        case .bitwiseAnd: return .integer(left & right)
        case .bitwiseOr: return .integer(left | right)
        case .bitwiseXor: return .integer(left ^ right)
        // Swift's shifts accept any distance: a negative one shifts in the other direction, and a large one shifts all
        // bits out.
        case .leftShift: return .integer(left << right)
        default: return .integer(left >> right)
        }
    case .onesComplement: return wholeNumber(arguments[0].value).map { .integer(~$0) }
    case .uppercase, .lowercase, .canonical, .length:
        guard case .string(let string) = arguments[0].value else { return nil }
        switch function {
        case .uppercase: return .string(string.uppercased())
        case .lowercase: return .string(string.lowercased())
        case .canonical:
            return .string(foldedForComparison(string, options: [.caseInsensitive, .diacriticInsensitive]))
        default: return .integer(Int64(string.unicodeScalars.count))
        }
    case .double:
        return numberOrSpelling(arguments[0].value).flatMap(numberValue).map { .double($0) }
    case .integer:
        return numberOrSpelling(arguments[0].value).flatMap { number in
            round(.trunc, number).flatMap(wholeNumber).map { .integer($0) }
        }
    case .noIndex: return arguments[0].value
    // Binding replaces these two with their values.
    case .now, .random: return nil
    }
}

// MARK: Arithmetic

/// Two numbers, converted to the same kind.
enum NumberPair {
    case integers(Int64, Int64)
    case doubles(Double, Double)
    case decimals(Decimal, Decimal)

    /// Creates a pair; `nil` if one of the two is not a number.
    init?(_ left: FunctionArgument, _ right: FunctionArgument) {
        switch (left.value, right.value) {
        case (.boolean(let flag), _):
            self.init((.integer(flag ? 1 : 0), left.isConstant), right)
        case (_, .boolean(let flag)):
            self.init(left, (.integer(flag ? 1 : 0), right.isConstant))
        case (.integer(let a), .integer(let b)): self = .integers(a, b)
        case (.double(let a), .double(let b)): self = .doubles(a, b)
        case (.integer(let a), .double(let b)): self = .doubles(Double(a), b)
        case (.double(let a), .integer(let b)): self = .doubles(a, Double(b))
        case (.decimal(let a), .decimal(let b)): self = .decimals(a, b)
        case (.decimal(let a), .integer(let b)): self = .decimals(a, Decimal(b))
        case (.integer(let a), .decimal(let b)): self = .decimals(Decimal(a), b)
        case (.decimal(let a), .double(let b)):
            if right.isConstant, let b = parseDecimal("\(b)") {
                self = .decimals(a, b)
            } else {
                self = .doubles(doubleValue(a), b)
            }
        case (.double(let a), .decimal(let b)):
            if left.isConstant, let a = parseDecimal("\(a)") {
                self = .decimals(a, b)
            } else {
                self = .doubles(a, doubleValue(b))
            }
        default: return nil
        }
    }
}

private func calculate(
    _ function: PredicateFunction,
    _ left: FunctionArgument,
    _ right: FunctionArgument
) -> AttributeValue? {
    if let date = calculateDate(function, left.value, right.value) { return date }
    switch NumberPair(left, right) {
    case .integers(let a, let b)?: return calculate(function, a, b)
    case .doubles(let a, let b)?: return calculate(function, a, b)
    case .decimals(let a, let b)?: return calculate(function, a, b)
    case nil: return nil
    }
}

private func calculateDate(
    _ function: PredicateFunction,
    _ left: AttributeValue,
    _ right: AttributeValue
) -> AttributeValue? {
    let seconds: Double
    switch (left, right) {
    case (.date(let a), .date(let b)): return validDouble(a.timeIntervalSince(b))
    case (.date(let date), let number):
        guard let number = numberValue(number) else { return nil }
        seconds = date.timeIntervalSinceReferenceDate + (function == .add ? number : -number)
    case (let number, .date(let date)):
        guard let number = numberValue(number) else { return nil }
        seconds = number + date.timeIntervalSinceReferenceDate
    default: return nil
    }
    return seconds.isNaN ? nil : .date(Date(timeIntervalSinceReferenceDate: seconds))
}

private func calculate(_ function: PredicateFunction, _ a: Int64, _ b: Int64) -> AttributeValue? {
    let (result, overflow): (Int64, Bool)
    switch function {
    case .add: (result, overflow) = a.addingReportingOverflow(b)
    case .subtract: (result, overflow) = a.subtractingReportingOverflow(b)
    case .multiply: (result, overflow) = a.multipliedReportingOverflow(by: b)
    case .divide:
        if b == 0 { return nil }
        (result, overflow) = a.dividedReportingOverflow(by: b)
    case .modulus:
        if b == 0 { return nil }
        // A division that would overflow has no remainder.
        (result, overflow) = b == -1 ? (0, false) : (a % b, false)
    default:
        guard let power = power(a, b) else { return calculate(function, Double(a), Double(b)) }
        (result, overflow) = (power, false)
    }
    return overflow ? calculate(function, Double(a), Double(b)) : .integer(result)
}

/// An integer raised to the power of another; `nil` when the result is outside the range of a signed 64-bit integer.
private func power(_ base: Int64, _ exponent: Int64) -> Int64? {
    guard exponent >= 0 else { return nil }
    switch base {
    case 0: return exponent == 0 ? 1 : 0
    case 1: return 1
    case -1: return exponent.isMultiple(of: 2) ? 1 : -1
    default:
        guard exponent < 64 else { return nil }
        var result: Int64 = 1
        for _ in 0..<exponent {
            let (product, overflow) = result.multipliedReportingOverflow(by: base)
            if overflow { return nil }
            result = product
        }
        return result
    }
}

private func calculate(_ function: PredicateFunction, _ a: Double, _ b: Double) -> AttributeValue? {
    switch function {
    case .add: validDouble(a + b)
    case .subtract: validDouble(a - b)
    case .multiply: validDouble(a * b)
    case .divide: b == 0 ? nil : validDouble(a / b)
    case .modulus: b == 0 ? nil : validDouble(a.truncatingRemainder(dividingBy: b))
    // A power with a negative exponent is a division.
    default: a == 0 && b < 0 ? nil : validDouble(pow(a, b))
    }
}

private func calculate(_ function: PredicateFunction, _ a: Decimal, _ b: Decimal) -> AttributeValue? {
    let result: Decimal
    switch function {
    case .add: result = a + b
    case .subtract: result = a - b
    case .multiply: result = product(a, b)
    case .divide:
        if b == 0 { return nil }
        result = a / b
    case .modulus:
        if b == 0 { return nil }
        let quotient = a / b
        if quotient.isNaN { return nil }
        result = a - product(rounded(quotient, .trunc), b)
        // If the quotient has more digits than a decimal can have, the remainder is meaningless.
        guard abs(result) < abs(b) else { return nil }
    default: return calculate(function, doubleValue(a), doubleValue(b))
    }
    return result.isNaN ? nil : .decimal(result)
}

/// Returns the product; it is not a number if it is too large or too small.
///
/// Foundation's `*` traps if the exponent becomes less than that of any decimal, as in the square of 1e-100.
private func product(_ a: Decimal, _ b: Decimal) -> Decimal {
    let minimumExponent = -128
    guard a.isFinite, b.isFinite, a.exponent + b.exponent < minimumExponent else { return a * b }
    let digits = a.significand * b.significand
    if digits.isNaN || digits == 0 { return digits }
    // Digits that were rounded off increase the exponent.
    let exponent = digits.exponent + a.exponent + b.exponent
    guard exponent >= minimumExponent else { return .nan }
    let isNegative = (a < 0) != (b < 0)
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: abs(digits.significand))
}

// MARK: One number

private func round(_ function: PredicateFunction, _ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer(let number):
        switch function {
        case .negate: return calculate(.subtract, Int64(0), number)
        case .abs: return number < 0 ? calculate(.subtract, Int64(0), number) : value
        default: return value
        }
    case .boolean(let flag): return round(function, .integer(flag ? 1 : 0))
    case .double(let number):
        switch function {
        case .negate: return .double(0 - number)
        case .abs: return .double(abs(number))
        case .floor: return .double(number.rounded(.down))
        case .ceiling: return .double(number.rounded(.up))
        default: return .double(number.rounded(.towardZero))
        }
    case .decimal(let number):
        switch function {
        case .negate: return .decimal(0 - number)
        case .abs: return .decimal(abs(number))
        default: return .decimal(rounded(number, function))
        }
    case .string, .date, .data, .uuid, .url: return nil
    }
}

private func rounded(_ number: Decimal, _ function: PredicateFunction) -> Decimal {
    let mode: NSDecimalNumber.RoundingMode
    switch function {
    case .floor: mode = .down
    case .ceiling: mode = .up
    default: mode = number < 0 ? .up : .down
    }
    var number = number
    var result = Decimal()
    NSDecimalRound(&result, &number, 0, mode)
    return result
}

private func logarithm(_ function: PredicateFunction, _ number: Double) -> Double? {
    switch function {
    case .sqrt: number.squareRoot()
    case .exp: exp(number)
    case .ln: number > 0 ? log(number) : nil
    default: number > 0 ? log10(number) : nil
    }
}

/// Returns the number as a result; `nil` if the double is not a number (NaN).
private func validDouble(_ number: Double) -> AttributeValue? { number.isNaN ? nil : .double(number) }

/// Returns the value as a double; `nil` if it is not a number.
func numberValue(_ value: AttributeValue) -> Double? {
    switch value {
    case .integer(let number): Double(number)
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): number
    case .decimal(let number): doubleValue(number)
    case .string, .date, .data, .uuid, .url: nil
    }
}

/// Returns the nearest double, computed from the text, because Decimal's own conversion multiplies by tens and can be
/// off by one bit.
func doubleValue(_ decimal: Decimal) -> Double { Double(decimalText(decimal)) ?? .nan }

/// Returns the value as an integer; `nil` if it has a fraction or is outside the range of a signed 64-bit integer.
package func wholeNumber(_ value: AttributeValue) -> Int64? {
    switch value {
    case .integer(let number): number
    case .boolean(let flag): flag ? 1 : 0
    case .double(let number): Int64(exactly: number)
    case .decimal(let number): Int64(decimalText(number))
    case .string, .date, .data, .uuid, .url: nil
    }
}

// MARK: Casts

/// Returns the value converted to another type; `nil` if it cannot be read as a value of that type.
package func evaluateCast(_ value: AttributeValue, to type: CastType) -> AttributeValue? {
    switch type {
    case .string: return text(of: value).map { .string($0) }
    case .number:
        if case .date(let date) = value { return .double(date.timeIntervalSinceReferenceDate) }
        return numberOrSpelling(value)
    case .decimal:
        switch value {
        case .decimal: return value
        case .integer(let number): return .decimal(Decimal(number))
        case .boolean(let flag): return .decimal(flag ? 1 : 0)
        case .double(let number): return parseDecimal("\(number)").map { .decimal($0) }
        case .string(let text): return parseDecimal(text).map { .decimal($0) }
        case .date, .data, .uuid, .url: return nil
        }
    case .date:
        if case .date = value { return value }
        return numberValue(value).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    case .uuid:
        guard case .string(let text) = value else { return value }
        return UUID(uuidString: text).map { .uuid($0) }
    case .url:
        guard case .string(let text) = value else { return value }
        return PredicateLiteral.parseURL(text).map { .url($0) }
    case .data, .objectID: return value
    }
}

private func text(of value: AttributeValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .boolean(let flag): flag ? "1" : "0"
    case .double(let number): "\(number)".hasSuffix(".0") ? String("\(number)".dropLast(2)) : "\(number)"
    case .decimal(let number): decimalText(number)
    case .uuid(let uuid): uuid.uuidString
    case .url(let url): url.absoluteString
    case .date, .data: nil
    }
}

/// Returns a number unchanged, a Boolean as 1 or 0, and a string as the number that it spells.
private func numberOrSpelling(_ value: AttributeValue) -> AttributeValue? {
    switch value {
    case .integer, .double, .decimal: return value
    case .boolean(let flag): return .integer(flag ? 1 : 0)
    case .string(let text):
        if let number = Int64(text) { return .integer(number) }
        // Swift also reads "nan", "inf" and "0x1p3", which are not numbers in a predicate.
        guard text.utf8.allSatisfy({ "0123456789+-.eE".utf8.contains($0) }) else { return nil }
        return Double(text).map { .double($0) }
    case .date, .data, .uuid, .url: return nil
    }
}
