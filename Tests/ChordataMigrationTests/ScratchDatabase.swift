import CChordataSQLite
import Testing

/// A database in memory that runs SQL and shows its schema as a set of lines.
final class ScratchDatabase {
    private var handle: OpaquePointer?

    init() { #expect(sqlite3_open(":memory:", &handle) == SQLITE_OK) }
    deinit { sqlite3_close(handle) }

    func run(_ sql: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        let result = sqlite3_exec(handle, sql, nil, nil, &message)
        let text = message.map { String(cString: $0) } ?? ""
        sqlite3_free(message)
        try #require(result == SQLITE_OK, "\(text) in \(sql)")
    }

    /// Runs one statement with values.
    func run(_ sql: String, _ cells: [Cell]) throws { _ = try self.cells(sql, cells) }

    /// The rows of a statement with values.
    func cells(_ sql: String, _ arguments: [Cell] = []) throws -> [[Cell]] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        for (index, cell) in arguments.enumerated() {
            let place = Int32(index + 1)
            switch cell {
            case .null: sqlite3_bind_null(statement, place)
            case .integer(let integer): sqlite3_bind_int64(statement, place, integer)
            case .real(let double): sqlite3_bind_double(statement, place, double)
            case .text(let text): sqlite3_bind_text(statement, place, text, Int32(text.utf8.count), copied)
            case .blob(let bytes):
                // A pointer to nothing would be NULL.
                if bytes.isEmpty {
                    sqlite3_bind_zeroblob(statement, place, 0)
                } else {
                    sqlite3_bind_blob(statement, place, bytes, Int32(bytes.count), copied)
                }
            }
        }
        var rows: [[Cell]] = []
        while true {
            let result = sqlite3_step(statement)
            guard result == SQLITE_ROW else {
                try #require(result == SQLITE_DONE, "\(String(cString: sqlite3_errmsg(handle))) in \(sql)")
                return rows
            }
            rows.append((0..<sqlite3_column_count(statement)).map { Self.cell(statement, $0) })
        }
    }

    private static func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
        let count = Int(sqlite3_column_bytes(statement, column))
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            let bytes = UnsafeRawBufferPointer(start: sqlite3_column_text(statement, column), count: count)
            return .text(String(decoding: bytes, as: UTF8.self))
        case SQLITE_BLOB:
            return .blob(Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(statement, column), count: count)))
        default: return .null
        }
    }

    /// The rows of a query, their columns joined by a bar; NULL as a dash.
    func rows(_ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            let columns = (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "-"
            }
            rows.append(columns.joined(separator: "|"))
        }
        return rows
    }

    /// Tables, columns, foreign keys and indexes; not their order, DEFAULT or SQL text.
    func schema() throws -> Set<String> {
        var lines: Set<String> = []
        for table in try rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            lines.insert("table \(table)")
            for column in try rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)')") {
                lines.insert("column \(table) \(column)")
            }
            for key in try rows(
                "SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list('\(table)')"
            ) {
                lines.insert("reference \(table) \(key)")
            }
            for index in try rows("SELECT name, \"unique\" FROM pragma_index_list('\(table)') WHERE origin = 'c'") {
                let name = String(index.prefix { $0 != "|" })
                let columns = try rows("SELECT name, \"desc\" FROM pragma_index_xinfo('\(name)') WHERE key")
                lines.insert("index \(table) \(index) \(columns)")
            }
        }
        return lines
    }
}
