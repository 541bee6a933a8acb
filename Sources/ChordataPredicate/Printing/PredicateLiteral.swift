import ChordataModel

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The notation of constants in a format string.
package enum PredicateLiteral {
    private static let objectPrefix = "x-coredata-key:"

    /// Returns the constant that `CAST(value, "type")` represents; `nil` if the cast is a computation or an error.
    static func cast(_ value: PredicateValue, to type: CastType) -> PredicateValue? {
        guard case .attribute(let attribute) = value else { return nil }
        switch (type, attribute) {
        case (.date, .integer(let seconds)):
            return .attribute(.date(Date(timeIntervalSinceReferenceDate: Double(seconds))))
        case (.date, .double(let seconds)) where !seconds.isNaN:
            return .attribute(.date(Date(timeIntervalSinceReferenceDate: seconds)))
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { .attribute(.uuid($0)) }
        case (.decimal, .string(let text)): return parseDecimal(text).map { .attribute(.decimal($0)) }
        case (.url, .string(let text)): return parseURL(text).map { .attribute(.url($0)) }
        case (.data, .string(let text)): return parseHexadecimal(text).map { .attribute(.data($0)) }
        case (.objectID, .string(let text)):
            guard text.hasPrefix(objectPrefix), let slash = text.lastIndex(of: "/"),
                let key = Int64(text[text.index(after: slash)...])
            else { return nil }
            let name = String(text[text.index(text.startIndex, offsetBy: objectPrefix.count)..<slash])
            return name.isEmpty ? nil : .object(ObjectReference(rootEntityName: name, key: key))
        default: return nil
        }
    }

    /// Returns the constant as it is written in a format.
    package static func text(of value: PredicateValue) -> String {
        switch value {
        case .null: "nil"
        case .object(let object):
            "CAST(\(quoted("\(objectPrefix)\(object.rootEntityName)/\(object.key)")), \"NSManagedObjectID\")"
        case .collection(let values): "{" + values.map(text(of:)).joined(separator: ", ") + "}"
        case .attribute(let attribute): text(of: attribute)
        }
    }

    private static func text(of value: AttributeValue) -> String {
        switch value {
        case .integer(let number): "\(number)"
        case .double(let number): text(of: number)
        case .decimal(let number): "CAST(\"\(decimalText(number))\", \"NSDecimalNumber\")"
        case .string(let string): quoted(string)
        case .boolean(let flag): flag ? "YES" : "NO"
        case .date(let date): "CAST(\(text(of: date.timeIntervalSinceReferenceDate)), \"NSDate\")"
        case .data(let data): "CAST(\"\(data.map(hexadecimal).joined())\", \"NSData\")"
        case .uuid(let uuid): "CAST(\"\(uuid.uuidString)\", \"NSUUID\")"
        case .url(let url): "CAST(\(quoted(url.absoluteString)), \"NSURL\")"
        }
    }

    /// Returns a number in a form that is read as a Double again; infinity is written as a number that is too large for
    /// a Double.
    private static func text(of number: Double) -> String {
        number.isInfinite ? (number < 0 ? "-1e999" : "1e999") : "\(number)"
    }

    /// Returns a string in double quotes.
    static func quoted(_ string: String) -> String { "\"\(escape(string, with: .predicate))\"" }

    /// Reads a URL; returns `nil` for the empty string and for text that `URL` would have to change.
    static func parseURL(_ text: String) -> URL? {
        guard let url = URL(string: text), url.absoluteString.utf8.elementsEqual(text.utf8) else { return nil }
        return url
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }

    private static func parseHexadecimal(_ text: String) -> Data? {
        let digits = Array(text.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var data = Data(capacity: digits.count / 2)
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = Character(Unicode.Scalar(digits[index])).hexDigitValue,
                let low = Character(Unicode.Scalar(digits[index + 1])).hexDigitValue
            else { return nil }
            data.append(UInt8(high << 4 | low))
        }
        return data
    }
}
