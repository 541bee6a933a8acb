package import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the stored form of an attribute's value as a literal of PostgreSQL.
///
/// This function is used only for the text of migrations; all other code binds its values.
package func postgresLiteral(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let integer): String(integer)
    case .boolean(let boolean): boolean ? "TRUE" : "FALSE"
    case .double(let double): realLiteral(double)
    case .date(let date): realLiteral(date.timeIntervalSinceReferenceDate)
    case .decimal(let decimal): decimal.isNaN ? "NULL" : "CAST('\(decimalText(decimal))' AS numeric)"
    case .string(let string): postgresLiteral(text: string)
    case .url(let url): postgresLiteral(text: url.absoluteString)
    case .data(let data): blobLiteral(data)
    case .uuid(let uuid): "CAST('\(uuid.uuidString)' AS uuid)"
    }
}

/// Writes a text as a literal of PostgreSQL.
///
/// Tools change carriage returns into line feeds, so a text with a carriage return is written as its bytes. The server
/// does not store U+0000.
package func postgresLiteral(text: String) -> String {
    if text.utf8.contains(where: { $0 == 13 || $0 == 0 }) {
        return "convert_from(\(blobLiteral(Array(text.utf8))), 'UTF8')"
    }
    return "'\(escape(text, with: .sqlString))'"
}

private func realLiteral(_ double: Double) -> String {
    if double.isNaN { return "NULL" }
    if double.isInfinite { return "CAST('\(double < 0 ? "-" : "")Infinity' AS double precision)" }
    return "CAST('\(double == 0 ? "0.0" : double.description)' AS double precision)"
}

private func blobLiteral(_ bytes: some Sequence<UInt8>) -> String {
    let digits = bytes.map { byte in
        let text = String(byte, radix: 16)
        return byte < 16 ? "0" + text : text
    }
    return "CAST('\\x\(digits.joined())' AS bytea)"
}
