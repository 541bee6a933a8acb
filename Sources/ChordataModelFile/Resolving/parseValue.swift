internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The result of parsing a default or a bound.
enum ParsedValue {
    case value(AttributeValue)
    /// A value that Xcode accepts in another type's form; `spelling` is the text in this type's own form.
    case accepted(AttributeValue, spelling: String)
    case invalid

    init(_ value: AttributeValue?) { self = value.map { .value($0) } ?? .invalid }
}

/// Reads a default or a bound as Xcode writes it.
func parseValue(_ text: String, type: AttributeType) -> ParsedValue {
    switch type {
    case .integer16: parseInteger(text, as: Int16.self)
    case .integer32: parseInteger(text, as: Int32.self)
    case .integer64: parseInteger(text, as: Int64.self)
    case .boolean: parseBoolean(text)
    case .double: parseNumber(text) { number in Double(number).flatMap { $0.isFinite ? .double($0) : nil } }
    // One digit more than a Float has is another number once it was stored.
    case .float: parseNumber(text) { number in Float(number).flatMap { $0.isFinite ? .double(Double($0)) : nil } }
    case .decimal: parseDecimal(text)
    case .string: .value(.string(text))
    case .date: ParsedValue(dateText(text))
    case .uuid: ParsedValue(UUID(uuidString: text).map { .uuid($0) })
    case .uri: ParsedValue(URL(string: text).map { .url($0) })
    // Xcode has no way to give these a default; an empty text is left behind at times.
    case .undefined, .binaryData, .transformable, .composite, .objectID: .invalid
    }
}

private func parseInteger<Stored: FixedWidthInteger>(_ text: String, as type: Stored.Type) -> ParsedValue {
    if let integer = Stored(text) { return .value(.integer(Int64(integer))) }
    // Xcode leaves `NO` and `0.0` behind when an attribute's type is changed. Decimal, because Double rounds 64 bits.
    guard let number = exactDecimal(digit(ofBoolean: text) ?? text),
        let integer = Stored("\(number)")
    else { return .invalid }
    return .accepted(.integer(Int64(integer)), spelling: "\(integer)")
}

private func parseBoolean(_ text: String) -> ParsedValue {
    switch text {
    case "YES", "1", "true": return .value(.boolean(true))
    case "NO", "0", "false": return .value(.boolean(false))
    default:
        // Left behind by a number, which is true unless it is zero.
        guard isDecimalText(text), let number = Double(text) else { return .invalid }
        return .accepted(.boolean(number != 0), spelling: number != 0 ? "YES" : "NO")
    }
}

/// A number in decimal digits, or what an attribute of type Boolean left behind.
private func parseNumber(_ text: String, _ value: (String) -> AttributeValue?) -> ParsedValue {
    if let digit = digit(ofBoolean: text) { return value(digit).map { .accepted($0, spelling: digit) } ?? .invalid }
    return ParsedValue(isDecimalText(text) ? value(text) : nil)
}

private func parseDecimal(_ text: String) -> ParsedValue {
    let parsed = parseNumber(text) { exactDecimal($0).map { .decimal($0) } }
    guard case .invalid = parsed, let rounded = roundedDecimal(text) else { return parsed }
    return .accepted(.decimal(rounded), spelling: "\(rounded)")
}

private func digit(ofBoolean text: String) -> String? {
    switch text {
    case "NO": "0"
    case "YES": "1"
    default: nil
    }
}

/// Returns a Boolean value that indicates whether a text is a number as Xcode writes one: Swift reads `0x1p4`, `inf`
/// and `nan` too, and `Decimal` only the beginning of `1x`.
private func isDecimalText(_ text: String) -> Bool {
    text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) } && Double(text) != nil
}

/// The number that a text is, to the last digit; `nil` when a Decimal cannot have it.
private func exactDecimal(_ text: String) -> Decimal? {
    roundedDecimal(text).flatMap { significantDigits(of: "\($0)") == significantDigits(of: text) ? $0 : nil }
}

/// The digits of a number without the zeros around them, the last first.
private func significantDigits(of text: String) -> [UInt8] {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (48...57).contains($0) }
    return Array(mantissa.drop { $0 == 48 }.reversed().drop { $0 == 48 })
}

/// A Decimal has 38 digits or 39, and drops those behind without a word.
private func roundedDecimal(_ text: String) -> Decimal? {
    guard isDecimalText(text), let number = Decimal(string: text), !number.isNaN else { return nil }
    return number
}

/// Seconds since 2001.
func dateValue(_ interval: String) -> AttributeValue? {
    guard isDecimalText(interval), let seconds = Double(interval), seconds.isFinite else { return nil }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
}

/// The one form of date text that is the same everywhere: `2013-04-23 12:00:00 +0000`.
private func dateText(_ text: String) -> AttributeValue? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "+0000",
        let day = numbers(parts[0], separator: "-"), let time = numbers(parts[1], separator: ":"),
        (1...9999).contains(day[0]), (1...12).contains(day[1]),
        (1...length(ofMonth: day[1], in: day[0])).contains(day[2]),
        time[0] < 24, time[1] < 60, time[2] < 60
    else { return nil }
    // Days from the civil calendar, counted from 2001-01-01.
    let year = day[1] <= 2 ? day[0] - 1 : day[0]
    let month = (day[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day[2] - 1 - 730_791
    return .date(Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2])))
}

/// Three numbers of digits only.
private func numbers(_ text: Substring, separator: Character) -> [Int]? {
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
        part.count <= 4 && part.utf8.allSatisfy { (48...57).contains($0) } ? Int(part) : nil
    }
    return parts.count == 3 && numbers.count == 3 ? numbers : nil
}

private func length(ofMonth month: Int, in year: Int) -> Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    default: 31
    }
}
