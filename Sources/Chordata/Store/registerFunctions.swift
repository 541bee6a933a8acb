internal import CChordataSQLite
internal import ChordataPredicate
internal import ChordataSQL

/// Gives a connection what statements call beyond SQLite: the functions and the collation of ``SQLExtension``.
///
/// No schema uses them, so other programs can work with the file.
func registerFunctions(on connection: OpaquePointer, path: String) throws(StoreError) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS
    let results = [
        sqlite3_create_function_v2(connection, SQLExtension.fits, 4, flags, nil, fits, nil, nil, nil),
        sqlite3_create_function_v2(connection, SQLExtension.fold, 2, flags, nil, fold, nil, nil, nil),
        sqlite3_create_collation_v2(
            connection, SQLExtension.decimalCollation, SQLITE_UTF8, nil,
            { _, leftCount, left, rightCount, right in
                switch compareDecimalTexts(text(left, leftCount), text(right, rightCount)) {
                case .ascending: -1
                case .same: 0
                case .descending: 1
                }
            }, nil),
    ]
    if let failure = results.first(where: { $0 != SQLITE_OK }) {
        throw StoreError(.unsupportedEnvironment, "functions cannot be registered", sqliteCode: failure, path: path)
    }
}

private func text(_ bytes: UnsafeRawPointer?, _ count: Int32) -> String {
    String(decoding: UnsafeRawBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
}

private func text(_ value: OpaquePointer?) -> String? {
    guard let start = sqlite3_value_text(value) else { return nil }
    return text(start, sqlite3_value_bytes(value))
}

private typealias Values = UnsafeMutablePointer<OpaquePointer?>

/// A pattern kept by SQLite for the life of a statement, so that it is compiled once and not per row.
private final class KeptPattern {
    let pattern: StringPattern
    init(_ pattern: StringPattern) { self.pattern = pattern }
}

private func fits(_ context: OpaquePointer?, _ count: Int32, _ values: Values?) {
    guard let values, let subject = text(values[0]), let argument = text(values[1]) else {
        sqlite3_result_int(context, 0)
        return
    }
    let kept: KeptPattern
    if let known = sqlite3_get_auxdata(context, 1) {
        kept = Unmanaged<KeptPattern>.fromOpaque(known).takeUnretainedValue()
    } else {
        guard let operation = text(values[2]).flatMap({ ComparisonOperator(rawValue: $0) }) else {
            sqlite3_result_error(context, "unknown operator", -1)
            return
        }
        let options = ComparisonOptions(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(values[3])))
        kept = KeptPattern(StringPattern(operation, argument, options: options))
        // SQLite keeps it only where the pattern is the same for all rows.
        sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(kept).toOpaque()) { pointer in
            if let pointer { Unmanaged<KeptPattern>.fromOpaque(pointer).release() }
        }
    }
    sqlite3_result_int(context, kept.pattern.matches(subject) ? 1 : 0)
}

private func fold(_ context: OpaquePointer?, _ count: Int32, _ values: Values?) {
    guard let values, let subject = text(values[0]) else {
        sqlite3_result_null(context)
        return
    }
    let options = ComparisonOptions(rawValue: UInt8(truncatingIfNeeded: sqlite3_value_int(values[1])))
    var folded = foldedForComparison(subject, options: options)
    folded.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) {
            sqlite3_result_text(context, $0.baseAddress, Int32($0.count), chordata_transient())
        }
    }
}
