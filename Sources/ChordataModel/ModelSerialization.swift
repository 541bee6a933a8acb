#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

// The text form of a model in generated code. Each line is a record with fields that are separated by tabs: a letter
// for the kind, then `key=value` fields; default values are left out. Tab, line feed, carriage return and backslash are
// escaped.
//
//   M  version                         E  entity          A  attribute of the entity above
//   C  configuration                   R  relationship    e  element of the composite attribute above, with its depth
//   T  fetch request template          P  fetched property   I  index   U  uniqueness constraint
//   u  user info entry of the record above

/// Writes one record.
struct RecordWriter {
    private(set) var line: String

    init(_ kind: Character, _ fields: String...) {
        line = String(kind)
        for field in fields { line += "\t" + escape(field, with: .record) }
    }

    mutating func add(_ key: String, _ value: String?) {
        if let value { line += "\t\(key)=\(escape(value, with: .record))" }
    }

    mutating func add(_ key: String, _ flag: Bool) { if flag { line += "\t\(key)=1" } }
    mutating func add(_ key: String, _ number: Int, default standard: Int) {
        if number != standard { line += "\t\(key)=\(number)" }
    }
}

/// Returns the text of a field.
package func unescape(_ field: Substring) -> String {
    guard field.utf8.contains(92) else { return String(field) }
    var result = ""
    var isEscaped = false
    for scalar in field.unicodeScalars {
        if isEscaped {
            isEscaped = false
            switch scalar {
            case "t": result += "\t"
            case "n": result += "\n"
            case "r": result += "\r"
            default: result.unicodeScalars.append(scalar)
            }
        } else if scalar == "\\" {
            isEscaped = true
        } else {
            result.unicodeScalars.append(scalar)
        }
    }
    return result
}

extension AttributeValue {
    /// The exact value, with a letter for its kind.
    var serialized: String {
        switch self {
        case .integer(let integer): "i\(integer)"
        case .double(let double): "d\(double.bitPattern)"
        case .decimal(let decimal): "n\(decimal)"
        case .string(let string): "s\(string)"
        case .boolean(let boolean): boolean ? "b1" : "b0"
        case .date(let date): "t\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case .data(let data): "x" + data.map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
        case .uuid(let uuid): "u\(uuid.uuidString)"
        case .url(let url): "l\(url.absoluteString)"
        }
    }

    init?(serialized text: String) {
        // The first scalar is removed, because a letter and a following accent are one character.
        let rest = String(text.unicodeScalars.dropFirst())
        switch text.unicodeScalars.first {
        case "i": if let value = Int64(rest) { self = .integer(value) } else { return nil }
        case "d": if let bits = UInt64(rest) { self = .double(Double(bitPattern: bits)) } else { return nil }
        case "n": if let value = Decimal(string: rest) { self = .decimal(value) } else { return nil }
        case "s": self = .string(rest)
        case "b": self = .boolean(rest == "1")
        case "t":
            guard let bits = UInt64(rest) else { return nil }
            self = .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case "x":
            var data = Data()
            var digits = Substring(rest)
            while !digits.isEmpty {
                guard let byte = UInt8(digits.prefix(2), radix: 16), digits.count >= 2 else { return nil }
                data.append(byte)
                digits = digits.dropFirst(2)
            }
            self = .data(data)
        case "u": if let value = UUID(uuidString: rest) { self = .uuid(value) } else { return nil }
        case "l": if let value = URL(string: rest) { self = .url(value) } else { return nil }
        default: return nil
        }
    }
}
