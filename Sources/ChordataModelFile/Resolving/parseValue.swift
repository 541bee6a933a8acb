internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The result of parsing a default or a bound.
enum ParsedValue {
    case value(AttributeValue)
    /// A value that Xcode accepts in the notation of another type; `spelling` is the text in the notation of this type.
    case accepted(AttributeValue, spelling: String)
    case invalid

    init(_ value: AttributeValue?) { self = value.map { .value($0) } ?? .invalid }
}

/// Parses a default or a bound in Xcode's notation.
func parseValue(_ text: String, type: AttributeType) -> ParsedValue {
    switch type {
    case .integer16: parseInteger(text, as: Int16.self)
    case .integer32: parseInteger(text, as: Int32.self)
    case .integer64: parseInteger(text, as: Int64.self)
    case .boolean: parseBoolean(text)
    case .double: parseNumber(text) { number in Double(number).flatMap { $0.isFinite ? .double($0) : nil } }
    // The number is rounded to a Float, as it would be when it is stored.
    case .float: parseNumber(text) { number in Float(number).flatMap { $0.isFinite ? .double(Double($0)) : nil } }
    case .decimal: parseDecimal(text)
    case .string: .value(.string(text))
    case .date: ParsedValue(dateText(text))
    case .uuid: ParsedValue(UUID(uuidString: text).map { .uuid($0) })
    case .uri: ParsedValue(URL(string: text).map { .url($0) })
    // Xcode cannot give these a default, but sometimes leaves an empty text behind.
    case .undefined, .binaryData, .transformable, .composite, .objectID: .invalid
    }
}

private func parseInteger<Stored: FixedWidthInteger>(_ text: String, as type: Stored.Type) -> ParsedValue {
    if let integer = Stored(text) { return .value(.integer(Int64(integer))) }
    // Xcode leaves `NO` and `0.0` behind when an attribute's type is changed. Decimal is used because Double rounds
    // 64-bit integers.
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
        // A number that was left behind when the type was changed is true unless it is zero.
        guard isDecimalText(text), let number = Double(text) else { return .invalid }
        return .accepted(.boolean(number != 0), spelling: number != 0 ? "YES" : "NO")
    }
}

/// Parses a number in decimal digits, or a Boolean that was left behind when the attribute's type was changed.
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

/// Returns a Boolean value that indicates whether a text is a number as Xcode writes one: Swift also accepts `0x1p4`,
/// `inf` and `nan`, and `Decimal` reads only the beginning of `1x`.
private func isDecimalText(_ text: String) -> Bool {
    text.utf8.allSatisfy { (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) } && Double(text) != nil
}

/// Returns the exact value of a number; `nil` if a Decimal cannot represent it.
private func exactDecimal(_ text: String) -> Decimal? {
    roundedDecimal(text).flatMap { significantDigits(of: "\($0)") == significantDigits(of: text) ? $0 : nil }
}

/// Returns the digits of a number without the zeros at both ends, the last digit first.
private func significantDigits(of text: String) -> [UInt8] {
    let mantissa = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.filter { (48...57).contains($0) }
    return Array(mantissa.drop { $0 == 48 }.reversed().drop { $0 == 48 })
}

/// Parses a Decimal, which has 38 or 39 digits; further digits are silently dropped.
private func roundedDecimal(_ text: String) -> Decimal? {
    guard isDecimalText(text), let number = Decimal(string: text), !number.isNaN else { return nil }
    return number
}

/// Parses a date, given as the number of seconds since 2001.
func dateValue(_ interval: String) -> AttributeValue? {
    guard isDecimalText(interval), let seconds = Double(interval), seconds.isFinite else { return nil }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
}

/// Parses the only form of date text that is the same everywhere: `2013-04-23 12:00:00 +0000`.
private func dateText(_ text: String) -> AttributeValue? {
    let parts = text.split(separator: " ", omittingEmptySubsequences: false)
    guard parts.count == 3, parts[2] == "+0000",
        let day = numbers(parts[0], separator: "-"), let time = numbers(parts[1], separator: ":"),
        (1...9999).contains(day[0]), (1...12).contains(day[1]),
        (1...length(ofMonth: day[1], in: day[0])).contains(day[2]),
        time[0] < 24, time[1] < 60, time[2] < 60
    else { return nil }
    // Converts the civil date to days since 2001-01-01.
    let year = day[1] <= 2 ? day[0] - 1 : day[0]
    let month = (day[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day[2] - 1 - 730_791
    return .date(Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2])))
}

/// Parses three numbers that consist of digits only.
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
