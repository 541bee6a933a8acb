import Chordata
import ChordataSQL

/// A database in memory that runs SQL and shows its schema as a set of lines.
struct ScratchDatabase {
    let connection: SQLiteConnection

    init(_ connection: SQLiteConnection) { self.connection = connection }

    init() throws { connection = try SQLiteConnection(path: ":memory:", mode: .readWriteCreate) }

    func run(_ sql: String) throws { try connection.execute(sql) }

    /// Returns the rows of a query.
    ///
    /// The columns are joined by bars, and NULL is a dash.
    func rows(_ sql: String) throws -> [String] {
        try connection.rows(sql).map { row in
            row.map { value in
                switch value {
                case .null: "-"
                case .integer(let integer): "\(integer)"
                case .real(let real): "\(real)"
                case .text(let text): text
                case .blob(let bytes): "\(bytes)"
                }
            }.joined(separator: "|")
        }
    }

    /// Tables, columns, foreign keys and indexes; not their order, DEFAULT or SQL text.
    func schema() throws -> Set<String> {
        var lines: Set<String> = []
        for table in try rows("SELECT name FROM sqlite_schema WHERE type = 'table'") {
            let literal = sqlLiteral(text: table)
            lines.insert("table \(table)")
            for column in try rows("SELECT name, type, \"notnull\", pk FROM pragma_table_info(\(literal))") {
                lines.insert("column \(table) \(column)")
            }
            for key in try rows(
                "SELECT \"table\", \"from\", \"to\", on_delete FROM pragma_foreign_key_list(\(literal))"
            ) {
                lines.insert("reference \(table) \(key)")
            }
            for index in try rows("SELECT name, \"unique\" FROM pragma_index_list(\(literal)) WHERE origin = 'c'") {
                let name = sqlLiteral(text: String(index.prefix { $0 != "|" }))
                let columns = try rows("SELECT name, \"desc\" FROM pragma_index_xinfo(\(name)) WHERE key")
                lines.insert("index \(table) \(index) \(columns)")
            }
        }
        return lines
    }
}
