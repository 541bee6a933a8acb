internal import CChordataSQLite
internal import ChordataSQL

/// The values of one row, as SQLite's value objects.
struct StatementColumns: RowValues {
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
        let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
        // Invalid UTF-8 was replaced, so the texts differ. `String(validating:as:)` would detect this, but costs 40 ns
        // per text.
        if isASCII(start, count) || isExact(text, start, count) { return text }
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

/// Returns a Boolean value that indicates whether no byte has its highest bit set; tests eight bytes at a time.
@inline(__always)
private func isASCII(_ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    let bytes = UnsafeRawPointer(start)
    var all: UInt64 = 0
    var position = 0
    while position + 8 <= count {
        all |= bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
        position += 8
    }
    if count >= 8 {
        // The last eight bytes, some of which were already tested.
        all |= bytes.loadUnaligned(fromByteOffset: count - 8, as: UInt64.self)
    } else {
        while position < count {
            all |= UInt64(start[position])
            position += 1
        }
    }
    return all & 0x8080_8080_8080_8080 == 0
}

/// Returns a Boolean value that indicates whether a string has exactly these bytes.
@inline(never)
private func isExact(_ text: String, _ start: UnsafePointer<UInt8>, _ count: Int) -> Bool {
    var text = text
    return text.withUTF8 { utf8 in
        guard utf8.count == count, let address = utf8.baseAddress else { return utf8.count == count }
        return chordata_equal_bytes(address, start, count) != 0
    }
}
