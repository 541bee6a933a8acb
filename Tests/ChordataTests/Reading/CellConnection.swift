import ChordataPredicate
import ChordataSQL
import Foundation

@testable import Chordata

/// A connection of an engine that returns rows as cells; SQLite runs the statements, and all rows are copied before the
/// first one is returned, like the rows of a server.
final class CellConnection: StoreWriter {
    let connection: SQLiteConnection
    /// The number of rows that were returned.
    private(set) var rowCount = 0

    init(_ connection: SQLiteConnection) { self.connection = connection }

    func forEachRow(of query: StoreQuery, _ body: (StoreRow) throws -> Void) throws {
        let rows = try read(query)
        let source = CellSource()
        for row in rows {
            rowCount += 1
            try row.withCells { cells in try body(StoreRow(cells, of: source)) }
        }
    }

    private func read(_ query: StoreQuery) throws -> [CellRow] {
        let statement = try prepare(query)
        var rows: [CellRow] = []
        while try statement.step() {
            rows.append(CellRow((0..<statement.columnCount).map { CellRow.Value(statement.values.argument(at: $0)) }))
        }
        return rows
    }

    private func prepare(_ query: StoreQuery) throws -> SQLiteStatement {
        let sql =
            switch query.text {
            case .kept(let text): text.sql
            case .made(let sql): sql
            }
        let statement = try connection.prepare(checked(sql))
        switch query.arguments {
        case .none: break
        case .key(let key): statement.bind(key, at: 1)
        case .keys(let keys): statement.bind(jsonList(keys), at: 1)
        case .values(let values): statement.bind(values)
        }
        return statement
    }

    /// Returns the text of a statement after checking that it uses the dialect's equivalents of SQLite's SQL.
    private func checked(_ sql: String) -> String {
        precondition(
            !sql.contains(SQLiteDialect.rowFunction),
            "another engine has no function that is called with rows: \(sql)"
        )
        precondition(!sql.contains(#/\?(?!\d)/#), "a parameter without a number: \(sql)")
        precondition(!sql.contains(#/\bIS (?!(NOT )?(NULL|TRUE|DISTINCT FROM))/#), "a comparison: \(sql)")
        return sql
    }

    // MARK: Writing

    var path: String { connection.path }
    var tracksHistory: Bool { connection.tracksHistory }

    func run(_ query: StoreQuery) throws -> Int {
        try prepare(query).run()
        return connection.changes
    }

    func run(_ sql: String, times count: Int, _ arguments: (Int) -> [PredicateValue]) throws -> [Int] {
        let statement = try connection.prepare(checked(sql))
        return try (0..<count).map { index in
            statement.bind(arguments(index))
            try statement.run()
            return connection.changes
        }
    }

    func updatedKeys(by query: StoreQuery) throws -> [Int64] {
        guard case .made(let sql) = query.text else { preconditionFailure("an update is not kept") }
        let returning = try prepare(StoreQuery(sql + " RETURNING \"_id\"", query.arguments))
        var keys: [Int64] = []
        while try returning.step() { keys.append(returning.integer(at: 0)) }
        return keys
    }

    func recordHistory(_ changes: HistoryChanges, _ origin: SaveOrigin) throws {
        try connection.recordHistory(changes, origin)
    }
}

private final class CellSource: RowSource {
    init() { super.init(hasCells: true) }
}

/// A copy of a row.
private struct CellRow {
    enum Value {
        case null
        case integer(Int64)
        case real(Double)
        case text([UInt8])
        case blob([UInt8])

        init(_ argument: SQLArgument) {
            switch argument {
            case .null: self = .null
            case .integer(let value): self = .integer(value)
            case .real(let value): self = .real(value)
            case .text(let bytes): self = .text(Array(bytes))
            case .blob(let bytes): self = .blob(Array(bytes))
            }
        }
    }

    let values: [Value]

    init(_ values: [Value]) { self.values = values }

    /// Calls a closure with cells that are valid during the call.
    func withCells(_ body: (UnsafeMutablePointer<StoreCell>) throws -> Void) rethrows {
        let cells = UnsafeMutableBufferPointer<StoreCell>.allocate(capacity: max(values.count, 1))
        cells.initialize(repeating: .null)
        var memory: [UnsafeMutableRawBufferPointer] = []
        defer {
            // Code that keeps bytes of a row beyond the call reads these bytes.
            for bytes in memory {
                bytes.initializeMemory(as: UInt8.self, repeating: 0xAA)
                bytes.deallocate()
            }
            cells.deallocate()
        }
        func copy(_ bytes: [UInt8]) -> UnsafeRawBufferPointer {
            let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: max(bytes.count, 1), alignment: 1)
            copy.copyBytes(from: bytes)
            memory.append(copy)
            return UnsafeRawBufferPointer(rebasing: copy[..<bytes.count])
        }
        for (position, value) in values.enumerated() {
            cells[position] =
                switch value {
                case .null: .null
                case .integer(let value): .integer(value)
                case .real(let value): .real(value)
                case .text(let bytes): .text(copy(bytes))
                case .blob(let bytes): .blob(copy(bytes))
                }
        }
        try body(cells.baseAddress!)
    }
}

/// The SQL of SQLite, except that rows are returned, parameters have numbers, and comparisons are standard SQL.
struct CellDialect: SQLDialect {
    private let sqlite = SQLiteDialect()

    func condition(_ isMet: Bool) -> String { sqlite.condition(isMet) }
    func parameters(_ positions: ClosedRange<Int>) -> String { positions.map { "?\($0)" }.joined(separator: ", ") }
    func repeatedParameter(_ position: Int) -> String { sqlite.repeatedParameter(position) }
    func areSame(_ left: String, _ right: String) -> String { "\(left) IS NOT DISTINCT FROM \(right)" }
    func areDifferent(_ left: String, _ right: String) -> String { "\(left) IS DISTINCT FROM \(right)" }
    func isAmongKeys(_ column: String, at position: Int) -> String {
        "\(column) IN (SELECT value FROM json_each(?\(position)))"
    }
    func withoutIndex(_ value: String) -> String { sqlite.withoutIndex(value) }
    func contains(_ text: String, _ part: String) -> String { sqlite.contains(text, part) }
    func ends(_ text: String, with suffix: String, bind: (PredicateValue) -> String) -> String {
        sqlite.ends(text, with: suffix, bind: bind)
    }
    func range(limit: Int, offset: Int, bind: (PredicateValue) -> String) -> String {
        sqlite.range(limit: limit, offset: offset, bind: bind)
    }
    func elements(_ count: Int, of list: Data, hasPlaces: Bool, bind: (PredicateValue) -> String) -> String {
        sqlite.elements(count, of: list, hasPlaces: hasPlaces, bind: bind)
    }
    func collated(_ value: String, by collation: SQLCollation) -> String { sqlite.collated(value, by: collation) }
    var updateWithoutUndo: String { "UPDATE" }
    var nonNumber: String { sqlite.nonNumber }
    func call(_ function: SQLFunction, _ arguments: String) -> String { sqlite.call(function, arguments) }
    func rowFunction(columnCount: Int) -> String? { nil }
}
