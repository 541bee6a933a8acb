package import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes an attribute's value as the SQL literal of what the store holds for it.
///
/// Used for the text of migrations only: everything else binds its values. The text is canonical (one value, one
/// text) and exact: a REAL reads back as the same number, a NUL within a text survives. A value that no column can hold
/// (a NaN) becomes `NULL`.
package func sqlLiteral(_ value: AttributeValue) -> String {
    switch value {
    case .integer(let integer): String(integer)
    case .boolean(let boolean): boolean ? "1" : "0"
    case .double(let double): realLiteral(double)
    case .date(let date): realLiteral(date.timeIntervalSinceReferenceDate)
    case .decimal(let decimal): decimal.isNaN ? "NULL" : sqlLiteral(text: decimalText(decimal))
    case .string(let string): sqlLiteral(text: string)
    case .url(let url): sqlLiteral(text: url.absoluteString)
    case .data(let data): blobLiteral(data)
    case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { blobLiteral($0) }
    }
}

/// Writes a text as an SQL literal.
package func sqlLiteral(text: String) -> String {
    // SQLite reads a statement up to its first NUL, and tools make line feeds of carriage returns, so such a text is
    // spelt as bytes.
    if text.utf8.contains(where: { $0 == 0 || $0 == 13 }) { return "CAST(\(blobLiteral(Array(text.utf8))) AS TEXT)" }
    return "'\(escape(text, with: .sqlString))'"
}

private func realLiteral(_ double: Double) -> String {
    if double.isNaN { return "NULL" }
    // SQL has no infinity; a number too large for a REAL reads as one.
    if double.isInfinite { return double < 0 ? "-9e999" : "9e999" }
    // -0.0 is stored as 0.0. The description is the shortest text that reads back as the same number, and always has a
    // point or an exponent, so SQLite takes it for a REAL.
    return double == 0 ? "0.0" : double.description
}

private func blobLiteral(_ bytes: some Sequence<UInt8>) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var text: [UInt8] = []
    for byte in bytes {
        text.append(digits[Int(byte >> 4)])
        text.append(digits[Int(byte & 15)])
    }
    return "X'" + String(decoding: text, as: UTF8.self) + "'"
}
