internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Reads a default or a bound as Xcode writes it; `nil` when it does not fit the type.
func parseValue(_ text: String, type: AttributeType) -> AttributeValue? {
    switch type {
    case .integer16, .integer32, .integer64:
        // Xcode leaves `NO` and `0.0` behind when an attribute's type is changed.
        if text == "NO" { return .integer(0) }
        if text == "YES" { return .integer(1) }
        guard let integer = Int64(text) ?? Double(text).flatMap({ Int64(exactly: $0) }) else { return nil }
        let fits =
            switch type {
            case .integer16: Int16(exactly: integer) != nil
            case .integer32: Int32(exactly: integer) != nil
            default: true  // Only the three integer types get here.
            }
        return fits ? .integer(integer) : nil
    case .boolean:
        switch text {
        case "YES", "true", "1", "1.0": return .boolean(true)
        case "NO", "false", "0", "0.0": return .boolean(false)
        default: return nil
        }
    case .double, .float:
        guard let double = Double(text), double.isFinite else { return nil }
        return .double(double)
    case .decimal:
        // `Decimal(string:)` reads as far as it can; `1x` is no number.
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) || [43, 45, 46, 69, 101].contains($0) })
        else {
            return nil
        }
        return Decimal(string: text).map { .decimal($0) }
    case .string: return .string(text)
    case .date: return dateText(text)
    case .binaryData: return text.isEmpty ? .data(Data()) : nil
    case .uuid: return UUID(uuidString: text).map { .uuid($0) }
    case .uri: return URL(string: text).map { .url($0) }
    case .undefined, .transformable, .composite, .objectID: return nil
    }
}

/// Seconds since 2001.
func dateValue(_ interval: String) -> AttributeValue? {
    guard let seconds = Double(interval), seconds.isFinite else { return nil }
    return .date(Date(timeIntervalSinceReferenceDate: seconds))
}

/// The one form of date text that is the same everywhere: `2013-04-23 12:00:00 +0000`.
private func dateText(_ text: String) -> AttributeValue? {
    let parts = text.split(separator: " ")
    guard parts.count == 3, parts[2] == "+0000" else { return nil }
    let day = parts[0].split(separator: "-").compactMap { Int($0) }
    let time = parts[1].split(separator: ":").compactMap { Int($0) }
    guard day.count == 3, time.count == 3, (1...12).contains(day[1]), (1...31).contains(day[2]) else { return nil }
    // Days from the civil calendar, counted from 2001-01-01.
    let year = day[1] <= 2 ? day[0] - 1 : day[0]
    let month = (day[1] + 9) % 12
    let days = 365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day[2] - 1 - 730_791
    return .date(Date(timeIntervalSinceReferenceDate: Double(days * 86_400 + time[0] * 3_600 + time[1] * 60 + time[2])))
}
