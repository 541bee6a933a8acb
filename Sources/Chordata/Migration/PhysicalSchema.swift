internal import ChordataModel
package import ChordataSQL

/// The tables that a store actually has, as one line for each table and each column, so that two stores can be
/// compared.
///
/// The lines of a table `Person` are for example `Person` and `Person.team INTEGER -> Team`. The order of columns,
/// DEFAULT, indexes and the text of the SQL are not compared: two stores with the same lines can hold the same data.
package struct PhysicalSchema: Sendable, Hashable {
    let lines: Set<String>

    private init(lines: Set<String>) { self.lines = lines }

    /// Creates the schema from the text that was recorded in a store.
    init(text: String) { lines = Set(text.split(separator: "\n").map(String.init)) }

    /// The lines in an order that is always the same.
    var text: String { lines.ordered(by: <).joined(separator: "\n") }

    /// Creates the schema of a new store.
    package init(_ mapping: SchemaMapping) {
        var lines: Set<String> = []
        for table in mapping.tables {
            lines.insert(Self.line(table.name))
            for column in table.columns {
                lines.insert(Self.line(table.name, column.name, column.type.rawValue, column.references))
            }
        }
        self.lines = lines
    }

    /// Creates the schema of some tables of a file; tables that the file does not have are omitted.
    package init(of tables: Set<String>, in connection: SQLiteConnection) throws(StoreError) {
        var lines: Set<String> = []
        let columns = try connection.statement(
            """
            SELECT c."name", c."type", f."table" FROM pragma_table_xinfo(?1) AS c \
            LEFT JOIN pragma_foreign_key_list(?1) AS f ON f."from" = c."name"
            """
        )
        defer { columns.reset() }
        for table in tables {
            columns.reset()
            columns.bind(table, at: 1)
            while try columns.step() {
                lines.insert(Self.line(table))
                guard let name = columns.text(at: 0) else { continue }
                lines.insert(Self.line(table, name, columns.text(at: 1) ?? "", columns.text(at: 2)))
            }
        }
        self.init(lines: lines)
    }

    /// The tables that the schema describes.
    package var tables: Set<String> {
        Set(lines.filter { !$0.contains("\t") }.map { unescape(Substring($0)) })
    }

    private static func line(_ table: String) -> String { escape(table, with: .record) }

    private static func line(_ table: String, _ column: String, _ type: String, _ reference: String?) -> String {
        [line(table), escape(column, with: .record), type].joined(separator: "\t")
            + (reference.map { "\t\(escape($0, with: .record))" } ?? "")
    }

    /// Returns descriptions of the differences from another schema.
    package func differences(from expected: PhysicalSchema) -> [String] {
        missing(from: expected)
            + lines.subtracting(expected.lines).ordered(by: <).map {
                Self.words(of: $0) + " is not part of Chordata's schema"
            }
    }

    /// Returns descriptions of the parts of another schema that this schema lacks.
    func missing(from expected: PhysicalSchema) -> [String] {
        expected.lines.subtracting(lines).ordered(by: <).map { Self.words(of: $0) + " is missing" }
    }

    private static func words(of line: String) -> String {
        let parts = line.split(separator: "\t").map { unescape($0) }
        guard parts.count > 1 else { return "table '\(parts.first ?? "")'" }
        let reference = parts.count > 3 ? ", which references '\(parts[3])'" : ""
        return "column '\(parts[1])' of '\(parts[0])' (\(parts.count > 2 ? parts[2] : "")\(reference))"
    }
}
