package import ChordataModel
internal import ChordataPredicate

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes the stored form of an attribute's value as an SQL literal.
///
/// This function is used only for the text of migrations; all other code binds its values. The text is canonical (one
/// value, one text) and exact: a REAL is read back as the same number, and a NUL within a text is preserved. A value
/// that no column can hold (a NaN) becomes `NULL`.
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

/// Returns a Boolean value that indicates whether a value is a NaN, which is stored as NULL, because no column
/// can hold it.
package func isStoredAsNull(_ value: AttributeValue) -> Bool {
    switch value {
    case .double(let double): double.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .decimal(let decimal): decimal.isNaN
    case .integer, .boolean, .string, .url, .data, .uuid: false
    }
}

/// Returns a Boolean value that indicates whether the literal of a value is a constant of SQLite and not an expression.
package func hasConstantLiteral(_ value: AttributeValue) -> Bool {
    switch value {
    case .string(let string): !isSpeltAsBytes(string)
    case .url(let url): !isSpeltAsBytes(url.absoluteString)
    case .integer, .double, .decimal, .boolean, .date, .data, .uuid: true
    }
}

/// Returns a Boolean value that indicates whether the literal of a text is written as bytes.
///
/// SQLite reads a statement up to its first NUL, and tools change carriage returns into line feeds.
private func isSpeltAsBytes(_ text: String) -> Bool { text.utf8.contains { $0 == 0 || $0 == 13 } }

/// Writes a text as an SQL literal.
package func sqlLiteral(text: String) -> String {
    if isSpeltAsBytes(text) { return "CAST(\(blobLiteral(Array(text.utf8))) AS TEXT)" }
    return "'\(escape(text, with: .sqlString))'"
}

private func realLiteral(_ double: Double) -> String {
    if double.isNaN { return "NULL" }
    // SQL has no infinity; a number that is too large for a REAL is read as infinity.
    if double.isInfinite { return double < 0 ? "-9e999" : "9e999" }
    // -0.0 is stored as 0.0. The description is the shortest text that reads back as the same number, and always has a
    // point or an exponent, so SQLite reads it as a REAL.
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
