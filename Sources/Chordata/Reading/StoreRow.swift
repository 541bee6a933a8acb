internal import ChordataModel
package import ChordataSQL

/// An object that provides rows, and records the first column of the current row whose value could not be read.
package class RowSource {
    /// A Boolean value that indicates whether the rows are cells; otherwise they are values of SQLite.
    let hasCells: Bool
    /// The column of the current row that holds a value of another type than requested; −1 for none.
    @exclusivity(unchecked) final private(set) var unreadableColumn: Int32 = -1

    init(hasCells: Bool) { self.hasCells = hasCells }

    /// Returns a source whose rows are cells.
    package static func ofCells() -> RowSource { RowSource(hasCells: true) }

    /// Records that a column holds a value of another type than requested.
    @inline(never)
    final func recordUnreadable(_ column: Int32) {
        if unreadableColumn < 0 { unreadableColumn = column }
    }

    /// Clears the recorded column, before the next row.
    package final func forgetUnreadable() { unreadableColumn = -1 }
}

/// A row of a store, valid until the next row: plain data, so that no reference is counted for it.
///
/// The engine of a store has the values of a row as SQLite's values or as cells. Code that decodes a row switches over
/// ``columns`` once, so the form costs one branch for each row.
package struct StoreRow {
    /// The values in the form in which the engine has them.
    enum Columns {
        case sqlite(StatementColumns)
        case cells(CellColumns)
    }

    /// A pointer to a value of SQLite for each column, or a ``StoreCell`` for each column.
    private let values: UnsafeMutableRawPointer
    private let source: Unmanaged<RowSource>

    @inline(__always)
    init(_ values: UnsafeMutablePointer<OpaquePointer?>, of statement: SQLiteStatement) {
        self.values = UnsafeMutableRawPointer(values)
        source = .passUnretained(statement)
    }

    /// - Parameters:
    ///   - cells: A cell for each column, valid until the next row.
    ///   - source: The source, which exists as long as the row.
    package init(_ cells: UnsafeMutablePointer<StoreCell>, of source: RowSource) {
        values = UnsafeMutableRawPointer(cells)
        self.source = .passUnretained(source)
    }

    @inline(__always)
    var columns: Columns {
        source._withUnsafeGuaranteedRef(\.hasCells)
            ? .cells(CellColumns(values.assumingMemoryBound(to: StoreCell.self), of: source))
            : .sqlite(StatementColumns(values.assumingMemoryBound(to: OpaquePointer?.self), of: source))
    }

    @inline(__always)
    package func isNull(at column: Int32) -> Bool {
        switch columns {
        case .sqlite(let values): values.isNull(at: column)
        case .cells(let values): values.isNull(at: column)
        }
    }

    @inline(__always)
    package func integer(at column: Int32) -> Int64 {
        switch columns {
        case .sqlite(let values): values.integer(at: column)
        case .cells(let values): values.integer(at: column)
        }
    }

    package func double(at column: Int32) -> Double {
        switch columns {
        case .sqlite(let values): values.double(at: column)
        case .cells(let values): values.double(at: column)
        }
    }

    package func text(at column: Int32) -> String? {
        switch columns {
        case .sqlite(let values): values.text(at: column)
        case .cells(let values): values.exactText(at: column)
        }
    }

    /// Returns the value of a column that holds an attribute; `nil` if the value is not of the attribute's type.
    func attribute(_ attribute: AttributeDescription, at column: Int32) -> (any Hashable & Sendable)? {
        switch columns {
        case .sqlite(let values): values.attribute(attribute, at: column)
        case .cells(let values): values.attribute(attribute, at: column)
        }
    }

    /// Returns the value of a column, valid until the next row.
    package func argument(at column: Int32) -> SQLArgument {
        switch columns {
        case .sqlite(let values): values.argument(at: column)
        case .cells(let values): values.argument(at: column)
        }
    }

    /// The column that could not be read; −1 for none.
    @inline(__always)
    var unreadableColumn: Int32 { source._withUnsafeGuaranteedRef(\.unreadableColumn) }
    func recordUnreadable(_ column: Int32) { source._withUnsafeGuaranteedRef { $0.recordUnreadable(column) } }
    func forgetUnreadable() { source._withUnsafeGuaranteedRef { $0.forgetUnreadable() } }
}

/// A value of a column, in the form in which engines other than SQLite provide it.
package enum StoreCell {
    case null
    /// An Integer, a Boolean, the key of a to-one relationship, or the number of bytes in a side table.
    case integer(Int64)
    /// A Double, a Float, or the seconds of a Date since 2001.
    case real(Double)
    /// The UTF-8 of a String, a URI or a Decimal.
    case text(UnsafeRawBufferPointer)
    /// Binary Data, the bytes of a Transformable, or the 16 bytes of a UUID.
    case blob(UnsafeRawBufferPointer)
}

/// The values of one row as cells.
struct CellColumns: RowValues {
    private let cells: UnsafeMutablePointer<StoreCell>
    private let source: Unmanaged<RowSource>

    @inline(__always)
    init(_ cells: UnsafeMutablePointer<StoreCell>, of source: Unmanaged<RowSource>) {
        (self.cells, self.source) = (cells, source)
    }

    func isNull(at column: Int32) -> Bool {
        if case .null = cells[Int(column)] { true } else { false }
    }

    func integer(at column: Int32) -> Int64 {
        switch cells[Int(column)] {
        case .integer(let value): return value
        case .null: return 0
        case .real, .text, .blob:
            recordUnreadable(column)
            return 0
        }
    }

    func double(at column: Int32) -> Double {
        switch cells[Int(column)] {
        case .real(let value): return value
        case .integer(let value): return Double(value)
        case .null: return 0
        case .text, .blob:
            recordUnreadable(column)
            return 0
        }
    }

    func exactText(at column: Int32) -> String? {
        switch cells[Int(column)] {
        case .text(let bytes):
            guard let start = bytes.bindMemory(to: UInt8.self).baseAddress else { return "" }
            if let text = validatedText(start, bytes.count) { return text }
            recordUnreadable(column)
            return nil
        case .null: return nil
        case .integer, .real, .blob:
            recordUnreadable(column)
            return nil
        }
    }

    func bytes(at column: Int32) -> UnsafeRawBufferPointer? {
        switch cells[Int(column)] {
        case .blob(let bytes): return bytes
        case .null: return nil
        case .integer, .real, .text:
            recordUnreadable(column)
            return nil
        }
    }

    func argument(at column: Int32) -> SQLArgument {
        switch cells[Int(column)] {
        case .null: .null
        case .integer(let value): .integer(value)
        case .real(let value): .real(value)
        case .text(let bytes): .text(bytes)
        case .blob(let bytes): .blob(bytes)
        }
    }

    func isMistyped(_ column: Int32, as type: Column.StorageType) -> Bool {
        switch cells[Int(column)] {
        case .null: false
        case .integer: type != .integer && type != .real
        case .real: type != .real
        case .text: type != .text
        case .blob: type != .blob
        }
    }

    func recordUnreadable(_ column: Int32) { source._withUnsafeGuaranteedRef { $0.recordUnreadable(column) } }
}
