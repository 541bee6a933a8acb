internal import CChordataSQLite
internal import ChordataSQL

/// The values of one row, as SQLite's value objects.
package struct StatementColumns: RowValues {
    private let values: UnsafeMutablePointer<OpaquePointer?>
    private let statement: Unmanaged<RowSource>

    @inline(__always)
    init(_ values: UnsafeMutablePointer<OpaquePointer?>, of statement: Unmanaged<RowSource>) {
        (self.values, self.statement) = (values, statement)
    }

    @inline(__always)
    private func value(at column: Int32) -> OpaquePointer? { values[Int(column)] }

    @inline(__always)
    func isNull(at column: Int32) -> Bool { sqlite3_value_type(value(at: column)) == SQLITE_NULL }
    @inline(__always)
    func integer(at column: Int32) -> Int64 { sqlite3_value_int64(value(at: column)) }
    @inline(__always)
    func double(at column: Int32) -> Double { sqlite3_value_double(value(at: column)) }

    func argument(at column: Int32) -> SQLArgument { Chordata.argument(value(at: column)) }

    func recordUnreadable(_ column: Int32) { statement._withUnsafeGuaranteedRef { $0.recordUnreadable(column) } }

    func isMistyped(_ column: Int32, as type: Column.StorageType) -> Bool {
        switch sqlite3_value_type(value(at: column)) {
        case SQLITE_NULL: false
        case SQLITE_INTEGER: type != .integer && type != .real
        case SQLITE_FLOAT: type != .real
        case SQLITE_TEXT: type != .text
        default: type != .blob
        }
    }

    @inline(__always)
    func exactText(at column: Int32) -> String? {
        let value = value(at: column)
        guard let start = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        if let text = validatedText(start, count) { return text }
        recordUnreadable(column)
        return nil
    }

    /// The text of a column; `nil` for NULL.
    func text(at column: Int32) -> String? {
        let value = value(at: column)
        guard let start = sqlite3_value_text(value) else { return nil }
        let count = Int(sqlite3_value_bytes(value))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    @inline(__always)
    func bytes(at column: Int32) -> UnsafeRawBufferPointer? {
        let value = value(at: column)
        guard sqlite3_value_type(value) != SQLITE_NULL else { return nil }
        let start = sqlite3_value_blob(value)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value)))
    }
}
