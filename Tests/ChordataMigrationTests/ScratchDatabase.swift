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
