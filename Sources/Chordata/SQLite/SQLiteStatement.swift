internal import CChordataSQLite
internal import ChordataSQL

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// A prepared statement.
///
/// Columns count from 0, parameters from 1, as in SQLite.
final class SQLiteStatement: RowSource {
    let handle: OpaquePointer
    private let connection: OpaquePointer
    let path: String
    /// A Boolean value that indicates whether the statement calls ``RowCallbackAggregate`` instead of
    /// returning rows.
    let makesCalls: Bool
    /// The result code of a value that SQLite did not accept; the statement must not run, because it would write NULL
    /// instead of the value.
    @exclusivity(unchecked) private var refusal = SQLITE_OK
    /// The values of the current row: those of the last step, or those of the callback; see ``RowCallbackAggregate``.
    ///
    /// They are not protected against other threads, because that is not necessary.
    @exclusivity(unchecked) var row: UnsafeMutablePointer<OpaquePointer?>
    /// The memory for the values of the statement's current row.
    private let ownRow: UnsafeMutableBufferPointer<OpaquePointer?>

    init(_ handle: OpaquePointer, connection: OpaquePointer, path: String, makesCalls: Bool) {
        self.makesCalls = makesCalls
        self.handle = handle
        self.connection = connection
        self.path = path
        // One more, so that there is an address even if there are no columns.
        ownRow = .allocate(capacity: Int(sqlite3_column_count(handle)) + 1)
        ownRow.initialize(repeating: nil)
        row = ownRow.baseAddress!
        super.init(hasCells: false)
    }

    deinit {
        sqlite3_finalize(handle)
        ownRow.deallocate()
    }

    /// Advances to the next row; returns `false` at the end.
    func step() throws(StoreError) -> Bool {
        switch refusal == SQLITE_OK ? sqlite3_step(handle) : refusal {
        case SQLITE_ROW:
            // SQLite may have prepared the statement again because the schema changed.
            for column in 0..<min(Int(sqlite3_data_count(handle)), ownRow.count) {
                ownRow[column] = sqlite3_column_value(handle, Int32(column))
            }
            return true
        case SQLITE_DONE: return false
        case let result:
            let error = StoreError(sqliteResult: result, connection: connection, path: path)
            sqlite3_reset(handle)
            refusal = SQLITE_OK
            throw error
        }
    }

    /// Runs a statement that returns no rows, and makes it ready for the next run.
    func run() throws(StoreError) {
        _ = try step()
        sqlite3_reset(handle)
    }

    /// Makes ``values`` use the statement's current row again.
    func endCalls() { row = ownRow.baseAddress! }

    /// Makes the statement ready for another run and removes its rows and bound values.
    func reset() {
        forgetUnreadable()
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        refusal = SQLITE_OK
    }

    // MARK: Parameters

    func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(handle, index, value) }
    func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(handle, index, value) }
    func bindNull(at index: Int32) { sqlite3_bind_null(handle, index) }

    func bind(_ value: String, at index: Int32) {
        var value = value
        value.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) {
                // A nil base address would bind NULL instead of the empty string.
                recordResult(
                    sqlite3_bind_text64(
                        handle,
                        index,
                        $0.baseAddress ?? emptyText,
                        UInt64($0.count),
                        chordata_transient(),
                        UInt8(SQLITE_UTF8)
                    )
                )
            }
        }
    }

    func bind(_ bytes: UnsafeRawBufferPointer, at index: Int32) {
        if bytes.isEmpty {
            recordResult(sqlite3_bind_zeroblob(handle, index, 0))
        } else {
            recordResult(
                sqlite3_bind_blob64(handle, index, bytes.baseAddress, UInt64(bytes.count), chordata_transient())
            )
        }
    }

    @inline(__always)
    private func recordResult(_ result: Int32) {
        if result != SQLITE_OK { refusal = result }
    }

    func bind(_ value: Data, at index: Int32) { value.withUnsafeBytes { bind($0, at: index) } }

    // MARK: Columns

    /// The values of the current row.
    @inline(__always)
    var values: StatementColumns { StatementColumns(row, of: .passUnretained(self)) }

    /// The current row, for code that reads the rows of all engines.
    @inline(__always)
    var currentRow: StoreRow { StoreRow(row, of: self) }

    /// The number of values to bind.
    var parameterCount: Int32 { sqlite3_bind_parameter_count(handle) }
    var columnCount: Int32 { sqlite3_column_count(handle) }
    func columnName(at column: Int32) -> String {
        sqlite3_column_name(handle, column).map { String(cString: $0) } ?? ""
    }

    func integer(at column: Int32) -> Int64 { values.integer(at: column) }
    func double(at column: Int32) -> Double { values.double(at: column) }
    func text(at column: Int32) -> String? { values.text(at: column) }
    func isNull(at column: Int32) -> Bool { values.isNull(at: column) }
    func bytes(at column: Int32) -> UnsafeRawBufferPointer? { values.bytes(at: column) }
}

/// An address for empty strings; never written, never freed.
nonisolated(unsafe) let emptyText: UnsafePointer<CChar> = {
    let text = UnsafeMutablePointer<CChar>.allocate(capacity: 1)
    text.initialize(to: 0)
    return UnsafePointer(text)
}()
