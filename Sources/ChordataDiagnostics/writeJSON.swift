/// Writes an object of JSON with its keys in the order given; the values are JSON already.
package func jsonObject(_ members: [(String, String)]) -> String {
    "{" + members.map { "\(jsonString($0.0)):\($0.1)" }.joined(separator: ",") + "}"
}

/// Writes an array of JSON, of values that are JSON already.
package func jsonArray(_ items: [String]) -> String { "[\(items.joined(separator: ","))]" }

/// Writes a text as a string of JSON, with its quotation marks.
///
/// RFC 8259, section 7: quotation mark, reverse solidus and the control characters must be escaped, nothing else.
package func jsonString(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
        switch scalar {
        case "\"": result += "\\\""
        case "\\": result += "\\\\"
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        default:
            if scalar.value < 0x20 {
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result + "\""
}
