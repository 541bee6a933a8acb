internal import CChordataSQLite

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A prepared statement.
///
/// Columns count from 0, parameters from 1, as in SQLite.
final class SQLiteStatement {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    private let path: String

    init(_ handle: OpaquePointer, connection: OpaquePointer, path: String) {
        self.handle = handle
        self.connection = connection
        self.path = path
    }

    deinit { sqlite3_finalize(handle) }

    /// Goes to the next row; false when there is none.
    func step() throws(StoreError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let result:
            let error = StoreError(sqliteResult: result, connection: connection, path: path)
            sqlite3_reset(handle)
            throw error
        }
    }

    /// Runs a statement that returns no rows, and makes it ready for the next run.
    func run() throws(StoreError) {
        _ = try step()
        sqlite3_reset(handle)
    }

    /// Makes the statement ready for another run and lets go of the rows and of the values bound.
    func reset() {
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
    }

    // MARK: Parameters

    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }
    func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    func bind(_ value: String, at index: Int32) {
        var value = value
        value.withUTF8 { text in
            _ = text.withMemoryRebound(to: CChar.self) {
                // A nil base address would bind NULL instead of the empty string.
                sqlite3_bind_text64(
                    handle,
                    index,
                    $0.baseAddress ?? emptyText,
                    UInt64($0.count),
                    chordata_transient(),
                    UInt8(SQLITE_UTF8)
                )
            }
        }
    }

    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        if bytes.isEmpty {
            sqlite3_bind_zeroblob(handle, index, 0)
        } else {
            sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), chordata_transient())
        }
    }

    func bind(_ value: Data, at index: Int32) { value.withUnsafeBytes { bind($0, at: index) } }

    // MARK: Columns

    func isNull(at column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
    func integer(at column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }
    func double(at column: Int32) -> Double { sqlite3_column_double(handle, column) }

    /// The text of a column; `nil` for NULL.
    func text(at column: Int32) -> String? {
        guard let start = sqlite3_column_text(handle, column) else { return nil }
        let count = Int(sqlite3_column_bytes(handle, column))
        return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The bytes of a column, valid until the next step; `nil` for NULL.
    func bytes(at column: Int32) -> UnsafeRawBufferPointer? {
        guard sqlite3_column_type(handle, column) != SQLITE_NULL else { return nil }
        let start = sqlite3_column_blob(handle, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

/// An address for empty strings; never written, never freed.
nonisolated(unsafe) private let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()
