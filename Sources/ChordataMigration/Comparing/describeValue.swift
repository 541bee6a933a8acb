internal import ChordataDiagnostics
internal import ChordataModel

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// Returns a description of a value; different values of one kind have different descriptions.
func describe(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let integer): return String(integer)
    case .double(let double): return String(double)
    case .decimal(let decimal): return String(describing: decimal)
    case .string(let string): return jsonString(string)
    case .boolean(let boolean): return String(boolean)
    case .date(let date):
        let seconds = date.timeIntervalSinceReferenceDate
        // These are the years 1 to 9999; other years, and fractions of seconds, have no short form that is exact.
        guard seconds.rounded() == seconds, (-63_113_904_000..<252_455_616_000).contains(seconds) else {
            return "\(seconds) seconds after 2001-01-01"
        }
        return date.formatted(.iso8601)
    case .data(let data):
        guard data.count <= 32 else { return "\(data.count) bytes with SHA-256 \(sha256(Array(data)))" }
        let digits = data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }
        return "<\(digits.joined())>"
    case .uuid(let uuid): return uuid.uuidString
    case .url(let url): return url.absoluteString
    }
}

/// Returns the name of the value's case: the integer 1 and the decimal 1 have the same description.
func kind(_ value: AttributeValue) -> String {
    switch value {
    case .integer: "integer"
    case .double: "double"
    case .decimal: "decimal"
    case .string: "string"
    case .boolean: "boolean"
    case .date: "date"
    case .data: "data"
    case .uuid: "uuid"
    case .url: "url"
    }
}
