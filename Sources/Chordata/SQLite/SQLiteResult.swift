internal import CChordataSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A place for one value in SQLite.
///
/// A value that is too long makes the statement fail.
protocol SQLiteValuePlace {
    func give(_ value: Int64)
    func give(_ value: Double)
    func give(_ value: String)
    func give(_ value: Data)
    func give(_ bytes: UnsafeRawBufferPointer)
    func giveNull()
}

/// A parameter of a statement.
struct SQLiteParameter: SQLiteValuePlace {
    /// The caller retains the statement.
    unowned(unsafe) let statement: SQLiteStatement
    let index: Int32

    func give(_ value: Int64) { statement.bind(value, at: index) }
    func give(_ value: Double) { statement.bind(value, at: index) }
    func give(_ value: String) { statement.bind(value, at: index) }
    func give(_ value: Data) { value.withUnsafeBytes { give($0) } }
    func give(_ bytes: UnsafeRawBufferPointer) { statement.bind(bytes, at: index) }
    func giveNull() { statement.bindNull(at: index) }
}

/// The result of a function, or of a virtual table's column.
struct SQLiteResult: SQLiteValuePlace {
    let context: OpaquePointer

    func give(_ value: Int64) { sqlite3_result_int64(context, value) }
    func give(_ value: Double) { sqlite3_result_double(context, value) }
    func giveNull() { sqlite3_result_null(context) }
    func give(_ value: Data) { value.withUnsafeBytes { give($0) } }

    func give(_ value: String) {
        var value = value
        value.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                // A nil base address would give NULL instead of the empty string.
                sqlite3_result_text64(
                    context,
                    $0.baseAddress ?? emptyText,
                    UInt64($0.count),
                    chordata_transient(),
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    }

    func give(_ bytes: UnsafeRawBufferPointer) {
        if bytes.isEmpty {
            sqlite3_result_zeroblob(context, 0)
        } else {
            sqlite3_result_blob64(context, bytes.baseAddress, UInt64(bytes.count), chordata_transient())
        }
    }
}
